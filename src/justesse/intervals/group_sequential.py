"""Bounds on a total at a few planned looks, from the normal approximation."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from justesse.intervals.drawn_total import DrawnTotal
from justesse.intervals.spending import spending_bounds

Array = NDArray[Any]
LOOKS = 5


class GroupSequential(DrawnTotal):
    """Follow bounds of totals that hold at five planned looks, after a fifth, two fifths, … of the `planned` rows.

        estimate ± z_k·deviation,    z_k: O'Brien and Fleming's bounds as spent by Lan and DeMets

    Between looks the bounds stay; a row that cannot be judged counts against whichever side is being shown. Only about
    right where wrong labels are rare, and wrong to use for decisions at other times than the looks: betting is exact,
    at any time. Lan and DeMets (1983).

    >>> total = GroupSequential([[100]], prior=[[1, 1, 1]], planned=[50])
    >>> for value in [1, 1, 0, 1, -1] * 2:
    ...     total.draw(weights=[[1.0]], stratum=[0], low=[value], high=[value])
    >>> [int(end[0]) for end in total.bounds(0.025)]
    [-85, 94]
    """

    def __init__(self, sizes: Any, *, prior: Any, planned: Any) -> None:
        super().__init__(sizes, prior=prior)
        rows = np.minimum(np.asarray(planned, dtype=float), self.left.sum(-1))
        self.times = np.ceil(rows[:, None] * np.arange(1, LOOKS + 1) / LOOKS)
        self.sides = tuple(DrawnTotal(sizes, prior=prior) for _ in range(2))
        self.looks = np.full((2, len(rows), LOOKS, 2), np.nan)

    def draw(self, *, weights: Any, stratum: Any, low: Any, high: Any) -> None:
        super().draw(weights=weights, stratum=stratum, low=low, high=high)
        now = self.times == self.drawn
        for side, look, value in zip(self.sides, self.looks, (low, high), strict=True):
            side.draw(weights=weights, stratum=stratum, low=value, high=value)
            look[now] = np.repeat(np.stack([side.estimate, side.deviation], -1), now.sum(-1), axis=0)

    def bounds(self, risk: float) -> tuple[Array, Array]:
        """Give the smallest and the largest total that no look refuted at this risk on each side."""
        z = spending_bounds(tuple((k + 1) / LOOKS for k in range(LOOKS)), risk)
        room = self.left.sum(-1)
        down, up = (look[..., 0] + sign * z * look[..., 1] for look, sign in zip(self.looks, (-1, 1), strict=True))
        low, high = np.fmax.reduce(np.ceil(down - 1e-9), axis=-1), np.fmin.reduce(np.floor(up + 1e-9), axis=-1)
        least, most = self.sides[0].sum - room, self.sides[1].sum + room
        return np.clip(np.fmax(low, least), least, most), np.clip(np.fmin(high, most), least, most)

    def kept(self, which: Array) -> Self:
        found = super().kept(which)
        found.times, found.looks = self.times[which], self.looks[:, which]
        found.sides = tuple(side.kept(which) for side in self.sides)
        return found
