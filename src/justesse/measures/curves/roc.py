"""The ROC curve: true positive rate against false positive rate as the threshold falls."""

from dataclasses import dataclass

import numpy as np

from justesse.measures.confusion import Array, ratio
from justesse.measures.curves.scored import Scored


@dataclass(frozen=True)
class Roc:
    """One point per distinct score, from (0, 0), where nothing is called positive, to (1, 1)."""

    threshold: Array
    tpr: Array
    fpr: Array


def roc(table: Scored) -> Roc:
    """Trace the curve; rows with the same score move it together, so ties make a slope and not a step.

    >>> curve = roc(Scored.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0]))
    >>> curve.tpr.round(2).tolist(), curve.fpr.round(2).tolist()
    ([0.0, 0.33, 0.33, 0.67, 1.0, 1.0, 1.0], [0.0, 0.0, 0.33, 0.33, 0.33, 0.67, 1.0])
    """
    tpr = ratio(np.concatenate([[0.0], table.true_positives]), np.asarray(table.p))
    fpr = ratio(np.concatenate([[0.0], table.false_positives]), np.asarray(table.n))
    return Roc(np.concatenate([[np.inf], table.scores]), tpr, fpr)
