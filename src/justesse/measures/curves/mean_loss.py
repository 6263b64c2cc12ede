"""The mean of a loss that depends on a row's score and on whether it is positive."""

import math
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.curves.score_counts import ScoreCounts


@dataclass(frozen=True)
class MeanLoss:
    """A mean over rows and how much each adds to it, u_i = w_i·(loss - mean)/Σw: Σu², Σu³ and Σu⁴."""

    value: float
    squares: float = float("nan")
    cubes: float = float("nan")
    fourths: float = float("nan")

    @property
    def error(self) -> float:
        """The standard error, sqrt(Σu²)."""
        return math.sqrt(self.squares)

    @classmethod
    def of(cls, losses: Array, weights: Array | None = None) -> "MeanLoss":
        """Average the losses of rows.

        >>> MeanLoss.of(np.array([0.0, 1.0])).value
        0.5
        """
        w = np.ones(len(losses)) if weights is None else weights
        if not w.sum() > 0:
            return cls(float("nan"))
        value = float((w * losses).sum() / w.sum())
        if not np.isfinite(value):
            return cls(value)
        pushes = w * (losses - value) / w.sum()
        return cls(value, *(float((pushes**power).sum()) for power in (2, 3, 4)))


def mean_loss(table: ScoreCounts, if_positive: Array, if_negative: Array) -> MeanLoss:
    """Average a loss given at each distinct score.

    Rows of one score and class count as if they had one weight, Σw²/Σw.

    >>> mean_loss(ScoreCounts.of([0.9, 0.2], [1, 0]), np.array([1.0, 1.0]), np.array([0.0, 0.0])).value
    0.5
    """
    if not table.total:
        return MeanLoss(float("nan"))
    positive, negative = table.positives > 0, table.negatives > 0
    value = (
        (table.positives[positive] * if_positive[positive]).sum()
        + (table.negatives[negative] * if_negative[negative]).sum()
    ) / table.total
    if not np.isfinite(value):
        return MeanLoss(float(value))
    sums = np.zeros(3)
    for loss, weight, squares, used in (
        (if_positive, table.positives, table.positive_squares, positive),
        (if_negative, table.negatives, table.negative_squares, negative),
    ):
        push = (loss[used] - value) / table.total
        typical = squares[used] / weight[used]
        sums += [(squares[used] * typical**power * push ** (power + 2)).sum() for power in range(3)]
    return MeanLoss(float(value), *sums.tolist())
