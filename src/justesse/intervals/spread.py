"""A χ² interval for how much fold scores vary."""

from collections.abc import Sequence

import numpy as np

from justesse.core.results import Alternative, Estimate, Interval, tail_levels
from justesse.intervals.student import all_equal, checked_scores


def spread(scores: Sequence[float], *, level: float = 0.95, alternative: Alternative = "two-sided") -> Estimate:
    """Compute the standard deviation of fold scores with its χ² interval.

        s,   ends sqrt((k-1)s²/χ²),   χ² with k-1 degrees of freedom

    Needs scores that are close to normal and independent, much more than the interval of their mean does
    (docs/validity.md shows what skewness costs). Lecture 002, 14.7.

    Parameters
    ----------
    scores
        One score per fold.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Returns
    -------
    Estimate
        Value with its interval, or the reason why there is none.

    Examples
    --------
    >>> result = spread([0.80, 0.84, 0.79, 0.83, 0.82])
    >>> round(result.value, 4), str(result.interval)
    (0.0207, '[0.0124, 0.0596]')
    """
    from scipy.special import chdtri

    values = checked_scores(scores)
    k, deviation = len(values), float(values.std(ddof=1))
    if all_equal(values):
        return Estimate("standard deviation", 0.0, k, undefined="no interval: all scores are equal")
    below, above = tail_levels(level, alternative)
    low = deviation * min(np.sqrt((k - 1) / chdtri(k - 1, below)), 1.0) if below else 0.0
    high = deviation * max(np.sqrt((k - 1) / chdtri(k - 1, 1 - above)), 1.0) if above else np.inf
    ends = Interval(float(low), float(high), level, "chi-square", (0, np.inf), alternative)
    return Estimate("standard deviation", deviation, k, ends)
