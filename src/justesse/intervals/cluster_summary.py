"""How alike the rows of a cluster are, and how many independent rows they are worth."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.errors import OptionError
from justesse.core.levels import CLUSTERS
from justesse.core.results import finite_or_none
from justesse.core.tally import Tally
from justesse.intervals.clustered import clustered_mean
from justesse.intervals.clustered_measures import ClusterRows

FEW_CLUSTERS = 20


@dataclass(frozen=True)
class ClusterSummary:
    """Clusters of rows, and what they do to the accuracy, or to the difference of two accuracies.

    Parameters
    ----------
    clusters
        Number of clusters.
    largest
        Rows of the largest cluster.
    n
        Number of rows.
    correlation
        Intraclass correlation of being right, or of its difference: 0 if rows of one cluster are no more alike than
        others, 1 if all rows of a cluster are equal. NaN if every cluster has one row, or nothing varies.
    effective_n
        Independent rows that would give the same standard error. NaN if it has none.
    """

    clusters: int
    largest: float
    n: float
    correlation: float
    effective_n: float

    @classmethod
    def of(cls, tally: Tally) -> "ClusterSummary":
        """Summarise the clusters of a tally by whether rows are right.

        >>> cells = [("a", "a", g, 3 * (g % 2)) for g in range(1, 21, 2)] + [("a", "b", g, 3) for g in range(0, 20, 2)]
        >>> summary = ClusterSummary.of(Tally.of(("label", "prediction", "cluster"), cells))
        >>> summary.clusters, round(summary.correlation, 3), round(summary.effective_n, 1)
        (20, 1.0, 19.0)
        """
        rows = ClusterRows.of(tally)
        summary = cls.of_counts(rows.sums(rows.label == rows.prediction), rows.sizes)
        counts = np.bincount(tally.codes[:, tally.axis(CLUSTERS)], tally.counts)
        return replace(summary, largest=float(counts.max()), n=float(tally.n))

    @classmethod
    def of_counts(cls, right: ArrayLike, sizes: ArrayLike) -> "ClusterSummary":
        """Summarise clusters by the rows of each that are right.

        >>> summary = ClusterSummary.of_counts([3, 0] * 10, [3, 3] * 10)
        >>> summary.clusters, round(summary.correlation, 3), round(summary.effective_n, 1)
        (20, 1.0, 19.0)
        """
        hits, rows = np.asarray(right, dtype=float), np.asarray(sizes, dtype=float)
        correlation, worth = math.nan, math.nan
        if len(rows) > 1:
            correlation = intraclass_correlation(hits, rows)
            mean = clustered_mean(hits, rows)
            if mean.error > 1e-12:
                worth = mean.value * (1 - mean.value) / mean.error**2
        return cls(len(rows), float(rows.max()), float(rows.sum()), correlation, worth)

    @classmethod
    def of_pair(cls, tally: Tally) -> "ClusterSummary":
        """Summarise clusters by how much more often the candidate is right than the incumbent.

        >>> cells = [("a", "a", "b", g, 2) for g in range(0, 20, 2)] + [("a", "b", "a", g, 2) for g in range(1, 20, 2)]
        >>> summary = ClusterSummary.of_pair(Tally.of(("label", "incumbent", "candidate", "cluster"), cells))
        >>> summary.clusters, round(summary.correlation, 3), round(summary.effective_n, 1)
        (20, 1.0, 19.0)
        """
        rows = tally.marginal("label", "incumbent", "candidate", CLUSTERS)
        label, first, other, cluster = rows.codes.T
        cluster = np.unique(cluster, return_inverse=True)[1]
        gain = (other == label).astype(float) - (first == label)
        sizes, totals, squares = (np.bincount(cluster, rows.counts * part) for part in (gain**0, gain, gain**2))
        correlation, worth = math.nan, math.nan
        if len(sizes) > 1:
            correlation = numeric_correlation(totals, squares, sizes)
            mean = clustered_mean(totals, sizes)
            if mean.error > 1e-12:
                worth = (float(squares.sum()) / mean.n - mean.value**2) / mean.error**2
        return cls(len(sizes), float(sizes.max()), float(tally.n), correlation, worth)

    def to_dict(self) -> dict[str, Any]:
        return {
            "clusters": self.clusters,
            "largest": self.largest,
            "correlation": finite_or_none(self.correlation),
            "effective_n": finite_or_none(self.effective_n),
        }


def intraclass_correlation(successes: ArrayLike, sizes: ArrayLike) -> float:
    """Estimate how alike rows of one cluster are, from a share in each cluster (analysis of variance).

        ρ = (B - W) / (B + (m - 1)·W),   m = (n - Σ n_g²/n) / (G - 1)

    B is the mean square between clusters and W the one within.

    Parameters
    ----------
    successes
        Number of successes in each cluster.
    sizes
        Number of rows of each cluster.

    Returns
    -------
    float
        About 0 if clusters do not matter, 1 if all rows of a cluster are equal; it can be a little below 0. NaN if
        every cluster has one row, or if nothing varies.

    Notes
    -----
    Donald and Donner (1987); Ridout, Demétrio and Firth (1999), who find it among the best for binary outcomes.

    Examples
    --------
    >>> round(intraclass_correlation([3, 0, 2, 1], [3, 3, 3, 3]), 4)
    0.4375
    """
    return numeric_correlation(successes, successes, sizes)


def numeric_correlation(totals: ArrayLike, squares: ArrayLike, sizes: ArrayLike) -> float:
    """Estimate how alike rows of one cluster are, from the sums of a number and of its squares in each cluster.

    As `intraclass_correlation`, for any number.

    Parameters
    ----------
    totals
        Sum of the number over the rows of each cluster.
    squares
        Sum of its squares.
    sizes
        Number of rows of each cluster.

    Examples
    --------
    >>> round(numeric_correlation([6, 0, 4, 2], [12, 0, 8, 4], [3, 3, 3, 3]), 4)
    0.4375
    """
    y, rows = np.asarray(totals, dtype=float), np.asarray(sizes, dtype=float)
    if y.shape != rows.shape or len(y) < 2:
        raise OptionError(f"An intraclass correlation needs at least two clusters; got {len(rows)}.")
    n, many = float(rows.sum()), len(rows)
    if n - many < 0.5:
        return math.nan
    mean, own = float(y.sum()) / n, y / rows
    between = float((rows * (own - mean) ** 2).sum()) / (many - 1)
    within = float((np.asarray(squares, dtype=float) - y * own).sum()) / (n - many)
    size = (n - float((rows**2).sum()) / n) / (many - 1)
    spread = between + (size - 1) * within
    return (between - within) / spread if spread > 1e-12 else math.nan
