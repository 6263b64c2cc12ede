"""The tables that a run writes: answers of versions, score against cost, penalised scores of restarts."""

from typing import Any

from justesse.lifelong.run import RunRecord
from justesse.lifelong.stream import Stream
from justesse.lifelong.tasks.task import RunTask


def answers_table(record: RunRecord, stream: Stream, task: RunTask) -> dict[str, list[Any]]:
    """Lay out the answers of every version to every test item; for other scores, its score in every period."""
    tests, versions = stream.tests, record.versions
    if task.name != "error":
        return _scores_table(record, stream, task)
    return {
        "version": [version.name for version in versions for _ in tests],
        "trained": [version.trained for version in versions for _ in tests],
        "time": [item.time for _ in versions for item in tests],
        "id": [item.id for _ in versions for item in tests],
        "label": stream.labels_of(tests) * len(versions),
        "prediction": [answer for version in versions for answer in version.predictions],
    }


def _scores_table(record: RunRecord, stream: Stream, task: RunTask) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {"version": [], "trained": [], "time": [], task.name: [], "n": []}
    for version in record.versions:
        start = 0
        for batch in stream.batches:
            answers = version.predictions[start : start + len(batch.tests)]
            start += len(batch.tests)
            if not batch.tests:
                continue
            score = float(task.value(task.own(batch.tests, answers).sum(axis=0)))
            row = (version.name, version.trained, batch.trained, score, len(batch.tests))
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    return columns


def curve_table(record: RunRecord, system: str, seed: int) -> dict[str, list[Any]]:
    """Lay out the score on all test items against the cost."""
    points = record.curve
    return {
        "system": [system] * len(points),
        "seed": [seed] * len(points),
        "cost": [point.cost for point in points],
        "score": [point.score for point in points],
        "n": [point.n for point in points],
    }


def penalised_table(record: RunRecord) -> dict[str, list[Any]]:
    """Lay out the penalised score of every version in every period, each restarted from the version's own state."""
    cells = record.restarted
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
