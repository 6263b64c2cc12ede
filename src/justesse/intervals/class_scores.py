"""The curves of one class's scores, with intervals: ROC, precision-recall, cost, calibration."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import ClassName, finite_or_none
from justesse.intervals.clustered_scores import ClassClusters
from justesse.intervals.ends import Ends
from justesse.intervals.lowest_cost import lowest_cost
from justesse.intervals.wilson import wilson
from justesse.measures.curves.brier import BrierParts, brier_parts
from justesse.measures.curves.calibration import Binning, Bins, calibration, ece, expected_if_calibrated
from justesse.measures.curves.precision_recall import precision_recall
from justesse.measures.curves.roc import roc
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.thresholds import gathered

POINTS = 201  # of a curve that is shown
MOST_THRESHOLDS = 5000  # of the curve over many costs
RATIOS = np.linspace(0, 1, 101)


@dataclass(frozen=True)
class ClassScores:
    """The scores of one class against the rest, and the curves drawn of them."""

    class_name: ClassName
    table: ScoreCounts
    probabilities: bool
    level: float
    clustered: ClassClusters | None = None  # the rows, if they come in clusters

    @cached_property
    def _bins(self) -> dict[Binning, Bins]:
        return {by: calibration(self.table, by=by) for by in get_args(Binning)}

    def bins(self, by: Binning) -> Bins | None:
        """Return the calibration in ten bins of equal width or mass; `None` if the scores are not probabilities."""
        return self._bins[by] if self.probabilities else None

    @cached_property
    def brier_parts(self) -> BrierParts | None:
        """The parts of the Brier score, by bins of equal mass."""
        bins = self.bins("mass")
        return brier_parts(self.table, bins) if bins else None

    def expected_ece(self, by: Binning) -> float:
        """Return the calibration error that chance alone would show, if every probability were right."""
        bins = self._bins[by]
        return self.clustered.expected_ece(bins) if self.clustered else expected_if_calibrated(bins)

    def _recall_ends(self, thresholds: Array, recalls: Array) -> Ends:
        if self.clustered:
            return self._over_clusters(thresholds, "recall")
        rows = self.table.effective[0]
        return wilson(np.nan_to_num(recalls) * rows, rows, level=self.level)

    def _precision_ends(self, thresholds: Array, precisions: Array, called: Array) -> Ends:
        if self.clustered:
            return self._over_clusters(thresholds, "precision")
        return wilson(precisions * called, called, level=self.level)

    def _over_clusters(self, thresholds: Array, name: str) -> Ends:
        assert self.clustered is not None
        ends = [self.clustered.at_threshold(float(value), self.level)[name] for value in thresholds]
        low, high = np.array(ends).reshape(-1, 2).T
        return Ends(low, high, self.level, "wilson-cr2")

    def to_dict(self) -> dict[str, Any]:
        curve, recalls = roc(self.table), precision_recall(self.table)
        positive, negative = self.table.effective
        shown = _thinned(curve.fpr, curve.tpr)
        drawn = _thinned(recalls.recall, recalls.precision)
        tpr, fpr = curve.tpr[shown], curve.fpr[shown]
        per_weight = (positive + negative) / self.table.total if self.table.total else 1.0
        called = (self.table.true_positives + self.table.false_positives)[drawn] * per_weight
        recalled = self._recall_ends(curve.threshold[shown], tpr)
        right = self._precision_ends(recalls.threshold[drawn], recalls.precision[drawn], called)
        curves: dict[str, Any] = {
            "class": self.class_name,
            "roc": {
                "threshold": [finite_or_none(value) for value in curve.threshold[shown]],
                "fpr": _listed(fpr),
                "tpr": _listed(tpr),
                "tpr_low": _listed(recalled.low),
                "tpr_high": _listed(recalled.high),
            },
            "precision_recall": {
                "threshold": _listed(recalls.threshold[drawn]),
                "recall": _listed(recalls.recall[drawn]),
                "precision": _listed(recalls.precision[drawn]),
                "precision_low": _listed(right.low),
                "precision_high": _listed(right.high),
            },
            "cost_curve": self._cost_curve(),
            "calibration": None,
        }
        if self.probabilities:
            curves["calibration"] = {
                **{by: self._calibration(by) for by in self._bins},
                "brier_parts": vars(self.brier_parts),
            }
        return curves

    def _cost_curve(self) -> dict[str, Any]:
        curve, ends = lowest_cost(gathered(self.table, MOST_THRESHOLDS), RATIOS, level=self.level)
        known = math.nan if self.clustered else 1.0  # the interval takes rows as independent
        return {
            "ratio": _listed(curve.ratio),
            "cost": _listed(curve.cost),
            "cost_low": _listed(ends.low * known),
            "cost_high": _listed(ends.high * known),
        }

    def _calibration(self, by: Binning) -> dict[str, Any]:
        bins = self._bins[by]
        ends = self.clustered.bin_shares(bins, self.level) if self.clustered else None
        rows = bin_rows(bins, self.level, ends)
        return {"ece": ece(bins), "ece_if_calibrated": self.expected_ece(by), "bins": rows}


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


def bin_rows(bins: Bins, level: float, ends: Ends | None = None) -> list[dict[str, Any]]:
    """Lay out the bins of a reliability diagram: edges, rows, mean score, and share with its ends."""
    ends = wilson(bins.share_positive * bins.effective_n, bins.effective_n, level=level) if ends is None else ends
    columns = {
        "low": bins.low,
        "high": bins.high,
        "n": bins.n,
        "mean_score": bins.mean_score,
        "share": bins.share_positive,
        "share_low": ends.low,
        "share_high": ends.high,
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*map(_listed, columns.values()), strict=True)]


def _listed(values: Sequence[float] | Array) -> list[float | None]:
    return [finite_or_none(value) for value in np.asarray(values, dtype=float).tolist()]
