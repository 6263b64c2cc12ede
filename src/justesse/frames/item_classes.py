"""One class for each item: gold classes or predictions, from a column of the answers or from another table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from justesse.core.errors import ColumnError, InputError, MissingValueError
from justesse.core.levels import identity
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.columns import USUAL, guess_column
from justesse.frames.kinds import as_kind_of
from justesse.frames.rows import Rows, no_rows
from justesse.frames.table import one_table, row_words
from justesse.frames.values import Named, named

ClassRole = Literal["gold", "check", "prediction", "label", "incumbent", "candidate"]
Identity = tuple[type, ClassName]
NOUNS: dict[ClassRole, str] = {
    "gold": "gold class",
    "check": "gold class",
    "prediction": "prediction",
    "label": "label",
    "incumbent": "incumbent's prediction",
    "candidate": "candidate's prediction",
}
USUAL_PARTS: dict[ClassRole, str] = {
    "gold": "gold",
    "check": "gold",
    "prediction": "prediction",
    "label": "label",
    "incumbent": "prediction",
    "candidate": "prediction",
}


@dataclass(frozen=True)
class ItemClasses:
    """The class of items, by the identity of their names, and what a report must say about it."""

    classes: dict[Identity, ClassName]
    warnings: tuple[str, ...] = ()


def item_column_of(table: Rows) -> str:
    """Return the column with the items of a table beside the answers: a usual name, or `id` if there is none."""
    usual = {name.lower() for name in table.columns} & set(USUAL["item"])
    ids = [name for name in table.columns if name.lower() == "id"]
    if ids and not usual:
        return ids[0]
    return guess_column("item", table.columns, table.name, None)


def own_column(source: Any, table: Rows) -> str | None:
    """Return the column of the answers that the source names, if it does."""
    return source if isinstance(source, str) and source in table.columns else None


def item_classes(
    source: Any,
    table: Rows,
    items: Named,
    what: Named,
    *,
    role: ClassRole,
    as_text: bool,
    values: Named | None,
    item: str | None = None,
) -> ItemClasses:
    """Read the class of each item.

    Parameters
    ----------
    source
        Column of the answers, or another table with items and classes.
    table
        The table of answers.
    items
        Items of the answers.
    what
        The answers: classes are written as they are.
    role
        What the classes are.
    as_text
        Read classes as text.
    values
        The column of the answers, if the source names one, in the order of `items`.
    item
        Column with the items of the answers; another table may name its own alike.

    Returns
    -------
    ItemClasses
        Class of each item that has one.
    """
    own, read_from = values, None
    where, column, theirs = table.name, str(source), items
    if own is None:
        if isinstance(source, str) and "." not in source and "/" not in source:
            raise ColumnError(
                f"Column {source!r} not found in {where}. Columns: {', '.join(table.columns)}. Name one of them, or a "
                f"file with the {NOUNS[role]} of each item."
            )
        other = one_table(source)
        item_column = item if item in other.columns else item_column_of(other)
        columns = [name for name in other.columns if name != item_column]
        column = _class_column(role, columns, other.name)
        if len(columns) > 1 and column not in (role, USUAL_PARTS[role]):
            read_from = (
                f"{other.name}: {NOUNS[role]} from column {column!r}, items from {item_column!r}. If others are meant, "
                "leave only the two columns in the table."
            )
        arrays = other.arrays([item_column, column], []).keys
        if not len(arrays[0]):
            raise no_rows(other.name)
        theirs = named_items(arrays[0], other, item_column)
        theirs = as_kind_of(items, theirs) or theirs
        own = named(arrays[1], form=other.form, column=column, as_text=as_text)
        where = other.name
    matched = as_kind_of(what, own)
    if matched is None:
        example, answered = (next(name for name in part.names if name is not None) for part in (own, what))
        raise InputError(
            f"The {NOUNS[role]} {example!r} in column {column!r} of {where} is of another kind than the answer "
            f"{answered!r}. Use as_text=True (--as-text), or write them alike."
        )
    classes = _of_each(theirs, matched, role, where)
    known = {identity(name) for name in items.names}
    strange = sum(key not in known for key in classes)
    if classes and strange == len(classes):
        raise InputError(
            f"No item of {where} is among those of {table.name}: {theirs.names[0]!r} against {items.names[0]!r}. "
            "Items must be written alike in both."
        )
    warnings = [read_from] if read_from else []
    if strange:
        warnings.append(f"{quantity(strange, 'item')} of {where} without a row in {table.name} left out.")
    return ItemClasses(classes, tuple(warnings))


def _class_column(role: ClassRole, columns: Sequence[str], where: str) -> str:
    """Find the column with the classes: the only one, or the one with a usual name."""
    if len(columns) == 1:
        return columns[0]
    usual = USUAL[USUAL_PARTS[role]]
    for name in (role, usual[0]):
        if name in columns:
            return name
    likely = [name for name in columns if name.lower() in usual]
    if len(likely) == 1:
        return likely[0]
    others = ", ".join(map(repr, columns)) or "none"
    raise ColumnError(
        f"{where} needs one column with the {NOUNS[role]} of each item; it has {others}. "
        f"Leave only that column beside the items, or name it {usual[0]!r}."
    )


def named_items(values: Any, table: Rows, column: str) -> Named:
    """Read the items of a table; every row needs one."""
    items = named(values, form=table.form, column=column)
    if items.missing.any():
        raise MissingValueError(
            f"Missing item in column {column!r} of {table.name}: {row_words(np.flatnonzero(items.missing))}. "
            "Fill them in, or remove those rows."
        )
    return items


def _of_each(items: Named, values: Named, role: ClassRole, where: str) -> dict[Identity, ClassName]:
    present = ~values.missing
    classes: dict[Identity, ClassName] = {}
    pairs = np.unique(np.stack([items.codes[present], values.codes[present]]), axis=1)
    for code, label in pairs.T.tolist():
        key = identity(items.names[code])
        if key in classes:
            raise InputError(
                f"Item {items.names[code]!r} of {where} has more than one {NOUNS[role]}: {classes[key]!r} and "
                f"{values.names[label]!r}. Correct one."
            )
        classes[key] = values.names[label]
    return classes
