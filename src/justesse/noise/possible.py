"""A corrected value that leaves its range: chance, or an assumption that cannot hold."""

import math
from collections.abc import Sequence
from dataclasses import replace

from justesse.core.results import Estimate

TINY = 1e-9
CHANCE, CONTRADICTED = "is shown.", "the assumptions cannot hold."


def possible(estimate: Estimate, *, bounds: tuple[float, float] = (0.0, 1.0)) -> tuple[Estimate, str | None]:
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
    nearest = min(max(estimate.value, low), high)
    if math.isnan(estimate.value) or abs(nearest - estimate.value) <= TINY:
        return (estimate if math.isnan(estimate.value) else replace(estimate, value=nearest)), None
    interval, words = estimate.interval, f"{estimate.title} would be {estimate.value:.4f}, outside [{low:g}, {high:g}]"
    if interval and interval.unclipped_low <= high and interval.unclipped_high >= low:
        return replace(estimate, value=nearest), f"{words}, which can be chance: {nearest:g} {CHANCE}"
    reason = f"{words} by more than chance explains: {CONTRADICTED}"
    return replace(estimate, value=math.nan, interval=None, undefined=reason), reason


def once_each(warnings: Sequence[str]) -> list[str]:
    """Keep the first warning of each of these two kinds, and say of how many other figures the same is true.

    >>> once_each(["a would be 1.1: 1 is shown.", "b would be 1.2: 1 is shown."])
    ['a would be 1.1: 1 is shown. The same holds for 1 other figure.']
    """
    kept = []
    for kind in (CHANCE, CONTRADICTED):
        alike = [warning for warning in warnings if warning.endswith(kind)]
        plural = "s" if len(alike) > 2 else ""
        others = f" The same holds for {len(alike) - 1} other figure{plural}." if len(alike) > 1 else ""
        kept += [f"{alike[0]}{others}"] if alike else []
    return kept
