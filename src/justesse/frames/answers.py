"""What annotators answered, row by row of a table: a column each, or counts of votes for each class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError
from justesse.core.levels import spelt_alike
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
        raise ColumnError(f"{other.name} has no column of votes for the class {absent[0]!r}; every class needs one")
    votes = other.arrays([], columns).numbers
    bad = ~((votes >= 0) & np.isfinite(votes)).all(axis=1)
    if bad.any():
        raise InputError(
            f"Votes must be counts from 0 up; {other.name} has other values in {row_words(np.flatnonzero(bad))}. "
            "Correct them."
        )
    return np.asarray(votes[_places(table, other, on, len(votes))][:, np.argsort(codes)])


def _others(other: Rows, what: str, label: str, on: str | None) -> list[str]:
    if on is not None:
        check_column(other.columns, other.name, "on", on)
    columns = [name for name in other.columns if name not in (on, label)]
    if not columns:
        raise ColumnError(f"{other.name} has no column of {what}; it has {', '.join(map(repr, other.columns))}")
    return columns


def _code(name: ClassName, classes: Sequence[ClassName], column: str, where: str, table: str) -> int:
    for code, known in enumerate(classes):
        if spelt_alike(known, name):
            return code
    what = f"column {column!r}" if name == column else f"{name!r} in column {column!r}"
    raise ClassError(
        f"{what} of {where} is not a class of {table} ({', '.join(map(repr, classes[:10]))}): remove it, name the "
        "column of ids with on=… (--on), or name all the classes with classes=… (--classes)"
    )


def _places(table: TypedTable, other: Rows, on: str | None, size: int) -> Array:
    """Say in which row of the other table each row of the table is."""
    if on is None:
        if size != len(table):
            raise InputError(
                f"{table.name} has {len(table):,} rows and {other.name} {size:,}: rows can only be taken in order if "
                "there are equally many; join them by an id with on=… (--on id)"
            )
        return np.arange(size)
    check_column(table.columns, table.name, "on", on)
    there = {name: row for row, name in enumerate(row_ids(other, on))}
    here = row_ids(table.rows, on)
    absent = [name for name in here if name not in there]
    if absent:
        raise InputError(
            f"{len(absent):,} rows of {table.name} are not in {other.name}, such as {on!r} {absent[0]!r}; complete it"
        )
    return np.array([there[name] for name in here])


def row_ids(rows: Rows, on: str) -> list[ClassName]:
    result = named(rows.arrays([on], []).keys[0], form=rows.form, column=on, as_text=True)
    if result.missing.any():
        raise MissingValueError(f"{rows.name} has no {on!r} in {row_words(np.flatnonzero(result.missing))}; fill it in")
    if len(result.names) < len(result.codes):
        twice = result.names[int(np.bincount(result.codes).argmax())]
        raise InputError(f"{on!r} {twice!r} repeats in {rows.name}; each id may name one row: remove the copies")
    return [result.names[code] for code in result.codes.tolist()]
