"""How an interval, a difference, an estimate with its interval or bounds are written; for every medium."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from justesse.core.results import Estimate, Interval
from justesse.report.written_numbers import NONE, OPEN, UNDEFINED, four_decimals, number_of, share, value_words


def points(value: Any, unit: str = " points") -> str:
    """Write a difference in percentage points with its sign, as precisely as its interval.

    >>> points(0.0211), points(Estimate("difference", 0.0004, 9, Interval(0.0002, 0.0007, 0.95, "betting")))
    ('+2.1 points', '+0.04 points')
    """
    if value is None:
        return NONE
    number = 100 * number_of(value)
    return UNDEFINED if math.isnan(number) else f"{number:+.{_decimals(value, number)}f}{unit}"


def points_interval(value: Any) -> str:
    """Write the ends of a difference in percentage points.

    >>> points_interval(Estimate("difference", 0.0004, 9, Interval(0.0002, 0.0007, 0.95, "betting")))
    '+0.02 to +0.07'
    """
    return interval_words(value, lambda end: f"{100 * end:+.{_decimals(value, 100 * end)}f}")


def _decimals(value: Any, number: float) -> int:
    """Count the decimals a number of points needs: to tell it from 0, and from the ends of its interval."""
    interval = value.interval if isinstance(value, Estimate) else value if isinstance(value, Interval) else None
    reach = math.inf
    if interval is not None:
        middle = number_of(value) if isinstance(value, Estimate) else (interval.low + interval.high) / 2
        apart = {"greater": middle - interval.low, "less": interval.high - middle}
        reach = 100 * abs(apart.get(interval.alternative, interval.half_width))
    decimals = 1
    while decimals < 4 and (0 < reach < 10**-decimals or (number and not float(f"{number:.{decimals}f}"))):
        decimals += 1
    return decimals


def interval_words(value: Any, end: Callable[[float], str] = four_decimals) -> str:
    """Write both ends, one bound, or why there is no interval."""
    if isinstance(value, Estimate):
        if value.interval is None:
            return value.undefined or NONE
        value = value.interval
    if value is None:
        return NONE
    assert isinstance(value, Interval)
    if value.alternative == "greater":
        return f"≥ {end(value.low)}"
    if value.alternative == "less":
        return f"≤ {end(value.high)}"
    return " to ".join(end(number) if math.isfinite(number) else OPEN for number in (value.low, value.high))


def share_interval(value: Any) -> str:
    return interval_words(value, lambda number: share(number, unit="")) + ("" if without_ends(value) else " %")


def difference_interval(value: Any) -> str:
    """Write the ends of a difference with their signs.

    >>> difference_interval(Interval(-0.01, 0.02, 0.95, "tango", (-1.0, 1.0)))
    '-0.0100 to +0.0200'
    >>> difference_interval(Interval(0.01, 1.0, 0.95, "tango", (-1.0, 1.0), "greater"))
    '≥ +0.0100'
    """
    return NONE if without_ends(value) else interval_words(value, lambda number: four_decimals(number, "+z"))


def range_words(values: Sequence[float], end: Callable[[float], str]) -> str:
    """Write the smallest and the largest of several numbers, or the number they all are.

    >>> range_words([0.05, 0.012], share), range_words([0.05, 0.05], share)
    ('1.2 % to 5.0 %', '5.0 %')
    """
    return " to ".join(map(end, sorted({min(values), max(values)})))


def without_ends(value: Any) -> bool:
    return (value.interval if isinstance(value, Estimate) else value) is None


def estimate_words(value: Estimate) -> str:
    if math.isnan(value.value):
        return f"{UNDEFINED} ({value.undefined})" if value.undefined else UNDEFINED
    return value_words(value) if value.interval is None else f"{value_words(value)} ({interval_words(value)})"


def short_estimate(value: Any) -> str:
    """Write a value and its interval with three digits, for tables of many columns.

    >>> short_estimate(Estimate("recall", 0.91234, 100, Interval(0.85, 1.0, 0.95, "wilson")))
    '0.912 (0.850–1.000)'
    """
    if value is None:
        return NONE
    if math.isnan(value.value):
        return UNDEFINED
    if value.interval is None:
        return f"{value.value:.3f}"
    ends = (value.interval.low, value.interval.high)
    low, high = (OPEN if not math.isfinite(end) else f"{end:.3f}" for end in ends)
    bound = {"two-sided": f"{low}–{high}", "greater": f"≥ {low}", "less": f"≤ {high}"}[value.interval.alternative]
    return f"{value.value:.3f} ({bound})"


def bounds(value: Any, digits: int = 4, to: str = " to ") -> str:
    """Write the lowest and highest possible value; a star marks bounds that may be wider than necessary."""
    if value is None:
        return NONE
    if math.isnan(value.low):
        return UNDEFINED
    return f"{value.low:.{digits}f}{to}{value.high:.{digits}f}{'' if value.sharp else '*'}"


def measured_bounds(value: Any) -> str:
    """Write the measured value and, in brackets, the lowest and highest possible one."""
    if value is None or math.isnan(value.low):
        return NONE if value is None else UNDEFINED
    measured = UNDEFINED if math.isnan(value.apparent) else f"{value.apparent:.3f}"
    return f"{measured} ({bounds(value, 3, '–')})"


def level_words(value: Any) -> str:
    """Name the level and sides of an interval: `95 % CI`, `95 % lower bound`."""
    interval = value.interval if isinstance(value, Estimate) else value
    return interval.name if interval else NONE


def method_name(value: Any) -> str:
    interval = value.interval if isinstance(value, Estimate) else value
    return (interval if isinstance(interval, str) else interval.method if interval else NONE) or NONE
