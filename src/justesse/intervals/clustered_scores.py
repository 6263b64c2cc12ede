"""Areas, losses and shares of scored rows that come in clusters."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Alternative
from justesse.intervals.binormal import Binormal
from justesse.intervals.binormal_score import average_precision_variances
from justesse.intervals.clustered import cluster_variance, clustered_mean, clustered_positive_mean, clustered_share
from justesse.intervals.clustered_areas import AREA, ClusteredSpread, area_over_clusters
from justesse.intervals.ends import Ends
from justesse.measures.curves.calibration import Bins
from justesse.measures.curves.class_areas import ClassAreas
from justesse.measures.curves.placement import Placement
from justesse.measures.curves.score_counts import ScoreCounts

PRECISION, MEAN_OF_AREAS = "binormal-score-cr2", "binormal-mean-cr2"
TINY = 1e-20
LEAST_ROWS = 2.0  # rows that a side is worth at least


@dataclass(frozen=True)
class RowClusters:
    """The cluster of each row, by number, and the rows of each cluster."""

    codes: Array
    sizes: FloatArray

    @classmethod
    def of(cls, cluster: ArrayLike) -> "RowClusters":
        """Number the clusters.

        >>> RowClusters.of(["b", "a", "b"]).sizes.tolist()
        [1.0, 2.0]
        """
        codes = np.unique(np.asarray(cluster), return_inverse=True)[1]
        return cls(codes, np.bincount(codes).astype(float))

    def sums(self, values: Array) -> FloatArray:
        """Add up a number per row over the rows of each cluster."""
        return np.bincount(self.codes, values, minlength=len(self.sizes)).astype(float)

    def squares(self, pushes: Array) -> FloatArray:
        """Return what each cluster adds to the variance of a figure, from what each row adds to the figure (CR2)."""
        return np.asarray(self.sums(pushes) ** 2 / (1 - self.sizes / self.sizes.sum()))

    @property
    def degrees(self) -> float:
        """Satterthwaite's degrees of freedom of a variance over clusters: fewer if clusters have unequal sizes."""
        return cluster_variance(np.zeros(len(self.sizes)), self.sizes)[1]

    def select(self, rows: Array) -> "RowClusters":
        """Keep some of the rows."""
        return RowClusters.of(self.codes[rows])

    def mean_loss(self, losses: Array, *, level: float, alternative: Alternative) -> Ends:
        """Compute the interval of the mean of a loss from 0 up, such as log loss (`clustered_positive_mean`)."""
        if len(self.sizes) < 2 or not np.isfinite(losses).all():
            return Ends(np.asarray(np.nan), np.asarray(np.nan), level, "log-cr2")
        ends = clustered_positive_mean(self.sums(losses), self.sizes, level=level, alternative=alternative)
        return replace(ends, low=ends.low[0], high=ends.high[0])


@dataclass(frozen=True)
class ClassClusters:
    """The scores of one class against the rest, of rows that come in clusters.

    Parameters
    ----------
    areas
        Both areas, and what each row adds to them.
    positive
        Whether each row is of the class.
    scores
        Score of each row.
    rows
        Cluster of each row.
    """

    areas: ClassAreas
    positive: Array
    scores: Array
    rows: RowClusters

    @cached_property
    def spread(self) -> ClusteredSpread:
        """The variance of the area under the ROC curve over clusters."""
        return ClusteredSpread.by_size(self.areas.auc_slope, self.positive, self.rows.codes)

    @property
    def effect(self) -> float:
        """By how much clusters multiply the variance of the area under the ROC curve; NaN if it has none."""
        if not self.spread.alone > TINY:
            return math.nan
        return self.spread.variance / self.spread.alone

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of clusters with positive and with negative rows."""
        return len(np.unique(self.rows.codes[self.positive])), len(np.unique(self.rows.codes[~self.positive]))

    def area(self, *, level: float, alternative: Alternative) -> Ends:
        """Compute the interval of the area under the ROC curve (`clustered_area`)."""
        if math.isnan(self.areas.auc):
            return Ends(np.asarray(np.nan), np.asarray(np.nan), level, AREA)
        placed = Placement(self.areas.auc, self.areas.auc_slope)
        return area_over_clusters(placed, self.positive, self.rows.codes, level=level, alternative=alternative)

    def average_precision(self, *, level: float, alternative: Alternative) -> Ends:
        """Compute the interval of average precision: `binormal_score` with as many rows as the clusters are worth.

            v = Σ_g y_g²/(1 - n_g/n),   y_g what the rows of cluster g add to average precision

        Rows of both sides are divided by v and multiplied by the variance if rows were independent, at most by 1.
        Where nothing varies, each side has as many rows as clusters.
        """
        nothing = Ends(np.asarray(np.nan), np.asarray(np.nan), level, PRECISION)
        if math.isnan(self.areas.auc) or min(self.sizes) < 2:
            return nothing
        variance, degrees = cluster_variance(self.rows.sums(self.areas.average_precision_slope), self.rows.sizes)
        table = self.worth("precision")
        ends = Binormal.precision(table).ends(
            self.areas.average_precision, variance, degrees, min(table.effective), level=level, alternative=alternative
        )
        return replace(ends, method=PRECISION)

    def worth(self, area: str) -> ScoreCounts:
        """Return the table with as many independent rows as the clusters are worth for one of the areas."""
        table = self.areas.table
        rows = (table.n_positive, table.n_negative)
        if not min(rows) > 0:
            return table
        if area == "precision":
            variance = float(self.rows.squares(self.areas.average_precision_slope).sum())
            alone = sum(average_precision_variances(table))
        else:
            variance, alone = self.spread.variance, self.spread.alone
        if variance > TINY and alone > TINY:
            effect = max(variance / alone, 1.0)
            parts = [max(size / effect, min(LEAST_ROWS, size)) / size for size in rows]
        else:
            parts = [many / size for many, size in zip(self.sizes, rows, strict=True)]
        positives, negatives = table.positives * parts[0], table.negatives * parts[1]
        return ScoreCounts(table.scores, positives, negatives, positives, negatives, table.width, table.edges)

    def share(self, successes: Array, trials: Array, level: float) -> tuple[float, float]:
        """Compute the two ends of a share of some rows (`clustered_share`); both are NaN without rows."""
        totals, sizes = self.rows.sums(successes & trials), self.rows.sums(trials)
        ends = clustered_share(totals[sizes > 0], sizes[sizes > 0], level=level)
        return float(ends.low[0]), float(ends.high[0])

    def at_threshold(self, value: float, level: float) -> dict[str, tuple[float, float]]:
        """Compute the ends of recall, specificity and precision if scores from a value on are called positive."""
        called, positive = self.scores >= value, self.positive
        return {
            "recall": self.share(called, positive, level),
            "specificity": self.share(~called, ~positive, level),
            "precision": self.share(positive, called, level),
        }

    def bin_shares(self, bins: Bins, level: float) -> Ends:
        """Compute the interval of the share of positive rows in each bin."""
        where = self._bin_of(bins)
        ends = [self.share(self.positive, where == at, level) for at in range(len(bins.n))]
        low, high = np.array(ends).reshape(-1, 2).T
        return Ends(low, high, level, "wilson-cr2")

    def expected_ece(self, bins: Bins) -> float:
        """Return the calibration error that chance alone would show, if every probability were right.

            Σ_b n_b·sqrt(2/π·v_b) / n,   v_b the cluster-robust variance (CR2) of label minus probability in bin b

        At least what independent rows would show (`expected_if_calibrated`).
        """
        where, apart, total = self._bin_of(bins), self.positive - self.scores, 0.0
        for at, alone in enumerate(bins.spread):
            here = where == at
            sizes, sums = self.rows.sums(here), self.rows.sums(apart * here)
            variance = float(alone)
            if np.count_nonzero(sizes) > 1:
                mean = clustered_mean(sums[sizes > 0], sizes[sizes > 0])
                variance = max(variance, (mean.error * mean.n) ** 2)
            total += math.sqrt(2 / math.pi * variance)
        return total / float(bins.n.sum())

    def _bin_of(self, bins: Bins) -> Array:
        return np.clip(np.searchsorted(bins.low, self.scores, side="right") - 1, 0, len(bins.n) - 1)
