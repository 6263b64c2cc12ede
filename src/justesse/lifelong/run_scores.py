"""The scores of a run in every period and of every version under a policy, with intervals."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import LifelongConvention
from justesse.core.results import Estimate, Interval
from justesse.intervals.ends import Ends
from justesse.lifelong.episode import Episode
from justesse.lifelong.item import Item
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_score import METHOD, PolicyScore, combined, share_ends, weighed_periods
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.lifelong.tasks.task import RunTask

Cells = Mapping[tuple[int, int], "ScoreCell"]


@dataclass(frozen=True)
class ScoreCell:
    """A score with its interval, or the reason why there is none; `is_share` of independent items."""

    value: float
    n: int
    interval: Interval | str
    is_share: bool = False


def own_cell(
    task: RunTask, items: Sequence[Item], answers: Sequence[Any], blocks: Array, *, level: float = 0.95
) -> ScoreCell:
    """Score answers to the items of one period.

    Parameters
    ----------
    task
        What the answers are.
    items
        The items.
    answers
        The answers.
    blocks
        Block of time of each item: items of the same block may be alike. Only error rates use it.
    level
        Confidence level.
    """
    if task.name != "error":
        counts = task.hypotheses(items, answers, None, {})
        return ScoreCell(counts.score().adapt, len(items), counts.adapted_interval(level=level))
    wrong = task.own(items, answers)[:, 0]
    _, own = np.unique(blocks, return_inverse=True)
    ends = share_ends(np.bincount(own, wrong).astype(float), np.bincount(own).astype(float), level=level)
    interval = Interval(float(ends.low[0]), float(ends.high[0]), level, METHOD, (0.0, 1.0))
    return ScoreCell(float(wrong.mean()), len(items), interval, is_share=int(own.max()) == 0)


def penalised_cell(episode: Episode, own: ScoreCell, *, level: float = 0.95) -> ScoreCell:
    """Score a period with the price of the help; where the expert touched nothing, it is the score itself."""
    if not episode.answers:
        return own
    return ScoreCell(episode.score.value, len(episode.items), episode.counts.interval(level=level))


def cell_estimate(cell: ScoreCell, name: str, words: str, *, is_share: bool) -> Estimate:
    """Write a cell as an estimate."""
    if isinstance(cell.interval, str):
        return Estimate(name, cell.value, cell.n, undefined=cell.interval, words=words, is_share=is_share)
    return Estimate(name, cell.value, cell.n, cell.interval, words=words, is_share=is_share)


def weighted_cells(cells: Sequence[ScoreCell], weights: FloatArray, *, level: float = 0.95) -> ScoreCell:
    """Add up the scores of independent periods with weights; squared half-widths add up as variances do (MOVER).

    >>> cell = ScoreCell(0.2, 50, Interval(0.1, 0.3, 0.95, "wilson"))
    >>> round(weighted_cells([cell, cell], np.array([0.5, 0.5])).interval.low, 4)
    0.1293
    """
    values = np.array([cell.value for cell in cells])
    value, n = float(weights @ values), sum(cell.n for cell in cells)
    ends, bounds = [], []
    for cell, weight in zip(cells, weights.tolist(), strict=True):
        if isinstance(cell.interval, str):
            if weight > 0:
                return ScoreCell(value, n, cell.interval)
            ends.append(Ends(np.array([cell.value]), np.array([cell.value]), level, METHOD))
            continue
        bounds.append(cell.interval.bounds)
        ends.append(Ends(np.array([cell.interval.low]), np.array([cell.interval.high]), level, METHOD))
    items = np.array([cell.n if cell.is_share else np.nan for cell in cells])
    low, high = combined(weights, values, ends, items=items)
    widest = min(least for least, _ in bounds), max(most for _, most in bounds)
    return ScoreCell(value, n, Interval(value - low, value + high, level, METHOD, widest))


def cell_policy_scores(
    matrix: ScoreMatrix,
    cells: Cells,
    policy: Policy,
    *,
    convention: LifelongConvention = "through-next",
    times: FloatArray | None = None,
    level: float = 0.95,
) -> list[PolicyScore]:
    """Compute the score of every version under a policy from the cells of its matrix (equations 2 and 3 of the paper).

    Parameters
    ----------
    matrix
        Scores of every version in every period.
    cells
        The same with intervals, by position of version and period.
    policy
        How much each period matters.
    convention
        Which periods count for a version, as in `policy_scores`.
    times
        Time of each period as a number, for half-lives. Default: 0, 1, 2, ...
    level
        Confidence level.
    """
    at = np.arange(len(matrix.periods), dtype=float) if times is None else times
    scores = []
    for version, (seen, weights) in enumerate(weighed_periods(matrix, policy, convention, at)):
        name = matrix.versions[version]
        if isinstance(weights, str):
            scores.append(PolicyScore(name, (), (), math.nan, 0, undefined=weights))
            continue
        cell = weighted_cells([cells[version, int(j)] for j in seen], weights, level=level)
        interval, reason = (None, cell.interval) if isinstance(cell.interval, str) else (cell.interval, None)
        counted = tuple(seen.tolist())
        scores.append(PolicyScore(name, counted, tuple(weights.tolist()), cell.value, cell.n, interval, reason))
    return scores
