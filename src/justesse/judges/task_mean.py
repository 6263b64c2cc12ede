"""Models over several tasks: the mean of their scores, and how they rank from task to task."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.board_counts import BoardCounts
from justesse.core.results import Estimate
from justesse.intervals.clustered import clustered_share
from justesse.intervals.ends import Ends
from justesse.intervals.mover import mover, weighted_sum
from justesse.significance.bayesian_signed_rank import bayesian_signed_rank
from justesse.significance.friedman import Friedman, friedman
from justesse.significance.nemenyi import Nemenyi, nemenyi
from justesse.significance.pair_evidence import task_mean_evidence
from justesse.significance.posterior import Posterior
from justesse.significance.rank_sets import RankSets, rank_sets, score_order

MOST_RANKED = 60  # models up to which the p-values of Nemenyi's test are computed
MOST_CHALLENGERS = 10  # models that the leader is compared with over new tasks
TOO_MANY = f"left out with more than {MOST_RANKED} models: too many pairs"
TOO_FEW_MODELS = "needs at least three models"
ONE_CLUSTER = "the rows of a task are all of one cluster, so how much it varies is not known"


@dataclass(frozen=True, eq=False)
class TaskMean:
    """Mean score of each model over tasks, each task weighing the same, and ranks from task to task.

    Parameters
    ----------
    scores
        Mean score of each model, with its interval.
    ranks
        Ranks by the mean score that each model can have; all hold together. The tasks are fixed.
    friedman, nemenyi
        Ranks from task to task: do they differ, and by how much must they? The tasks are a sample.
    undefined
        Why these two are missing.
    challenges
        How probable it is that each of the next models is better than the first on new tasks.
    """

    scores: tuple[Estimate, ...]
    ranks: RankSets
    friedman: Friedman | None
    nemenyi: Nemenyi | None
    undefined: str | None
    challenges: tuple[tuple[int, Posterior], ...]

    @property
    def order(self) -> list[int]:
        """Models from the best mean to the worst."""
        return score_order(np.array([score.value for score in self.scores]))

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        order = self.order
        return {
            "method": self.ranks.to_dict(),
            "models": [
                {
                    "name": names[at],
                    "rank": [int(self.ranks.best[at]), int(self.ranks.worst[at])],
                    "score": self.scores[at].to_dict(),
                }
                for at in order
            ],
            "groups": [[names[at] for at in group] for group in self.ranks.groups],
            "friedman": None if self.friedman is None else self.friedman.to_dict(),
            "nemenyi": None
            if self.nemenyi is None
            else {
                "critical_difference": self.nemenyi.critical_difference,
                "groups": [[names[at] for at in group] for group in self.nemenyi.groups],
            },
            "undefined": self.undefined,
            "challenges": [
                {"leader": names[order[0]], "challenger": names[at], **posterior.to_dict()}
                for at, posterior in self.challenges
            ],
        }


def task_mean(
    names: Sequence[str], tasks: Sequence[BoardCounts], *, level: float = 0.95, rope: float = 0.0, seed: int = 0
) -> TaskMean:
    """Average the scores of models over tasks, and compare how they rank on them.

    Parameters
    ----------
    names
        Names of the models.
    tasks
        Counts of each task, two or more.
    level
        Confidence level.
    rope
        Largest difference that does not matter, for the probability of being better on new tasks.
    seed
        Seed of the random draws.

    Notes
    -----
    The interval of a mean is `mover`'s: rows of different tasks are independent. With clusters, half-widths of the
    tasks are added as variances if no cluster has rows of two tasks, else as they are, which is conservative.

    Examples
    --------
    >>> tasks = [BoardCounts(np.array([[9, 8], [8, 8]]), np.zeros((2, 2)), 10) for _ in range(3)]
    >>> task_mean(["a", "b"], tasks).scores[0]
    Estimate(macro accuracy 90.0 %, 95 % CI 75.0 to 97.6 %, n = 30)
    """
    evidence = task_mean_evidence(tasks)
    table = np.array([task.right / task.n for task in tasks])
    n = sum(task.n for task in tasks)
    scores = []
    for at, value in enumerate(evidence.scores.tolist()):
        (ends,) = mean_ends(tasks, at, level).intervals()
        scores.append(
            Estimate(
                "accuracy", value, n, ends, None if ends else ONE_CLUSTER, average="macro", is_share=True
            )
        )  # fmt: skip
    order = score_order(evidence.scores)
    overall, critical, why = None, None, None
    if len(names) < 3:
        why = TOO_FEW_MODELS
    elif len(names) > MOST_RANKED:
        why = TOO_MANY
    else:
        overall = friedman(table, names=list(names))
        critical = nemenyi(overall.ranks, len(tasks), level=level)
    challenges = tuple(
        (at, bayesian_signed_rank(table[:, order[0]].tolist(), table[:, at].tolist(), rope=rope, seed=seed))
        for at in order[1 : 1 + MOST_CHALLENGERS]
    )
    ranks = rank_sets(evidence, level=level, seed=seed)
    return TaskMean(tuple(scores), ranks, overall, critical, why, challenges)


def mean_ends(tasks: Sequence[BoardCounts], at: int, level: float) -> Ends:
    """Compute the interval of one model's mean."""
    right, sizes = (
        np.array(part, dtype=float) for part in zip(*((task.right[at], task.n) for task in tasks), strict=True)
    )
    clusters = [task.clusters for task in tasks if task.clusters is not None]
    if not clusters:
        return mover(right, sizes, level=level)
    if min(len(own.sizes) for own in clusters) < 2:
        return Ends(np.array([np.nan]), np.array([np.nan]), level, "mover-wilson-cr2")
    parts = [clustered_share(own.right[:, at], own.sizes, level=level) for own in clusters]
    shares = right / sizes
    low, high = (np.array([getattr(part, side)[0] for part in parts]) for side in ("low", "high"))
    nested = sum(len(own.codes) for own in clusters) == len(np.unique(np.concatenate([own.codes for own in clusters])))

    if nested:
        ends = weighted_sum(np.full(len(shares), 1 / len(shares)), shares, low, high)
    else:  # the same clusters in several tasks: the parts may move together
        ends = float(low.mean()), float(high.mean())
    return Ends(np.array([ends[0]]), np.array([ends[1]]), level, "mover-wilson-cr2")
