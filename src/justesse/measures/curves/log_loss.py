"""Log loss: how surprised the probabilities were by the labels.

    log loss = -(1/n)·Σ log(probability given to the row's own label)

0 is perfect; it is infinite, not clipped, as soon as one row's label was given probability 0. Good (1952).

>>> round(log_loss(ScoreCounts.of([0.9, 0.2], [1, 0])).value, 4)
0.1643
"""

import numpy as np

from justesse.measures.curves.mean_loss import MeanLoss, mean_loss
from justesse.measures.curves.score_counts import ScoreCounts


def log_loss(table: ScoreCounts) -> MeanLoss:
    """Compute the mean and its standard error, for probabilities of the positive class."""
    with np.errstate(divide="ignore"):
        return mean_loss(table, -np.log(table.scores), -np.log1p(-table.scores))
