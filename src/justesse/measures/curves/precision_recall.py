"""The precision-recall curve, its average precision and its trapezoid area.

    average precision = Σ (recall_i - recall_{i-1})·precision_i

The trapezoid area joins points by straight lines, which no classifier can reach, and is the more flattering or the
more severe of the two by chance: average precision is the one to report. Davis and Goadrich (2006).

>>> table = ScoreCounts.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0])
>>> round(average_precision(table), 4), round(trapezoid_area(table), 4)
(0.8056, 0.7639)
"""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.confusion import ratio
from justesse.measures.curves.score_counts import ScoreCounts


@dataclass(frozen=True)
class PrecisionRecall:
    """One point per distinct score, the highest first."""

    threshold: Array
    precision: Array
    recall: Array


def precision_recall(table: ScoreCounts) -> PrecisionRecall:
    """Trace the curve."""
    tp, fp = table.true_positives, table.false_positives
    return PrecisionRecall(table.scores, ratio(tp, tp + fp), ratio(tp, np.asarray(table.n_positive)))


def average_precision(table: ScoreCounts) -> float:
    """Compute the mean precision over the positive rows, NaN if there are none."""
    if not table.n_positive:
        return float("nan")
    kept = table.positives > 0
    positives, tp, fp = table.positives[kept], table.true_positives[kept], table.false_positives[kept]
    return float((positives * tp / (tp + fp)).sum() / table.n_positive)


def average_precision_bounds(table: ScoreCounts) -> tuple[float, float]:
    """Return the smallest and largest average precision that bins leave open: negatives first, positives first, tied.

    >>> table = ScoreCounts.of([0.5, 0.5], [1, 0])
    >>> low, high = average_precision_bounds(table)
    >>> round(low, 6), round(high, 6)
    (0.5, 1.0)
    """
    from scipy.special import digamma

    tp, fp = table.true_positives, table.false_positives
    has_positives = table.positives > 0
    before, after = (tp - table.positives)[has_positives], tp[has_positives]
    ends = []
    for wrong in (fp[has_positives], (fp - table.negatives)[has_positives]):
        # Σ t/(t + wrong) for t = before+1 … after
        total = (after - before) - wrong * (digamma(after + wrong + 1) - digamma(before + wrong + 1))
        ends.append(float(total.sum() / table.n_positive))
    # rows of one bin may truly be tied
    tied = average_precision(table)
    return min(ends[0], tied), max(ends[1], tied)


def trapezoid_area(table: ScoreCounts) -> float:
    """Return the area under the points joined by straight lines, from recall 0 at precision 1."""
    if not table.n_positive:
        return float("nan")
    curve = precision_recall(table)
    recall, precision = np.append(0.0, curve.recall), np.append(1.0, curve.precision)
    return float(((recall[1:] - recall[:-1]) * (precision[1:] + precision[:-1]) / 2).sum())
