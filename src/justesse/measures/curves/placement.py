"""Where each row stands among the rows of the other side: what one row adds to an area under a ROC curve."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.curves.ranked import Ranked


@dataclass(frozen=True)
class Placement:
    """An area and, per row, how much the area moves when that row's weight does."""

    auc: float
    influence: Array


def placement(ranked: Ranked, positive: Array, weights: Array) -> Placement:
    """Compute the area and its slope by each row; Σw²·slope² is its variance, also for sums of areas.

    >>> ranked = Ranked.of(np.array([0.9, 0.8, 0.6, 0.4]))
    >>> placed = placement(ranked, np.array([True, False, True, False]), np.ones(4))
    >>> placed.auc, placed.influence.tolist()
    (0.75, [0.125, -0.125, -0.125, 0.125])
    """
    high, low = np.flatnonzero(positive), np.flatnonzero(~positive)
    p, n = weights[high].sum(), weights[low].sum()
    if not (p > 0 and n > 0):
        return Placement(float("nan"), np.full(len(positive), np.nan))
    beaten = ranked.below(low, weights[low], high) / n
    beating = 1 - ranked.below(high, weights[high], low) / p
    value = float((weights[high] * beaten).sum() / p)
    influence = np.empty(len(positive))
    influence[high], influence[low] = (beaten - value) / p, (beating - value) / n
    return Placement(value, influence)
