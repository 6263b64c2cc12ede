"""The charts of a comparison, by name."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse import charts
from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.intervals.class_scores import ClassScores
from justesse.judges.breakdown import sign_rows
from justesse.measures import CLASS_HEADLINE
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.compare.comparison import Comparison

OVERLAYS = ("roc", "precision_recall", "calibration")


def names_of(result: "Comparison") -> list[str]:
    """List the charts this comparison has."""
    best = result.best
    names = ["difference", "disagreement", "noise", "classes"] + (["slices"] if best.slices else [])
    if len(result.judged) > 1 and any(item.verdict.breakdown.sign is not None for item in result.judged):
        names.append("verdicts")
    if result.leaderboard:
        names.append("leaderboard")
    if best.case.scores:
        names += [name for name in OVERLAYS if name != "calibration" or _are_probabilities(best.case)]
    return names


def picture(result: "Comparison", name: str) -> Any:
    """Draw one of them; those of classes, slices and scores are about the best candidate."""
    if name not in names_of(result):
        raise OptionError(f"There is no chart {name!r}. Charts: {', '.join(names_of(result))}.")
    best, verdict = result.best, result.decisive
    if name == "difference":
        rows = sorted(result.judged, key=lambda item: item.rank, reverse=True)
        shown = [(row.name, row.decisive.difference) for row in rows]
        return charts.difference_chart(
            shown, margin=verdict.margin, measure=verdict.title, unit=verdict.unit, against=against_truth(result)
        )
    if name == "disagreement":
        return charts.disagreement_chart(verdict.disagreement.to_dict(), against=against_truth(result))
    if name == "noise":
        assert best.noise is not None
        accuracy = next(measure.difference for measure in best.measures if measure.counts_errors)
        return charts.difference_band_chart(
            best.noise.band,
            accuracy,
            breaks_at=_sign(best.case),
            rate=best.noise.known.rate,
            against=against_labels(result),
        )
    if name == "leaderboard":
        assert result.leaderboard is not None
        return charts.leaderboard_chart(result.leaderboard.standings)
    if name == "verdicts":
        return charts.verdict_chart([_row(item) for item in result.judged], against=against_labels(result))
    if name == "classes":
        measure = CLASS_HEADLINE[0]
        of_class = [(str(item.class_name), item.difference) for item in best.classes if item.name == measure.name]
        apart = sorted(of_class, key=lambda row: -abs(np.nan_to_num(row[1].value)))
        of_classes = str(message("{measure} of each class", measure=measure.title))
        return charts.difference_chart(apart, measure=of_classes, against=against_labels(result))
    if name == "slices":
        parts = [(slice_.title, slice_.difference) for slice_ in best.slices]
        parts.sort(key=lambda part: -abs(np.nan_to_num(part[1].value)))  # as in the table
        about = {"measure": verdict.title, "unit": verdict.unit, "against": against_labels(result)}
        return charts.difference_chart(parts, **about)
    first, other = overlays(best.case, result.level)
    return charts.overlay_chart(name, first, other, against=against_labels(result))


def against_labels(result: "Comparison") -> str:
    """Mark what is about the labels, if the verdict is about the true classes."""
    return ", against the labels" if result.best.by_labels else ""


def against_truth(result: "Comparison") -> str:
    """Mark what is about the true classes, if other parts of the result are about the labels."""
    return ", against the true classes" if result.best.by_labels else ""


def _sign(case: Case) -> float | None:
    """Return the share of wrong labels that brings the difference of accuracy to 0, if it is not 0."""
    rows = float(sign_rows(case.disagreement))
    return None if math.isnan(rows) else rows / case.n


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


def _row(item: Any) -> dict[str, Any]:
    verdict, interval = item.verdict, item.verdict.difference.interval
    return {
        "name": item.name,
        "difference": verdict.difference.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "breakdown": verdict.breakdown.sign,
        "decision": verdict.decision,
    }
