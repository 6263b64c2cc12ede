"""Measures of scores with their intervals."""

import math
from dataclasses import replace

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Average, ClassName, Estimate, Interval, tail_levels
from justesse.intervals.delong import delong_error
from justesse.intervals.delta import delta_ends
from justesse.intervals.estimate import NO_INTERVAL, Confidence
from justesse.measures.curves import AVERAGE_PRECISION, BRIER, LOG_LOSS, ROC_AUC, ROC_AUC_OVO
from justesse.measures.curves.auc import auc
from justesse.measures.curves.brier import brier
from justesse.measures.curves.log_loss import log_loss
from justesse.measures.curves.placement import one_against_each, placement
from justesse.measures.curves.precision_recall import average_precision, average_precision_slopes
from justesse.measures.curves.ranked import Ranked
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.score_measure import ScoreMeasure

MOST_PAIRS = 1000  # of classes, for one-vs-one areas


def estimate_scores(
    table: ScoreCounts, confidence: Confidence, *, class_name: ClassName = None, probabilities: bool = True
) -> list[Estimate]:
    """Compute the measures of one class against the rest: areas, and losses if the scores are probabilities.

    >>> table = ScoreCounts.of([0.9, 0.8, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 1, 0, 0])
    >>> for found in estimate_scores(table, Confidence(), class_name=1):
    ...     print(found.title, round(found.value, 4), found.interval.method)
    roc_auc of 1 0.7778 delong
    average_precision of 1 0.8056 delta
    log_loss 0.6007 delta
    brier 0.2117 delta
    """
    n = sum(table.effective)
    areas = (
        (ROC_AUC, auc(table), delong_error(table), "delong"),
        (AVERAGE_PRECISION, average_precision(table), _ap_error(table), "delta"),
    )
    estimates = [
        _estimate(measure, value, error, n, confidence, method=method, class_name=class_name)
        for measure, value, error, method in areas
    ]
    if probabilities:
        for measure, loss in ((LOG_LOSS, log_loss(table)), (BRIER, brier(table))):
            estimates.append(_estimate(measure, loss.value, loss.error, n, confidence))
    return estimates


def estimate_probabilities(
    scores: Array, labels: Array, classes: tuple[ClassName, ...], weights: Array | None, confidence: Confidence
) -> list[Estimate]:
    """Compute the measures of probabilities over several classes.

    Each class against the rest; their macro and weighted means; the mean one-vs-one area of all pairs (Hand and Till
    2001); log loss and the Brier score summed over classes. Means of areas get their error from what each row adds to
    all of them, since the same rows make every area.
    """
    heavy = np.ones(len(labels)) if weights is None else weights
    n = float(heavy.sum() ** 2 / (heavy**2).sum())
    found: list[Estimate] = []
    means: dict[ScoreMeasure, list[tuple[float, Array]]] = {ROC_AUC: [], AVERAGE_PRECISION: []}
    pairs = len(classes) * (len(classes) - 1) // 2 <= MOST_PAIRS
    pair_areas: list[Array] = []
    pair_slope = np.zeros(len(labels))
    for k, name in enumerate(classes):
        ranked, own = Ranked.of(scores[:, k]), labels == k
        table = ScoreCounts.ranked(ranked, own, heavy)
        found += estimate_scores(table, confidence, class_name=name, probabilities=False)
        placed = placement(ranked, own, heavy)
        means[ROC_AUC].append((placed.auc, placed.influence))
        means[AVERAGE_PRECISION].append((average_precision(table), _ap_influence(table, ranked, own)))
        if pairs:
            areas, slopes = one_against_each(ranked, labels, k, heavy, len(classes))
            pair_areas.append(areas)
            pair_slope += slopes
    share = np.array([heavy[labels == k].sum() for k in range(len(classes))])
    averages: tuple[Average, ...] = ("macro", "weighted")
    for measure, parts in means.items():
        for average in averages:
            own = np.array([value for value, _ in parts])
            weight = np.where(np.isnan(own), 0.0, share if average == "weighted" else 1.0)
            weight = weight / weight.sum() if weight.sum() else np.full(len(own), np.nan)
            value = float((weight * np.nan_to_num(own)).sum())
            slope = np.sum([w * np.nan_to_num(move) for w, (_, move) in zip(weight, parts, strict=True)], axis=0)
            error = float(np.sqrt((heavy**2 * slope**2).sum()))
            found.append(_estimate(measure, value, error, n, confidence, average=average))
    found.append(_one_vs_one(pair_areas, pair_slope, heavy, n, confidence))
    own = scores[np.arange(len(labels)), labels]
    with np.errstate(divide="ignore"):
        losses = {LOG_LOSS: -np.log(own), replace(BRIER, bounds=(0.0, 2.0)): (scores**2).sum(axis=1) - 2 * own + 1}
    for measure, loss in losses.items():
        value = float((heavy * loss).sum() / heavy.sum())
        spread = (heavy**2 * (loss - value) ** 2).sum() if math.isfinite(value) else math.nan
        error = math.sqrt(spread) / heavy.sum()
        found.append(_estimate(measure, value, error, n, confidence))
    return found


def _one_vs_one(areas: list[Array], slope: Array, heavy: Array, n: float, confidence: Confidence) -> Estimate:
    """Take the mean of the areas of every class against every other; `slope` is that of their sum."""
    if not areas:
        reason = f"more than {MOST_PAIRS:,} pairs of classes"
        return Estimate(ROC_AUC_OVO.name, math.nan, n, None, reason, average="macro")
    known = np.concatenate(areas)
    known = known[~np.isnan(known)]
    value = float(known.mean()) if len(known) else math.nan
    error = float(np.sqrt((heavy**2 * slope**2).sum())) / max(len(known), 1)
    return _estimate(ROC_AUC_OVO, value, error, n, confidence, average="macro")


def _ap_error(table: ScoreCounts) -> float:
    if not table.n_positive:
        return math.nan
    positive, negative = average_precision_slopes(table)
    return float(np.sqrt((table.positive_squares * positive**2 + table.negative_squares * negative**2).sum()))


def _ap_influence(table: ScoreCounts, ranked: Ranked, positive: Array) -> Array:
    """Give how much average precision moves with each row's weight."""
    if not table.n_positive:
        return np.full(len(positive), np.nan)
    by_positive, by_negative = average_precision_slopes(table)
    where = len(ranked.starts) - 1 - ranked.group  # the table begins with the highest score
    return np.asarray(np.where(positive, by_positive[where], by_negative[where]))


def _estimate(
    measure: ScoreMeasure,
    value: float,
    error: float,
    n: float,
    confidence: Confidence,
    *,
    method: str = "delta",
    class_name: ClassName = None,
    average: Average | None = None,
) -> Estimate:
    if not math.isfinite(value):
        return Estimate(measure.name, math.nan, n, None, measure.reason, class_name, average)
    tails = tail_levels(confidence.level, confidence.alternative)
    ends = delta_ends(np.asarray(value), np.asarray(error), level=confidence.level, tails=tails)
    low, high = float(ends.low), float(ends.high)
    if math.isnan(low) or math.isnan(high):
        return Estimate(measure.name, value, n, None, NO_INTERVAL, class_name, average)
    ends_of = Interval(low, high, confidence.level, method, measure.bounds, confidence.alternative)
    return Estimate(measure.name, value, n, ends_of, None, class_name, average)
