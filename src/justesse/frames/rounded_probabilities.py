"""Probabilities that were rounded when they were written: how far their sums may be from 1, and sums of 1 again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ScoreError
from justesse.core.quantity import quantity

OFF_BY = 1e-4  # how far sums may be from 1 whatever the digits: single precision, softmax of many classes
ALIKE = 5e-5  # sums nearer to 1 stay as they are
FARTHEST = 0.05  # sums farther from 1 are refused, whatever the digits
MOST_DIGITS, CLOSE = 6, 1e-7  # more digits than single precision holds are no rounding


@dataclass(frozen=True)
class RoundedSums:
    """How probabilities were rounded: digits written, rows whose sum is not 1, the largest deviation."""

    digits: int
    rows: int
    largest: float
    where: str = ""

    @property
    def words(self) -> str:
        """Say what was rounded and that it was normalised."""
        rows = quantity(self.rows, "row")
        return (
            f"Probabilities are rounded to {quantity(self.digits, 'digit')} and do not add up to 1 in {rows}"
            f"{f' of {self.where}' if self.where else ''} (largest deviation {self.largest:.2g}). They were divided by "
            "their sum. Write more digits if small differences matter."
        )


def digits_written(values: Array) -> int | None:
    """Return how many digits after the point the numbers have; nothing if more than six.

    >>> digits_written(np.array([0.25, 0.3])), digits_written(np.array([1 / 3]))
    (2, None)
    """
    left = np.asarray(values, dtype=float)
    left = left[np.isfinite(left)]
    for digits in range(MOST_DIGITS + 1):
        left = left[np.abs(left - left.round(digits)) > CLOSE]
        if not len(left):
            return digits
    return None


def rounding_error(values: Array) -> float:
    """Return how far from 1 rounding to the digits written can bring the sum of a row.

        K classes · half a unit of the last digit, at most 0.05

    >>> round(rounding_error(np.array([[0.3333, 0.3333, 0.3333]])), 6)
    0.00015
    """
    digits = digits_written(values)
    return 0.0 if digits is None else min(values.shape[1] * 0.5 * 10.0**-digits, FARTHEST) + 1e-9


def row_number(row: Any, places: Array | None) -> int:
    """Return the number of a row in its table, from 1.

    >>> row_number(0, None), row_number(0, np.array([4]))
    (1, 5)
    """
    return int(row if places is None else places[row]) + 1


def normalised(
    values: FloatArray, names: Sequence[Any], where: str = "", *, places: Array | None = None
) -> tuple[FloatArray, RoundedSums | None]:
    """Return probabilities that add up to 1, and how they were rounded; nothing if their sums are 1 already.

    Parameters
    ----------
    values
        Probabilities, rows × classes, all finite.
    names
        Names of the columns.
    where
        Name of the table.
    places
        Place of each row in the table. Default: none was left out.

    Examples
    --------
    >>> shares, rounded = normalised(np.array([[0.3333, 0.3333, 0.3333]]), "abc")
    >>> shares.round(6).tolist(), rounded.digits
    ([[0.333333, 0.333333, 0.333333]], 4)
    >>> normalised(np.array([[0.5, 0.4]]), ["a", "b"], "test.csv")
    Traceback (most recent call last):
    justesse.core.errors.ScoreError: Probabilities do not add up to 1 in 1 row of test.csv, first in row 1; largest ...
    """
    sums = values.sum(axis=1)
    off = np.abs(sums - 1)
    if not len(off) or off.max() <= ALIKE:
        return values, None
    allowed = max(OFF_BY, rounding_error(values))
    if off.max() > allowed:
        rows = np.flatnonzero(off > allowed)
        raise ScoreError(
            f"Probabilities do not add up to 1 in {quantity(len(rows), 'row')}{f' of {where}' if where else ''}, "
            f"first in row {row_number(rows[0], places)}; largest deviation {off.max():.4g} (row "
            f"{row_number(off.argmax(), places)}). Check that no class is missing, and write at least four digits. "
            f"Columns: {', '.join(map(str, names))}."
        )
    digits = digits_written(values)
    if digits is None:
        return values, None
    return values / sums[:, None], RoundedSums(digits, int((off > 1e-9).sum()), float(off.max()), where)
