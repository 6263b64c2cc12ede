"""Means and shares of rows that come in clusters: rows of one cluster may be alike, clusters are independent."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.degrees import kurtosis_degrees
from justesse.intervals.ends import Ends, one_sided
from justesse.intervals.wilson import score_end, wilson

SHARE, POSITIVE_MEAN = "wilson-cr2", "log-cr2"


@dataclass(frozen=True)
class ClusteredMean:
    """A mean over rows in clusters, its standard error, and the degrees of freedom of that error.

    `least` is the number of clusters of the largest size that have as many rows: never more than there are clusters.
    """

    value: float
    error: float
    degrees: float
    least: float
    clusters: int
    n: float


def clustered_mean(totals: ArrayLike, sizes: ArrayLike) -> ClusteredMean:
    """Compute the mean over rows in clusters with the bias-reduced cluster-robust standard error, CR2.

        ȳ = Σ_g y_g / n,   u_g = (y_g - ȳ·n_g) / (n·sqrt(1 - n_g/n)),   v = Σ_g u_g²
        ν = min(n² / ΣΣ P_gh²,  2v² / (Σ_g u_g⁴ - v²/G)),   at least 1

    Parameters
    ----------
    totals
        Sum over the rows of each cluster, y_g.
    sizes
        Number of rows of each cluster, n_g.

    Returns
    -------
    ClusteredMean
        Mean, standard error sqrt(v) and degrees of freedom ν.

    Notes
    -----
    CR2 is unbiased if rows are independent, whatever the sizes of clusters (Bell and McCaffrey 2002). The first term
    of ν is Satterthwaite's, P_gh the covariance of u_g and u_h for independent rows: P_gg = n_g, and
    P_gh = -n_g·n_h / (n·sqrt((1 - n_g/n)(1 - n_h/n))) elsewhere (Pustejovsky and Tipton 2018). With clusters of one
    size it is G - 1. The second term comes from the kurtosis of u (O'Neill 2014): if a few clusters make most of the
    spread, as for rare events, it is known less well than the number of clusters suggests.

    Examples
    --------
    >>> result = clustered_mean([1, 0, 2], [2, 2, 4])
    >>> result.value, round(result.error, 4), round(result.degrees, 3)
    (0.375, 0.1443, 1.8)
    """
    y, rows = np.asarray(totals, dtype=float), np.asarray(sizes, dtype=float)
    if y.shape != rows.shape or y.ndim != 1 or len(y) < 2:
        raise OptionError(
            f"Cluster-robust intervals need at least two clusters, each with a total and a size; got {y.size} totals "
            f"and {rows.size} sizes."
        )
    if not (rows > 0).all():
        raise OptionError(
            f"Every cluster must have rows; cluster number {int(np.argmin(rows > 0)) + 1} has size "
            f"{rows[np.argmin(rows > 0)]:g}. Leave it out."
        )
    n = float(rows.sum())
    value = float(y.sum()) / n
    variance, degrees = cluster_variance((y - value * rows) / n, rows)
    return ClusteredMean(value, math.sqrt(variance), degrees, n / float(rows.max()), len(y), n)


def cluster_variance(slopes: Array, sizes: Array) -> tuple[float, float]:
    """Compute v = Σ_g y_g²/(1 - n_g/n) and its degrees of freedom.

    y_g is how much the rows of cluster g move the figure, a mean or any other function of the rows; n_g is their
    number. See `clustered_mean`.
    """
    squares = slopes**2 / (1 - sizes / float(sizes.sum()))
    return float(squares.sum()), max(min(cluster_degrees(sizes), kurtosis_degrees(squares)), 1.0)


def cluster_degrees(sizes: Array) -> float:
    """Compute Satterthwaite's degrees of freedom of the variance CR2 from the sizes of the clusters.

    See `clustered_mean`.

    Examples
    --------
    >>> round(cluster_degrees(np.array([5.0, 5.0, 5.0, 5.0])), 6), round(cluster_degrees(np.array([2.0, 2.0, 4.0])), 3)
    (3.0, 1.8)
    """
    n = float(sizes.sum())
    scaled = sizes**2 / (1 - sizes / n)
    return n**2 / float((sizes**2).sum() + (scaled.sum() ** 2 - (scaled**2).sum()) / n**2)


def clustered_share(
    successes: ArrayLike, sizes: ArrayLike, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Compute Wilson's interval of a share of rows that come in clusters.

        n* = min(n, p(1-p)/v),   Wilson's interval of p with n* rows and t_ν in place of z

    v and ν are those of `clustered_mean`. The interval is never wider than with G* = n/max_g n_g clusters whose rows
    are all equal, that is with n* = ν = G* - 1. If all rows are successes, or none, n* is G*. G* is the number of
    clusters if they have one size. If all clusters have the same share in between, n* is n.

    Parameters
    ----------
    successes
        Number of successes in each cluster.
    sizes
        Number of rows of each cluster.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends.

    Notes
    -----
    The effective number of rows is Korn and Graubard's (1998). Whatever the shares of clusters, and however they go
    with their sizes, Σ_g (y_g - p·n_g)² ≤ max_g n_g·n·p(1-p): clusters are worth at least G* independent rows. With one
    cluster n* is 1. With more than half of the rows in one cluster n* is at most G*: the interval is then wide, since
    nothing shows how much such clusters vary. A single failure can narrow the interval: without any, nothing shows that
    rows of a cluster differ.

    Examples
    --------
    >>> ends = clustered_share([1, 0, 2, 0, 1, 0], [5, 5, 5, 5, 5, 5])
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([0.038], [0.378])
    """
    from scipy.special import stdtrit

    tails = tail_levels(level, alternative)
    k, rows = np.asarray(successes, dtype=float), np.asarray(sizes, dtype=float)
    if not rows.sum() > 0:
        return Ends(np.full(1, np.nan), np.full(1, np.nan), level, SHARE)
    if len(rows) < 2:
        return replace(wilson(k / rows, np.ones_like(k), level=level, alternative=alternative), method=SHARE)
    mean = clustered_mean(k, rows)
    share, worth = mean.value, mean.least
    varies = 0 < share < 1
    if varies:
        worth = min(mean.n, share * (1 - share) / mean.error**2) if mean.error > 1e-12 else mean.n
    tail = max(tails)
    far = float(stdtrit(mean.degrees, 1 - tail))
    if varies and mean.least < 2:
        worth = min(worth, mean.least)
    elif varies and (far_if_equal := float(stdtrit(mean.least - 1, 1 - tail))) > 0:
        worth = max(worth, (mean.least - 1) * (far / far_if_equal) ** 2)
    low, high = score_end(share * worth, worth, [[-far], [far]])
    return Ends(*one_sided(low, high, tails, np.array([worth])), level, SHARE)


def clustered_positive_mean(
    totals: ArrayLike, sizes: ArrayLike, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Compute the interval of the mean of numbers above zero, such as squared errors, of rows in clusters.

        ȳ·exp(± t_ν·sqrt(v)/ȳ)

    On the log scale, since means of squares are skewed; v and ν are those of `clustered_mean`. NaN if nothing varies.

    Parameters
    ----------
    totals
        Sum over the rows of each cluster.
    sizes
        Number of rows of each cluster.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends.

    Examples
    --------
    >>> ends = clustered_positive_mean([4.0, 6.0, 5.0, 9.0], [5, 5, 5, 5])
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([0.677], [2.128])
    """
    from scipy.special import stdtrit

    tails, mean = tail_levels(level, alternative), clustered_mean(totals, sizes)
    relative = mean.error / mean.value if mean.value > 0 else 0.0
    if relative <= 1e-12:
        return Ends(np.array([math.nan]), np.array([math.nan]), level, POSITIVE_MEAN)
    below, above = (float(stdtrit(mean.degrees, 1 - tail)) if tail else math.inf for tail in tails)
    with np.errstate(over="ignore"):
        ends: tuple[Array, Array] = (
            np.array([mean.value * np.exp(-below * relative)]),
            np.array([mean.value * np.exp(above * relative)]),
        )
    return Ends(*ends, level, POSITIVE_MEAN)
