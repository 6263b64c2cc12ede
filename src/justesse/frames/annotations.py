"""Answers of annotators from any data: a row for each answer, or a row for each item and a column for each annotator."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from justesse.core.annotations import Annotations
from justesse.core.arrays import Array
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError
from justesse.core.levels import identity, native, ordered
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.columns import check_column, guess_column, has_column
from justesse.frames.kinds import in_kind_of
from justesse.frames.rows import Rows, no_rows
from justesse.frames.table import one_table, row_words
from justesse.frames.values import Named, named

Repeated = Literal["last", "first", "all", "refuse"]


@dataclass(frozen=True)
class ReadAnnotations:
    """Answers as read, and what a report must say about it."""

    annotations: Annotations
    name: str
    warnings: tuple[str, ...] = ()


def read_annotations(
    data: Any,
    *,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    gold: Any = None,
    time: str | None = None,
    annotators: Sequence[str] | None = None,
    classes: Sequence[ClassName] | None = None,
    repeated: Repeated = "last",
    as_text: bool = False,
    ignore_case: bool = False,
) -> ReadAnnotations:
    """Read who answered what.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays. Long: columns of item, annotator and answer. Wide: a column of items, and a
        column for each annotator.
    item
        Column with the items. Default: item, task or question.
    annotator
        Column with the annotators. Default: annotator, worker or rater; without one the table is wide.
    answer
        Column with the answers. Default: answer, label or class.
    gold
        Column with the true class of items, or another table with items and true classes. Default: none.
    time
        Column with the time or position of an answer, numbers or dates. Default: none.
    annotators
        In a wide table, the columns of annotators. Default: all others.
    classes
        All classes, in order. Default: those answered.
    repeated
        If an annotator answers one item several times: take the last answer, the first, all, or refuse.
    as_text
        Read answers as text, so that 1 and 1.0 differ.
    ignore_case
        Take answers that differ in case or spaces around them for one class.

    Returns
    -------
    ReadAnnotations
        Annotations, the name of the data and warnings.

    Examples
    --------
    >>> read_annotations({"item": [1, 1], "worker": ["ann", "bob"], "label": ["x", "y"]}).annotations
    Annotations(2 answers of 2 annotators to 1 items, 2 classes)
    >>> read_annotations({"item": [1, 2], "ann": ["x", "y"], "bob": ["x", None]}).annotations
    Annotations(3 answers of 2 annotators to 2 items, 2 classes)
    """
    table = one_table(data)
    items_column = guess_column("item", table.columns, table.name, item)
    gold_column = gold if isinstance(gold, str) and gold in table.columns else None
    wide = annotators is not None or (
        annotator is None and answer is None and not has_column("annotator", table.columns, table.name)
    )
    if wide:
        columns = _wide_columns(table, annotators, {items_column, gold_column, time})
        if time is not None:
            raise InputError("A wide table has one row for each item, so answers have no time. Use a long table.")
        item_names, who, what, names, when, golds = _wide(table, items_column, columns, gold_column, as_text)
    else:
        who_column = guess_column("annotator", table.columns, table.name, annotator)
        what_column = guess_column("answer", table.columns, table.name, answer)
        if len({items_column, who_column, what_column}) < 3:
            raise ColumnError(
                f"Item, annotator and answer must be three columns of {table.name}; got {items_column!r}, "
                f"{who_column!r} and {what_column!r}."
            )
        item_names, who, what, names, when, golds = _long(
            table, items_column, who_column, what_column, time, gold_column, as_text
        )
    warnings: list[str] = []
    what = _without_case(what) if ignore_case else what
    if not ignore_case and (alike := _alike(what.names)):
        warnings.append(
            f"Answers {alike[0]!r} and {alike[1]!r} differ only in case or spaces and count as two classes. "
            "Use ignore_case=True (--ignore-case) to take them for one."
        )
    missing = what.missing
    if missing.all():
        raise MissingValueError(f"No answers in {table.name}. Name the column of answers with answer=… (--answer).")
    if missing.any():
        warnings.append(f"{quantity(int(missing.sum()), 'empty answer')} left out.")
    truth = _gold_classes(golds, gold, gold_column, item_names, as_text, table.name)
    if ignore_case and truth:
        truth = {key: _plain(name) for key, name in truth.items()}
    class_names = _classes(classes, what, truth, table.name, as_text)
    annotations = _assembled(item_names, who, names, what, class_names, truth, when, ~missing)
    annotations, message = _once_each(annotations, repeated, table.name)
    if message:
        warnings.append(message)
    unknown = [] if truth is None else [key for key in truth if key not in {identity(n) for n in item_names.names}]
    if unknown:
        warnings.append(f"{quantity(len(unknown), 'item')} with a gold class and no row in {table.name}.")
    return ReadAnnotations(annotations, table.name, tuple(warnings))


def _wide_columns(table: Rows, annotators: Sequence[str] | None, taken: set[str | None]) -> list[str]:
    if annotators is not None:
        return [check_column(table.columns, table.name, "annotator", name) for name in annotators]
    columns = [name for name in table.columns if name not in taken]
    if len(columns) < 2:
        raise ColumnError(
            f"No column of annotators in {table.name}. Name one with annotator=… (--annotator) if every row is one "
            "answer; a table with one row for each item needs a column for each annotator."
        )
    return columns


def _wide(
    table: Rows, item: str, columns: Sequence[str], gold: str | None, as_text: bool
) -> tuple[Named, Array, Named, list[ClassName], None, Named | None]:
    values = table.arrays([item, *columns, *([gold] if gold else [])], []).keys
    if not len(values[0]):
        raise no_rows(table.name)
    items = _named_items(values[0], table, item)
    answers = np.ma.concatenate([np.ma.asarray(part, dtype=object) for part in values[1 : len(columns) + 1]])
    what = named(answers, form=table.form, column="answer", as_text=as_text)
    rows = len(values[0])
    golds = named(values[-1], form=table.form, column=gold or "", as_text=as_text) if gold else None
    repeated_items = Named(np.tile(items.codes, len(columns)), items.names)
    if golds is not None:
        golds = Named(np.tile(golds.codes, len(columns)), golds.names)
    return repeated_items, np.repeat(np.arange(len(columns)), rows), what, list(columns), None, golds


def _long(
    table: Rows, item: str, annotator: str, answer: str, time: str | None, gold: str | None, as_text: bool
) -> tuple[Named, Array, Named, list[ClassName], Array | None, Named | None]:
    if time is not None:
        check_column(table.columns, table.name, "time", time)
    extra = [name for name in (gold, time) if name]
    values = table.arrays([item, annotator, answer, *extra], []).keys
    if not len(values[0]):
        raise no_rows(table.name)
    items = _named_items(values[0], table, item)
    people = named(values[1], form=table.form, column=annotator)
    if people.missing.any():
        raise MissingValueError(
            f"Missing annotator in column {annotator!r} of {table.name}: {row_words(np.flatnonzero(people.missing))}. "
            "Fill them in, or remove those rows."
        )
    what = named(values[2], form=table.form, column=answer, as_text=as_text)
    golds = named(values[3], form=table.form, column=gold, as_text=as_text) if gold else None
    when = _order(values[-1], table, time) if time else None
    return items, people.codes, what, list(people.names), when, golds


def _named_items(values: Array, table: Rows, column: str) -> Named:
    items = named(values, form=table.form, column=column)
    if items.missing.any():
        raise MissingValueError(
            f"Missing item in column {column!r} of {table.name}: {row_words(np.flatnonzero(items.missing))}. "
            "Fill them in, or remove those rows."
        )
    return items


def _order(values: Array, table: Rows, time: str) -> Array:
    """Rank the times: numbers by value, dates and text by how they are written (ISO dates sort as text)."""
    plain = np.ma.filled(np.ma.asarray(values, dtype=object), None)
    if any(value is None or value == "" for value in plain):
        gone = np.flatnonzero([value is None or value == "" for value in plain])
        raise MissingValueError(f"Missing time in column {time!r} of {table.name}: {row_words(gone)}. Fill them in.")
    try:
        keys: Array = np.array([float(value) for value in plain])
    except (TypeError, ValueError):
        keys = np.array([str(value) for value in plain])
    return np.unique(keys, return_inverse=True)[1].astype(float)


def _plain(name: ClassName) -> ClassName:
    return " ".join(name.split()).casefold() if isinstance(name, str) else name


def _without_case(what: Named) -> Named:
    known: dict[ClassName, int] = {}
    merged = np.array([known.setdefault(_plain(name), len(known)) for name in what.names], dtype=np.int64)
    return Named(merged[what.codes], tuple(known), what.had_gaps)


def _alike(names: Sequence[ClassName]) -> tuple[ClassName, ClassName] | None:
    seen: dict[ClassName, ClassName] = {}
    for name in names:
        if isinstance(name, str):
            if _plain(name) in seen:
                return seen[_plain(name)], name
            seen[_plain(name)] = name
    return None


def _gold_classes(
    golds: Named | None, gold: Any, column: str | None, items: Named, as_text: bool, where: str
) -> dict[tuple[type, ClassName], ClassName] | None:
    """Give the true class of items by their identity, from a column or from another table."""
    if gold is None:
        return None
    if column is None:
        if isinstance(gold, str) and "." not in gold and "/" not in gold:
            raise ColumnError(f"Column {gold!r} not found in {where}. Name a column, or a file with the true classes.")
        table = one_table(gold)
        item_column = guess_column("item", table.columns, table.name, None)
        class_column = guess_column("gold", [name for name in table.columns if name != item_column], table.name, None)
        values = table.arrays([item_column, class_column], []).keys
        items = _named_items(values[0], table, item_column)
        golds = named(values[1], form=table.form, column=class_column, as_text=as_text)
        where = table.name
    assert golds is not None
    present = ~golds.missing
    truth: dict[tuple[type, ClassName], ClassName] = {}
    pairs = np.unique(np.stack([items.codes[present], golds.codes[present]]), axis=1)
    for code, label in pairs.T.tolist():
        key = identity(items.names[code])
        if key in truth:
            raise InputError(
                f"Item {items.names[code]!r} of {where} has two gold classes, {truth[key]!r} and "
                f"{golds.names[label]!r}. Correct one."
            )
        truth[key] = golds.names[label]
    return truth


def _classes(
    classes: Sequence[ClassName] | None,
    what: Named,
    truth: dict[tuple[type, ClassName], ClassName] | None,
    where: str,
    as_text: bool,
) -> tuple[ClassName, ...]:
    answered = [name for name in what.names if name is not None]
    known = list((truth or {}).values())
    if classes is None:
        kinds = {type(name) for name in [*answered, *known]}
        if len(kinds) > 1:
            raise ClassError(
                f"Answers of {where} such as {answered[0]!r} and gold classes such as {known[0]!r} are of different "
                "kinds. Use as_text=True (--as-text)."
            )
        return ordered({identity(name): name for name in [*answered, *known]}.values())
    names = tuple(in_kind_of([native(name) for name in classes], answered) if answered else classes)
    if strangers := {identity(name) for name in [*answered, *known]} - {identity(name) for name in names}:
        name = sorted(repr(name) for _, name in strangers)[0]
        raise ClassError(f"Answer {name} in {where} is not among the classes {list(names)!r}. Add it, or correct it.")
    return names


def _assembled(
    items: Named,
    who: Array,
    annotators: list[ClassName],
    what: Named,
    classes: tuple[ClassName, ...],
    truth: dict[tuple[type, ClassName], ClassName] | None,
    when: Array | None,
    present: Array,
) -> Annotations:
    position = {identity(name): code for code, name in enumerate(classes)}
    recoded = np.array([-1 if name is None else position[identity(name)] for name in what.names], dtype=np.int32)
    gold = None
    if truth is not None:
        codes = [position[identity(truth[key])] if (key := identity(name)) in truth else -1 for name in items.names]
        gold = np.array(codes, dtype=np.int32)
    return Annotations.sorted(
        items.names,
        annotators,
        classes,
        items.codes[present],
        who[present],
        recoded[what.codes[present]],
        gold=gold,
        time=None if when is None else when[present],
    )


def _once_each(annotations: Annotations, repeated: Repeated, where: str) -> tuple[Annotations, str | None]:
    """Keep one answer of an annotator to an item; the answers are sorted by both, in their order of appearance or time."""
    notes = annotations
    if notes.time is not None:
        order = np.lexsort((notes.time, notes.annotator, notes.item))
        notes = notes.where(order)
    same = (notes.item[1:] == notes.item[:-1]) & (notes.annotator[1:] == notes.annotator[:-1])
    number = int(same.sum())
    if not number:
        return notes, None
    at = int(np.flatnonzero(same)[0])
    example = f"{notes.annotators[notes.annotator[at]]!r} answered item {notes.items[notes.item[at]]!r} more than once"
    if repeated == "refuse":
        raise InputError(f"Annotator {example} in {where}. Remove the repetition, or use repeated='last' (--repeated).")
    if repeated == "all":
        return notes, f"{quantity(number, 'repeated answer')} counted like those of further annotators: {example}."
    kept = np.concatenate([~same, [True]]) if repeated == "last" else np.concatenate([[True], ~same])
    which = "the last" if repeated == "last" else "the first"
    return notes.where(kept), f"{quantity(number, 'repeated answer')} left out, {which} of each kept: {example}."
