"""Two shares of different rows: which parts of the rows differ from the rest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.intervals.ends import Array
from justesse.intervals.wilson import wilson
from justesse.significance.multiplicity import simultaneous_level


@dataclass(frozen=True)
class ShareGaps:
    """Each part's share minus the share of all other rows, with ends that hold for all parts together."""

    gap: Array
    low: Array
    high: Array

    @property
    def differ(self) -> Array:
        """Which parts differ from the rest."""
        return np.asarray((self.low > 0) | (self.high < 0))


def share_gaps(hits: ArrayLike, sizes: ArrayLike, *, all_hits: int, n: int, level: float, tried: int) -> ShareGaps:
    """Compare the share of hits in each part with the share in all other rows (Newcombe's hybrid score interval).

        d - sqrt((p₁-l₁)² + (u₂-p₂)²)  to  d + sqrt((u₁-p₁)² + (p₂-l₂)²)

    l and u are Wilson's ends at the level 1 - (1-level)/tried, so that all `tried` intervals hold together. Wrong for
    rows in groups. A part that holds all rows has nothing to be compared with: NaN. Newcombe (1998), method 10.

    >>> found = share_gaps([90, 60], [100, 100], all_hits=950, n=1100, level=0.95, tried=2)
    >>> found.differ.tolist(), found.gap.round(3).tolist()
    ([False, True], [0.04, -0.29])
    """
    part_hits, part_sizes = np.asarray(hits, dtype=np.int64), np.asarray(sizes, dtype=np.int64)
    each = simultaneous_level(level, tried)
    rest_hits, rest_sizes = all_hits - part_hits, n - part_sizes
    part, rest = wilson(part_hits, part_sizes, level=each), wilson(rest_hits, rest_sizes, level=each)
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = part_hits / part_sizes, rest_hits / rest_sizes
        gap = one - other
        low = gap - np.hypot(one - part.low, rest.high - other)
        high = gap + np.hypot(part.high - one, other - rest.low)
    return ShareGaps(gap, low, high)
