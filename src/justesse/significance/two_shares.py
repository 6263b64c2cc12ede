"""Two shares of different rows: which parts of the rows differ from the rest."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.results import check_level
from justesse.significance.multiplicity import adjusted

STEPS = 256  # terms of a tail summed at once
NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class ShareGaps:
    """Each part's share minus the share of all other rows, with p-values corrected for the number of parts."""

    gap: Array
    pvalues: Array
    level: float

    @property
    def differ(self) -> Array:
        """Which parts differ from the rest."""
        return np.asarray(self.pvalues <= 1 - self.level)


def share_gaps(hits: ArrayLike, sizes: ArrayLike, *, all_hits: int, n: int, level: float, tried: int) -> ShareGaps:
    """Compare the share of hits in each part with the share in all other rows, by Fisher's exact test.

        p = 2·min(P(X ≤ hits), P(X ≥ hits)),   X hypergeometric: `size` rows drawn from n, of which `all_hits` are hits

    The p-values are corrected for all `tried` parts (Holm): the chance of naming any part is at most 1 - level if there
    is nothing to find, however small the parts are. Intervals do not keep this promise far out in the tails. Wrong for
    rows in groups. A part that holds all rows has nothing to be compared with: NaN. Fisher (1935).

    Parameters
    ----------
    hits, sizes
        Number of hits and of rows of each part.
    all_hits, n
        Number of hits and of rows in all.
    level
        Confidence level.
    tried
        Number of parts that were looked at.

    Examples
    --------
    >>> gaps = share_gaps([90, 60], [100, 100], all_hits=950, n=1100, level=0.95, tried=2)
    >>> gaps.differ.tolist(), gaps.gap.round(3).tolist()
    ([False, True], [0.04, -0.29])
    >>> share_gaps([8], [10], all_hits=490, n=500, level=0.95, tried=50).differ.tolist()
    [False]
    """
    check_level(level)
    part_hits, part_sizes = np.asarray(hits, dtype=float), np.asarray(sizes, dtype=float)
    rest_hits, rest_sizes = all_hits - part_hits, n - part_sizes
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = part_hits / part_sizes - rest_hits / rest_sizes
    # counted by the outcome that is rarer than expected in the part, the smaller tail is the lower one
    scarce = part_hits * n <= part_sizes * all_hits
    rarer = np.where(scarce, part_hits, part_sizes - part_hits)
    total = np.where(scarce, all_hits, n - all_hits)
    pvalues = np.minimum(2 * _at_most(rarer, part_sizes, total, n), 1.0)
    corrected = adjusted(np.where(np.isnan(gap), np.nan, pvalues).tolist(), tried=tried)
    return ShareGaps(gap, np.where(np.isnan(gap), np.nan, corrected), level)


def _at_most(k: Array, size: Array, total: Array, n: int) -> Array:
    """Return P(X ≤ k) for `size` rows drawn from n, `total` of them hits, where k is at most what is expected.

    From k down every term is smaller than the one before, so that the sum ends after some standard deviations.
    """
    from scipy.special import gammaln

    def log_ways(among: Array, chosen: Array) -> Array:
        return np.asarray(gammaln(among + 1) - gammaln(chosen + 1) - gammaln(among - chosen + 1))

    first = np.exp(log_ways(total, k) + log_ways(n - total, size - k) - log_ways(np.full_like(k, n), size))
    sums, term, at = np.ones_like(k), np.ones_like(k), np.arange(len(k))
    for start in range(0, int(k.max(initial=0.0)) + 1, STEPS):
        below = np.maximum(k[at, None] - np.arange(start, start + STEPS), 0.0)
        odds = below * (n - total[at, None] - size[at, None] + below)
        terms = term[at, None] * np.cumprod(
            odds / ((total[at, None] - below + 1) * (size[at, None] - below + 1)), axis=1
        )
        sums[at] += terms.sum(axis=1)
        term[at] = terms[:, -1]
        at = at[term[at] > NEGLIGIBLE * sums[at]]
        if not len(at):
            break
    return np.asarray(np.minimum(first * sums, 1.0))
