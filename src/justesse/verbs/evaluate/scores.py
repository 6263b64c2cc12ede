"""What scores and probabilities tell beyond the predicted class: areas, losses, calibration, thresholds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import ClassName, Estimate, finite_or_none
from justesse.core.tally import Tally
from justesse.frames.score_bins import ScoreBins
from justesse.frames.scores import ScoreRows
from justesse.intervals import wilson
from justesse.intervals.ends import z_value
from justesse.intervals.estimate import Confidence
from justesse.intervals.score_estimates import estimate_probabilities, estimate_scores
from justesse.measures.curves.auc import auc_error
from justesse.measures.curves.brier import BrierParts, brier_parts
from justesse.measures.curves.calibration import Bins, calibration, ece, expected_if_calibrated
from justesse.measures.curves.precision_recall import average_precision_bounds, precision_recall
from justesse.measures.curves.roc import roc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.thresholds import Threshold, at, cheapest, cost_curve, for_recall, for_specificity

POINTS = 201  # of a curve that is shown
RATIOS = np.linspace(0, 1, 101)


@dataclass(frozen=True)
class ClassScores:
    """One class against the rest: the gathered scores, and what is drawn of them."""

    class_name: ClassName
    table: ScoreCounts
    probabilities: bool
    level: float

    def bins(self, by: Any) -> Bins | None:
        return calibration(self.table, by=by) if self.probabilities else None

    @property
    def brier_parts(self) -> BrierParts | None:
        bins = self.bins("mass")
        return brier_parts(self.table, bins) if bins else None

    def to_dict(self) -> dict[str, Any]:
        curve, recalls = roc(self.table), precision_recall(self.table)
        positive, negative = self.table.effective
        shown = _thinned(curve.fpr, curve.tpr)
        drawn = _thinned(recalls.recall, recalls.precision)
        tpr, fpr = curve.tpr[shown], curve.fpr[shown]
        per_weight = (positive + negative) / self.table.total if self.table.total else 1.0
        called = (self.table.true_positives + self.table.false_positives)[drawn] * per_weight
        found: dict[str, Any] = {
            "class": self.class_name,
            "roc": {
                "threshold": [finite_or_none(value) for value in curve.threshold[shown]],
                "fpr": _listed(fpr),
                "tpr": _listed(tpr),
                "tpr_low": _listed(wilson(np.nan_to_num(tpr) * positive, positive, level=self.level).low),
                "tpr_high": _listed(wilson(np.nan_to_num(tpr) * positive, positive, level=self.level).high),
            },
            "precision_recall": {
                "threshold": _listed(recalls.threshold[drawn]),
                "recall": _listed(recalls.recall[drawn]),
                "precision": _listed(recalls.precision[drawn]),
                "precision_low": _listed(wilson(recalls.precision[drawn] * called, called, level=self.level).low),
                "precision_high": _listed(wilson(recalls.precision[drawn] * called, called, level=self.level).high),
            },
            "cost_curve": self._cost_curve(),
            "calibration": None,
        }
        if self.probabilities:
            found["calibration"] = {
                **{by: _calibration(self.bins(by), self.level) for by in ("width", "mass")},
                "brier_parts": vars(self.brier_parts),
            }
        return found

    def _cost_curve(self) -> dict[str, Any]:
        curve = cost_curve(self._light, RATIOS)
        half = z_value((1 - self.level) / 2) * curve.error
        return {
            "ratio": _listed(curve.ratio),
            "cost": _listed(curve.cost),
            "cost_low": _listed(np.maximum(curve.cost - half, 0.0)),
            "cost_high": _listed(curve.cost + half),
        }

    @property
    def _light(self) -> ScoreCounts:
        """The same with at most some thousand thresholds, for curves over many costs."""
        if len(self.table.scores) <= 5000:
            return self.table
        cut = np.unique(np.linspace(0, len(self.table.scores) - 1, 5000).astype(int))
        tp, fp = self.table.true_positives[cut], self.table.false_positives[cut]
        p, n = np.diff(tp, prepend=0.0), np.diff(fp, prepend=0.0)
        return ScoreCounts(self.table.scores[cut], p, n, p, n)


@dataclass(frozen=True)
class ScoreEvaluation:
    """The measures of scores with their intervals, and the curves behind them."""

    estimates: tuple[Estimate, ...]
    classes: tuple[ClassScores, ...]
    thresholds: tuple[tuple[str, Threshold], ...]
    confidence: Confidence
    bins: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "binned": self._binned(),
            "classes": [one.to_dict() for one in self.classes],
            "thresholds": [
                threshold_dict(why, found, self.confidence.level, self.per_weight) for why, found in self.thresholds
            ],
        }

    @property
    def per_weight(self) -> float:
        """How many equal rows a unit of weight is worth: Kish's n over the sum of weights."""
        table = self.classes[0].table
        squares = float((table.positive_squares + table.negative_squares).sum())
        return table.total / squares if squares else 1.0

    def _binned(self) -> dict[str, Any] | None:
        """Say how far off the binned figures can be."""
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
        """What to be careful about."""
        said = [
            f"The area under the ROC curve of {one.class_name!r} is {one.value:.4f}, well below 0.5: the order of the scores is reversed. Do they belong to another class?"
            for one in self.estimates
            if one.name == "roc_auc" and one.interval and one.interval.high < 0.5 and one.average is None
        ]
        if binned := self._binned():
            said.append(
                f"Scores were counted in {self.bins:,} bins: rows in a bin are taken as tied, so the area under the ROC curve is off by at most {binned['roc_auc_error']:.2g}."
            )
        if any(why != "at" for why, _ in self.thresholds):
            said.append("A threshold chosen on these rows flatters when evaluated on them: choose it on others.")
        for scored in self.classes:
            bins = scored.bins("mass")
            if bins and ece(bins) > 2 * expected_if_calibrated(bins) and ece(bins) > 0.02:
                said.append(
                    f"Probabilities of {scored.class_name!r} are off by {ece(bins):.3f} on average (chance alone would show {expected_if_calibrated(bins):.3f}): look at the calibration."
                )
        return said[:10]


def threshold_dict(why: str, found: Threshold, level: float, per_weight: float = 1.0) -> dict[str, Any]:
    """Give a threshold with its table and what it yields; `per_weight` is how many rows a unit of weight is worth."""
    shares = {
        "recall": (found.tp, found.tp + found.fn),
        "specificity": (found.tn, found.tn + found.fp),
        "precision": (found.tp, found.tp + found.fp),
    }
    row: dict[str, Any] = {"why": why, "threshold": finite_or_none(found.value)}
    row |= {"tp": found.tp, "fp": found.fp, "fn": found.fn, "tn": found.tn}
    for name, (right, rows) in shares.items():
        ends = wilson(right * per_weight, rows * per_weight, level=level)
        row[name] = finite_or_none(right / rows) if rows else None
        row[f"{name}_low"], row[f"{name}_high"] = finite_or_none(float(ends.low)), finite_or_none(float(ends.high))
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
) -> ScoreEvaluation:
    """Evaluate scores of one class; `costs` are those of a false negative and of a false positive."""
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
    chosen += [("at", at(table, value)) for value in _usual_thresholds(table)]
    found = estimate_scores(table, confidence, class_name=positive, probabilities=probabilities)
    classes = (ClassScores(positive, table, probabilities, confidence.level),)
    return ScoreEvaluation(tuple(found), classes, tuple(chosen), confidence, bins)


def evaluate_several(rows: ScoreRows, confidence: Confidence) -> ScoreEvaluation:
    """Evaluate probabilities of several classes."""
    found = estimate_probabilities(rows.scores, rows.labels, rows.classes, rows.weights, confidence)
    classes = tuple(
        ClassScores(name, ScoreCounts.of(rows.scores[:, k], rows.labels == k, rows.weights), True, confidence.level)
        for k, name in enumerate(rows.classes)
    )
    return ScoreEvaluation(tuple(found), classes, (), confidence)


def binary_table(rows: ScoreRows | ScoreBins) -> ScoreCounts:
    """Gather the rows of a column of scores, or what the engine has gathered in bins."""
    if isinstance(rows, ScoreBins):
        p, n = rows.positives, rows.negatives
        return ScoreCounts(rows.scores, p, n, p, n, rows.width, rows.edges)
    return ScoreCounts.of(rows.scores[:, 0], rows.labels == rows.classes.index(rows.columns[0]), rows.weights)


def slice_areas(rows: ScoreRows, column: str, value: ClassName, confidence: Confidence) -> list[Estimate]:
    """Estimate the areas under the ROC and precision-recall curves of the rows with one value of a column.

    With probabilities of several classes, these are the macro means over the classes for which an area is defined there.
    """
    here = rows.of_slice(column, value)
    weights = None if rows.weights is None else rows.weights[here]
    if rows.positive is None:
        found = estimate_probabilities(rows.scores[here], rows.labels[here], rows.classes, weights, confidence)
        return [one for one in found if one.average == "macro"]
    positive = rows.labels[here] == rows.classes.index(rows.columns[0])
    table = ScoreCounts.of(rows.scores[here, 0], positive, weights)
    return estimate_scores(table, confidence, class_name=rows.positive, probabilities=False)


def predicted_tally(
    rows: ScoreRows, threshold: float | None, slices: Mapping[str, tuple[Array, Sequence[ClassName]]] | None = None
) -> Tally:
    """Count labels against what the scores predict: the likeliest class, or the positive one from a threshold on.

    `slices` are further axes, codes and names each.
    """
    classes = list(rows.classes)
    if threshold is not None and not math.isfinite(threshold):
        raise OptionError(f"the threshold must be a finite number; got {threshold!r}")
    if len(rows.columns) > 1:
        answers = rows.scores.argmax(axis=1)
    else:
        if len(rows.classes) > 2:
            raise OptionError(
                "scores of one of several classes predict none of the others; name a column of predictions"
            )
        score = rows.scores[:, 0]
        if threshold is None and not (score.min() >= 0 and score.max() <= 1):
            raise OptionError(
                "scores outside [0, 1] need a threshold=… (--threshold) from which on they mean the class"
            )
        at_least = score >= (0.5 if threshold is None else threshold)
        positive = rows.classes.index(rows.columns[0])
        if len(rows.classes) == 1:  # every label is the positive class: what is below the threshold is called otherwise
            classes = [*classes, _other(rows.classes[0])]
        answers = np.where(at_least, positive, 1 - positive)
    axes = {"label": (rows.labels, classes), "prediction": (answers, classes), **(slices or {})}
    place = np.zeros(rows.n, dtype=np.int64)
    for codes, names in axes.values():
        place = place * len(names) + codes
    cells, where = np.unique(place, return_inverse=True)
    coded: list[tuple[Array, Sequence[ClassName]]] = []
    for _, names in reversed(axes.values()):
        used, codes = np.unique(cells % len(names), return_inverse=True)
        coded.insert(0, (codes, [names[code] for code in used]))
        cells = cells // len(names)
    heavy: dict[str, Any] = {}
    if rows.weights is not None:
        heavy = {"weights": np.bincount(where, rows.weights), "squares": np.bincount(where, rows.weights**2)}
    return Tally.from_codes(tuple(axes), coded, np.bincount(where), **heavy)


def _other(name: ClassName) -> ClassName:
    """Name what is not the only class there is."""
    return (not name) if isinstance(name, bool) else (0 if name else 1) if isinstance(name, int) else f"not {name}"


def _usual_thresholds(table: ScoreCounts) -> list[float]:
    """Take the scores at every tenth of the rows, and one half if scores are probabilities."""
    rows = np.cumsum(table.positives + table.negatives)
    tenths = np.searchsorted(rows, np.linspace(0.1, 0.9, 9) * rows[-1]) if len(rows) else []
    return sorted({float(table.scores[at]) for at in tenths}, reverse=True)


def _thinned(*axes: Array) -> Array:
    """Choose the points that show a curve: all of them, or evenly along its length."""
    size = len(axes[0])
    if size <= POINTS:
        return np.arange(size)
    steps = sum(np.abs(np.diff(np.nan_to_num(axis))) for axis in axes)
    length = np.append(0.0, np.cumsum(steps))
    return np.unique(
        np.append(np.searchsorted(length, np.linspace(0, length[-1], POINTS - 1)), size - 1).clip(max=size - 1)
    )


def _calibration(bins: Bins | None, level: float) -> dict[str, Any]:
    assert bins is not None
    ends = wilson(bins.share_positive * bins.effective_n, bins.effective_n, level=level)
    columns = {
        "low": bins.low,
        "high": bins.high,
        "n": bins.n,
        "mean_score": bins.mean_score,
        "share": bins.share_positive,
        "share_low": ends.low,
        "share_high": ends.high,
    }
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*map(_listed, columns.values()), strict=True)]
    return {"ece": ece(bins), "ece_if_calibrated": expected_if_calibrated(bins), "bins": rows}


def _listed(values: Sequence[float] | Array) -> list[float | None]:
    return [finite_or_none(value) for value in np.asarray(values, dtype=float).tolist()]
