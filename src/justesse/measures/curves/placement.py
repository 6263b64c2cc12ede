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
    beaten = np.empty(len(scores))
    beaten[positive] = _share_below(scores[positive], scores[~positive], heavy[~positive])
    beaten[~positive] = 1 - _share_below(scores[~positive], scores[positive], heavy[positive])
    value = float((heavy[positive] * beaten[positive]).sum() / p)
    return Placement(value, (beaten - value) / np.where(positive, p, n))


def _share_below(scores: Array, others: Array, weights: Array) -> Array:
    """Give the share of the others' weight below each score, ties counting half."""
    order = np.argsort(others, kind="stable")
    ordered, total = others[order], np.append(0.0, np.cumsum(weights[order]))
    low, high = np.searchsorted(ordered, scores, side="left"), np.searchsorted(ordered, scores, side="right")
    return np.asarray((total[low] + total[high]) / (2 * total[-1]))
