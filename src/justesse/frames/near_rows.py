"""Rows whose numbers are nearly the same, and whose other values are equal."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError
from justesse.frames.fingerprints import rounded
from justesse.frames.sides import Side

DIGITS = 6  # that numbers are rounded to where they must be equal
JUST = 1 + 1e-9  # a difference of just the tolerance counts


def check_tolerance(tolerance: float) -> None:
    """Refuse a tolerance that is negative, or so large that rows far apart would count as one item."""
    if not 0 <= tolerance <= 1:
        raise OptionError(
            "The tolerance is a share of the standard deviation of a column, between 0 and 1, such as 0.01; "
            f"got {tolerance!r}."
        )


@dataclass(frozen=True)
class _Rows:
    """Columns of some rows: as text that is equal for equal values, and as numbers (NaN: no number)."""

    texts: Array
    numbers: FloatArray

    def known(self, columns: Array) -> Array:
        return np.isfinite(self.numbers[:, columns])

    def scaled(self, columns: Array, unit: FloatArray) -> FloatArray:
        """Return the numbers in this unit, 0 for missing ones."""
        return np.where(self.known(columns), self.numbers[:, columns], 0.0) / unit


def near_rows(test: Side, train: Side, columns: Sequence[str], *, tolerance: float, equal: Sequence[str] = ()) -> Array:
    """Find the test rows (places from 0) whose numbers are all nearly those of one training row.

        |x - x'| ≤ tolerance · s   for each column of numbers, s the standard deviation of its training rows

    A column is one of numbers if all its values in both sets are. The values of other columns must be equal, but for
    case, punctuation and spacing; a missing value is equal to a missing one. Wrong to use with a tolerance at which
    different items are alike: in few columns with few values, most rows are near another.

    Parameters
    ----------
    test, train
        Test rows and training rows.
    columns
        Columns to compare.
    tolerance
        Share of the standard deviation, above 0.
    equal
        Columns whose values must be equal, also if they are numbers, such as that of the version.

    >>> from justesse.frames.sides import side
    >>> test = side({"x": [1.002, 3.0, 5.1], "y": ["a", "b", "c"]}, "test")
    >>> train = side({"x": [1.0, 3.1, 5.1], "y": ["a", "b", "b"]}, "train")
    >>> near_rows(test, train, ["x", "y"], tolerance=0.01).tolist()
    [0]
    """
    from scipy.spatial import KDTree

    ours, theirs = (_fetched(item, [*columns, *equal]) for item in (test, train))
    near, unit = _numeric(ours, theirs, len(columns), tolerance)
    groups = _groups(ours, theirs, near)
    places = [np.empty(0, dtype=np.int64)]
    for group in np.intersect1d(*groups):
        own, others = (np.flatnonzero(part == group) for part in groups)
        if not len(near):
            places.append(own)
            continue
        tree = KDTree(theirs.scaled(near, unit)[others])
        distance, _ = tree.query(ours.scaled(near, unit)[own], p=np.inf, distance_upper_bound=2.0)
        places.append(own[distance <= JUST])
    return np.sort(np.concatenate(places))


def _fetched(item: Side, columns: Sequence[str]) -> _Rows:
    """Fetch columns in the order of the files."""
    width = range(len(columns))
    asked = [f"coalesce({rounded(f'c{at}', DIGITS)}, '') AS t{at}, TRY_CAST(c{at} AS DOUBLE) AS n{at}" for at in width]
    values = item.fetched(item.in_order(columns).project(", ".join(asked)))
    texts = [np.asarray(values[f"t{at}"], dtype=object) for at in width]
    numbers = [np.ma.filled(np.ma.asarray(values[f"n{at}"]).astype(float), np.nan) for at in width]
    return _Rows(np.column_stack(texts), np.column_stack(numbers))


def _numeric(ours: _Rows, theirs: _Rows, width: int, tolerance: float) -> tuple[Array, FloatArray]:
    """Return the places of the columns that may differ a little, and by how much each may."""
    places, units = [], []
    for at in range(width):
        if all((np.isfinite(part.numbers[:, at]) | (part.texts[:, at] == "")).all() for part in (ours, theirs)):
            known = theirs.numbers[np.isfinite(theirs.numbers[:, at]), at]
            if len(known) and known.std() > 0:
                places.append(at)
                units.append(tolerance * known.std())
    return np.array(places, dtype=np.int64), np.array(units)


def _groups(ours: _Rows, theirs: _Rows, near: Array) -> tuple[Array, Array]:
    """Number the rows of both sets alike if what must be equal is: other columns, and which numbers are missing."""
    others = np.delete(np.arange(ours.texts.shape[1]), near)
    texts = np.concatenate([ours.texts, theirs.texts])[:, others]
    codes = [np.unique(column.astype(str), return_inverse=True)[1] for column in texts.T]
    gaps = np.concatenate([ours.known(near), theirs.known(near)])
    _, group = np.unique(np.column_stack([gaps, *codes]), axis=0, return_inverse=True)
    first, second = np.split(group.reshape(-1), [len(ours.texts)])
    return first, second
