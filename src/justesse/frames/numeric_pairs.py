"""Numeric labels and the numeric predictions of two models for the same rows, as arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError, ScoreError
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.joined import THEIRS, JoinedRows
from justesse.frames.lazily import LazilyJoined
from justesse.frames.rows import Columns, Rows, no_rows
from justesse.frames.scores import check_not_huge
from justesse.frames.table import row_words
from justesse.frames.together import Together
from justesse.frames.values import named


@dataclass(frozen=True)
class NumericPairs:
    """Labels and both predictions of every row, the slices each row is in, and how many rows were left out."""

    label: Array
    incumbent: Array
    candidate: Array
    slices: Mapping[str, tuple[Array, tuple[ClassName, ...]]]  # column → (code of each row, names)
    dropped: int = 0


@dataclass(frozen=True)
class ReadNumericPairs:
    """Both models by name, their predictions, the columns they came from, and how many rows have no partner."""

    names: tuple[str, str]
    pairs: NumericPairs
    columns: Mapping[str, str]
    unmatched: Mapping[Any, int] | None = None


def numeric_pairs(table: Together, *, drop_missing: bool = False) -> NumericPairs:
    """Read label and both predictions as numbers.

    Parameters
    ----------
    table
        Both models' rows, joined.
    drop_missing
        Leave out rows without a number instead of refusing them.
    """
    names = [table.columns[part] for part in ("label", "incumbent", "candidate")]
    slices = list(table.slices.values())
    parts = [_arrays(rows, slices, names) for rows in table.tables]
    numbers = np.concatenate([part.numbers for part in parts])
    where = table.tables[0].name
    if not len(numbers):
        raise no_rows(where)
    if np.isinf(numbers).any():
        row = int(np.isinf(numbers).any(axis=1).argmax()) + 1
        raise ScoreError(f"Infinite number in row {row} of {where}. Correct or remove it.")
    check_not_huge(numbers, where)
    gaps = np.isnan(numbers).any(axis=1)
    if (empty := np.isnan(numbers).all(axis=0)).any():
        raise InputError(
            f"{_place(table.tables[0], names[int(empty.argmax())])} holds text or nothing, no number. To compare "
            "classifiers use justesse compare; otherwise name a column with numbers."
        )
    if gaps.all():
        raise InputError(f"No row of {where} has numbers in {' and '.join(map(repr, names))}. Name the right columns.")
    if gaps.any() and not drop_missing:
        raise ScoreError(
            f"Missing numbers in {quantity(int(gaps.sum()), 'row')} of {where}: "
            f"{row_words(np.flatnonzero(gaps))}. Correct them, or drop these rows with missing='drop' (--missing drop)."
        )
    kept = numbers[~gaps]
    grouped = {}
    for at, (title, column) in enumerate(table.slices.items()):
        join: Any = np.ma.concatenate
        values = join([part.keys[at].astype(object) for part in parts])[~gaps]
        group = named(values, form=table.tables[0].form, column=column)
        grouped[title.removeprefix("by ")] = (group.codes, tuple(group.names))
    return NumericPairs(kept[:, 0], kept[:, 1], kept[:, 2], grouped, int(gaps.sum()))


def _place(rows: Rows, name: str) -> str:
    """Name a column and the file it is in, as the user knows both."""
    if isinstance(rows, JoinedRows):
        side, column = rows.parts[name]
        return f"Column {column!r} of {rows.sides[side][0].name}"
    return f"Column {name!r} of {rows.name}"


def _arrays(rows: Rows, slices: list[str], names: list[str]) -> Columns:
    if isinstance(rows, LazilyJoined):
        raise InputError("Numeric predictions in lazy frames cannot be compared. Collect the frames first.")
    if not isinstance(rows, JoinedRows):
        return rows.arrays(slices, names)
    # ids that repeat or that one side lacks are found by counting; numeric labels are compared here, as numbers
    replace(rows, parts={part: place for part, place in rows.parts.items() if part != THEIRS}).group([], None, False)
    if THEIRS not in rows.parts:
        return rows.arrays(slices, names)
    both = rows.arrays(slices, [*names, THEIRS])
    ours, theirs = both.numbers[:, 0], both.numbers[:, -1]
    differ = (ours != theirs) & ~(np.isnan(ours) & np.isnan(theirs))
    if differ.any():
        row = int(differ.argmax())
        order = "" if rows.on else " If the rows are in another order, join them by an id (--on id)."
        raise InputError(
            f"The labels of {rows.name} differ in {quantity(int(differ.sum()), 'row')} (row {row + 1}: "
            f"{ours[row]:g} and {theirs[row]:g}). Both models must be compared on the same labels.{order}"
        )
    return replace(both, numbers=both.numbers[:, :-1])
