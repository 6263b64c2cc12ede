"""The error rates of a run in every period and over all periods, with intervals."""

from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Estimate, Interval
from justesse.lifelong.episode import Episode
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_score import METHOD, policy_scores, share_ends
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks

ROWS = ("base", "adapted")


def hypotheses_matrix(episodes: Sequence[Episode], blocks: Sequence[Array]) -> ScoreMatrix:
    """Make a matrix of error rates: before and after adaptation down, periods across.

    Parameters
    ----------
    episodes
        The periods.
    blocks
        Block of time of each item of each period.
    """
    periods: list[int] = []
    totals: list[list[float]] = [[], []]
    sizes: list[float] = []
    for at, (episode, block) in enumerate(zip(episodes, blocks, strict=True)):
        _, own = np.unique(block, return_inverse=True)
        counts = np.bincount(own)
        periods += [at] * len(counts)
        sizes += counts.tolist()
        for row, answers in enumerate((episode.base, episode.adapted)):
            wrong = [answer != right for answer, right in zip(answers, episode.reference, strict=True)]
            totals[row] += np.bincount(own, np.array(wrong, dtype=float)).tolist()
    both = np.array([sizes, sizes])
    held = TimeBlocks(np.array(periods), np.array(totals), both)
    values = np.array(
        [[float(np.sum(held.of_period(row, at)[0]) / np.sum(held.of_period(row, at)[1])) for at in range(len(episodes))]
         for row in range(len(ROWS))]
    )  # fmt: skip
    last = len(episodes) - 1
    return ScoreMatrix(ROWS, tuple(episode.period for episode in episodes), values, (last, last), False, held)


def period_error(matrix: ScoreMatrix, row: int, period: int, *, level: float = 0.95) -> Estimate:
    """Estimate the error rate in one period, with an interval over its blocks of time."""
    assert matrix.blocks is not None
    totals, sizes = matrix.blocks.of_period(row, period)
    ends = share_ends(totals, sizes, level=level)
    interval = Interval(float(ends.low[0]), float(ends.high[0]), level, METHOD, (0.0, 1.0))
    value = float(matrix.values[row, period])
    return Estimate("error", value, int(sizes.sum()), interval, words="Error", is_share=True)


def mean_error(matrix: ScoreMatrix, row: int, *, level: float = 0.95) -> Estimate:
    """Estimate the mean error rate over all periods, each with the same weight."""
    score = policy_scores(matrix, Policy("uniform"), level=level)[row]
    return Estimate(
        "policy_score", score.value, score.n, score.interval, score.undefined, words="Mean error", is_share=True
    )
