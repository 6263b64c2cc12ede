"""How many rows are enough for numeric predictions: to know a mean error, or to detect a difference between two."""

import math
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, check_level, tail_levels
from justesse.intervals.planning.search import smallest


def check_spread(sd: float) -> float:
    """Return the standard deviation if it is one."""
    if not (math.isfinite(sd) and sd > 0):
        raise OptionError(f"The standard deviation must be a number above 0; got {sd!r}.")
    return sd


def mean_n(half_width: float, *, sd: float, level: float = 0.95) -> int:
    """Return the smallest n for which Student's interval of a mean is ± half_width or narrower.

        t_{n-1}·sd/sqrt(n) ≤ half_width

    Parameters
    ----------
    half_width
        Half-width of the confidence interval, in the unit of the labels.
    sd
        Standard deviation of the row errors, from a pilot.
    level
        Confidence level.

    Examples
    --------
    >>> mean_n(0.1, sd=1.0)
    387
    """
    from scipy.special import stdtrit

    check_spread(sd)
    if not (math.isfinite(half_width) and half_width > 0):
        raise OptionError(f"The half-width must be a number above 0; got {half_width!r}.")
    upper = 1 - (1 - check_level(level)) / 2
    return smallest(lambda n: float(stdtrit(n - 1, upper)) * sd / math.sqrt(n) <= half_width, start=2)


def mean_difference_n(
    difference: float, *, sd: float, power: float = 0.8, level: float = 0.95, alternative: Alternative = "two-sided"
) -> int:
    """Return the smallest n for which the paired t-test detects a mean difference with this power.

    Exact, from the non-central t distribution with non-centrality difference·sqrt(n)/sd.

    Parameters
    ----------
    difference
        Difference in mean error that must be detected, in the unit of the labels.
    sd
        Standard deviation of the paired differences, from a pilot.
    power
        Probability of detecting the difference.
    level
        Confidence level; the test's size is 1 - level.
    alternative
        `"two-sided"`, `"greater"` or `"less"`.

    Examples
    --------
    >>> mean_difference_n(0.5, sd=1.0)
    34
    """
    check_spread(sd)
    if not (math.isfinite(difference) and difference):
        raise OptionError(f"The difference to detect must be a number other than 0; got {difference!r}.")
    if alternative != "two-sided" and (difference > 0) != (alternative == "greater"):
        raise OptionError(
            f"A difference of {difference:g} contradicts the alternative {alternative!r}. Change one of them."
        )
    if not 0 < power < 1:
        raise OptionError(f"The power must be a probability between 0 and 1, such as 0.8; got {power!r}.")
    return smallest(lambda n: mean_power(n, difference, sd=sd, level=level, alternative=alternative) >= power, start=2)


def mean_power(
    n: int, difference: float, *, sd: float, level: float = 0.95, alternative: Alternative = "two-sided"
) -> float:
    """Return the power of the paired t-test with n rows.

    >>> round(mean_power(34, 0.5, sd=1.0), 4)
    0.8078
    """
    from scipy.special import nctdtr, stdtrit

    below, above = tail_levels(level, alternative)
    shift = abs(difference) * math.sqrt(n) / sd if alternative == "two-sided" else difference * math.sqrt(n) / sd
    # "greater" gives a lower bound: its risk lies below, and it rejects for large statistics
    right = _above(nctdtr(n - 1, shift, float(stdtrit(n - 1, 1 - below))), shift) if below else 0.0
    left = 1 - _above(nctdtr(n - 1, shift, float(stdtrit(n - 1, above))), shift) if above else 0.0
    return right + left


def _above(below: Any, shift: float) -> float:
    """Return the upper tail; far out SciPy gives NaN, and the statistic is then on the side of the shift."""
    return 1 - float(below) if not math.isnan(below) else float(shift > 0)
