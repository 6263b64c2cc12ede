"""Clopper and Pearson's exact interval of a proportion."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, checked_counts, one_sided


def clopper_pearson(
    successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Compute the Clopper-Pearson interval of a proportion, which always covers at least the level.

    It holds the proportions that neither tail of the binomial rejects.

        low = B⁻¹(α/2; k, n-k+1),  high = B⁻¹(1-α/2; k+1, n-k)

    The price of the guarantee is width. Clopper and Pearson (1934).

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
    >>> ends = clopper_pearson(8, 10)
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.444, 0.975)
    """
    from scipy.special import betaincinv

    tails = tail_levels(level, alternative)
    k, n = checked_counts(successes, trials)
    wrong = n - k
    low = np.where(k == 0, 0.0, betaincinv(np.maximum(k, 1e-300), wrong + 1, tails[0]))
    high = np.where(wrong == 0, 1.0, betaincinv(k + 1, np.maximum(wrong, 1e-300), 1 - tails[1]))
    return Ends(*one_sided(low, high, tails, n), level, "clopper-pearson")
