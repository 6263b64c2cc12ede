"""The paired difference of two proportions with its score interval."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, z_value

STEPS = 100  # far more than are ever taken


def paired_difference(
    only_incumbent: ArrayLike,
    only_candidate: ArrayLike,
    n: ArrayLike,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Ends:
    """Compute Tango's score interval of a paired difference of proportions, (c - b)/n.

        T(Δ) = (c - b - nΔ) / sqrt(n·(2q + Δ(1-Δ)))       q: the likeliest share of b if the difference is Δ

    b rows only the incumbent gets right, c only the candidate. Good at any n, also with few or no disagreements
    (docs/validity.md), where the textbook interval has no width. Both must have answered the same rows. Tango (1998).

    Parameters
    ----------
    only_incumbent
        Rows that only the incumbent gets right.
    only_candidate
        Rows that only the candidate gets right.
    n
        Number of rows or data sets.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends, NaN where there are no rows.

    Examples
    --------
    >>> ends = paired_difference([12, 0], [2, 0], [50, 50])
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([-0.345, -0.071], [-0.061, 0.071])
    """
    tails = tail_levels(level, alternative)
    b, c, rows = checked_pairs(only_incumbent, only_candidate, n)
    low = -np.ones_like(rows) if tails[0] == 0 else tango_end(b, c, rows, z_value(tails[0]))
    high = np.ones_like(rows) if tails[1] == 0 else -tango_end(c, b, rows, z_value(tails[1]))
    nothing = np.where(rows > 0, 0.0, np.nan)
    return Ends(low + nothing, high + nothing, level, "tango")


def score_statistic(
    only_incumbent: ArrayLike, only_candidate: ArrayLike, n: ArrayLike, difference: ArrayLike = 0.0
) -> Array:
    """Compute T(Δ), about normal if the true difference is Δ; at 0 its square is McNemar's χ².

    The interval lies above Δ exactly where T(Δ) > z, so that a judge needs no interval to decide.

    >>> round(float(score_statistic(15, 5, 100)), 4)
    -2.2361
    """
    b, c, rows = checked_pairs(only_incumbent, only_candidate, n)
    above, below = score_parts(b, c, rows, np.asarray(difference, dtype=float))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where((above == 0) & (below == 0), 0.0, above / below))


def score_parts(b: Array, c: Array, n: Array, difference: Array) -> tuple[Array, Array]:
    """Return the numerator and the denominator of T(Δ)."""
    half = (b + c - (2 * n - c + b) * difference) / 2
    root = np.sqrt(np.maximum(half**2 + 2 * n * b * difference * (1 - difference), 0.0))
    # n times twice the likeliest share of b
    twice = half + root
    return c - b - n * difference, np.sqrt(np.maximum(twice + n * difference * (1 - difference), 0.0))


def tango_end(b: Array, c: Array, n: Array, z: float) -> Array:
    """Find where T(Δ) falls to z, between -1 and the observed difference: secant steps, all pairs at once.

    A step that leaves the bracket is replaced by its middle, so that every pair gets there.

    >>> tango_end(np.array([12.0]), np.array([2.0]), np.array([50.0]), 1.96).round(3).tolist()
    [-0.345]
    """

    def miss(at: Array) -> Array:
        above, below = score_parts(b, c, n, at)
        return above - z * below

    size = np.maximum(n, 1.0)
    observed = (c - b) / size
    left = -np.ones_like(n)
    # a hair below: where the two never disagree T jumps at the observed difference
    right = np.maximum(observed - 1e-10, -1.0)
    before, at_before = right, miss(right)
    # the textbook end, or a little further out, is close already
    now = np.maximum(observed - z * np.sqrt(np.maximum(b + c - observed * (c - b), z * z)) / size, -1.0)
    for _ in range(STEPS):
        value = miss(now)
        settled = np.abs(value) <= 1e-12 * size
        if settled.all():
            break
        low = value >= 0
        left, right = np.where(low, now, left), np.where(low, right, now)
        slope = value - at_before
        step = np.divide(value * (now - before), slope, out=np.full_like(n, np.inf), where=slope != 0)
        after = now - step
        after = np.where((after >= left) & (after <= right), after, (left + right) / 2)
        before, at_before, now = now, value, np.where(settled, now, after)
    return np.asarray(now)


def checked_pairs(only_incumbent: ArrayLike, only_candidate: ArrayLike, n: ArrayLike) -> tuple[Array, Array, Array]:
    """Broadcast b, c and n together, and refuse more disagreements than rows."""
    counts = (np.asarray(only_incumbent, float), np.asarray(only_candidate, float), np.asarray(n, float))
    b, c, rows = np.broadcast_arrays(*counts)
    if np.any(b < 0) or np.any(c < 0) or np.any(b + c > rows):
        raise OptionError(
            "The numbers of rows only one classifier gets right must be 0 or more, and together at most n."
        )
    return b, c, rows
