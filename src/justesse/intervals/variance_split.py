"""What an accuracy over clusters varies with: which clusters were drawn, and their rows; and what to buy next."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.tally import Tally
from justesse.intervals.cluster_summary import intraclass_correlation
from justesse.intervals.clustered_measures import ClusterRows


@dataclass(frozen=True)
class NextDesign:
    """Clusters and rows of each, and how wide the interval would be, of what it is now."""

    clusters: int
    size: float
    width: float

    def to_dict(self) -> dict[str, Any]:
        return {"clusters": self.clusters, "cluster_size": self.size, "relative_width": self.width}


@dataclass(frozen=True)
class VarianceSplit:
    """The variance of an accuracy, in two parts that add up.

    Parameters
    ----------
    clusters
        Number of clusters, such as questions.
    n
        Number of rows, such as samples of the questions.
    between
        Variance due to which clusters were drawn: more rows of the same clusters do not reduce it.
    within
        Variance due to the rows within the clusters, such as sampling the answers.
    of_one_row
        Variance of a single row, p·(1-p).

    Notes
    -----
    With rows of variance σ² = p·(1-p), intraclass correlation ρ (analysis of variance, at least 0) and n_g rows in
    cluster g:

        between = ρ·σ²·Σ n_g²/n²,   within = (1-ρ)·σ²/n

    With m rows in each of G clusters, this is ρ·σ²/G + (1-ρ)·σ²/(G·m). Miller (2024), Adding error bars to evals, has
    the same split for samples of questions.
    """

    clusters: int
    n: float
    between: float
    within: float
    of_one_row: float

    @classmethod
    def of_counts(cls, right: ArrayLike, sizes: ArrayLike) -> "VarianceSplit | None":
        """Split the variance by the right rows of each cluster; `None` if it cannot be, as with one row in each.

        >>> split = VarianceSplit.of_counts([4, 0, 3, 1] * 10, [4] * 40)
        >>> round(split.share, 3), split.clusters, split.n
        (0.805, 40, 160.0)
        >>> VarianceSplit.of_counts([1, 0], [1, 1]) is None
        True
        """
        hits, rows = np.asarray(right, dtype=float), np.asarray(sizes, dtype=float)
        if len(rows) < 2:
            return None
        correlation = intraclass_correlation(hits, rows)
        if math.isnan(correlation):
            return None
        alike = min(max(correlation, 0.0), 1.0)
        n = float(rows.sum())
        share = float(hits.sum()) / n
        spread = share * (1 - share)
        return cls(len(rows), n, alike * spread * float((rows**2).sum()) / n**2, (1 - alike) * spread / n, spread)

    @classmethod
    def of(cls, tally: Tally) -> "VarianceSplit | None":
        """Split the variance of the accuracy of a tally with clusters; `None` if it cannot be, or rows have weights."""
        if tally.weighted:
            return None
        rows = ClusterRows.of(tally)
        return cls.of_counts(rows.sums(rows.label == rows.prediction), rows.sizes)

    @property
    def share(self) -> float:
        """The share of the variance that is due to which clusters were drawn."""
        return self.between / (self.between + self.within)

    @property
    def more_rows(self) -> NextDesign:
        """Twice as many rows of the same clusters."""
        return self._design(self.clusters, 2 * self.n / self.clusters, self.between + self.within / 2)

    @property
    def more_clusters(self) -> NextDesign:
        """Twice as many clusters, with as many rows each."""
        return self._design(2 * self.clusters, self.n / self.clusters, (self.between + self.within) / 2)

    @property
    def single_rows(self) -> NextDesign:
        """As many rows as now, each of a cluster of its own."""
        return self._design(round(self.n), 1, self.of_one_row / self.n)

    def _design(self, clusters: int, size: float, variance: float) -> NextDesign:
        return NextDesign(clusters, size, math.sqrt(variance / (self.between + self.within)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "between": self.between,
            "within": self.within,
            "between_share": self.share,
            "designs": [each.to_dict() for each in (self.more_rows, self.more_clusters, self.single_rows)],
        }
