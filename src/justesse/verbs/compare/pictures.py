"""The charts of a comparison, by name."""

from typing import TYPE_CHECKING, Any

import numpy as np

from justesse import charts
from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.results import Estimate
from justesse.intervals.class_scores import ClassScores
from justesse.measures import CLASS_HEADLINE
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.compare.comparison import Comparison

OVERLAYS = ("roc", "precision_recall", "calibration")


def names_of(found: "Comparison") -> list[str]:
    """List the charts this comparison has."""
    best = found.best
    names = ["difference", "disagreement", "noise", "classes"] + (["slices"] if best.slices else [])
    if len(found.judged) > 1 and any(item.verdict.breakdown.sign is not None for item in found.judged):
        names.append("verdicts")
    if best.case.scores:
        names += [name for name in OVERLAYS if name != "calibration" or _are_probabilities(best.case)]
    return names


def picture(found: "Comparison", name: str) -> Any:
    """Draw one of them; those of classes, slices and scores are about the best candidate."""
    if name not in names_of(found):
        raise OptionError(f"There is no chart {name!r}. Charts: {', '.join(names_of(found))}.")
    best, verdict = found.best, found.decisive
    if name == "difference":
        rows = sorted(found.judged, key=lambda one: one.rank, reverse=True)
        shown = [(row.name, row.decisive.difference) for row in rows]
        return charts.difference_chart(shown, margin=verdict.margin, measure=verdict.title, unit=verdict.unit)
    if name == "disagreement":
        return charts.disagreement_chart(verdict.disagreement.to_dict())
    if name == "noise":
        assert best.noise is not None
        accuracy = next(measure.difference for measure in best.measures if measure.counts_errors)
        return charts.difference_band_chart(
            best.noise.band, accuracy, breaks_at=_sign(accuracy), rate=best.noise.known.rate, against=_against(found)
        )
    if name == "verdicts":
        return charts.verdict_chart([_row(item) for item in found.judged], against=_against(found))
    if name == "classes":
        measure = CLASS_HEADLINE[0]
        rows_of = [(str(item.class_name), item.difference) for item in best.classes if item.name == measure.name]
        apart = sorted(rows_of, key=lambda row: -abs(np.nan_to_num(row[1].value)))
        return charts.difference_chart(apart, measure=str(message("{measure} of each class", measure=measure.title)))
    if name == "slices":
        parts = [(slice_.title, slice_.difference) for slice_ in best.slices]
        parts.sort(key=lambda part: -abs(np.nan_to_num(part[1].value)))  # as in the table
        return charts.difference_chart(parts, measure=verdict.title, unit=verdict.unit)
    first, other = overlays(best.case, found.level)
    return charts.overlay_chart(name, first, other)


def _against(found: "Comparison") -> str:
    """Mark charts that are about the labels where the verdict is about the true classes."""
    return ", against the labels" if found.best.by_labels else ""


def _sign(difference: Estimate) -> float | None:
    """Give the share of wrong labels that brings an accuracy difference to 0: half of it, in whole rows."""
    rows = round(abs(difference.value) * difference.n)
    return -(-rows // 2) / difference.n if rows else None


def overlays(case: Case, level: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the curves of both classifiers' scores."""
    scores = case.scores
    assert scores is not None
    probable = _are_probabilities(case)
    first, other = (
        ClassScores(scores.class_name, ScoreCounts.of(values, scores.positive), probable, level).to_dict()
        for values in (scores.incumbent, scores.candidate)
    )
    return first, other


def _are_probabilities(case: Case) -> bool:
    assert case.scores is not None
    both = (case.scores.incumbent, case.scores.candidate)
    return all(bool(np.all((values >= 0) & (values <= 1))) for values in both)


def _row(one: Any) -> dict[str, Any]:
    verdict, interval = one.verdict, one.verdict.difference.interval
    return {
        "name": one.name,
        "difference": verdict.difference.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "breakdown": verdict.breakdown.sign,
        "decision": verdict.decision,
    }
