"""The paired difference of two proportions of rows that come in clusters, with its score interval."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.clustered import clustered_mean, clustered_share
from justesse.intervals.ends import Ends, far_value
from justesse.significance.paired_difference import checked_pairs, score_statistic, tango_end

SHARES = "tango-cr2"
SMALLEST = 1e-12  # tail that is looked at
ONE_CLUSTER = "all rows are of one cluster, so how much clusters vary is not known"


@dataclass(frozen=True)
class ClusterWorth:
    """Rows that only one classifier gets right, and how many independent rows all clusters are worth.

    Parameters
    ----------
    only_incumbent, only_candidate, n
        Rows that only one of the two gets right, and all rows.
    worth
        Independent rows that would give the same standard error of the difference.
    degrees
        Degrees of freedom of that standard error.
    least
        Rows that the clusters are worth at least, and the degrees of freedom that go with them: as many clusters of
        the largest size as have all rows, less one. 0 if that is no limit.
    unseen
        Rows that each gets right, if one is right on all rows or wrong on all: it may fail in clusters not seen.
    """

    only_incumbent: float
    only_candidate: float
    n: float
    worth: float
    degrees: float
    least: float
    unseen: "UnseenFailures | None" = None

    @classmethod
    def of(
        cls,
        only_incumbent: ArrayLike,
        only_candidate: ArrayLike,
        sizes: ArrayLike,
        both_right: ArrayLike | None = None,
    ) -> "ClusterWorth":
        """Compare how much the difference varies over clusters with how much it would over independent rows.

        With the rows of each cluster that both get right, a classifier that is right on all rows is noticed.

        >>> worth = ClusterWorth.of([2, 0, 1, 0], [0, 1, 3, 2], [8, 8, 8, 8])
        >>> round(worth.worth, 2), round(worth.degrees, 2)
        (19.47, 3.0)
        """
        b, c, rows = checked_pairs(only_incumbent, only_candidate, sizes)
        if b.ndim != 1 or len(b) < 2:
            raise OptionError(f"Cluster-robust tests need at least two clusters; got {b.size}.")
        mean = clustered_mean(c - b, rows)
        apart, both = float((b + c).sum()), (float(b.sum()), float(c.sum()), mean.n)
        if not apart:
            return cls(*both, mean.least, mean.degrees, 0.0)
        unseen = None if both_right is None else UnseenFailures.of(b, c, rows, np.asarray(both_right, dtype=float))
        spread = apart / mean.n - mean.value**2
        worth = min(mean.n, spread / mean.error**2) if mean.error > 1e-12 else mean.n
        if mean.least < 2:
            return cls(*both, min(worth, mean.least), mean.degrees, 0.0, unseen)
        return cls(*both, worth, mean.degrees, mean.least - 1, unseen)

    def at(self, tail: float) -> tuple[float, float]:
        """Return the rows that the clusters are worth, and the quantile of Student's t that leaves `tail` above it."""
        far = far_value(tail, self.degrees)
        if self.least and 0 < tail < 0.5:
            return max(self.worth, self.least * (far / far_value(tail, self.least)) ** 2), far
        return self.worth, far

    def scaled(self, worth: float) -> tuple[float, float, float]:
        """Return the counts of as many rows as the clusters are worth."""
        share = worth / self.n
        behind, ahead = self.only_incumbent * share, self.only_candidate * share
        return behind, ahead, max(worth, behind + ahead)  # rounding must not make more disagreements than rows

    def lead(self, margin: float, tail: float) -> float:
        """Return by how much the difference clears the margin: above 0, its whole interval lies above the margin."""
        worth, far = self.at(tail)
        lead = float(score_statistic(*self.scaled(worth), margin)) - far
        if self.unseen is None or not 0 < tail < 0.5:
            return lead
        return min(lead, self.unseen.ends(tail)[0] - margin)


@dataclass(frozen=True, eq=False)
class UnseenFailures:
    """Two classifiers of which one is right on all rows, or wrong on all.

    It may fail (or succeed) in whole clusters that chance left out of the sample, and its spread over clusters does not
    show them. The accuracy of a classifier that is right on all rows is at least q^(1/G*) with q outside, G* clusters
    of the largest size having all rows.

    Parameters
    ----------
    incumbent, candidate
        Rows of each cluster that each of the two gets right.
    sizes
        Rows of each cluster.
    """

    incumbent: Array
    candidate: Array
    sizes: Array

    @classmethod
    def of(cls, b: Array, c: Array, sizes: Array, both_right: Array) -> "UnseenFailures | None":
        """Return None if both are right on some rows and wrong on some."""
        pair = cls(both_right + b, both_right + c, sizes)
        shares = [float(right.sum()) / float(sizes.sum()) for right in (pair.incumbent, pair.candidate)]
        return pair if min(shares) <= 0 or max(shares) >= 1 else None

    def ends(self, tail: float) -> tuple[float, float]:
        """Return how low and how high the difference may be: on the side of the unseen failures, else -1 or 1."""
        first, second = (self._share(right, tail) for right in (self.incumbent, self.candidate))
        ahead = float((self.candidate - self.incumbent).sum()) > 0
        return (second[0] - first[1], 1.0) if ahead else (-1.0, second[1] - first[0])

    def pvalue(self) -> float:
        """Return the two-sided p-value: twice the tail with which one of the ends is 0."""
        low, high = math.log(SMALLEST), math.log(0.5)
        for _ in range(50):
            middle = (low + high) / 2
            lower, upper = self.ends(math.exp(middle))
            low, high = (low, middle) if lower > 0 or upper < 0 else (middle, high)
        return 2 * math.exp(high)

    def _share(self, right: Array, tail: float) -> tuple[float, float]:
        n = float(self.sizes.sum())
        bound = tail ** (float(self.sizes.max()) / n)
        if right.sum() >= n:
            return bound, 1.0
        if not right.any():
            return 0.0, 1 - bound
        ends = clustered_share(right, self.sizes, level=1 - 2 * tail)
        return float(ends.low[0]), float(ends.high[0])


def clustered_difference(
    only_incumbent: ArrayLike,
    only_candidate: ArrayLike,
    sizes: ArrayLike,
    *,
    both_right: ArrayLike | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Ends:
    """Compute the score interval of a paired difference of proportions, if rows come in clusters.

        n* = min(n, ((b + c)/n - d²)/v),   Tango's interval of b·n*/n, c·n*/n and n* rows, with t_ν in place of z

    d is the difference, v its cluster-robust variance (CR2) and ν its degrees of freedom (`clustered_mean`).

    Parameters
    ----------
    only_incumbent
        Rows of each cluster that only the incumbent gets right.
    only_candidate
        Rows of each cluster that only the candidate gets right.
    sizes
        Number of rows of each cluster.
    both_right
        Rows of each cluster that both get right. If one is right on all rows or wrong on all, the interval allows for
        whole clusters in which it fails and that the sample does not show. Default: not considered.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends; NaN with fewer than two clusters.

    Notes
    -----
    The interval is never wider than with G* = n/max_g n_g clusters whose rows are all equal; G* is the number of
    clusters if they have one size. If the two never differ, n* is G*. With more than half of the rows in one cluster n*
    is at most that.
    With clusters of one row it is Tango's interval with n - 1 rows. Bell and McCaffrey (2002); Korn and Graubard
    (1998); Tango (1998).

    Examples
    --------
    >>> ends = clustered_difference([2, 0, 1, 0, 1, 0], [0, 1, 3, 2, 2, 2], [8, 8, 8, 8, 8, 8])
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([-0.099], [0.344])
    """
    tails = tail_levels(level, alternative)
    if np.size(sizes) < 2:
        return Ends(np.array([math.nan]), np.array([math.nan]), level, SHARES)
    rows = ClusterWorth.of(only_incumbent, only_candidate, sizes, both_right)
    worth, far = rows.at(max(tails))
    b, c, n = (np.array([count]) for count in rows.scaled(worth))
    low = tango_end(b, c, n, far) if tails[0] else np.array([-1.0])
    high = -tango_end(c, b, n, far) if tails[1] else np.array([1.0])
    if rows.unseen is not None:
        lowest, highest = rows.unseen.ends(max(tails))
        low = np.minimum(low, lowest) if lowest > -1 else low
        high = np.maximum(high, highest) if highest < 1 else high
    return Ends(low, high, level, SHARES)
