"""A corrected value that leaves its range: chance, or an assumption that cannot hold."""

import math
from dataclasses import replace

from justesse.core.results import Estimate

TINY = 1e-9


def possible(found: Estimate, *, bounds: tuple[float, float] = (0.0, 1.0)) -> tuple[Estimate, str | None]:
    """Keep a corrected value within its range, or withdraw it, and say which was done.

    If the interval reaches into the range, chance alone explains the excess, and the nearest possible value is given.
    If it does not, what the correction assumed is contradicted by the counts, and there is no value.

    >>> from justesse.core.results import Interval
    >>> kept, why = possible(Estimate("accuracy", 1.01, 100, Interval(0.97, 1.05, 0.95, "wilson", (0, 1))))
    >>> kept.value
    1.0
    >>> gone, why = possible(Estimate("accuracy", 1.09, 100, Interval(1.05, 1.13, 0.95, "wilson", (0, 1))))
    >>> gone.value, why
    (nan, 'accuracy would be 1.0900, outside [0, 1] by more than chance explains: the assumptions cannot hold.')
    """
    low, high = bounds
    nearest = min(max(found.value, low), high)
    if math.isnan(found.value) or abs(nearest - found.value) <= TINY:
        return (found if math.isnan(found.value) else replace(found, value=nearest)), None
    interval, words = found.interval, f"{found.title} would be {found.value:.4f}, outside [{low:g}, {high:g}]"
    if interval and interval.unclipped_low <= high and interval.unclipped_high >= low:
        return replace(found, value=nearest), f"{words}, which chance can do: {nearest:g} is shown."
    reason = f"{words} by more than chance explains: the assumptions cannot hold."
    return replace(found, value=math.nan, interval=None, undefined=reason), reason
