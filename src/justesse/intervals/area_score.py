"""A score interval of the area under the ROC curve, for few positive rows and for areas near 1, too."""

import math
from typing import overload

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.delong import delong_variances
from justesse.intervals.ends import Ends
from justesse.measures.curves.auc import auc
from justesse.measures.curves.score_counts import ScoreCounts

PRIOR_ROWS = 5  # rows of the rarer side that the model's variance counts for
STEPS = 60  # of bisection: the ends are exact to rounding


def area_score(table: ScoreCounts, *, level: float = 0.95, alternative: Alternative = "two-sided") -> Ends:
    """Compute the score interval of the area under the ROC curve: all θ that the rows do not contradict.

        |A - θ| ≤ t·sqrt(r·V(θ)),   r = (5 + m·S/V(A)) / (5 + m),   m = min(P, N)
        V(θ) = θ(1-θ)·[1 + (M-1)·((1-θ)/(2-θ) + θ/(1+θ))] / (P·N),   M = (P + N)/2

    V is the variance of an area θ by the model of Hanley and McNeil (1982), alike for both sides as in Newcombe
    (2006), and S that of DeLong, DeLong and
    Clarke-Pearson (1988), which needs no model but is far too small for a handful of positive rows or an area near 1.
    r weighs the one by the other: with many rows it is DeLong's alone. t has the degrees of freedom of S
    (Satterthwaite) and 5 more.

    DeLong's own interval, A ± z·sqrt(S), covers 68 to 95 % at 10 to 100 positive rows where this covers 89 to 99 %
    (docs/validity.md). It also has an end where a score separates the classes perfectly.

    Parameters
    ----------
    table
        Scores of one class against the rest.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends, NaN with fewer than two rows on a side.

    Examples
    --------
    >>> ends = area_score(ScoreCounts.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0]))
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.243, 0.972)
    >>> float(area_score(ScoreCounts.of([0.9, 0.8, 0.7, 0.3, 0.2, 0.1], [1, 1, 1, 0, 0, 0])).low.round(3))
    0.409
    """
    value, (positive, negative), parts = auc(table), table.effective, delong_variances(table)
    if math.isnan(value) or min(positive, negative) < 2:
        return Ends(np.asarray(np.nan), np.asarray(np.nan), level, "area-score")
    return area_score_ends(value, (positive, negative), parts, level=level, alternative=alternative)


def area_score_ends(
    value: float,
    sizes: tuple[float, float],
    parts: tuple[float, float],
    *,
    level: float,
    alternative: Alternative,
    most_degrees: float = math.inf,
    more_degrees: float = PRIOR_ROWS,
    method: str = "area-score",
) -> Ends:
    """Compute the score interval of an area from its variance.

    Parameters
    ----------
    value
        Area.
    sizes
        Number of positive and of negative rows, or as many independent rows as they are worth.
    parts
        Variance that the rows of each side add to the area.
    level, alternative
        Confidence level, and sides.
    most_degrees
        Upper limit of the degrees of freedom of that variance.
    more_degrees
        Degrees of freedom that the model's variance adds.
    method
        Name of the interval.
    """
    from scipy.special import stdtrit

    positive, negative = sizes
    rare, spread = min(positive, negative), sum(parts)
    modelled = model_variance(value, positive, negative)
    ratio, df = 1.0, rare - 1
    if spread > 0 and modelled > 0:
        ratio = (PRIOR_ROWS + rare * spread / modelled) / (PRIOR_ROWS + rare)
        df = spread**2 / (parts[0] ** 2 / (positive - 1) + parts[1] ** 2 / (negative - 1))
    df = min(df, most_degrees)
    ends = [
        _end(value, outermost, float(stdtrit(df + more_degrees, 1 - tail)) ** 2 * ratio, positive, negative)
        if tail
        else opened
        for tail, outermost, opened in zip(
            tail_levels(level, alternative), (0.0, 1.0), (-math.inf, math.inf), strict=True
        )
    ]
    return Ends(np.asarray(ends[0]), np.asarray(ends[1]), level, method)


@overload
def model_variance(area: float, positive: float, negative: float) -> float: ...
@overload
def model_variance(area: Array, positive: float, negative: float) -> Array: ...
def model_variance(area: float | Array, positive: float, negative: float) -> float | Array:
    """Compute the variance of an area by the model of Hanley and McNeil (1982), with the mean size for both sides.

    >>> round(model_variance(0.9, 50, 50) ** 0.5, 4)
    0.0321
    """
    pairs_in_common = (1 - area) / (2 - area) + area / (1 + area)
    others = (positive + negative) / 2 - 1
    return area * (1 - area) * (1 + others * pairs_in_common) / (positive * negative)


def _end(value: float, outermost: float, reach: float, positive: float, negative: float) -> float:
    """Find by bisection where (A - θ)² exceeds its allowance, between the value and the end of the range."""
    inside, outside = value, outermost
    for _ in range(STEPS):
        middle = (inside + outside) / 2
        if (value - middle) ** 2 <= reach * model_variance(middle, positive, negative):
            inside = middle
        else:
            outside = middle
    return (inside + outside) / 2
