"""What `annotators infer --json` prints."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from justesse.annotators.calibration import Calibration, ReliabilityBin
from justesse.annotators.cards import AnnotatorCard
from justesse.annotators.drift import Drift
from justesse.core.results import finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.verbs.annotators.inference_tables import CERTAIN, MOST_LISTED

MOST_CHANGES = 100

if TYPE_CHECKING:
    from justesse.verbs.annotators.inference import Inference


def inference_json(result: "Inference") -> dict[str, Any]:
    """Give the result as JSON."""
    notes, fit = result.fit.support.annotations, result.fit
    _, probability, equal = result.best
    names = notes.annotators
    stated = {each.annotator: {"mean": each.stated, "right": each.right.to_dict()} for each in result.stated}
    return {
        "schema": SCHEMA,
        "version": __version__,
        "run": {},
        "method": fit.method,
        "answers": len(notes),
        "items": notes.n_items,
        "annotators_total": notes.n_annotators,
        "annotators": [
            {
                "annotator": names[card.annotator],
                "n": card.n,
                "accuracy": card.accuracy.to_dict(),
                "gold": card.gold.to_dict() if card.gold else None,
                "worst": _named_worst(card, notes.classes),
                "bias": None if card.bias is None else {"class": notes.classes[card.bias[0]], "share": card.bias[1]},
                "confusion": _confusion(result, card),
                "median_duration": card.duration,
                "stated_confidence": stated.get(card.annotator),
            }
            for card in result.cards.most_answers(MOST_LISTED)
        ],
        "classes": list(notes.classes),
        "proportions": [each.to_dict() for each in result.proportions()],
        "certain": {"at_least": CERTAIN, "items": int((probability >= CERTAIN).sum())},
        "expected_right": finite_or_none(result.expected),
        "ties": int((equal > 1).sum()),
        "log_likelihood": fit.log_likelihood,
        "heldout": None if result.heldout is None else result.heldout.to_dict(),
        "iterations": fit.iterations,
        "converged": fit.converged,
        "rhat": fit.extra.get("rhat"),
        "effective_size": fit.extra.get("effective_size"),
        "fit": None if result.answer_fit is None else asdict(result.answer_fit),
        "dependent": [
            {
                "first": names[pair.first],
                "second": names[pair.second],
                "n": pair.n,
                "agreed": pair.agreed,
                "expected": pair.expected,
                "excess": pair.excess,
                "pvalue": pair.pvalue,
                "adjusted_pvalue": pair.adjusted,
            }
            for pair in result.dependent
        ],
        "changed_without_dependence": result.changed,
        "corrected": _corrected(result),
        "drift": [drift_json(result, each) for each in result.drifts],
        "calibration": _calibration(result.calibration),
        "level": result.level,
        "seed": result.seed,
        "assumptions": list(fit.assumptions),
        "warnings": [str(warning) for warning in result.warnings],
    }


def _corrected(result: "Inference") -> dict[str, Any] | None:
    """Give the consensus in which dependent annotators share opinions."""
    if result.corrected is None or result.dependence is None:
        return None
    notes = result.fit.support.annotations
    return {
        "links": [
            {
                "annotator": notes.annotators[link.annotator],
                "source": notes.annotators[link.source],
                "n": link.n,
                "share": link.share,
            }
            for link in result.dependence.links
        ],
        "expected_right": float(result.corrected.probability.mean()),
        "log_likelihood": result.corrected.log_likelihood,
        "changed": len(result.changes),
        "items": [
            {
                "item": notes.items[each.item],
                "class": notes.classes[each.before],
                "probability": each.probability,
                "corrected_class": notes.classes[each.after],
                "corrected_probability": each.corrected,
            }
            for each in result.changes[:MOST_CHANGES]
        ],
    }


def drift_json(result: "Inference", drift: Drift) -> dict[str, Any]:
    """Give one annotator's accuracy over time."""
    return {
        "annotator": result.fit.support.annotations.annotators[drift.annotator],
        "n": drift.n,
        "accuracy": list(drift.accuracy),
        "low": list(drift.low),
        "high": list(drift.high),
        "slope": drift.slope,
        "pvalue": drift.pvalue,
        "adjusted_pvalue": drift.adjusted,
    }


def bins_json(bins: Sequence[ReliabilityBin]) -> list[dict[str, Any]]:
    """Give bins of a reliability diagram."""
    return [
        {
            "mean_score": each.probability,
            "share": each.right.value,
            "share_low": each.right.interval.low if each.right.interval else None,
            "share_high": each.right.interval.high if each.right.interval else None,
            "n": int(each.right.n),
        }
        for each in bins
    ]


def _calibration(checked: Calibration | None) -> dict[str, Any] | None:
    if checked is None:
        return None
    return {
        "accuracy": checked.accuracy.to_dict(),
        "expected": checked.expected,
        "log_loss": checked.log_loss,
        "bins": bins_json(checked.bins),
        "calibrated_bins": bins_json(checked.calibrated_bins),
        "temperature": checked.temperature,
        "lapse": checked.lapse,
        "calibrated_expected": checked.calibrated_expected,
        "calibrated_log_loss": checked.calibrated_log_loss,
    }


def _named_worst(card: AnnotatorCard, classes: tuple[Any, ...]) -> dict[str, Any] | None:
    if card.worst is None:
        return None
    true, answer, share = card.worst
    return {"true": classes[true], "answer": classes[answer], "share": share}


def _confusion(result: "Inference", card: AnnotatorCard) -> list[dict[str, Any]] | None:
    if result.confusions is None:
        return None
    classes = result.fit.support.annotations.classes
    return [
        {
            "true": classes[true],
            "answer": classes[answer],
            "share": cell.value,
            "interval": cell.interval.to_dict() if cell.interval else None,
            "n": cell.n,
        }
        for true, answer, cell in result.confusions.cells(card.annotator)
    ]
