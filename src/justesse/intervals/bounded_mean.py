"""Wilson's interval for the mean of numbers between 0 and a known largest one."""

import math

import numpy as np

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, one_sided
from justesse.intervals.wilson import score_end

METHOD = "wilson, bounded mean"


def bounded_mean(
    mean: float,
    error: float,
    n: float,
    *,
    top: float,
    degrees: float = math.inf,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Ends:
    """Compute the interval of the mean of numbers from 0 to `top`, such as items that count 0, 1 or 2.

        p = mean/top,   n* = p(1-p)·top²/error²,   Wilson's interval of p with n* rows and t in place of z, times top

    Parameters
    ----------
    mean
        Mean of the numbers.
    error
        Its standard error.
    n
        Number of rows, which counts if all are alike.
    top
        Largest number possible.
    degrees
        Degrees of freedom of the standard error.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper end.

    Notes
    -----
    Of shares it is Wilson's interval with the observed variance. Numbers between the ends vary less than shares, so n*
    is larger than n. If all numbers are 0, or all are `top`, n* is n, which is too wide rather than too narrow.

    Examples
    --------
    >>> ends = bounded_mean(0.3, 0.04, 200, top=2)
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([0.23], [0.387])
    """
    from scipy.special import stdtrit

    tails = tail_levels(level, alternative)
    share = mean / top
    worth = share * (1 - share) * (top / error) ** 2 if error > 1e-12 and 0 < share < 1 else n
    far, rows = float(stdtrit(degrees, 1 - max(tails))), np.array([worth])
    low, high = score_end(share * rows, rows, -far), score_end(share * rows, rows, far)
    ends = one_sided(low, high, tails, rows)
    return Ends(top * ends[0], top * ends[1], level, METHOD)
