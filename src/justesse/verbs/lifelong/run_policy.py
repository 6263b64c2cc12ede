"""The versions of a run under a policy: their scores on test items, with the price of help if they were restarted."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.choices import LifelongConvention
from justesse.frames.read_times import read_times
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_score import PolicyScore
from justesse.lifelong.run import RunRecord
from justesse.lifelong.run_scores import Cells, cell_policy_scores, own_cell, penalised_cell
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.lifelong.stream import Stream
from justesse.lifelong.tasks.task import RunTask


@dataclass(frozen=True)
class RunPolicy:
    """How much each period matters, and which count for a version."""

    policy: Policy
    convention: LifelongConvention = "through-next"

    def check(self, stream: Stream) -> None:
        """Refuse a policy that does not fit the periods, before the run begins."""
        if stream.tests:
            self.policy.weights([batch.period for batch in stream.batches], self.times(stream))

    def times(self, stream: Stream) -> FloatArray:
        """Return real times for a half-life or a function of times, positions otherwise."""
        if not self.policy.needs_times:
            return np.arange(len(stream.batches), dtype=float)
        return np.asarray(read_times([batch.trained for batch in stream.batches], "time", "the stream")[0])


@dataclass(frozen=True)
class VersionsUnderPolicy:
    """Scores of every version in every test period, and under the policy."""

    matrix: ScoreMatrix
    scores: list[PolicyScore]
    is_penalised: bool


def versions_under_policy(
    record: RunRecord, stream: Stream, task: RunTask, weighing: RunPolicy, *, level: float = 0.95
) -> VersionsUnderPolicy | None:
    """Weigh the scores of every version on test items; `None` without test items.

    With restarts, the score of a version in a period is that of a restart with the price of its help (equation 3),
    otherwise that of its own answers (equation 2).
    """
    if not stream.tests or not record.versions:
        return None
    cells = _restarted(record, stream, task, level) if record.restarted else _own(record, stream, task, level)
    names = [version.name for version in record.versions]
    values = np.full((len(names), len(stream.batches)), np.nan)
    for (version, period), cell in cells.items():
        values[version, period] = cell.value
    matrix = ScoreMatrix.from_scores(
        values.tolist(),
        versions=names,
        periods=[batch.period for batch in stream.batches],
        next_period=range(len(names)),
        higher_is_better=task.higher_is_better,
    )
    scores = cell_policy_scores(
        matrix,
        cells,
        weighing.policy,
        convention=weighing.convention,
        times=weighing.times(stream),
        level=level,
    )
    return VersionsUnderPolicy(matrix, scores, bool(record.restarted))


def _own(record: RunRecord, stream: Stream, task: RunTask, level: float) -> Cells:
    cells = {}
    for row, version in enumerate(record.versions):
        start = 0
        for column, batch in enumerate(stream.batches):
            answers = version.predictions[start : start + len(batch.tests)]
            start += len(batch.tests)
            if batch.tests:
                cells[row, column] = own_cell(task, batch.tests, answers, batch.test_blocks, level=level)
    return cells


def _restarted(record: RunRecord, stream: Stream, task: RunTask, level: float) -> Cells:
    rows = {version.name: at for at, version in enumerate(record.versions)}
    columns = {batch.period: at for at, batch in enumerate(stream.batches)}
    cells = {}
    for restart in record.restarted:
        if restart.version not in rows:
            continue
        episode, batch = restart.episode, stream.batches[columns[restart.episode.period]]
        own = own_cell(task, batch.tests, episode.adapted, batch.test_blocks, level=level)
        cells[rows[restart.version], columns[episode.period]] = penalised_cell(episode, own, level=level)
    return cells
