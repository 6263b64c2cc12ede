"""How far wrong labels can move a weighted sum over items: the worst ones are on the items that move it most."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.noise.rate_range import whole_rows

TINY = 1e-12  # sums of weights are not exact

# lowest and highest share of wrong labels: of all items together, or of those of each period
NoiseRate = tuple[float, float] | Mapping[int, tuple[float, float]]


@dataclass(frozen=True)
class LabelMoves:
    """Items in groups: what a figure does if the label of one of them is wrong.

    Parameters
    ----------
    period
        Test period of each group.
    many
        Number of items of each group.
    up, down
        Highest and lowest change of the figure, over all classes that the item may truly have instead of its label.

    Notes
    -----
    Each item has one label, so what it does to every version and system tested on it is added up in its change. The
    changes of different items add up too: taking the items that move most is best, and the bounds are reached.

    >>> moves = LabelMoves(np.array([0, 1]), np.array([10, 10]), np.array([0.02, 0.08]), np.array([-0.02, -0.08]))
    >>> [round(end, 3) for end in moves.range((0.0, 0.1))]  # 2 of 20 labels, both in the period that weighs more
    [-0.16, 0.16]
    >>> [round(end, 3) for end in moves.range({0: (0.0, 0.1), 1: (0.0, 0.1)})]  # 1 of 10 in each
    [-0.1, 0.1]
    """

    period: Array
    many: Array
    up: FloatArray
    down: FloatArray

    @property
    def n(self) -> int:
        """Number of items."""
        return int(self.many.sum())

    def range(self, rate: NoiseRate) -> tuple[float, float]:
        """Return the lowest and the highest change of the figure for a rate of wrong labels; both can be reached.

        Parameters
        ----------
        rate
            Lowest and highest share of wrong labels of all items, or of those of each period.
        """
        low = high = 0.0
        for inside, fewest, most in self.budgets(rate):
            low -= furthest(-self.down[inside], self.many[inside], fewest, most)
            high += furthest(self.up[inside], self.many[inside], fewest, most)
        return low, high

    def budgets(self, rate: NoiseRate) -> list[tuple[Array, int, int]]:
        """List the groups that share a number of wrong labels, with the fewest and the most of them."""
        if not isinstance(rate, Mapping):
            return [(np.ones(len(self.many), dtype=bool), *whole_rows(*rate, self.n))]
        parts = []
        for period in np.unique(self.period).tolist():
            inside = self.period == period
            parts.append((inside, *whole_rows(*rate[period], int(self.many[inside].sum()))))
        return parts

    def fewest(self, distance: float) -> int | None:
        """Return the fewest wrong labels that move the figure by a distance, up or (below 0) down; `None` if none do.

        >>> LabelMoves(np.zeros(1, int), np.array([5]), np.array([0.1]), np.array([0.0])).fewest(0.25)
        3
        """
        worth = self.up if distance > 0 else -self.down
        left, count = abs(float(distance)), 0
        if left <= TINY:
            return 0
        order = np.argsort(-worth, kind="stable")
        for each, many in zip(worth[order].tolist(), self.many[order].tolist(), strict=True):
            if not each > 0:
                break
            needed = math.ceil((left - TINY) / each)
            if needed <= many:
                return int(count + needed)
            left -= many * each
            count += many
        return None


def furthest(worth: FloatArray, many: Array, fewest: int, most: int) -> float:
    """Return the largest sum of the worth of between `fewest` and `most` items, `many` of each.

    >>> furthest(np.array([0.1, -0.2, 0.3]), np.array([2, 2, 1]), 0, 2), furthest(np.array([-0.2]), np.array([9]), 1, 2)
    (0.4, -0.2)
    """
    order = np.argsort(-worth, kind="stable")
    worth, many = worth[order], many[order]
    before = np.cumsum(many) - many
    forced = np.clip(fewest - before, 0, many)
    free = np.where(worth > 0, np.clip(most - before, 0, many), 0)
    return float(worth @ np.maximum(forced, free))
