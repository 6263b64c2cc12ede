"""A run as plain data: what `justesse lifelong run --json` prints."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.lifelong.ledger import Charge
from justesse.verbs.lifelong.assumptions import RUN_ASSUMPTIONS

if TYPE_CHECKING:
    from justesse.verbs.lifelong.run_result import LifelongRun


def run_json(result: "LifelongRun") -> dict[str, Any]:
    """Lay out a run."""
    record, ledger, task = result.record, result.record.ledger, result.task
    cells = result.penalised()
    mean = _estimate(result.mean_error) if record.episodes else None
    return {
        "schema": SCHEMA,
        "version": __version__,
        "run": {"seconds": {episode.period: episode.seconds for episode in record.episodes}},
        "settings": result.settings.to_dict(),
        "classes": list(result.stream.classes),
        "complete": record.pending is None,
        "waiting": None
        if record.pending is None
        else {"file": record.pending.path, "open": record.pending.open, "questions": record.pending.questions},
        "budget": {"maximum": ledger.budget, "spent": ledger.spent, "left": ledger.left, **result.counts},
        "score": {"name": task.name, "words": task.words, "higher_is_better": task.higher_is_better},
        "mean": mean,
        "error": mean if task.name == "error" else None,
        "penalised": result.mean_penalised if record.episodes else None,
        "supervision": result.supervision,
        "policy": _policy(result),
        "periods": period_rows(result),
        "ledger": charge_rows(result),
        "curve": [{"cost": point.cost, "score": point.score, "n": point.n} for point in record.curve],
        "restarted": [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)],
        "versions": [{"version": version.name, "trained": version.trained} for version in record.versions],
        "initial": len(result.stream.initial),
        "tests": len(result.stream.tests),
        "level": result.level,
        "columns": dict(result.columns),
        "warnings": list(result.warnings),
        "assumptions": list(RUN_ASSUMPTIONS),
    }


def period_rows(result: "LifelongRun") -> list[dict[str, Any]]:
    """Lay out every period."""
    rows = []
    for episode, error, penalised in zip(result.record.episodes, result.errors, result.penalised_scores, strict=True):
        score = episode.score
        rows.append(
            {
                "period": episode.period,
                "n": len(episode.items),
                "base": score.base,
                "adapt": score.adapt,
                "interval": error.interval.to_dict() if error.interval else None,
                "penalty": score.penalty,
                "penalised": score.value,
                "penalised_interval": penalised.interval.to_dict() if penalised.interval else None,
                "gain": score.gain,
                "gain_interval": _ends(episode.counts.gain_interval(level=result.level)),
                "realised_cor": score.realised_cor if episode.answers else None,
                "touched": len(episode.answers),
                "charges": len(episode.outcomes),
                "cost": episode.cost,
                "expert_seconds": result.settings.answer_seconds * len(episode.outcomes),
                "all_right": episode.all_right,
            }
        )
    return rows


def charge_rows(result: "LifelongRun") -> list[dict[str, Any]]:
    """Lay out every charge, and what it bought."""
    bought = {outcome.charge: outcome for episode in result.record.episodes for outcome in episode.outcomes}

    def row(charge: Charge) -> dict[str, Any]:
        outcome = bought.get(charge.number)
        answer = None if outcome is None else outcome.label
        right = None if answer is None or charge.id is None else answer == result.task.truths[charge.id]
        return {**charge.to_dict(), "answer": answer, "right": right, "delay": 0 if outcome is None else outcome.delay}

    return [row(charge) for charge in result.record.ledger]


def _policy(result: "LifelongRun") -> dict[str, Any]:
    weighing, under = result.weighing, result.under_policy
    scores = [] if under is None else under.scores
    return {
        "name": weighing.policy.name,
        "words": weighing.policy.words,
        "convention": weighing.convention,
        "penalised": under is not None and under.is_penalised,
        "scores": [
            {
                "version": score.version,
                "value": finite_or_none(score.value),
                "n": score.n,
                "interval": score.interval.to_dict() if score.interval else None,
                "undefined": score.undefined,
                "weights": {
                    under.matrix.periods[at]: weight for at, weight in zip(score.periods, score.weights, strict=True)
                },
            }
            for score in scores
            if under is not None
        ],
    }


def _estimate(mean: Estimate) -> dict[str, Any]:
    return {
        "value": finite_or_none(mean.value),
        "n": mean.n,
        "interval": mean.interval.to_dict() if mean.interval else None,
        "undefined": mean.undefined,
    }


def _ends(interval: Interval | str) -> dict[str, Any] | None:
    """Lay out an interval; `None` where a reason stands in its place."""
    return None if isinstance(interval, str) else interval.to_dict()
