"""The ten differences of five repetitions of two-fold cross-validation."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.intervals.student import all_equal
from justesse.significance.folds import SHARED, score_table

ASSUMPTIONS = (
    SHARED,
    "two-fold cross-validation was repeated five times with new random splits",
    "differences are close to normal, and those of different repetitions independent",
)
NO_SPREAD = "in every repetition both folds differ by the same amount, so their spread is unknown"


def five_by_two_differences(incumbent: ArrayLike, candidate: ArrayLike) -> Array:
    """Subtract, candidate minus incumbent: five rows, one for each repetition, of two folds.

    >>> five_by_two_differences([[0.5, 0.5]] * 5, [[0.75, 0.5]] * 5)[0].tolist()
    [0.25, 0.0]
    """
    first, other = score_table(incumbent), score_table(candidate)
    if first.shape != (5, 2) or other.shape != (5, 2):
        raise OptionError(
            "5x2 tests need five repetitions (rows) of two folds (columns) of both classifiers; "
            f"got tables of {first.shape[0]} x {first.shape[1]} and {other.shape[0]} x {other.shape[1]}."
        )
    return np.asarray(other - first)


def summed_variance(differences: Array) -> float:
    """Add up the variances within the five repetitions; 0 where they show nothing beyond rounding.

        Σ_i s_i²,   s_i² = (d_i1 - d_i2)²/2

    >>> summed_variance(five_by_two_differences([[0.5, 0.5]] * 5, [[0.75, 0.5]] * 5))
    0.15625
    """
    if all(all_equal(pair) for pair in differences):
        return 0.0
    return float(((differences[:, 0] - differences[:, 1]) ** 2).sum() / 2)
