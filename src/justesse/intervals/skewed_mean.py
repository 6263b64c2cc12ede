"""An interval of a mean of skewed numbers, from their skewness and kurtosis: no resampling."""

import math

import numpy as np

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends
from justesse.measures.curves.mean_loss import MeanLoss

METHOD = "hall-t"
TINY = 1e-12  # a spread below this, relative to the value, is what rounding leaves of none


def skewed_mean(mean: MeanLoss, n: float, *, level: float = 0.95, alternative: Alternative = "two-sided") -> Ends:
    """Compute Hall's interval of a mean of n skewed numbers, such as losses.

        ȳ - e·h(t),  ȳ - e·h(-t),   h(x) = 3/a·[(1 + a·(x - a/6))^(1/3) - 1],   a = Σu³/(Σu²)^(3/2)
        e² = n/(n-1)·Σu²,   u_i = w_i·(y_i - ȳ)/Σw,   t with ν = 2(Σu²)² / (Σu⁴ - (Σu²)²/n), at most n - 1

    a is the skewness of the mean. h undoes the transformation that makes the t statistic of a skewed mean symmetric
    (Hall 1992, On the removal of skewness by transformation). ν is small if a few rows make most of the spread, which
    is then hardly known (O'Neill 2014).

    The delta method, ȳ ± z·e, covers 81 to 92 % for log loss and Brier score of 50 to 200 rows with 10 % positive ones,
    nearly all misses above its upper end. This covers 95 % or more (docs/validity.md). The value always lies in the
    interval.

    Parameters
    ----------
    mean
        The mean, with the sums of powers of u.
    n
        Number of rows, their effective number if they are weighted.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends, NaN if nothing varies.

    Examples
    --------
    >>> ends = skewed_mean(MeanLoss.of(np.array([0.1, 0.1, 0.2, 0.1, 0.3, 1.9, 0.2, 0.1])), 8)
    >>> float(ends.low.round(2)), float(ends.high.round(2))
    (-0.04, 2.18)
    """
    from scipy.special import stdtrit

    tails, squares = tail_levels(level, alternative), mean.squares
    if not n > 1 or not math.isfinite(mean.value) or not math.sqrt(squares) > TINY * max(abs(mean.value), TINY):
        return Ends(np.asarray(np.nan), np.asarray(np.nan), level, METHOD)
    uneven = mean.fourths - squares**2 / n
    degrees = min(2 * squares**2 / uneven, n - 1) if uneven > 1e-12 * squares**2 else n - 1
    skew, error = mean.cubes / squares**1.5, math.sqrt(squares * n / (n - 1))

    def moved(tail: float, sign: int) -> float:
        x = sign * float(stdtrit(max(degrees, 1.0), 1 - tail))
        if abs(skew) < 1e-6:
            return x
        return float(3 / skew * (np.cbrt(1 + skew * (x - skew / 6)) - 1))

    low = mean.value - error * max(moved(tails[0], 1), 0.0) if tails[0] else -math.inf
    high = mean.value - error * min(moved(tails[1], -1), 0.0) if tails[1] else math.inf
    return Ends(np.asarray(low), np.asarray(high), level, METHOD)
