"""A leaderboard of many models: scores, ranks that cannot be excluded, and what wrong labels could change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.board_counts import BoardCounts
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, finite_or_none
from justesse.intervals.clustered import clustered_share
from justesse.intervals.wilson import wilson
from justesse.judges.task_mean import TaskMean, task_mean
from justesse.noise.order_bounds import OrderBounds, OrderBreakdown, order_bounds
from justesse.significance.pair_evidence import pair_evidence
from justesse.significance.rank_sets import ASSUMPTIONS, RankSets, rank_sets, score_order

INDEPENDENT = "the rows are independent draws from the population of interest"
CLUSTERS = "rows of different clusters are independent; rows of one cluster may be alike"
ONE_CLUSTER = "all rows are of one cluster, so how much clusters vary is not known"


@dataclass(frozen=True)
class Neighbours:
    """Two models that follow each other: the lead of the first, whether it is told apart, and its breakdown rate.

    Parameters
    ----------
    first, second
        Positions of the two models.
    difference
        How much higher the score of the first is.
    pvalue
        p-value that both have the same score, corrected for all pairs.
    apart
        Whether the two are told apart.
    breakdown
        Wrong labels that could swap them.
    """

    first: int
    second: int
    difference: float
    pvalue: float
    apart: bool
    breakdown: OrderBreakdown

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        return {
            "first": names[self.first],
            "second": names[self.second],
            "difference": self.difference,
            "pvalue": self.pvalue,
            "told_apart": self.apart,
            "breakdown": self.breakdown.to_dict(),
        }


@dataclass(frozen=True, eq=False)
class BoardPart:
    """Scores and ranks on some rows: all of them, or those of one task."""

    name: str
    n: int
    scores: tuple[Estimate, ...]
    ranks: RankSets

    @property
    def order(self) -> list[int]:
        """Models from the best to the worst."""
        return score_order(np.array([score.value for score in self.scores]))

    def models(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """List every model with its score and its ranks, best first."""
        return standings(names, self.scores, self.ranks)


def standings(names: Sequence[str], scores: Sequence[Estimate], ranks: RankSets) -> list[dict[str, Any]]:
    """List every model with its score and its ranks, best first."""
    return [
        {"name": names[at], "rank": [int(ranks.best[at]), int(ranks.worst[at])], "score": scores[at].to_dict()}
        for at in score_order(np.array([score.value for score in scores]))
    ]


@dataclass(frozen=True, eq=False)
class Board:
    """A leaderboard by one column of labels.

    Parameters
    ----------
    by
        Column with the labels.
    names
        Names of the models.
    whole
        Scores and ranks on all rows.
    neighbours
        Each model and the next one, best first.
    tasks
        Scores and ranks on each task; none if the rows have no tasks.
    mean
        The mean over tasks.
    bounds
        Accuracies and ranks that the assumed wrong labels allow.
    rates
        Shares of wrong labels assumed, by task; `None` stands for all rows.
    clusters
        Number of clusters; `None` if rows are independent.
    """

    by: str
    names: tuple[str, ...]
    whole: BoardPart
    neighbours: tuple[Neighbours, ...]
    tasks: tuple[BoardPart, ...]
    mean: TaskMean | None
    bounds: OrderBounds | None
    rates: Mapping[str | None, float]
    clusters: int | None

    @property
    def contenders(self) -> list[str]:
        """Models that may be the best."""
        return [self.names[at] for at in self.whole.order if self.whole.ranks.best[at] == 1]

    @property
    def groups(self) -> list[list[str]]:
        """Sets of neighbouring models of which no two are told apart."""
        return [[self.names[at] for at in group] for group in self.whole.ranks.groups]

    @property
    def assumptions(self) -> tuple[str, ...]:
        return (*ASSUMPTIONS, INDEPENDENT if self.clusters is None else CLUSTERS)

    def to_dict(self) -> dict[str, Any]:
        order = self.whole.order
        return {
            "by": self.by,
            "measure": "accuracy",
            "n": self.whole.n,
            "clusters": self.clusters,
            "method": self.whole.ranks.to_dict(),
            "models": self.whole.models(self.names),
            "contenders": self.contenders,
            "groups": self.groups,
            "neighbours": [pair.to_dict(self.names) for pair in self.neighbours],
            "bounds": self._bounds(order),
            "tasks": [
                {
                    "task": task.name,
                    "n": task.n,
                    "pair_level": task.ranks.pair_level,
                    "models": task.models(self.names),
                    "groups": [[self.names[at] for at in group] for group in task.ranks.groups],
                }
                for task in self.tasks
            ],
            "over_tasks": None if self.mean is None else self.mean.to_dict(self.names),
            "assumptions": list(self.assumptions),
        }

    def _bounds(self, order: Sequence[int]) -> dict[str, Any] | None:
        limits = self.bounds
        if limits is None:
            return None
        return {
            "rates": [[task, rate] for task, rate in self.rates.items()],
            "labels": sum(limits.labels),
            "models": [
                {
                    "name": self.names[at],
                    "low": finite_or_none(limits.low[at]),
                    "high": finite_or_none(limits.high[at]),
                    "rank": [int(limits.best[at]), int(limits.worst[at])],
                }
                for at in order
            ],
        }


def board(
    by: str,
    names: Sequence[str],
    counts: BoardCounts,
    breakdowns: Sequence[OrderBreakdown],
    *,
    tasks: Mapping[str, BoardCounts] | None = None,
    rates: Mapping[str | None, float] | None = None,
    level: float = 0.95,
    rope: float = 0.0,
    seed: int = 0,
) -> Board:
    """Rank models by their accuracy, with intervals, simultaneous rank sets, and bounds for wrong labels.

    Parameters
    ----------
    by
        Name of the column with the labels.
    names
        Names of the models.
    counts
        Counts of all rows.
    breakdowns
        Breakdown of each model and the next one, in the order of the scores.
    tasks
        Counts of each task.
    rates
        Largest share of wrong labels, by task, or of all rows under `None`.
    level
        Confidence level.
    rope
        Largest difference between tasks' scores that does not matter.
    seed
        Seed of the random draws.

    Notes
    -----
    Intervals of scores are Wilson's, or cluster-robust; each holds alone. Ranks hold together (`rank_sets`).

    Examples
    --------
    >>> both = np.array([[90, 82, 60], [82, 88, 60], [60, 60, 65]])
    >>> breakdowns = [OrderBreakdown(2, 100), OrderBreakdown(12, 100)]
    >>> result = board("label", ["a", "b", "c"], BoardCounts(both, np.zeros((3, 3)), 100), breakdowns)
    >>> result.contenders, result.groups, result.neighbours[1].apart
    (['a', 'b'], [['a', 'b'], ['c']], True)
    """
    if counts.models < 2 or counts.models != len(names):
        raise OptionError(f"A leaderboard needs two models or more, each with a name; got {len(names)} names.")
    if len(breakdowns) != len(names) - 1:
        raise OptionError(f"{len(names)} models have {len(names) - 1} neighbouring orders; got {len(breakdowns)}.")
    whole = board_part(by, counts, level=level, seed=seed)
    order, ranks = whole.order, whole.ranks
    neighbours = tuple(
        Neighbours(
            first,
            second,
            whole.scores[first].value - whole.scores[second].value,
            float(ranks.pvalues[first, second]),
            bool(ranks.ahead[first, second]),
            breakdown,
        )
        for first, second, breakdown in zip(order[:-1], order[1:], breakdowns, strict=True)
    )
    parts = tuple(board_part(name, own, level=level, seed=seed) for name, own in (tasks or {}).items())
    mean = task_mean(names, list((tasks or {}).values()), level=level, rope=rope, seed=seed) if len(parts) > 1 else None
    limits = None
    if rates:
        limits = _limits(counts, tasks or {}, rates)
    clusters = None if counts.clusters is None else len(counts.clusters.sizes)
    return Board(by, tuple(names), whole, neighbours, parts, mean, limits, rates or {}, clusters)


def _limits(counts: BoardCounts, tasks: Mapping[str, BoardCounts], rates: Mapping[str | None, float]) -> OrderBounds:
    """Bound accuracies and ranks by one rate for all rows, or by one of each task."""
    if None in rates:
        if len(rates) > 1:
            raise OptionError("Give one noise rate for all rows or one per task, not both.")
        return order_bounds([counts], [rates[None]])
    strange, absent = ([name for name in part if name not in other] for part, other in ((rates, tasks), (tasks, rates)))
    if strange:
        raise OptionError(f"No task is named {strange[0]!r}. Tasks: {', '.join(tasks) or 'none'}.")
    if absent:
        raise OptionError(
            f"The noise rate of task {absent[0]!r} is missing ({len(absent)} of {len(tasks)} tasks have none)."
        )
    return order_bounds([tasks[str(name)] for name in rates], list(rates.values()))


def board_part(name: str, counts: BoardCounts, *, level: float, seed: int) -> BoardPart:
    """Compute scores with intervals, and rank sets, on some rows.

    Examples
    --------
    >>> part = board_part("law", BoardCounts(np.array([[9, 8], [8, 8]]), np.zeros((2, 2)), 10), level=0.95, seed=0)
    >>> part.scores[0], part.ranks.worst.tolist()
    (Estimate(accuracy 90.0 %, 95 % CI 59.6 to 98.2 %, n = 10), [2, 2])
    """
    ranks = rank_sets(pair_evidence(counts), level=level, seed=seed)
    n, right = counts.n, counts.right
    if counts.clusters is None:
        intervals = wilson(right, np.full(len(right), n), level=level).intervals()
    else:
        sizes = counts.clusters.sizes
        intervals = [
            None if len(sizes) < 2 else clustered_share(own, sizes, level=level).intervals()[0]
            for own in counts.clusters.right.T
        ]
    scores = tuple(
        Estimate("accuracy", hits / n, n, ends, None if ends else ONE_CLUSTER, is_share=True)
        for hits, ends in zip(right.tolist(), intervals, strict=True)
    )
    return BoardPart(name, n, scores, ranks)
