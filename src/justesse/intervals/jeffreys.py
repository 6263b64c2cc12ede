"""Jeffreys' interval of a proportion: Bayesian with the prior Beta(½, ½), with good coverage."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, checked_counts, one_sided


def jeffreys(
    successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Compute Jeffreys' interval of a proportion: the central part of Beta(k+½, n-k+½).

    It begins at 0 when k = 0, and ends at 1 when k = n.

    The last clause is Brown, Cai and DasGupta's (2001); statsmodels leaves it out and so excludes 0 after no success.

    Parameters
    ----------
    successes
        Number of successes, or an array of them.
    trials
        Number of rows each is a share of.
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
    >>> ends = jeffreys(8, 10)
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.497, 0.956)
    """
    from scipy.special import betaincinv

    tails = tail_levels(level, alternative)
    k, n = checked_counts(successes, trials)
    low = np.where(k == 0, 0.0, betaincinv(k + 0.5, n - k + 0.5, tails[0]))
    high = np.where(k == n, 1.0, betaincinv(k + 0.5, n - k + 0.5, 1 - tails[1]))
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.fmin(low, k / n), np.fmax(high, k / n)
    return Ends(*one_sided(low, high, tails, n), level, "jeffreys")
