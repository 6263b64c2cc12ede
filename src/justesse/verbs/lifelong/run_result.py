"""A run of a system over a stream, as `justesse lifelong run` gives it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.results import Estimate
from justesse.frames.batch import all_or_none
from justesse.frames.native import write_table
from justesse.lifelong.run import RunRecord
from justesse.lifelong.run_scores import ScoreCell, cell_estimate, own_cell, penalised_cell, weighted_cells
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.lifelong.stream import Stream
from justesse.lifelong.tasks.task import RunTask
from justesse.report.document import Document, Text
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.verbs.lifelong.cautions import in_utc
from justesse.verbs.lifelong.run_policy import RunPolicy, VersionsUnderPolicy, versions_under_policy
from justesse.verbs.lifelong.run_settings import RunSettings
from justesse.verbs.lifelong.run_tables import answers_table, curve_table, penalised_table


@dataclass(frozen=True, repr=False)
class LifelongRun(Result):
    """What a system did over a stream, what the expert's help cost, and what every version answers."""

    record: RunRecord
    stream: Stream
    task: RunTask
    settings: RunSettings
    weighing: RunPolicy
    level: float
    columns: Mapping[str, Any]
    source: tuple[Any, ...] = field(default=(), repr=False)
    zoned: bool = False

    @property
    def is_share(self) -> bool:
        """Whether scores are shares of items, written in per cent."""
        return self.task.name == "error"

    @cached_property
    def own_cells(self) -> list[ScoreCell]:
        """Score of the final answers in each period."""
        batches = self.stream.batches[: len(self.record.episodes)]
        return [
            own_cell(self.task, episode.items, episode.adapted, batch.blocks, level=self.level)
            for episode, batch in zip(self.record.episodes, batches, strict=True)
        ]

    @cached_property
    def errors(self) -> list[Estimate]:
        """Score of the final answers in each period, such as the error rate."""
        words = self.task.words[0].upper() + self.task.words[1:]
        return [cell_estimate(cell, self.task.name, words, is_share=self.is_share) for cell in self.own_cells]

    @cached_property
    def penalised_scores(self) -> list[Estimate]:
        """Penalised score of each period; where the expert touched nothing, it is the score itself."""
        cells = [
            penalised_cell(episode, own, level=self.level)
            for episode, own in zip(self.record.episodes, self.own_cells, strict=True)
        ]
        return [cell_estimate(cell, "penalised", "Penalised score", is_share=self.is_share) for cell in cells]

    @cached_property
    def mean_error(self) -> Estimate:
        """Mean score of the final answers over the periods, each with the same weight."""
        cells = self.own_cells
        mean = weighted_cells(cells, np.full(len(cells), 1 / len(cells)), level=self.level)
        words = "Mean error" if self.is_share else f"Mean {self.task.words}"
        return cell_estimate(mean, "policy_score", words, is_share=self.is_share)

    @property
    def mean_penalised(self) -> float:
        """Mean penalised score over the periods."""
        scores = [episode.score.value for episode in self.record.episodes]
        return sum(scores) / len(scores)

    @cached_property
    def under_policy(self) -> VersionsUnderPolicy | None:
        """Scores of every version under the policy; `None` without test items."""
        return versions_under_policy(self.record, self.stream, self.task, self.weighing, level=self.level)

    @property
    def penalised_matrix(self) -> ScoreMatrix:
        """Penalised scores of each version in each period, from restarts: what equation 3 weighs with a policy."""
        if not self.record.restarted or self.under_policy is None:
            raise OptionError("Penalised scores of every version need a run with restarts=True (--restarts).")
        return self.under_policy.matrix

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
        """Minimal supervision cost: until every item was right or corrected; `None` if that is not known."""
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
        lines += in_utc(self.zoned)
        return tuple(map(str, lines))

    def answers(self) -> dict[str, list[Any]]:
        """Lay out what `justesse.lifelong_score` reads: answers to test items, or scores if they are no classes."""
        return answers_table(self.record, self.stream, self.task)

    def curve(self) -> dict[str, list[Any]]:
        """Lay out the score on all test items against the cost."""
        return curve_table(self.record, self.settings.name, self.settings.seed)

    def penalised(self) -> dict[str, list[Any]]:
        """Lay out the penalised score of every version in every period, each restarted from the version's own state."""
        return penalised_table(self.record)

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
        from justesse.verbs.lifelong.run_json import run_json

        return run_json(self)

    def to_columns(self) -> dict[str, list[Any]]:
        from justesse.verbs.lifelong.run_json import period_rows

        rows = period_rows(self)
        names = ("period", "n", "base", "adapt", "penalty", "penalised", "gain", "touched", "cost")
        ends = [row["interval"] or {"low": None, "high": None} for row in rows]
        columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in names}
        return columns | {"low": [end["low"] for end in ends], "high": [end["high"] for end in ends]}

    def drawings(self) -> Mapping[str, Callable[[], Any]]:
        from justesse import charts

        share, words = self.is_share, "error rate" if self.is_share else self.task.words
        made: dict[str, Callable[[], Any]] = {}
        if self.record.episodes:
            scores = [(episode.period, episode.score) for episode in self.record.episodes]
            bars = [(period, score.adapt, score.penalty, score.base) for period, score in scores]
            named = list(zip((period for period, _ in scores), self.errors, strict=True))
            made["penalised"] = partial(charts.period_penalty_chart, bars, words=words, is_share=share)
            made["errors"] = partial(charts.period_error_chart, named, words=words, is_share=share)
        if len(self.record.ledger):
            spent = [(charge.number, charge.period, charge.spent) for charge in self.record.ledger]
            made["spending"] = partial(charts.spending_chart, spent, self.record.ledger.budget)
        if self.under_policy is not None:
            matrix, scored = self.under_policy.matrix, [score for score in self.under_policy.scores if score.periods]
            if scored:
                last = scored[-1]
                row = matrix.versions.index(last.version)
                made["policy"] = partial(
                    charts.policy_chart,
                    [matrix.periods[at] for at in last.periods],
                    last.weights,
                    [float(matrix.values[row, at]) for at in last.periods],
                    last.version,
                    scored="penalised score" if self.under_policy.is_penalised else words,
                    is_share=share,
                )
            if self.record.restarted:
                made["restarted"] = partial(
                    charts.score_matrix_chart,
                    matrix.versions,
                    matrix.periods,
                    matrix.values.tolist(),
                    matrix.next_period,
                    title="Penalised score",
                    is_share=share,
                )
        return made

    def document(self) -> Document:
        from justesse.verbs.lifelong.run_document import run_document

        return run_document(self)
