"""Where each row stands among the rows of the other side: what one row adds to an area under a ROC curve."""

from dataclasses import dataclass

import numpy as np

from justesse.measures.confusion import Array


@dataclass(frozen=True)
class Placement:
    """An area and, per row, how much the area moves when that row's weight does."""

    auc: float
    influence: Array


def placement(scores: Array, positive: Array, weights: Array | None = None) -> Placement:
    """Compute the area and its slope by each row; Σw²·slope² is its variance, also for sums of areas.

    >>> found = placement(np.array([0.9, 0.8, 0.6, 0.4]), np.array([True, False, True, False]))
    >>> found.auc, found.influence.tolist()
    (0.75, [0.125, -0.125, -0.125, 0.125])
    """
    heavy = np.ones(len(scores)) if weights is None else weights
    p, n = heavy[positive].sum(), heavy[~positive].sum()
    if not (p > 0 and n > 0):
        return Placement(float("nan"), np.full(len(scores), np.nan))
    order = np.argsort(scores)
    ordered, is_positive, sorted_weights = scores[order], positive[order], heavy[order]
    new = np.diff(ordered, prepend=np.nan) != 0
    starts, group = np.flatnonzero(new), np.cumsum(new) - 1

    def below(weights: Array, total: float) -> Array:
        """Give, for every row, the share of these weights at lower scores, ties counting half."""
        here = np.add.reduceat(weights, starts)
        return np.asarray(((np.cumsum(here) - here / 2) / total)[group])

    beaten = np.empty(len(scores))
    lower = below(sorted_weights * ~is_positive, n), 1 - below(sorted_weights * is_positive, p)
    beaten[order] = np.where(is_positive, *lower)
    value = float((heavy[positive] * beaten[positive]).sum() / p)
    return Placement(value, (beaten - value) / np.where(positive, p, n))
