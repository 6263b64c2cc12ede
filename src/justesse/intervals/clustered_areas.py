"""Areas under ROC curves of rows that come in clusters."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative
from justesse.intervals.area_score import PRIOR_ROWS, area_score_ends
from justesse.intervals.clustered import cluster_degrees
from justesse.intervals.degrees import kurtosis_degrees
from justesse.intervals.ends import Ends
from justesse.measures.curves.placement import Placement, placement
from justesse.measures.curves.ranked import Ranked

AREA = "area-score-cr2"


@dataclass(frozen=True)
class ClusteredSpread:
    """The variance of an area, or of a difference of areas, over clusters.

    Parameters
    ----------
    variance
        Variance if rows of one cluster may be alike.
    alone
        Variance if all rows were independent: DeLong's.
    sides
        The part of each side in the latter.
    degrees
        Degrees of freedom of the variance.
    clusters
        Number of clusters with positive and with negative rows.
    """

    variance: float
    alone: float
    sides: tuple[float, float]
    degrees: float
    clusters: tuple[int, int]

    @classmethod
    def of(cls, influence: Array, positive: Array, cluster: Array) -> "ClusteredSpread":
        """Compute the published variance, which corrects for the number of clusters (Obuchowski 1997).

            v = I₊/(I₊-1)·Σ_g a_g² + I₋/(I₋-1)·Σ_g b_g² + 2·I/(I-1)·Σ_g a_g·b_g

        a_g and b_g are the sums over the positive and the negative rows of cluster g, I₊ and I₋ the numbers of clusters
        that have such rows.
        """
        codes = np.unique(cluster, return_inverse=True)[1]
        many = int(codes.max(initial=-1)) + 1
        sums, here, own, worth = [], [], [], []
        for rows in (positive, ~positive):
            sums.append(np.bincount(codes[rows], influence[rows], minlength=many))
            here.append(len(np.unique(codes[rows])))
            size = int(rows.sum())
            sizes = np.bincount(codes[rows], minlength=many).astype(float)
            worth.append(size**2 / max(float((sizes**2).sum()), 1.0))
            own.append(float((influence[rows] ** 2).sum()) * _more(size))
        variance = 2 * _more(many) * float((sums[0] * sums[1]).sum())
        variance += sum(_more(size) * float((part**2).sum()) for part, size in zip(sums, here, strict=True))
        squares = (sums[0] + sums[1]) ** 2
        degrees = max(min(min(worth) - 1.0, kurtosis_degrees(squares)), 1.0)
        # a negative sum of the three parts is what chance leaves of a small variance
        least = float(squares.sum())
        return cls(max(variance, least), sum(own), (own[0], own[1]), degrees, (here[0], here[1]))

    @classmethod
    def by_size(cls, influence: Array, positive: Array, cluster: Array) -> "ClusteredSpread":
        """Compute the variance that corrects for the size of each cluster, CR2.

            v = Σ_g (a_g/sqrt(1 - m_g/m) + b_g/sqrt(1 - n_g/n))²

        a_g and b_g are the sums over the m_g positive and the n_g negative rows of cluster g. A large cluster draws
        the area towards itself, so it seems closer to the area than it is. The degrees of freedom are Satterthwaite's
        of the side that has fewer, or fewer still if a few clusters make most of the spread. With one class in each
        cluster and clusters of very different sizes, the published variance is too small (docs/validity.md).

        Examples
        --------
        >>> influence, positive = np.array([0.1, -0.1, 0.2, -0.2]), np.array([True, True, False, False])
        >>> round(ClusteredSpread.by_size(influence, positive, np.array([0, 1, 0, 1])).variance, 4)
        0.36
        """
        plain = cls.of(influence, positive, cluster)
        if min(plain.clusters) < 2:
            return plain
        codes = np.unique(cluster, return_inverse=True)[1]
        many = int(codes.max()) + 1
        moved, degrees = np.zeros(many), []
        for rows in (positive, ~positive):
            sizes = np.bincount(codes[rows], minlength=many).astype(float)
            moved += np.bincount(codes[rows], influence[rows], minlength=many) / np.sqrt(1 - sizes / sizes.sum())
            degrees.append(cluster_degrees(sizes[sizes > 0]))
        squares = moved**2
        fewest = max(min(*degrees, kurtosis_degrees(squares)), 1.0)
        return replace(plain, variance=float(squares.sum()), degrees=fewest)


def _more(size: int) -> float:
    return size / (size - 1) if size > 1 else 1.0


def clustered_area(
    positive: ArrayLike,
    score: ArrayLike,
    cluster: ArrayLike,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Ends:
    """Compute the score interval of the area under the ROC curve, if rows come in clusters.

    The interval of `area_score` with as many rows of each side as its rows are worth: their number, divided by the
    variance over clusters (`ClusteredSpread.by_size`) and multiplied by DeLong's. A score that separates the classes
    perfectly has as many as there are clusters. Student's t has the degrees of freedom of that variance and 5·I/(I + 5)
    more, I the number of clusters with rows of the class that fewer clusters have.

    Parameters
    ----------
    positive
        Whether each row is of the positive class.
    score
        Score of each row.
    cluster
        Cluster of each row.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends; NaN with fewer than two clusters with rows of either side.

    Notes
    -----
    Obuchowski (1997), Nonparametric analysis of clustered ROC curve data, Biometrics 53, with the correction for the
    size of clusters of Bell and McCaffrey (2002).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> cluster = np.repeat(np.arange(30), 6)
    >>> positive = rng.random(180) < 0.4
    >>> score = positive + rng.normal(size=30)[cluster] + rng.normal(size=180)
    >>> ends = clustered_area(positive, score, cluster)
    >>> ends.low.round(2).tolist(), ends.high.round(2).tolist()
    (0.65, 0.81)
    """
    is_positive, values, groups = np.asarray(positive, dtype=bool), np.asarray(score, dtype=float), np.asarray(cluster)
    if not is_positive.shape == values.shape == groups.shape:
        raise OptionError(
            f"One label, score and cluster per row are needed; got {is_positive.shape}, {values.shape}, {groups.shape}."
        )
    placed = placement(Ranked.of(values), is_positive, np.ones(len(values)))
    if math.isnan(placed.auc):
        return Ends(np.asarray(np.nan), np.asarray(np.nan), level, AREA)
    return area_over_clusters(placed, is_positive, groups, level=level, alternative=alternative)


def area_over_clusters(
    placed: Placement, positive: Array, cluster: Array, *, level: float, alternative: Alternative
) -> Ends:
    """Compute the interval from the placements of the rows."""
    spread = ClusteredSpread.by_size(placed.influence, positive, cluster)
    if min(spread.clusters) < 2:
        return Ends(np.asarray(np.nan), np.asarray(np.nan), level, AREA)
    rows = (float(positive.sum()), float((~positive).sum()))
    if spread.variance <= 1e-20 or spread.alone <= 1e-20:
        sizes = (float(spread.clusters[0]), float(spread.clusters[1]))
        return area_score_ends(placed.auc, sizes, (0.0, 0.0), level=level, alternative=alternative, method=AREA)
    effect = max(spread.variance / spread.alone, 1.0)
    sizes = (max(rows[0] / effect, 2.0), max(rows[1] / effect, 2.0))
    parts = (spread.sides[0] * effect, spread.sides[1] * effect)
    fewest = min(spread.clusters)  # the model does not know how alike rows of a cluster are
    return area_score_ends(
        placed.auc, sizes, parts, level=level, alternative=alternative, most_degrees=spread.degrees,
        more_degrees=PRIOR_ROWS * fewest / (fewest + PRIOR_ROWS), method=AREA,
    )  # fmt: skip
