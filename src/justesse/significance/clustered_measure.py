"""The difference of any counts-based measure between two classifiers, if rows come in clusters."""

import math
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.case import Case
from justesse.core.levels import CLUSTERS
from justesse.core.results import Alternative, Interval, tail_levels
from justesse.intervals.bootstrap import bca_quantiles, stands_still
from justesse.intervals.clustered import cluster_variance
from justesse.intervals.clustered_bootstrap import ClusterBootstrap, ClusterTables, cluster_draws
from justesse.intervals.delta import TINY, cell_slopes
from justesse.intervals.ends import Ends, far_value
from justesse.intervals.quantile import quantile
from justesse.measures import Confusion
from justesse.measures.cost import Cost
from justesse.significance.paired_measure import Compared, measured_difference

DELTA = "delta-cr2"


@dataclass(frozen=True)
class ClusteredGap:
    """A difference, its cluster-robust standard error and the degrees of freedom of that error.

    `error` is NaN with one cluster, and 0 if the difference does not vary.
    """

    value: float
    error: float
    degrees: float
    n: int
    clusters: int

    @classmethod
    def of(cls, case: Case, compared: Compared) -> "ClusteredGap":
        """Linearise the difference, and add up over each cluster how much its rows move it.

        y_g = Σ_{rows of g} slope of the candidate's measure - slope of the incumbent's,   v = Σ_g y_g²/(1 - n_g/n)
        """
        tally = case.tally.marginal("label", "incumbent", "candidate", CLUSTERS)
        label, first, other, cluster = tally.codes.T
        names, cluster = np.unique(cluster, return_inverse=True)
        measure = compared.measure
        costs = measure.costs if isinstance(measure, Cost) else None
        sides = ((case.candidate, other), (case.incumbent, first))
        apart = [
            cell_slopes(measure, Confusion.of(table, costs=costs), label, answers, compared.at)
            for table, answers in sides
        ]
        value = float(measured_difference(compared)(tally))
        slopes = np.bincount(cluster, tally.counts * (apart[0] - apart[1]))
        sizes = np.bincount(cluster, tally.counts).astype(float)
        if len(names) < 2:
            return cls(value, math.nan, 1.0, tally.n, len(names))
        variance, degrees = cluster_variance(slopes, sizes)
        return cls(value, math.sqrt(variance), degrees, tally.n, len(names))


def clustered_delta(
    case: Case, compared: Compared, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Interval | None:
    """Compute the cluster-robust interval of the difference, difference ± t_ν·error.

    Parameters
    ----------
    case
        Answers of both classifiers, counted by cluster.
    compared
        Measure to compare, and its class.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Returns
    -------
    Interval or None
        The interval; `None` if nothing varies, or with one cluster.

    Notes
    -----
    CR2 with Satterthwaite's degrees of freedom, or fewer if a few clusters make most of the spread (Bell and McCaffrey
    2002; Pustejovsky and Tipton 2018; O'Neill 2014).

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> from justesse.measures import mcc
    >>> cells = [(1, 1, 1, g, 3) for g in range(12)] + [(1, 0, 1, g, 1 + g % 3) for g in range(12)]
    >>> cells += [(0, 0, 0, g, 4) for g in range(12)] + [(0, 0, 1, g, 1) for g in range(0, 12, 2)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate", "cluster"), cells))
    >>> result = clustered_delta(case, Compared(mcc))
    >>> round(result.low, 2), round(result.high, 2)
    (0.16, 0.35)
    """
    tails, gap = tail_levels(level, alternative), ClusteredGap.of(case, compared)
    if not gap.error > TINY or math.isnan(gap.value):
        return None
    low, high = (
        gap.value + sign * far_value(tail, gap.degrees) * gap.error for sign, tail in ((-1, tails[0]), (1, tails[1]))
    )
    return Interval(low, high, level, DELTA, compared.bounds, alternative)


def clustered_paired_bootstrap(
    case: Case,
    compared: Compared,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: ClusterBootstrap = "percentile",
    draws: int = 2000,
    seed: int = 0,
) -> Interval | None:
    """Compute the bootstrap interval of the difference: whole clusters are drawn again, with both answers.

    Parameters
    ----------
    case
        Answers of both classifiers, counted by cluster.
    compared
        Measure to compare, and its class.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.
    method
        "percentile", or "bca", which corrects for bias and skewness.
    draws
        Number of random draws.
    seed
        Seed of the random draws.

    Returns
    -------
    Interval or None
        The interval; `None` if nothing varies.
    """
    measure, at = compared.measure, compared.at
    costs = measure.costs if isinstance(measure, Cost) else None
    first, other = (ClusterTables.of(case.clustered_side(side), costs) for side in ("incumbent", "candidate"))
    sign = 1 if measure.greater_is_better else -1

    def apart(candidate: Confusion, incumbent: Confusion) -> Array:
        values = sign * (np.asarray(measure.value(candidate)) - np.asarray(measure.value(incumbent)))
        return np.asarray(values if at is None else values[..., at])

    many = first.clusters
    drawn = np.concatenate(
        [apart(other.batch(times), first.batch(times)) for times in cluster_draws(many, draws, seed)]
    )
    tails = tail_levels(level, alternative)
    shares: tuple[Array, Array] = (np.asarray(tails[0]), np.asarray(1 - tails[1]))
    if method == "bca":
        whole: FloatArray = np.ones((1, many))
        value = apart(other.batch(whole), first.batch(whole))[0]
        shares = bca_quantiles(drawn, value, apart(other.without(), first.without()), np.ones(many), tails)
    hidden = np.where(stands_still(drawn), np.nan, 0.0)
    low = quantile(drawn, shares[0]) if tails[0] else np.full(hidden.shape, -np.inf)
    high = quantile(drawn, shares[1]) if tails[1] else np.full(hidden.shape, np.inf)
    ends = Ends(np.atleast_1d(low + hidden), np.atleast_1d(high + hidden), level, f"cluster-bootstrap-{method}")
    return ends.intervals(bounds=compared.bounds, alternative=alternative)[0]
