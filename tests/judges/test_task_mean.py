"""The mean over tasks of a leaderboard: its interval with clusters."""

import numpy as np
import pytest

from justesse.core.board_counts import BoardCounts, ClusterCounts
from justesse.judges.task_mean import mean_ends


def drawn_tasks(rng, tasks, groups, rate, alike):
    """Draw tasks of sixty rows in clusters of their own."""
    made = []
    for at in range(tasks):
        sizes = rng.multinomial(60 - groups, np.ones(groups) / groups) + 1
        spread = (1 - alike) / alike
        right = rng.binomial(sizes, rng.beta(rate * spread, (1 - rate) * spread, groups))
        clusters = ClusterCounts(at * groups + np.arange(groups), sizes, right[:, None])
        made.append(BoardCounts(np.array([[right.sum()]]), np.zeros((1, 1)), 60, clusters))
    return made


def test_with_many_clustered_tasks_misses_are_rare():
    """MOVER keeps the skewness of one task: it misses in 10 % here, always on one side."""
    rng, misses = np.random.default_rng(3), 0
    for _ in range(150):
        ends = mean_ends(drawn_tasks(rng, 57, 8, 0.9, 0.2), 0, 0.95)
        misses += not ends.low[0] <= 0.9 <= ends.high[0]
    assert misses <= 8


def test_tasks_that_share_clusters_may_move_together():
    tasks = drawn_tasks(np.random.default_rng(4), 4, 8, 0.8, 0.2)
    shared = [
        BoardCounts(task.both_right, task.wrong_differently, task.n, ClusterCounts(np.arange(8), own.sizes, own.right))
        for task in tasks
        if (own := task.clusters)
    ]
    apart, together = (mean_ends(some, 0, 0.95) for some in (tasks, shared))
    assert together.high[0] - together.low[0] > 1.5 * (apart.high[0] - apart.low[0])
    alone = [mean_ends([task], 0, 0.95) for task in shared]
    assert together.low[0] == pytest.approx(np.mean([ends.low[0] for ends in alone]))
