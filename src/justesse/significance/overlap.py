"""Two intervals that do not overlap: how sure is that, and how wide should they be drawn? (Knol)"""

import math

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import z_value


def overlap_level(z: float, *, correlation: float = 0.0, ratio: float = 1.0) -> float:
    """Return the true level of the rule "they differ if their intervals, each ± z deviations, do not overlap".

        1 - c = 2Φ(-z(1+ρ) / sqrt(1 - 2γρ + ρ²))       γ correlation, ρ ratio of the standard deviations

    Two 95 % intervals of unrelated estimates make a 99.4 % rule: overlap is conservative, and with a positive
    correlation, as of two classifiers on the same rows, more so. Knol, Pestman and Grobbee (2011).

    Parameters
    ----------
    z
        Number of standard deviations.
    correlation
        Correlation of the two estimates.
    ratio
        Ratio of their standard deviations.

    Examples
    --------
    >>> round(overlap_level(1.959964), 4), round(overlap_level(1.3859), 3)
    (0.9944, 0.95)
    """
    if not z >= 0:
        raise OptionError(f"z, a number of standard deviations, must be 0 or more; got {z!r}.")
    return math.erf(z * _stretch(correlation, ratio) / math.sqrt(2))


def overlap_z(
    level: float, *, correlation: float = 0.0, ratio: float = 1.0, alternative: Alternative = "two-sided"
) -> float:
    """Return the z to draw each interval with, so that not overlapping has this level.

    Parameters
    ----------
    level
        Confidence level.
    correlation
        Correlation of the two estimates.
    ratio
        Ratio of their standard deviations.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Examples
    --------
    >>> round(overlap_z(0.95), 4)
    1.3859
    """
    tails = tail_levels(level, alternative)
    return z_value(max(tails)) / _stretch(correlation, ratio)


def _stretch(correlation: float, ratio: float) -> float:
    if not -1 <= correlation <= 1:
        raise OptionError(f"A correlation must lie between -1 and 1; got {correlation!r}.")
    if not (ratio > 0 and math.isfinite(ratio)):
        raise OptionError(f"The ratio of two standard deviations must be above 0; got {ratio!r}.")
    apart = 1 - 2 * correlation * ratio + ratio**2
    if apart <= 1e-12:
        raise OptionError("With correlation 1 and equal spread the difference is constant, so overlap has no meaning.")
    return (1 + ratio) / math.sqrt(apart)
