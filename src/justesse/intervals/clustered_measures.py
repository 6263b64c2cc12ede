"""Intervals of every measure of rows that come in clusters, such as questions on one text or visits of one patient."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.levels import CLUSTERS
from justesse.core.results import Alternative, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.clustered import cluster_variance, clustered_share
from justesse.intervals.delta import cell_slopes, logit_delta_ends
from justesse.intervals.ends import Ends, Sides
from justesse.measures import Confusion, Measure
from justesse.measures.averages import Averaged

CHUNK = 20_000_000  # clusters × classes that are laid out at once
JACCARD, LOGIT, MACRO = "wilson-cr2-jaccard", "delta-logit-cr2", "mover-cr2"


@dataclass(frozen=True)
class ClusterRows:
    """Rows counted by label, prediction and cluster; weighted rows add up to as many as they are worth (Kish).

    Parameters
    ----------
    label, prediction, cluster
        Codes of each cell.
    mass
        Rows of each cell.
    sizes
        Rows of each cluster.
    """

    label: Array
    prediction: Array
    cluster: Array
    mass: FloatArray
    sizes: FloatArray

    @classmethod
    def of(cls, tally: Tally) -> "ClusterRows":
        """Take the cells of a tally with an axis of clusters; clusters without rows are left out."""
        rows = tally.marginal("label", "prediction", CLUSTERS)
        total = float(rows.values.sum())
        mass = np.asarray(rows.values, dtype=float) * (tally.effective_n / total if total else 1.0)
        label, prediction, cluster = rows.codes[mass > 0].T
        cluster = np.unique(cluster, return_inverse=True)[1]
        mass = mass[mass > 0]
        return cls(label, prediction, cluster, mass, np.asarray(np.bincount(cluster, mass), dtype=float))

    def sums(self, by_cell: Array) -> FloatArray:
        """Add up a number per row over the rows of each cluster."""
        totals = np.bincount(self.cluster, self.mass * by_cell, minlength=len(self.sizes))
        return np.asarray(totals, dtype=float)

    def tables(self, classes: range) -> Confusion:
        """Lay out what per-class measures need, a row per cluster, for some of the classes."""
        shape = (len(self.sizes), len(classes))

        def laid_out(code: Array, where: Array) -> FloatArray:
            inside = where & (code >= classes.start) & (code < classes.stop)
            at = self.cluster[inside] * shape[1] + code[inside] - classes.start
            totals = np.bincount(at, self.mass[inside], minlength=shape[0] * shape[1])
            return np.asarray(totals, dtype=float).reshape(shape)

        every = np.ones(len(self.mass), dtype=bool)
        return Confusion(
            laid_out(self.label, self.label == self.prediction),
            laid_out(self.label, every),
            laid_out(self.prediction, every),
            self.sizes,
        )


def clustered_ends(
    tally: Tally,
    measures: Sequence[Measure],
    table: Confusion,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> list[Ends]:
    """Compute cluster-robust intervals of measures: rows of one cluster may be alike, clusters are independent.

        y_g = Σ_{rows of g} slope of the measure by the row's cell,   v = Σ_g y_g²/(1 - n_g/n)

    Parameters
    ----------
    tally
        Counts by label, prediction and cluster.
    measures
        Measures to compute.
    table
        The same counts without the clusters, with the costs if one of the measures is a cost.
    level
        Confidence level.
    alternative
        "two-sided" for an interval of both sides, "greater" or "less" for one side.

    Returns
    -------
    list of Ends
        One for each measure, with an entry per class if it is per class.

    Notes
    -----
    Shares of rows, and F1, which is a function of a share, get Wilson's interval with the number of rows that the
    clusters are worth (`clustered_share`). Everything else is linearised: sqrt(v) is its standard error, with the
    degrees of freedom of `clustered_mean`, on the logit scale between the bounds of the measure (Bell and McCaffrey
    2002; Pustejovsky and Tipton 2018). A macro average is never narrower than the intervals of its classes make it.

    Examples
    --------
    >>> from justesse.measures import accuracy, mcc
    >>> cells = [("a", "a", g, 4 if g % 3 else 1) for g in range(12)] + [("a", "b", g, 1) for g in range(0, 12, 3)]
    >>> cells += [("b", "b", g, 3) for g in range(12)] + [("b", "a", g, 1) for g in range(0, 12, 4)]
    >>> rows = Tally.of(("label", "prediction", "cluster"), cells)
    >>> for ends in clustered_ends(rows, [accuracy, mcc], Confusion.of(rows)):
    ...     print(ends.low.round(3).tolist(), ends.high.round(3).tolist(), ends.method)
    [0.815] [0.96] wilson-cr2
    [0.63] [0.92] delta-logit-cr2
    """
    rows = ClusterRows.of(tally)
    sides: Sides = {"level": level, "alternative": alternative}
    return [
        _of_each_class(rows, measure, table, sides) if measure.per_class else _overall(rows, measure, table, sides)
        for measure in measures
    ]


def _overall(rows: ClusterRows, measure: Measure, table: Confusion, sides: Sides) -> Ends:
    value, n = float(measure.value(table)), float(rows.sizes.sum())
    slopes = rows.sums(cell_slopes(measure, table, rows.label, rows.prediction)) * float(table.n) / n
    if measure.proportion(table) and not math.isnan(value):
        return clustered_share(np.clip(value * rows.sizes + slopes * n, 0.0, rows.sizes), rows.sizes, **sides)
    ends = _linearised(value, slopes, rows.sizes, measure.bounds, sides)
    if isinstance(measure, Averaged) and measure.how == "macro":
        return _at_least_by_class(ends, _of_each_class(rows, measure.class_measure, table, sides), measure, table)
    return ends


def _at_least_by_class(ends: Ends, by_class: Ends, measure: Averaged, table: Confusion) -> Ends:
    """Widen the interval of a macro average to what the intervals of its classes give (MOVER, Zou and Donner 2008).

    Slopes take a rare class without mistakes as certain. The intervals of the classes do not, but they know nothing of
    clusters in which all classes do badly together: the wider of both covers.
    """
    values = np.asarray(measure.class_measure.value(table))
    judged = ~np.isnan(values) & table.averaged_over & ~np.isnan(by_class.low)
    if not judged.any():
        return ends
    value, k = float(measure.value(table)), int(judged.sum())
    with np.errstate(invalid="ignore"):  # one-sided bounds have an infinite end
        below = math.sqrt(float(((values - by_class.low)[judged] ** 2).sum())) / k
        above = math.sqrt(float(((by_class.high - values)[judged] ** 2).sum())) / k
    return Ends(np.fmin(ends.low, value - below), np.fmax(ends.high, value + above), ends.level, MACRO)


def _of_each_class(rows: ClusterRows, measure: Measure, table: Confusion, sides: Sides) -> Ends:
    """Go through the classes, a chunk at a time, so that many clusters of many classes fit into memory."""
    classes, step = table.hits.shape[-1], max(CHUNK // max(len(rows.sizes), 1), 1)
    chunks = [range(start, min(start + step, classes)) for start in range(0, classes, step)]
    ends = [own for chunk in chunks for own in _of_classes(rows, measure, table, chunk, sides)]
    low, high = np.concatenate([own.low for own in ends]), np.concatenate([own.high for own in ends])
    return Ends(low, high, sides["level"], ends[0].method)


def _of_classes(rows: ClusterRows, measure: Measure, table: Confusion, classes: range, sides: Sides) -> Iterator[Ends]:
    tables = rows.tables(classes)
    if counted := measure.proportion(tables) or measure.hidden_share(tables):
        for k, n in zip(counted.successes.T, counted.trials.T, strict=True):
            share = clustered_share(k[n > 0], n[n > 0], **sides)
            yield share if measure.proportion(tables) else _of_hidden(share, measure)
        return
    slope, n = measure.partials(table), float(rows.sizes.sum())
    slopes = (
        tables.hits * slope.hits[classes]
        + tables.labelled * slope.labelled[classes]
        + tables.predicted * slope.predicted[classes]
        + tables.wide_n * np.broadcast_to(slope.n, table.hits.shape)[classes]
    ) * (float(table.n) / n)
    concerned = tables.labelled + tables.predicted - tables.hits
    for at, value in enumerate(measure.value(table)[classes].tolist()):
        there = concerned[:, at] > 0
        yield _linearised(value, slopes[there, at], concerned[there, at], measure.bounds, sides)


def _of_hidden(share: Ends, measure: Measure) -> Ends:
    return Ends(measure.of_share(share.low), measure.of_share(share.high), share.level, JACCARD)


def _linearised(value: float, slopes: Array, sizes: Array, bounds: tuple[float, float], sides: Sides) -> Ends:
    """Turn slopes into an interval on the logit scale; every measure of counts has two finite bounds."""
    if len(sizes) < 2:
        return Ends(np.array([math.nan]), np.array([math.nan]), sides["level"], LOGIT)
    variance, degrees = cluster_variance(slopes, sizes)
    ends = logit_delta_ends(
        np.array([value]),
        np.array([math.sqrt(variance)]),
        bounds,
        level=sides["level"],
        tails=tail_levels(**sides),
        degrees=degrees,
    )
    return replace(ends, method=LOGIT)
