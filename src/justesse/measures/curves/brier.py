"""Brier score: the mean squared distance between probability and what happened, and its decomposition.

    Brier = mean (s - y)² = reliability - resolution + uncertainty + within

0 is perfect, 0.25 is what a constant one half scores. Reliability is how far groups of like scores are from what
happened (0 is best), resolution how far the groups are from each other (more is better), uncertainty the spread of the
labels themselves, and `within` what is left by putting different scores in one group. Brier (1950), Murphy (1973).

>>> round(brier(ScoreCounts.of([0.9, 0.2], [1, 0])).value, 4)
0.025
"""

from dataclasses import dataclass

import numpy as np

from justesse.measures.curves.calibration import Bins
from justesse.measures.curves.mean_loss import MeanLoss, mean_loss
from justesse.measures.curves.score_counts import ScoreCounts


@dataclass(frozen=True)
class BrierParts:
    """The four parts; the first with a plus, resolution with a minus, add up to the Brier score."""

    reliability: float
    resolution: float
    uncertainty: float
    within: float


def brier(table: ScoreCounts) -> MeanLoss:
    """Compute the mean and its standard error, for probabilities of the positive class."""
    return mean_loss(table, (1 - table.scores) ** 2, table.scores**2)


def brier_parts(table: ScoreCounts, bins: Bins) -> BrierParts:
    """Split the score by groups of like scores."""
    share = bins.n / bins.n.sum()
    overall = table.n_positive / table.total
    reliability = float((share * (bins.mean_score - bins.share_positive) ** 2).sum())
    resolution = float((share * (bins.share_positive - overall) ** 2).sum())
    uncertainty = overall * (1 - overall)
    within = brier(table).value - (reliability - resolution + uncertainty)
    return BrierParts(reliability, resolution, uncertainty, float(np.round(within, 15)))
