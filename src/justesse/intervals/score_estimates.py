"""Measures of scores with their intervals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Average, ClassName, Estimate, Interval
from justesse.intervals.area_score import area_score
from justesse.intervals.binormal import Binormal
from justesse.intervals.binormal_mean import binormal_mean
from justesse.intervals.binormal_score import binormal_score
from justesse.intervals.clustered_scores import MEAN_OF_AREAS, ClassClusters, RowClusters
from justesse.intervals.ends import Ends
from justesse.intervals.estimate import NO_INTERVAL, Confidence
from justesse.intervals.skewed_mean import skewed_mean
from justesse.measures.confusion import ratio
from justesse.measures.curves import AVERAGE_PRECISION, BRIER, LOG_LOSS, ROC_AUC, ROC_AUC_OVO
from justesse.measures.curves.auc import auc
from justesse.measures.curves.brier import brier
from justesse.measures.curves.class_areas import class_areas
from justesse.measures.curves.log_loss import log_loss
from justesse.measures.curves.mean_loss import MeanLoss
from justesse.measures.curves.precision_recall import average_precision
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.score_measure import ScoreMeasure

MOST_PAIRS = 1000  # of classes, for one-vs-one areas
SAME_AREA = 1e-9  # areas no further apart are of the same ranking


def estimate_scores(
    table: ScoreCounts, confidence: Confidence, *, class_name: ClassName = None, probabilities: bool = True
) -> list[Estimate]:
    """Compute the measures of one class against the rest: areas, and losses if the scores are probabilities.

    >>> table = ScoreCounts.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0])
    >>> for result in estimate_scores(table, Confidence(), class_name=1):
    ...     print(result.title, round(result.value, 4), result.interval.method)
    ROC AUC of 1 0.7778 area-score
    average precision of 1 0.8056 binormal-score
    log loss 0.6007 hall-t
    Brier score 0.2117 hall-t
    """
    n = sum(table.effective)
    estimates = _areas(table, auc(table), average_precision(table), n, confidence, class_name)
    if probabilities:
        squares = float((table.positive_squares + table.negative_squares).sum())
        rows = table.total**2 / squares if squares else 0.0
        for measure, loss in ((LOG_LOSS, log_loss(table)), (BRIER, brier(table))):
            estimates.append(
                _with_ends(measure, loss.value, skewed_mean(loss, rows, **confidence.sides), n, confidence)
            )
    return estimates


def estimate_clustered_scores(
    scores: Array,
    positive: Array,
    cluster: RowClusters,
    confidence: Confidence,
    *,
    class_name: ClassName = None,
    probabilities: bool = True,
) -> tuple[list[Estimate], ClassClusters]:
    """Compute the measures of one class against the rest, as `estimate_scores`, if rows come in clusters.

    Parameters
    ----------
    scores
        Score of each row.
    positive
        Whether each row is of the class.
    cluster
        Cluster of each row.
    confidence
        Level and alternative of the intervals.
    class_name
        Name of the class.
    probabilities
        Whether scores are probabilities: log loss and the Brier score are computed, too.

    Examples
    --------
    >>> cluster = RowClusters.of([0, 0, 1, 1, 2, 2, 3, 3])
    >>> scores, positive = np.array([0.9, 0.4, 0.7, 0.2, 0.8, 0.3, 0.35, 0.6]), np.array([1, 0] * 4, dtype=bool)
    >>> for result in estimate_clustered_scores(scores, positive, cluster, Confidence(), class_name=1)[0]:
    ...     print(result.title, round(result.value, 4), result.interval.method)
    ROC AUC of 1 0.875 area-score-cr2
    average precision of 1 0.9167 binormal-score-cr2
    log loss 0.4677 log-cr2
    Brier score 0.1516 log-cr2
    """
    totals = np.array([float(positive.sum()), float((~positive).sum())])
    item = ClassClusters(class_areas(scores, (~positive).astype(int), None, 0, totals), positive, scores, cluster)
    n = float(len(scores))
    estimates = _clustered_areas(item, n, confidence, class_name)
    if probabilities:
        both = np.stack([scores, 1 - scores], axis=1)
        estimates += _losses(both, (~positive).astype(int), np.ones(len(scores)), n, confidence, cluster)
    return estimates, item


@dataclass(frozen=True)
class ProbabilityEstimates:
    """The measures of probabilities of several classes, and each class's scores against the rest."""

    estimates: list[Estimate]
    tables: list[ScoreCounts]
    clustered: tuple[ClassClusters, ...] = ()


def estimate_probabilities(
    scores: Array,
    labels: Array,
    classes: Sequence[ClassName],
    weights: Array | None,
    confidence: Confidence,
    cluster: RowClusters | None = None,
) -> ProbabilityEstimates:
    """Compute the measures of probabilities over several classes, by one sort per class.

    Each class against the rest; their macro and weighted means; the mean one-vs-one area of all pairs (Hand and Till
    2001); log loss; the Brier score, summed over classes if there are more than two. Means of areas get their interval
    from what each row adds to all of them, since the same rows make every area (`binormal_mean`). Two classes whose
    probabilities add up to 1 have the same ROC AUC, and their means, too: all get its interval (`area_score`).

    Parameters
    ----------
    scores
        Probabilities, one row per row and one column per class.
    labels
        Code of each row's label, the column of its class.
    classes
        Names of the classes.
    weights
        Weight of each row; `None` if all count alike.
    confidence
        Level and alternative of the intervals.
    cluster
        Cluster of each row; `None` if rows are independent.
    """
    heavy = np.ones(len(labels)) if weights is None else weights
    n = float(heavy.sum() ** 2 / (heavy**2).sum())
    totals = np.bincount(labels, heavy, minlength=len(classes)).astype(float)
    estimates: list[Estimate] = []
    tables: list[ScoreCounts] = []
    # how much each mean moves with each row: macro and weighted area, macro and weighted precision, all pairs
    slopes = np.zeros((5, len(labels)))
    areas, precisions, pairs = [], [], []
    clustered: list[ClassClusters] = []
    for k, name in enumerate(classes):
        item = class_areas(scores[:, k], labels, weights, k, totals)
        if cluster is None:
            estimates += _areas(item.table, item.auc, item.average_precision, n, confidence, name)
        else:
            clustered.append(ClassClusters(item, labels == k, scores[:, k], cluster))
            estimates += _clustered_areas(clustered[-1], n, confidence, name)
        tables.append(item.table)
        areas.append(item.auc)
        precisions.append(item.average_precision)
        pairs.append(item.pairs)
        # a class where an area is undefined is left out of its mean
        for at, value, slope in (
            (0, item.auc, item.auc_slope),
            (2, item.average_precision, item.average_precision_slope),
        ):
            if not math.isnan(value):
                slopes[at] += slope
                slopes[at + 1] += totals[k] * slope
        slopes[4] += item.pair_slope
    for at, values in ((1, np.array(areas)), (3, np.array(precisions))):
        # one more row also makes its class count for more
        kept = np.where(np.isnan(values), 0.0, totals)
        mean = (kept * np.nan_to_num(values)).sum() / max(kept.sum(), 1e-300)
        slopes[at] += np.where(np.isnan(values), 0.0, values - mean)[labels]
    slopes *= heavy
    squares = np.array([cluster.squares(row) for row in slopes]) if cluster else None
    sizes = np.nan_to_num(ratio(totals**2, np.bincount(labels, heavy**2, minlength=len(classes))))
    slopes *= np.sqrt(np.where(sizes < 2, 1.0, ratio(sizes, sizes - 1)))[labels]
    squares = slopes**2 if squares is None else squares
    worth = {name: [each.worth(name) for each in clustered] or tables for name in ("area", "precision")}
    most = cluster.degrees if cluster else math.inf
    averages: tuple[tuple[Average, Array], ...] = (("macro", np.ones(len(classes))), ("weighted", totals))
    families = (Binormal.area, worth["area"]), (Binormal.precision, worth["precision"])
    for measure, values, at, (family, own) in zip(
        (ROC_AUC, AVERAGE_PRECISION), (np.array(areas), np.array(precisions)), (0, 2), families, strict=True
    ):
        rarer = np.array([min(table.effective) for table in own])
        # with rows of one class only its average precision is 1, whatever the scores
        known = ~np.isnan(values) & (totals < totals.sum())
        models = [family(table) for table, used in zip(own, known, strict=True) if used]
        for column, (average, weight) in enumerate(averages, start=at):
            kept = np.where(np.isnan(values), 0.0, weight)
            whole = float(kept.sum())
            value = float((kept * np.nan_to_num(values)).sum()) / whole if whole else math.nan
            parts = _ClassParts(models, kept[known] / max(whole, 1e-300), rarer[known], most)
            added = squares[column] / max(whole, 1e-300) ** 2
            estimates.append(_mean_of_areas(measure, value, added, parts, n, confidence, average))
    estimates.append(_one_vs_one(np.array(pairs), squares[4], worth["area"], most, n, confidence))
    if cluster:
        estimates = [_named_for_clusters(each) for each in estimates]
    if len(classes) == 2 and abs(areas[0] - areas[1]) <= SAME_AREA:
        sides = confidence.sides
        ends = clustered[0].area(**sides) if clustered else area_score(tables[0], **sides)
        estimates = [_as_binary(each, ends, confidence) for each in estimates]
    losses = _losses(scores, labels, heavy, n, confidence, cluster)
    return ProbabilityEstimates([*estimates, *losses], tables, tuple(clustered))


def _named_for_clusters(item: Estimate) -> Estimate:
    """Name the interval of a mean of areas after the clusters that it allows for."""
    if item.average is None or item.interval is None:
        return item
    return replace(item, interval=replace(item.interval, method=MEAN_OF_AREAS))


def _as_binary(item: Estimate, ends: Ends, confidence: Confidence) -> Estimate:
    """Give the ROC AUC of two classes, whichever class or mean it is of, the interval of the first class."""
    if item.name not in (ROC_AUC.name, ROC_AUC_OVO.name) or item.interval is None:
        return item
    (interval,) = ends.intervals(alternative=confidence.alternative)
    return replace(item, interval=interval, undefined=None if interval else NO_INTERVAL)


@dataclass(frozen=True)
class _ClassParts:
    """What the classes of a mean of areas have in it: a model of their area, a share, the rows of the rarer side."""

    models: list[Binormal]
    shares: Array
    rarer: Array
    most_degrees: float

    @property
    def together(self) -> bool:
        """Whether the areas move together, because they are of two classes."""
        return len(self.models) == 2


def _mean_of_areas(
    measure: ScoreMeasure,
    value: float,
    squares: Array,
    parts: _ClassParts,
    n: float,
    confidence: Confidence,
    average: Average,
) -> Estimate:
    """Give a mean of areas its interval; `squares` is what each row, or cluster, adds to its variance."""
    if not math.isfinite(value):
        return Estimate.of(measure, math.nan, n, None, measure.reason, None, average)
    if not parts.models:
        return Estimate.of(measure, value, n, None, NO_INTERVAL, None, average)
    ends = binormal_mean(
        value,
        squares,
        parts.models,
        parts.shares,
        parts.rarer,
        together=parts.together,
        most_degrees=parts.most_degrees,
        **confidence.sides,
    )
    (interval,) = ends.intervals(bounds=measure.bounds, alternative=confidence.alternative)
    return Estimate.of(measure, value, n, interval, None if interval else NO_INTERVAL, None, average)


def _one_vs_one(
    pairs: Array, squares: Array, tables: Sequence[ScoreCounts], most: float, n: float, confidence: Confidence
) -> Estimate:
    """Return the mean area of every class against every other one.

    `squares` is what each row, or cluster, adds to the variance of their sum.
    """
    if len(pairs) * (len(pairs) - 1) // 2 > MOST_PAIRS:
        reason = f"more than {MOST_PAIRS:,} pairs of classes"
        return Estimate.of(ROC_AUC_OVO, math.nan, n, None, reason, average="macro")
    known = pairs[~np.isnan(pairs)]
    value = float(known.mean()) if len(known) else math.nan
    rarer = np.array([min(table.effective) for table in tables])
    seen = rarer > 0
    areas = [Binormal.area(table) for table, used in zip(tables, seen, strict=True) if used and len(known)]
    # a class is the positive one of some pairs and the negative one of others
    models = [replace(area, variance=2 * area.variance) for area in areas]
    parts = _ClassParts(models, np.full(len(models), 1 / max(len(models), 1)), rarer[seen], most)
    return _mean_of_areas(ROC_AUC_OVO, value, squares / max(len(known), 1) ** 2, parts, n, confidence, "macro")


def _losses(
    scores: Array, labels: Array, heavy: Array, n: float, confidence: Confidence, cluster: RowClusters | None = None
) -> list[Estimate]:
    """Compute log loss and the Brier score: of either class if there are two, else summed over classes."""
    own = scores[np.arange(len(labels)), labels]
    squares = np.einsum("ij,ij->i", scores, scores) - 2 * own + 1
    two = scores.shape[1] == 2  # both classes have the same squares, which count once, as in scikit-learn
    with np.errstate(divide="ignore"):
        losses = {
            LOG_LOSS: -np.log(own),
            BRIER if two else replace(BRIER, bounds=(0.0, 2.0)): squares / 2 if two else squares,
        }
    estimates = []
    for measure, loss in losses.items():
        mean = MeanLoss.of(loss, heavy)
        sides = confidence.sides
        ends = cluster.mean_loss(loss, **sides) if cluster else skewed_mean(mean, n, **sides)
        estimates.append(_with_ends(measure, mean.value, ends, n, confidence))
    return estimates


def _clustered_areas(item: ClassClusters, n: float, confidence: Confidence, class_name: ClassName) -> list[Estimate]:
    """Give both areas of one class against the rest their intervals over clusters."""
    sides = confidence.sides
    each = (ROC_AUC, item.areas.auc, item.area(**sides)), (
        AVERAGE_PRECISION, item.areas.average_precision, item.average_precision(**sides)
    )  # fmt: skip
    return [_with_ends(measure, value, own, n, confidence, class_name=class_name) for measure, value, own in each]


def _areas(
    table: ScoreCounts, area: float, precision: float, n: float, confidence: Confidence, class_name: ClassName
) -> list[Estimate]:
    """Give both areas of one class against the rest their intervals."""
    ends = area_score(table, **confidence.sides), binormal_score(table, **confidence.sides)
    return [
        _with_ends(measure, value, own, n, confidence, class_name=class_name)
        for measure, value, own in zip((ROC_AUC, AVERAGE_PRECISION), (area, precision), ends, strict=True)
    ]


def _with_ends(
    measure: ScoreMeasure,
    value: float,
    ends: Ends,
    n: float,
    confidence: Confidence,
    *,
    class_name: ClassName = None,
    average: Average | None = None,
) -> Estimate:
    if not math.isfinite(value):
        return Estimate.of(measure, math.nan, n, None, measure.reason, class_name, average)
    low, high = float(ends.low), float(ends.high)
    if math.isnan(low) or math.isnan(high):
        return Estimate.of(measure, value, n, None, NO_INTERVAL, class_name, average)
    ends_of = Interval(low, high, confidence.level, ends.method, measure.bounds, confidence.alternative)
    return Estimate.of(measure, value, n, ends_of, None, class_name, average)
