"""The mean of a loss that depends on a row's score and on whether it is positive."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.curves.score_counts import ScoreCounts


@dataclass(frozen=True)
class MeanLoss:
    """A mean over rows and its standard error."""

    value: float
    error: float


def mean_loss(table: ScoreCounts, if_positive: Array, if_negative: Array) -> MeanLoss:
    """Average a loss given at each distinct score; its error is sqrt(Σw²(loss - mean)²)/Σw.

    >>> mean_loss(ScoreCounts.of([0.9, 0.2], [1, 0]), np.array([1.0, 1.0]), np.array([0.0, 0.0])).value
    0.5
    """
    if not table.total:
        return MeanLoss(float("nan"), float("nan"))
    positive, negative = table.positives > 0, table.negatives > 0
    value = (
        (table.positives[positive] * if_positive[positive]).sum()
        + (table.negatives[negative] * if_negative[negative]).sum()
    ) / table.total
    if not np.isfinite(value):
        return MeanLoss(float(value), float("nan"))
    spread = (table.positive_squares[positive] * (if_positive[positive] - value) ** 2).sum()
    spread += (table.negative_squares[negative] * (if_negative[negative] - value) ** 2).sum()
    return MeanLoss(float(value), float(np.sqrt(spread) / table.total))
