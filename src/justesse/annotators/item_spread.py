"""Intervals of a coefficient that is at most 1, from its linearised value of each item."""

import numpy as np
from scipy.special import stdtrit

from justesse.core.arrays import FloatArray
from justesse.core.results import Alternative, Interval, tail_levels

METHOD = "log-t, items"


def item_interval(
    influences: FloatArray,
    value: float,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    times: FloatArray | None = None,
) -> Interval | None:
    """Compute Student's interval of log(1 - coefficient), which cannot leave the range above; `None` without spread.

    The items are the sample; who annotates them is taken as fixed. `times` is how many items have each value. Doubtful
    with fewer than about 20 items.

    >>> item_interval(np.array([1.0, 0.0, 1.0, 1.0]), 0.75)
    Interval(95 % CI -1.0000 to 0.9896, log-t, items)
    """
    if times is None:
        spread, n = float(np.std(influences, ddof=1)), len(influences)
    else:
        n = int(times.sum())
        spread = float(np.sqrt(np.square(influences - influences @ times / n) @ times / (n - 1)))
    return interval_of_spread(spread, n, value, level=level, alternative=alternative)


def interval_of_spread(
    spread: float, n: int, value: float, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Interval | None:
    """Compute the same from the standard deviation of the linearised values of n items.

    >>> interval_of_spread(0.5, 4, 0.75)
    Interval(95 % CI -1.0000 to 0.9896, log-t, items)
    """
    error = spread / np.sqrt(n)
    if error <= 1e-12 or value >= 1:
        return None
    lower, upper = tail_levels(level, alternative)
    step = error / (1 - value)
    low = 1 - (1 - value) * np.exp(step * stdtrit(n - 1, 1 - lower)) if lower else -1.0
    high = 1 - (1 - value) * np.exp(-step * stdtrit(n - 1, 1 - upper)) if upper else 1.0
    return Interval(float(max(low, -1.0)), float(high), level, METHOD, (-1.0, 1.0), alternative)
