"""The ROC curve: true positive rate against false positive rate as the threshold falls."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.confusion import ratio
from justesse.measures.curves.score_counts import ScoreCounts


@dataclass(frozen=True)
class Roc:
    """One point per distinct score, from (0, 0), where nothing is called positive, to (1, 1)."""

    threshold: Array
    tpr: Array
    fpr: Array


def roc(table: ScoreCounts) -> Roc:
    """Trace the curve; rows with the same score move it together, so ties make a slope and not a step.

    >>> curve = roc(ScoreCounts.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0]))
    >>> curve.tpr.round(2).tolist(), curve.fpr.round(2).tolist()
    ([0.0, 0.33, 0.33, 0.67, 1.0, 1.0, 1.0], [0.0, 0.0, 0.33, 0.33, 0.33, 0.67, 1.0])
    """
    tpr = ratio(np.concatenate([[0.0], table.true_positives]), np.asarray(table.n_positive))
    fpr = ratio(np.concatenate([[0.0], table.false_positives]), np.asarray(table.n_negative))
    return Roc(np.concatenate([[np.inf], table.scores]), tpr, fpr)
