"""A run of a system over a stream, as `justesse lifelong run` gives it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from justesse.core.choices import AdaptationMode, Learning
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval, finite_or_none
from justesse.core.version import SCHEMA, __version__
from justesse.frames.batch import all_or_none
from justesse.frames.native import write_table
from justesse.lifelong.ledger import Charge
from justesse.lifelong.run import RunRecord
from justesse.lifelong.run_scores import hypotheses_matrix, mean_error, period_error
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.lifelong.stream import Stream
from justesse.report.document import Document, Text
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.lifelong.assumptions import RUN_ASSUMPTIONS

ADAPTED = 1  # row of the matrix of hypotheses


@dataclass(frozen=True)
class RunSettings:
    """What a run depends on besides its data."""

    name: str
    mode: AdaptationMode
    learning: Learning
    expert: str
    budget: float | None
    cost: float
    round_cost: float
    answer_seconds: float
    restarts: bool
    restart_budget: float | None
    period: str | None
    initial: int
    test_share: float
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)


@dataclass(frozen=True, repr=False)
class LifelongRun(Result):
    """What a system did over a stream, what the expert's help cost, and what every version answers."""

    record: RunRecord
    stream: Stream
    settings: RunSettings
    level: float
    columns: Mapping[str, Any]
    source: Any = field(default=None, repr=False)

    @cached_property
    def matrix(self) -> ScoreMatrix:
        """Error rates before and after adaptation, by period."""
        episodes = self.record.episodes
        return hypotheses_matrix(episodes, [batch.blocks for batch in self.stream.batches[: len(episodes)]])

    @property
    def errors(self) -> list[Estimate]:
        """Error rate of the final answers in each period."""
        return [period_error(self.matrix, ADAPTED, at, level=self.level) for at in range(len(self.record.episodes))]

    @property
    def penalised_scores(self) -> list[Estimate]:
        """Penalised score of each period; where the expert touched nothing, it is the error."""
        scores = []
        for episode, error in zip(self.record.episodes, self.errors, strict=True):
            interval = episode.counts.interval(level=self.level) if episode.answers else error.interval
            reason = interval if isinstance(interval, str) else None
            scores.append(
                Estimate(
                    "penalised",
                    episode.score.value,
                    len(episode.items),
                    None if isinstance(interval, str) else interval,
                    reason,
                    words="Penalised score",
                    is_share=True,
                )
            )
        return scores

    @property
    def mean_error(self) -> Estimate:
        """Mean error rate of the final answers over the periods."""
        return mean_error(self.matrix, ADAPTED, level=self.level)

    @property
    def mean_penalised(self) -> float:
        """Mean penalised score over the periods."""
        scores = [episode.score.value for episode in self.record.episodes]
        return sum(scores) / len(scores)

    @property
    def penalised_matrix(self) -> ScoreMatrix:
        """Penalised scores of each version in each period, from restarts: what equation 3 weighs with a policy."""
        versions = [version.name for version in self.record.versions]
        periods = [batch.period for batch in self.stream.batches]
        cells = {(cell.version, cell.episode.period): cell.episode.score.value for cell in self.record.restarted}
        if not cells:
            raise OptionError("Penalised scores of every version need a run with restarts=True (--restarts).")
        return ScoreMatrix.from_scores(
            [[cells.get((version, period), math.nan) for period in periods] for version in versions],
            versions=versions,
            periods=periods,
            next_period=range(len(versions)),
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many questions, corrections and rounds were charged, and how many questions got no answer."""
        kinds = [charge.kind for charge in self.record.ledger]
        answers = [outcome.label for episode in self.record.episodes for outcome in episode.outcomes]
        return {
            "questions": kinds.count("question"),
            "corrections": kinds.count("correction"),
            "rounds": kinds.count("round"),
            "unanswered": sum(answer is None for answer in answers),
        }

    @property
    def supervision(self) -> float | None:
        """Minimal supervision cost: what it cost until all was right in every period; `None` if that is not known."""
        episodes = self.record.episodes
        complete = episodes and not self.record.pending and all(episode.all_right for episode in episodes)
        return self.record.ledger.spent if complete and self.settings.expert == "perfect" else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be misread, the most important first."""
        record = self.record
        lines: list[Text] = []
        if record.pending is not None:
            lines.append(
                message(
                    "The run waits for people: {open:count} of {n:count} questions in {path} are open. Answer them, "
                    "then run the same command again.",
                    open=record.pending.open,
                    n=record.pending.questions,
                    path=record.pending.path,
                )
            )
        if record.skipped_rounds:
            lines.append(
                message(
                    "{n:count off-line round} could not be paid: the system did not adapt after {periods}.",
                    n=len(record.skipped_rounds),
                    periods=", ".join(record.skipped_rounds[:5]),
                )
            )
        if not self.stream.tests:
            lines.append(
                "No items are kept for tests, so versions have no answers to compare and the run has no curve."
            )
        if any(charge.kind == "question" for charge in record.ledger) and record.ledger.left == 0:
            lines.append("The budget is spent: later periods had less help than the system may have asked for.")
        return tuple(map(str, lines))

    def answers(self) -> dict[str, list[Any]]:
        """Lay out the answers of every version to every test item, as `justesse.lifelong_score` reads them."""
        tests, versions = self.stream.tests, self.record.versions
        return {
            "version": [version.name for version in versions for _ in tests],
            "trained": [version.trained for version in versions for _ in tests],
            "time": [item.time for _ in versions for item in tests],
            "id": [item.id for _ in versions for item in tests],
            "label": self.stream.labels_of(tests) * len(versions),
            "prediction": [answer for version in versions for answer in version.predictions],
        }

    def curve(self) -> dict[str, list[Any]]:
        """Lay out the error rate on all test items against the cost."""
        points = self.record.curve
        return {
            "system": [self.settings.name] * len(points),
            "seed": [self.settings.seed] * len(points),
            "cost": [point.cost for point in points],
            "score": [point.score for point in points],
            "n": [point.n for point in points],
        }

    def penalised(self) -> dict[str, list[Any]]:
        """Lay out the penalised score of every version in every period, each restarted from the version's own state."""
        cells = self.record.restarted
        scores = [cell.episode.score for cell in cells]
        return {
            "version": [cell.version for cell in cells],
            "trained": [cell.trained for cell in cells],
            "period": [cell.episode.period for cell in cells],
            "n": [len(cell.episode.items) for cell in cells],
            "base": [score.base for score in scores],
            "adapt": [score.adapt for score in scores],
            "false": [score.false for score in scores],
            "cor": [score.cor for score in scores],
            "penalised": [score.value for score in scores],
            "cost": [cell.episode.cost for cell in cells],
        }

    def write(
        self,
        *,
        to: str | Path | None = None,
        curve_to: str | Path | None = None,
        penalised_to: str | Path | None = None,
    ) -> None:
        """Write the tables that are named, all of them or none."""
        tables = ((to, self.answers), (curve_to, self.curve), (penalised_to, self.penalised))
        with all_or_none():
            for path, columns in tables:
                if path is not None:
                    write_table(columns(), Path(path), exact=True)

    def to_dict(self) -> dict[str, Any]:
        record, ledger = self.record, self.record.ledger
        cells = self.penalised()
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {"seconds": {episode.period: episode.seconds for episode in record.episodes}},
            "settings": self.settings.to_dict(),
            "classes": list(self.stream.classes),
            "complete": record.pending is None,
            "waiting": None
            if record.pending is None
            else {"file": record.pending.path, "open": record.pending.open, "questions": record.pending.questions},
            "budget": {
                "maximum": ledger.budget,
                "spent": ledger.spent,
                "left": ledger.left,
                **self.counts,
            },
            "error": self._error(),
            "penalised": self.mean_penalised if record.episodes else None,
            "supervision": self.supervision,
            "periods": self._periods(),
            "ledger": [self._charge(charge) for charge in ledger],
            "curve": [{"cost": point.cost, "score": point.score, "n": point.n} for point in record.curve],
            "restarted": [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)],
            "versions": [{"version": version.name, "trained": version.trained} for version in record.versions],
            "initial": len(self.stream.initial),
            "tests": len(self.stream.tests),
            "level": self.level,
            "columns": dict(self.columns),
            "warnings": list(self.warnings),
            "assumptions": list(RUN_ASSUMPTIONS),
        }

    def _error(self) -> dict[str, Any] | None:
        if not self.record.episodes:
            return None
        mean = self.mean_error
        return {
            "value": finite_or_none(mean.value),
            "n": mean.n,
            "interval": mean.interval.to_dict() if mean.interval else None,
            "undefined": mean.undefined,
        }

    def _periods(self) -> list[dict[str, Any]]:
        rows = []
        for episode, error, penalised in zip(self.record.episodes, self.errors, self.penalised_scores, strict=True):
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
                    "gain_interval": _ends(episode.counts.gain_interval(level=self.level)),
                    "realised_cor": score.realised_cor if episode.answers else None,
                    "touched": len(episode.answers),
                    "charges": len(episode.outcomes),
                    "cost": episode.cost,
                    "expert_seconds": self.settings.answer_seconds * len(episode.outcomes),
                    "all_right": episode.all_right,
                }
            )
        return rows

    @cached_property
    def _bought(self) -> dict[int, Any]:
        return {outcome.charge: outcome for episode in self.record.episodes for outcome in episode.outcomes}

    def _charge(self, charge: Charge) -> dict[str, Any]:
        bought = self._bought.get(charge.number)
        right = None if charge.id is None else self.stream.labels[charge.id]
        answer = None if bought is None else bought.label
        return {
            **charge.to_dict(),
            "answer": answer,
            "right": None if answer is None else answer == right,
            "delay": 0 if bought is None else bought.delay,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        rows = self._periods()
        names = ("period", "n", "base", "adapt", "penalty", "penalised", "gain", "touched", "cost")
        ends = [row["interval"] or {"low": None, "high": None} for row in rows]
        columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in names}
        return columns | {"low": [end["low"] for end in ends], "high": [end["high"] for end in ends]}

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        made: dict[str, Callable[[], Any]] = {}
        if self.record.episodes:
            scores = [(episode.period, episode.score) for episode in self.record.episodes]
            bars = [(period, score.adapt, score.penalty, score.base) for period, score in scores]
            named = list(zip((period for period, _ in scores), self.errors, strict=True))
            made["penalised"] = partial(charts.period_penalty_chart, bars)
            made["errors"] = partial(charts.period_error_chart, named)
        if len(self.record.ledger):
            spent = [(charge.number, charge.period, charge.spent) for charge in self.record.ledger]
            made["spending"] = partial(charts.spending_chart, spent, self.record.ledger.budget)
        if self.record.restarted:
            matrix = self.penalised_matrix
            made["restarted"] = partial(
                charts.score_matrix_chart,
                matrix.versions,
                matrix.periods,
                matrix.values.tolist(),
                matrix.next_period,
                title="Penalised score",
            )
        return made

    def document(self) -> Document:
        from justesse.verbs.lifelong.run_document import run_document

        return run_document(self)


def _ends(interval: Interval | str) -> dict[str, Any] | None:
    """Lay out an interval; `None` where a reason stands in its place."""
    return None if isinstance(interval, str) else interval.to_dict()
