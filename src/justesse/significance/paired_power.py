"""Power of the paired comparison, and how many rows it needs."""

import math

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import z_value
from justesse.intervals.planning.search import LARGEST
from justesse.significance.normal import z_pvalue
from justesse.significance.paired_difference import score_parts


def paired_power(
    n: float,
    *,
    difference: float,
    disagreement: float,
    margin: float = 0.0,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> float:
    """Return the chance that the interval of the difference clears the margin, on the side where the difference lies.

        Φ((√n·|d - m| - z·σ₀) / σ₁)      σ₁² = D - d², σ₀² the same if the difference were m

    D is how often exactly one of the two is right. A one-sided interval never clears it on the other side. Normal
    approximation, good from a few dozen disagreements on; `justesse plan difference` counts exactly, for McNemar's
    test without a margin.

    Parameters
    ----------
    n
        Number of rows.
    difference
        Difference of the two accuracies.
    disagreement
        How often exactly one of the two is right.
    margin
        Difference that the interval must clear.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Examples
    --------
    >>> round(paired_power(1000, difference=0.03, disagreement=0.1), 3)
    0.852
    """
    z, under, true = _spreads(difference, disagreement, margin, level, alternative)
    if _wrong_side(difference - margin, alternative):
        return 0.0
    if true <= 0:
        return 1.0 if math.sqrt(n) * abs(difference - margin) > z * under else 0.0
    return z_pvalue((math.sqrt(n) * abs(difference - margin) - z * under) / true, "less")


def paired_n(
    *,
    difference: float,
    disagreement: float,
    margin: float = 0.0,
    power: float = 0.8,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> int | None:
    """Return the n at which the interval clears the margin with this power; `None` if no n does.

    Parameters
    ----------
    difference
        Difference of the two accuracies.
    disagreement
        How often exactly one of the two is right.
    margin
        Difference that the interval must clear.
    power
        Chance to find the difference.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Examples
    --------
    >>> paired_n(difference=0.03, disagreement=0.1), paired_n(difference=0.03, disagreement=0.1, margin=0.02)
    (870, 7705)
    """
    if not 0 < power < 1:
        raise OptionError(f"The power must be a probability between 0 and 1, such as 0.8; got {power!r}.")
    gap = difference - margin
    if abs(gap) < 1e-12 or _wrong_side(gap, alternative):
        return None
    z, under, true = _spreads(difference, disagreement, margin, level, alternative)
    needed = ((z * under + z_value(1 - power) * true) / gap) ** 2
    return math.ceil(needed) if needed < LARGEST else None


def _wrong_side(gap: float, alternative: Alternative) -> bool:
    return (alternative == "greater" and gap < 0) or (alternative == "less" and gap > 0)


def _spreads(
    difference: float, disagreement: float, margin: float, level: float, alternative: Alternative
) -> tuple[float, float, float]:
    """Return z, and the standard deviation of one row's difference if the true one is the margin, and as it is."""
    if not abs(difference) <= disagreement <= 1:
        raise OptionError(
            f"The disagreement must lie between the difference ({abs(difference):g}) and 1; got {disagreement!r}."
        )
    b, c = (disagreement - difference) / 2, (disagreement + difference) / 2
    _, under = score_parts(*np.array([b, c, 1.0, margin]))
    return z_value(max(tail_levels(level, alternative))), float(under), math.sqrt(disagreement - difference**2)
