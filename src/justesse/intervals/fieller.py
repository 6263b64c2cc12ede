"""Fieller's interval of the ratio of two means."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.errors import OptionError
from justesse.core.results import check_level
from justesse.intervals.ends import Ends

METHOD = "fieller"


def fieller(above: ArrayLike, below: ArrayLike, *, level: float = 0.95) -> Ends:
    """Compute the interval of the mean of paired numbers over the mean of others.

        all r with (x̄ - r·ȳ)² ≤ t²·(s_x² - 2r·s_xy + r²·s_y²)/k

    Parameters
    ----------
    above, below
        Paired numbers, whose means are divided.
    level
        Confidence level.

    Returns
    -------
    Ends
        Lower and upper end; NaN if the mean below cannot be told from 0, so that the ratio may be anything.

    Notes
    -----
    Fieller (1954). Exact for normal numbers.

    Examples
    --------
    >>> ends = fieller([1.0, 1.2, 0.9, 1.1], [2.0, 2.3, 1.9, 2.1])
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([0.465], [0.538])
    """
    from scipy.special import stdtrit

    check_level(level)
    x, y = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    if x.shape != y.shape or x.ndim != 1 or len(x) < 2:
        raise OptionError(f"A ratio of means needs two or more pairs of numbers; got {x.size} and {y.size}.")
    k = len(x)
    spread = np.cov(x, y) * float(stdtrit(k - 1, (1 + level) / 2)) ** 2 / k
    square, product, constant = (
        y.mean() ** 2 - spread[1, 1],
        x.mean() * y.mean() - spread[0, 1],
        x.mean() ** 2 - spread[0, 0],
    )
    inside = product**2 - square * constant
    if not (square > 0 and inside >= 0):
        return Ends(np.array([math.nan]), np.array([math.nan]), level, METHOD)
    reach = math.sqrt(inside)
    return Ends(np.array([(product - reach) / square]), np.array([(product + reach) / square]), level, METHOD)
