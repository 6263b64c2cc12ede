"""What annotators answered, row by row of a table: a column each, or counts of votes for each class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError
from justesse.core.levels import spelt_alike
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.columns import check_column
from justesse.frames.rows import Rows
from justesse.frames.table import TypedTable, one_table, row_words
from justesse.frames.values import named


def read_answers(data: Any, table: TypedTable, *, label: str, classes: Sequence[ClassName], on: str | None) -> Array:
    """Give the codes of the answers, rows of the table × annotators, -1 where one gave none.

    Every column but the id and the label is an annotator. Rows are in the table's order, or found by the id `on`.

    >>> from justesse.frames.table import read_table
    >>> table = read_table({"id": [7, 8], "y": ["cat", "dog"]})
    >>> read_answers({"id": [8, 7], "ann": ["dog", None]}, table, label="y", classes=("cat", "dog"), on="id").tolist()
    [[-1], [1]]
    """
    other = one_table(data)
    annotators = _others(other, "answers", label, on)
    raw = other.arrays(annotators, []).keys
    at = _places(table, other, on, len(raw[0]))
    columns = []
    for name, values in zip(annotators, raw, strict=True):
        result = named(values, form=other.form, column=name)
        codes = [-1 if item is None else _code(item, classes, name, other.name, table.name) for item in result.names]
        columns.append(np.array(codes, dtype=np.int32)[result.codes][at])
    return np.column_stack(columns)


def read_votes(data: Any, table: TypedTable, *, label: str, classes: Sequence[ClassName], on: str | None) -> Array:
    """Give the counts of votes, rows of the table × classes; every class needs a column that bears its name.

    >>> from justesse.frames.table import read_table
    >>> table = read_table({"y": ["cat", "dog"]})
    >>> read_votes({"dog": [1, 9], "cat": [9, 0]}, table, label="y", classes=("cat", "dog"), on=None).tolist()
    [[9.0, 1.0], [0.0, 9.0]]
    """
    other = one_table(data)
    columns = _others(other, "votes", label, on)
    codes = [_code(name, classes, name, other.name, table.name) for name in columns]
    absent = [name for code, name in enumerate(classes) if code not in codes]
    if absent:
        raise ColumnError(
            f"No column of votes for class {absent[0]!r} in {other.name}. Every class needs a column with its name."
        )
    votes = other.arrays([], columns).numbers
    bad = ~((votes >= 0) & np.isfinite(votes)).all(axis=1)
    if bad.any():
        raise InputError(f"Votes must be counts from 0 up. Correct {row_words(np.flatnonzero(bad))} of {other.name}.")
    return np.asarray(votes[_places(table, other, on, len(votes))][:, np.argsort(codes)])


def _others(other: Rows, what: str, label: str, on: str | None) -> list[str]:
    if on is not None:
        check_column(other.columns, other.name, "on", on)
    columns = [name for name in other.columns if name not in (on, label)]
    if not columns:
        raise ColumnError(f"No column of {what} in {other.name}. Columns: {', '.join(map(repr, other.columns))}.")
    return columns


def _code(name: ClassName, classes: Sequence[ClassName], column: str, where: str, table: str) -> int:
    for code, known in enumerate(classes):
        if spelt_alike(known, name):
            return code
    what = f"Column {column!r}" if name == column else f"Class {name!r} in column {column!r}"
    raise ClassError(
        f"{what} of {where} is not a class of {table} ({', '.join(map(repr, classes[:10]))}). Remove it, "
        "name the id column with on=… (--on), or list all classes with classes=… (--classes)."
    )


def _places(table: TypedTable, other: Rows, on: str | None, size: int) -> Array:
    """Say in which row of the other table each row of the table is."""
    if on is None:
        if size != len(table):
            raise InputError(
                f"Different numbers of rows: {len(table):,} in {table.name}, {size:,} in {other.name}. Join them "
                "by an id with on=… (--on id)."
            )
        return np.arange(size)
    check_column(table.columns, table.name, "on", on)
    row_of = {name: row for row, name in enumerate(row_ids(other, on))}
    ids = row_ids(table.rows, on)
    absent = [name for name in ids if name not in row_of]
    if absent:
        raise InputError(
            f"{quantity(len(absent), 'row')} of {table.name} not found in {other.name}, such as {on} "
            f"{absent[0]!r}. Add the missing rows."
        )
    return np.array([row_of[name] for name in ids])


def row_ids(rows: Rows, on: str) -> list[ClassName]:
    result = named(rows.arrays([on], []).keys[0], form=rows.form, column=on, as_text=True)
    if result.missing.any():
        raise MissingValueError(
            f"Missing {on!r} in {row_words(np.flatnonzero(result.missing))} of {rows.name}. Every row needs an "
            "id: fill it in."
        )
    if len(result.names) < len(result.codes):
        twice = result.names[int(np.bincount(result.codes).argmax())]
        raise InputError(f"Duplicate ids in column {on!r} of {rows.name}, such as {twice!r}. Keep one row per id.")
    return [result.names[code] for code in result.codes.tolist()]
