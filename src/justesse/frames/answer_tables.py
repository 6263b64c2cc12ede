"""Answers in a table with a row for each answer, or a row for each item with a column per annotator."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ClassError, MissingValueError
from justesse.core.results import ClassName
from justesse.frames.columns import check_column
from justesse.frames.item_classes import named_items
from justesse.frames.number_spellings import as_integers, one_spelling
from justesse.frames.rows import Rows, no_rows
from justesse.frames.table import row_words
from justesse.frames.values import Named, named


@dataclass(frozen=True)
class AnswerRows:
    """One entry for each answer: item, annotator, class and time; `rows` is the item of each row of the table."""

    rows: Named
    item: Array
    annotator: Array
    annotators: list[ClassName]
    answer: Named
    time: Array | None = None


def wide_answers(table: Rows, item: str, columns: Sequence[str], as_text: bool) -> AnswerRows:
    """Read a table with a row for each item and a column for each annotator."""
    values = table.arrays([item, *columns], []).keys
    rows = len(values[0])
    if not rows:
        raise no_rows(table.name)
    items = named_items(values[0], table, item)
    parts = np.concatenate([with_none(part) for part in values[1:]])
    try:
        what = _answers(parts, table, "answer", as_text)
    except ClassError:
        for name, part in zip(columns, values[1:], strict=True):
            named(part, form=table.form, column=name, as_text=as_text)
        raise _mixed_columns(columns, values[1:], table) from None
    who = np.repeat(np.arange(len(columns)), rows)
    return AnswerRows(items, np.tile(items.codes, len(columns)), who, list(columns), what)


def long_answers(table: Rows, item: str, annotator: str, answer: str, time: str | None, as_text: bool) -> AnswerRows:
    """Read a table with a row for each answer.

    Parameters
    ----------
    table
        The table.
    item, annotator, answer, time
        Its columns; answers have no time if there is no such column.
    as_text
        Whether classes are read as text.
    """
    if time is not None:
        check_column(table.columns, table.name, "time", time)
    values = table.arrays([item, annotator, answer, *([time] if time else [])], []).keys
    if not len(values[0]):
        raise no_rows(table.name)
    items = named_items(values[0], table, item)
    people = named(values[1], form=table.form, column=annotator)
    what = _answers(values[2], table, answer, as_text)
    nobody = people.missing
    if (unsigned := nobody & ~what.missing).any():
        raise MissingValueError(
            f"Missing annotator in column {annotator!r} of {table.name}: {row_words(np.flatnonzero(unsigned))}. "
            "Fill them in, or remove those rows."
        )
    codes, names = people.codes, list(people.names)
    if nobody.any():  # rows of items that nobody answered
        order = np.array([-1 if name is None else at for at, name in enumerate(names)])
        kept = order[order >= 0]
        position = np.zeros(len(names), dtype=np.int64)
        position[kept] = np.arange(len(kept))
        codes, names = position[codes], [names[at] for at in kept]
    when = _order(values[-1], what.missing, table, time) if time else None
    return AnswerRows(items, items.codes, codes, names, what, when)


def _answers(values: Array, table: Rows, column: str, as_text: bool) -> Named:
    """Give codes to the answers; 1 and 1.0 are one class unless they are read as text."""
    if as_text:
        return named(values, form=table.form, column=column, as_text=True)
    return one_spelling(named(as_integers(values, table.form), form=table.form, column=column))


def _mixed_columns(columns: Sequence[str], values: Sequence[Array], table: Rows) -> ClassError:
    """Say which two columns of a wide table have answers of different kinds."""
    kinds: dict[str, str] = {}
    for name, part in zip(columns, values, strict=True):
        if kind := named(part, form=table.form, column=name).kind:
            kinds.setdefault(kind, name)
    (kind, name), (other_kind, other) = list(kinds.items())[:2]
    return ClassError(
        f"Column {name!r} of {table.name} has {kind}, but column {other!r} has {other_kind}. Write answers alike "
        "in all columns, read all as text (as_text=True, --as-text), or name the annotators' columns with annotators=… "
        "(--annotators)."
    )


def with_none(values: Array) -> Array:
    """Copy the values as objects, None where they are masked."""
    plain = np.array(np.ma.getdata(values), dtype=object)
    plain[np.ma.getmaskarray(values)] = None
    return plain


def _order(values: Array, unanswered: Array, table: Rows, time: str) -> Array:
    """Rank the times: numbers by value, dates and text by how they are written (ISO dates sort as text)."""
    plain = with_none(values)
    empty = np.array([value is None or value == "" for value in plain]) & ~unanswered
    if empty.any():
        rows = row_words(np.flatnonzero(empty))
        raise MissingValueError(f"Missing time in column {time!r} of {table.name}: {rows}. Fill them in.")
    plain[unanswered] = plain[~unanswered][0]
    try:
        keys: Array = np.array([float(value) for value in plain])
    except (TypeError, ValueError):
        keys = np.array([str(value) for value in plain])
    return np.unique(keys, return_inverse=True)[1].astype(float)
