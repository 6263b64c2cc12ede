"""What `evaluate_unlabelled` returns with a labelled reference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from justesse.core.results import Estimate, TestResult, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.confidences import ReferenceAndTarget
from justesse.intervals.class_scores import bin_rows
from justesse.intervals.confidence_accuracy import ConfidenceAccuracy
from justesse.intervals.expected_confusion import ExpectedConfusion
from justesse.intervals.prediction_powered import PredictionPowered
from justesse.measures.curves.calibration import calibration
from justesse.measures.curves.confidence_counts import ConfidenceCounts
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.procedures.same_shares import SharesApart
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.verbs.unlabelled.shift_words import ASSUMPTIONS, LABELLED_ASSUMPTIONS, ShiftMethod, title_of

BINS, CURVE, BARS = 10, 60, 20


@dataclass(frozen=True)
class CheckedPart:
    """What the labelled rows of the target show.

    Parameters
    ----------
    accuracy
        Accuracy on the labelled rows alone.
    test
        Test that the calibration of the reference carries over to them.
    powered
        Accuracy from their labels and the confidences of all rows; `bias` is calibrated confidence minus the truth.
    """

    accuracy: Estimate
    test: TestResult
    powered: PredictionPowered

    @property
    def estimate(self) -> Estimate:
        """The prediction-powered accuracy; n counts the labelled rows."""
        return Estimate("accuracy", self.powered.value, self.powered.n, self.powered.interval, is_share=True)

    @property
    def bias(self) -> Estimate:
        """Calibrated confidence minus the truth, on these rows."""
        return Estimate("bias", self.powered.bias, self.powered.n, self.powered.bias_interval)


@dataclass(frozen=True, repr=False)
class ShiftedEvaluation(Result):
    """Accuracy on rows without labels, from confidences and a labelled reference, and whether the assumption holds."""

    rows: ReferenceAndTarget
    counts: ConfidenceCounts
    by_confidence: ConfidenceAccuracy
    by_classes: ExpectedConfusion | None
    reference_accuracy: Estimate
    checked: CheckedPart | None
    predicted: SharesApart
    level: float
    draws: int
    seed: int
    sources: tuple[Any, ...] = ()

    def __getitem__(self, method: ShiftMethod) -> Estimate:
        """Return the accuracy by one method."""
        return self.estimates[method]

    @property
    def estimates(self) -> dict[ShiftMethod, Estimate]:
        """The accuracy by every method; the first is the one to use if calibration carries over."""
        result: dict[ShiftMethod, Estimate] = {}
        result.update(self.by_confidence.estimates.items())
        if self.by_classes is not None:
            result["calibrated_classes"] = self.by_classes.accuracy
        if self.checked is not None:
            result |= {"prediction_powered": self.checked.estimate, "labelled_rows": self.checked.accuracy}
        return result

    @property
    def rejected(self) -> bool | None:
        """Whether labelled rows show that calibration does not carry over; `None` if there are none."""
        return None if self.checked is None else self.checked.test.pvalue <= 1 - self.level

    @property
    def by(self) -> ShiftMethod:
        """The method behind `accuracy`: labels if every row has one, prediction-powered if calibration does not carry over."""
        if self.all_labelled:
            return "labelled_rows"
        return "prediction_powered" if self.rejected else "calibrated_confidence"

    @property
    def all_labelled(self) -> bool:
        """Whether every row of the target has a label, so that nothing need be estimated from confidences."""
        return self.checked is not None and self.checked.powered.n == self.checked.powered.rows

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What `accuracy` rests on."""
        return LABELLED_ASSUMPTIONS if self.all_labelled else ASSUMPTIONS

    @property
    def accuracy(self) -> Estimate:
        """The accuracy on the target."""
        return self.estimates[self.by]

    @property
    def mean_confidences(self) -> tuple[float, float]:
        """Mean confidence of the reference and of the target."""
        return float(self.rows.reference.confidence.mean()), float(self.rows.target.confidence.mean())

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        from justesse.verbs.unlabelled.shifted_document import cautions

        return tuple(map(str, cautions(self)))

    @property
    def reliability(self) -> list[dict[str, Any]]:
        """Share of right predictions in bins of equal mass: of the reference, and of labelled rows of the target."""
        counts = self.counts
        parts = {"reference": (counts.right, counts.wrong), "target": (counts.labelled_right, counts.labelled_wrong)}
        result = []
        for name, (right, wrong) in parts.items():
            held = right + wrong > 0
            if held.any():
                down = np.flatnonzero(held)[::-1]
                table = ScoreCounts(counts.confidence[down], right[down], wrong[down], right[down], wrong[down])
                result += [
                    {"rows": name, **each}
                    for each in bin_rows(calibration(table, bins=BINS, by="mass"), self.level)
                ]  # fmt: skip
        return result

    @property
    def histogram(self) -> list[dict[str, float]]:
        """Share of the rows at each confidence, in bins of equal width."""
        ours, theirs = self.rows.reference.confidence, self.rows.target.confidence
        low = min(float(ours.min()), float(theirs.min()))
        edges = np.linspace(low if low < 1 else 0.0, 1.0, BARS + 1)
        shares = [np.histogram(part, edges)[0] / len(part) for part in (ours, theirs)]
        return [
            {"low": a, "high": b, "reference": x, "target": y}
            for a, b, x, y in zip(
                edges[:-1].tolist(), edges[1:].tolist(), shares[0].tolist(), shares[1].tolist(), strict=True
            )
        ]

    def to_dict(self) -> dict[str, Any]:
        before, now = self.mean_confidences
        checked = self.checked
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "n": len(self.rows.target),
            "accuracy": self.accuracy.to_dict(),
            "by": self.by,
            "estimates": [{"method": name, **item.to_dict()} for name, item in self.estimates.items()],
            "reference": {"n": len(self.rows.reference), "accuracy": self.reference_accuracy.to_dict()},
            "labelled": None
            if checked is None
            else {
                "n": checked.powered.n,
                "test": checked.test.to_dict(),
                "rejected": self.rejected,
                "bias": checked.bias.to_dict(),
                "powered": checked.powered.to_dict(),
            },
            "measures": [] if self.by_classes is None else [item.to_dict() for item in self.by_classes.estimates],
            "confusion": None
            if self.by_classes is None
            else [
                [true, prediction, float(self.by_classes.matrix[i, j])]
                for i, true in enumerate(self.rows.classes)
                for j, prediction in enumerate(self.rows.classes)
            ],
            "confidence": {"reference": before, "target": now, "outside": self.counts.outside},
            "predicted": {
                "pvalue": self.predicted.pvalue,
                "moved": self.predicted.moved,
                "shares": [[name, theirs, ours] for name, ours, theirs in self.predicted.cells],
            },
            "reliability": self.reliability,
            "histogram": self.histogram,
            "classes": list(self.rows.classes),
            "columns": {"label": self.rows.label, "prediction": self.rows.prediction},
            "dropped": {"reference": self.rows.reference.dropped, "target": self.rows.target.dropped},
            "level": self.level,
            "warnings": list(self.warnings),
            "assumptions": list(self.assumptions),
            "seed": self.seed,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        every = self.estimates
        ends = [item.interval for item in every.values()]
        return {
            "method": list(every),
            "accuracy": [finite_or_none(item.value) for item in every.values()],
            "low": [end.low if end else None for end in ends],
            "high": [end.high if end else None for end in ends],
            "n": [item.n for item in every.values()],
        }

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        rows = [
            (title_of(name), item, name in ("prediction_powered", "labelled_rows"))
            for name, item in self.estimates.items()
        ]
        held = np.flatnonzero(self.counts.reference + self.counts.target)
        chosen = np.unique(held[np.linspace(0, len(held) - 1, min(CURVE, len(held))).astype(int)])
        curve = [
            {"confidence": float(self.counts.confidence[at]), "share": float(self.by_confidence.fitted[at])}
            for at in chosen
        ]
        return {
            "estimates": partial(charts.shifted_estimate_chart, rows),
            "reliability": partial(charts.carried_reliability_chart, self.reliability, curve),
            "confidences": partial(charts.confidence_histogram_chart, self.histogram),
        }

    def document(self) -> Document:
        from justesse.verbs.unlabelled.shifted_document import document

        return document(self)
