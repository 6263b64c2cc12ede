"""DeLong's interval of the area under the ROC curve."""

import math

import numpy as np

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.delta import delta_ends
from justesse.intervals.ends import Ends
from justesse.measures.curves.auc import auc
from justesse.measures.curves.score_counts import ScoreCounts


def delong_error(table: ScoreCounts) -> float:
    """Compute the standard error of the area, NaN with fewer than two rows on a side."""
    return math.sqrt(sum(delong_variances(table)))


def delong_variances(table: ScoreCounts) -> tuple[float, float]:
    """Compute the variance that the positive and the negative rows add to the area, NaN with fewer than two of either.

    Each positive row is placed among the negatives (the share it beats) and each negative among the positives; the
    variance is that of both means: S₁₀/P + S₀₁/N. One sort is all it needs (Sun and Xu 2014); weights enter as Σw².
    """
    positive, negative = table.effective
    if min(positive, negative) < 2:
        return math.nan, math.nan
    value = auc(table)
    among_negatives = (table.n_negative - table.false_positives + table.negatives / 2) / table.n_negative
    among_positives = (table.true_positives - table.positives / 2) / table.n_positive
    first = (
        (table.positive_squares * (among_negatives - value) ** 2).sum()
        / table.n_positive**2
        * positive
        / (positive - 1)
    )
    second = (
        (table.negative_squares * (among_positives - value) ** 2).sum()
        / table.n_negative**2
        * negative
        / (negative - 1)
    )
    return float(first), float(second)


def delong(table: ScoreCounts, *, level: float = 0.95, alternative: Alternative = "two-sided") -> Ends:
    """Compute DeLong's interval of the area under the ROC curve, AUC ± z·error.

    DeLong, DeLong and Clarke-Pearson (1988).

    Wrong to use with a handful of rows on a side or an area next to 1, where it is too narrow; perfect separation has
    no interval.

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
        Lower and upper ends, NaN where there are no rows.

    Examples
    --------
    >>> ends = delong(ScoreCounts.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0]))
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.291, 1.265)
    """
    ends = delta_ends(
        np.asarray(auc(table)),
        np.asarray(delong_error(table)),
        level=level,
        tails=tail_levels(level, alternative),
    )
    return Ends(ends.low, ends.high, level, "delong")
