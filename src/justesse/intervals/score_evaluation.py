"""The evaluation of scores and probabilities: areas, losses, calibration and thresholds, with intervals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.intervals.class_scores import ClassScores
from justesse.intervals.clustered_scores import ClassClusters, RowClusters
from justesse.intervals.estimate import Confidence
from justesse.intervals.score_estimates import (
    estimate_clustered_scores,
    estimate_probabilities,
    estimate_scores,
)
from justesse.intervals.wilson import wilson
from justesse.measures import precision, recall, specificity
from justesse.measures.curves import ROC_AUC
from justesse.measures.curves.auc import auc_error
from justesse.measures.curves.calibration import ece
from justesse.measures.curves.precision_recall import average_precision_bounds
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.thresholds import Threshold, at, cheapest, for_recall, for_specificity


@dataclass(frozen=True)
class ScoreEvaluation:
    """The measures of scores with their intervals, and the curves behind them."""

    estimates: tuple[Estimate, ...]
    classes: tuple[ClassScores, ...]
    thresholds: tuple[tuple[str, Threshold], ...]
    confidence: Confidence
    bins: int | None = None
    asked: int = 0  # the first so many thresholds were asked for; the others are at every tenth of the rows

    def to_dict(self) -> dict[str, Any]:
        return {
            "binned": self._binned(),
            "classes": [class_name.to_dict() for class_name in self.classes],
            "thresholds": [self.threshold_row(why, chosen) for why, chosen in self.thresholds],
        }

    def threshold_row(self, why: str, chosen: Threshold) -> dict[str, Any]:
        """Return a threshold with its table and measures."""
        return threshold_dict(why, chosen, self.confidence.level, self.per_weight, self.classes[0].clustered)

    @property
    def per_weight(self) -> float:
        """How many equal rows a unit of weight is worth: Kish's n over the sum of weights."""
        table = self.classes[0].table
        squares = float((table.positive_squares + table.negative_squares).sum())
        return table.total / squares if squares else 1.0

    def _binned(self) -> dict[str, Any] | None:
        """Return how far off the binned figures can be."""
        if self.bins is None:
            return None
        table = self.classes[0].table
        low, high = average_precision_bounds(table) if table.n_positive else (math.nan, math.nan)
        return {
            "bins": self.bins,
            "width": table.width,
            "roc_auc_error": auc_error(table),
            "average_precision_low": finite_or_none(low),
            "average_precision_high": finite_or_none(high),
        }

    @property
    def warnings(self) -> list[str]:
        """Warnings about these scores."""
        warnings = [
            f"The ROC AUC of {estimate.class_name!r} is {estimate.value:.4f}, well below 0.5: the "
            "order of the scores is reversed. Do they belong to another class?"
            for estimate in self.estimates
            if estimate.name == ROC_AUC.name
            and estimate.interval
            and estimate.interval.high < 0.5
            and estimate.average is None
        ]
        if binned := self._binned():
            warnings.append(
                f"Scores were counted in {self.bins:,} bins. Rows of one bin count as tied, so the area under the ROC "
                f"curve is off by at most {binned['roc_auc_error']:.2g}."
            )
        if any(why != "at" for why, _ in self.thresholds):
            warnings.append(
                "A threshold chosen on these rows looks better here than on new ones: choose it on other rows."
            )
        if off := self._off():
            (worst, name, chance), others = off[0], len(off) - 1
            also = f" The same holds for {others:,} other class{'' if others == 1 else 'es'}." if others else ""
            warnings.append(
                f"Probabilities of {name!r} are off by {worst:.3f} on average (chance alone: {chance:.3f}): see the "
                f"table Calibration (--full).{also}"
            )
        return warnings[:10]

    def _off(self) -> list[tuple[float, ClassName, float]]:
        """List the classes whose probabilities are off by more than chance: by how much, and by how much by chance."""
        binned = [(scored, bins) for scored in self.classes if (bins := scored.bins("mass"))]
        errors = [(ece(bins), scored.class_name, scored.expected_ece("mass")) for scored, bins in binned]
        return sorted((item for item in errors if item[0] > max(2 * item[2], 0.02)), key=lambda item: -item[0])


def threshold_dict(
    why: str, chosen: Threshold, level: float, per_weight: float = 1.0, clustered: ClassClusters | None = None
) -> dict[str, Any]:
    """Return a threshold with its table and measures; `per_weight` is how many rows a unit of weight is worth."""
    over_clusters = clustered.at_threshold(chosen.value, level) if clustered else None
    tp, fp, fn, tn = chosen.tp, chosen.fp, chosen.fn, chosen.tn
    shares = {recall.name: (tp, tp + fn), specificity.name: (tn, tn + fp), precision.name: (tp, tp + fp)}
    row: dict[str, Any] = {"why": why, "threshold": finite_or_none(chosen.value)}
    row |= {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    for name, (right, rows) in shares.items():
        row[name] = finite_or_none(right / rows) if rows else None
        if over_clusters:
            low, high = over_clusters[name]
        else:
            ends = wilson(right * per_weight, rows * per_weight, level=level)
            low, high = float(ends.low), float(ends.high)
        row[f"{name}_low"], row[f"{name}_high"] = finite_or_none(low), finite_or_none(high)
    return row


def evaluate_binary(
    table: ScoreCounts,
    positive: ClassName,
    confidence: Confidence,
    *,
    threshold: float | None = None,
    wanted_recall: float | None = None,
    wanted_specificity: float | None = None,
    costs: tuple[float, float] | None = None,
    bins: int | None = None,
    rows: tuple[Array, Array, RowClusters] | None = None,
) -> ScoreEvaluation:
    """Evaluate scores of one class.

    Parameters
    ----------
    table
        Rows by score, with the class and without it.
    positive
        The class that the scores are about.
    confidence
        Level, alternative, method and seed.
    threshold
        Threshold to evaluate.
    wanted_recall, wanted_specificity
        Recall or specificity to find a threshold for.
    costs
        Cost of a false negative and of a false positive, to find the cheapest threshold.
    bins
        Number of bins that scores were counted in; `None` if every score was kept.
    rows
        Score, class and cluster of each row, if rows come in clusters.
    """
    probabilities = bool(len(table.scores)) and table.scores.min() >= 0 and table.scores.max() <= 1
    chosen: list[tuple[str, Threshold]] = []
    if threshold is not None:
        chosen.append(("at", at(table, threshold)))
    if wanted_recall is not None:
        chosen.append((f"recall {wanted_recall:g}", for_recall(table, wanted_recall)))
    if wanted_specificity is not None:
        chosen.append((f"specificity {wanted_specificity:g}", for_specificity(table, wanted_specificity)))
    if costs is not None:
        chosen.append(("smallest cost", cheapest(table, false_negative=costs[0], false_positive=costs[1])))
    asked = len(chosen)
    chosen += [("at", at(table, value)) for value in _usual_thresholds(table)]
    alike: dict[str, Any] = {"class_name": positive, "probabilities": probabilities}
    clustered = None
    if rows is None:
        estimates = estimate_scores(table, confidence, **alike)
    else:
        estimates, clustered = estimate_clustered_scores(*rows, confidence, **alike)
    classes = (ClassScores(positive, table, probabilities, confidence.level, clustered),)
    return ScoreEvaluation(tuple(estimates), classes, tuple(chosen), confidence, bins, asked)


def evaluate_several(
    scores: Array,
    labels: Array,
    classes: Sequence[ClassName],
    weights: Array | None,
    confidence: Confidence,
    cluster: RowClusters | None = None,
) -> ScoreEvaluation:
    """Evaluate probabilities of several classes.

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
    several = estimate_probabilities(scores, labels, classes, weights, confidence, cluster)
    each = zip(classes, several.tables, several.clustered or [None] * len(classes), strict=True)
    curves = tuple(ClassScores(name, table, True, confidence.level, own) for name, table, own in each)
    return ScoreEvaluation(tuple(several.estimates), curves, (), confidence)


def _usual_thresholds(table: ScoreCounts) -> list[float]:
    """Return the scores at every tenth of the rows."""
    rows = np.cumsum(table.positives + table.negatives)
    tenths = np.searchsorted(rows, np.linspace(0.1, 0.9, 9) * rows[-1]) if len(rows) else []
    return sorted({float(table.scores[at]) for at in tenths}, reverse=True)
