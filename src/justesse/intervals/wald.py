"""Wald's interval of a proportion: the one in textbooks, kept to be compared with."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, checked_counts, one_sided, z_value


def wald(
    successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Compute Wald's interval of a proportion, e ± z·sqrt(e(1-e)/n) with e = k/n.

    Wrong to use near 0 and 1 or with small n: it has no width at k = 0 and covers far less than it says
    (docs/validity.md). Its ends may leave [0, 1].

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
    >>> ends = wald(8, 10)
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.552, 1.048)
    """
    tails = tail_levels(level, alternative)
    k, n = checked_counts(successes, trials)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = k / n
        spread = np.sqrt(share * (1 - share) / n)
        low, high = share - z_value(tails[0] or 0.5) * spread, share + z_value(tails[1] or 0.5) * spread
    return Ends(*one_sided(low, high, tails, n), level, "wald")
