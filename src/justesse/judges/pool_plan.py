"""What a pooled audit is about: many classifiers, the rows on which any two of them disagree, and the goal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.seeds import check_seed, stream
from justesse.judges.pool_goal import PoolGoal
from justesse.judges.pool_scores import SAME, PoolScores, Right

FEWEST = 3  # classifiers; two are an ordinary audit
MOST_CELLS = 200_000_000  # pairs × disputed rows that fit in memory

SCALES = np.array([1.0, 0.5, 0.25])  # rows by how far a pair can be apart on them: at most this

# what experts leave possible: the right classes or credits, one if they agree; `None` for "cannot say"
PoolAnswer = tuple[Right, ...] | None


@dataclass(frozen=True, eq=False)
class PoolPlan:
    """The disputed rows of a pooled audit, and the rule to stop.

    Parameters
    ----------
    n
        Number of all rows.
    label
        Class code of the label of each disputed row; below 0 if it accepts several classes or none.
    answers
        Class codes by classifier and disputed row; by sample, too, if a row is a question with several samples.
    goal
        What is to be settled.
    level
        Confidence level of all claims together, at all looks.
    expert_error
        Largest chance that the expert is wrong about a row, independently from row to row.
    budget
        Number of questions at most.
    seed
        Seed of the draws.
    table, recorded
        Partial credit, as in `PoolScores`. Default: an answer is right or wrong.
    """

    n: int
    label: Array
    answers: Array
    goal: PoolGoal
    level: float = 0.95
    expert_error: float = 0.0
    budget: int = 0
    seed: int = 0
    table: Array | None = None
    recorded: tuple[Mapping[int, float], ...] | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not 0 < self.level < 1:
            raise OptionError(f"The level must lie between 0 and 1, such as 0.95; got {self.level!r}.")
        if not 0 <= self.expert_error < 0.5:
            raise OptionError(
                f"The expert's error rate must be at least 0 and below 0.5, such as 0.02; got {self.expert_error!r}."
            )
        if self.budget < 0:
            raise OptionError(f"The budget (how many questions may be asked) must be 0 or more; got {self.budget!r}.")

    @property
    def systems(self) -> int:
        """The number of classifiers."""
        return len(self.answers)

    @property
    def disputed(self) -> int:
        """The number of rows on which any two disagree."""
        return len(self.label)

    @property
    def risk(self) -> float:
        """The chance of any false claim that is allowed."""
        return 1 - self.level

    @cached_property
    def pairs(self) -> Array:
        """Both classifiers of each pair that the goal is about, the first one with the lower number."""
        return self.goal.pairs(self.systems)

    @property
    def graded(self) -> bool:
        """Whether scores on a row may lie between 0 and 1: several samples, or partial credit."""
        return self.answers.ndim == 3 or self.table is not None or self.recorded is not None

    @cached_property
    def scoring(self) -> PoolScores:
        """How an answer scores the classifiers."""
        answers = self.answers if self.answers.ndim == 3 else self.answers[..., None]
        return PoolScores(answers, self.table, self.recorded)

    @cached_property
    def spans(self) -> Array:
        """By pair and row, how far the two can be apart: 1 if answers are right or wrong, 0 if the two agree."""
        return self.scoring.spans(self.pairs) if self.graded else (self.says >= 0).astype(float)

    @property
    def scales(self) -> Array:
        """The classes of rows by how far a pair can be apart on them."""
        return SCALES if self.graded else SCALES[:1]

    @cached_property
    def size_class(self) -> Array:
        """By pair and row, the place of the smallest scale that is large enough."""
        if not self.graded:
            return np.zeros(self.says.shape, dtype=np.int8)
        return np.asarray((self.spans[..., None] <= SCALES[1:] + SAME).sum(-1), dtype=np.int8)

    @cached_property
    def says(self) -> Array:
        """By pair and row, whom the label favours: 0 the first, 1 neither, 2 the second; -1 if the two agree."""
        if self.graded:
            return self._graded_says()
        right = self.answers == self.label
        first, second = self.pairs.T
        result = np.empty((len(self.pairs), self.disputed), dtype=np.int8)
        for at, (left, other) in enumerate(zip(first, second, strict=True)):
            result[at] = 1 + right[other].astype(np.int8) - right[left]
            result[at, self.answers[left] == self.answers[other]] = -1
        return result

    def _graded_says(self) -> Array:
        scores = self.scoring.recorded_scores(self.label)
        gain = scores[self.pairs[:, 1]] - scores[self.pairs[:, 0]]
        kind = 1 + (gain > SAME).astype(np.int8) - (gain < -SAME)
        return np.asarray(np.where(self.spans > 0, kind, -1), dtype=np.int8)

    @cached_property
    def sizes(self) -> Array:
        """How many rows each pair disputes."""
        return np.asarray((self.says >= 0).sum(-1))

    @cached_property
    def luck(self) -> Array:
        """One number between 0 and 1 for each question to come, which picks its row."""
        return stream(self.seed, "audit", "pool").random(self.disputed)

    def gains(self, row: int, answer: PoolAnswer) -> tuple[Array, Array]:
        """Return the least and the largest gain of the second classifier of each pair on one row.

        The gain is [second among the right] - [first among the right]: 0 where both are right or neither is, or if the
        question is flawed and none is right. With partial credit, or several samples, it is the difference of their
        scores (`PoolScores`). An answer that nobody could give leaves everything possible.
        """
        if self.graded:
            return self._graded_gains(row, answer)
        first, second = self.answers[self.pairs[:, 0], row], self.answers[self.pairs[:, 1], row]
        if answer is None:
            open_ = (first != second).astype(np.int64)
            return -open_, open_
        gains = np.stack([_is_in(second, right) - _is_in(first, right) for right in answer])
        return gains.min(0), gains.max(0)

    def _graded_gains(self, row: int, answer: PoolAnswer) -> tuple[Array, Array]:
        if answer is None:
            return -self.spans[:, row], self.spans[:, row]
        scores = np.stack([self.scoring.scores(row, right) for right in answer])
        gains = scores[:, self.pairs[:, 1]] - scores[:, self.pairs[:, 0]]
        gains[np.abs(gains) < SAME] = 0.0
        return gains.min(0), gains.max(0)


def _is_in(codes: Array, right: Right) -> Array:
    if not isinstance(right, frozenset):
        raise InputError("This audit counts answers as right or wrong only. Name the right classes, without credits.")
    return np.isin(codes, list(right)).astype(np.int64)


def plan_pool(
    label: ArrayLike,
    answers: ArrayLike,
    *,
    n: int | None = None,
    goal: str | PoolGoal = "pairs",
    incumbent: int = 0,
    level: float = 0.95,
    expert_error: float = 0.0,
    budget: int | None = None,
    seed: int = 0,
    table: ArrayLike | None = None,
    recorded: Sequence[Mapping[int, float]] | None = None,
) -> tuple[PoolPlan, Array]:
    """Plan a pooled audit of many classifiers: one pool of answers serves all pairs.

    Parameters
    ----------
    label
        Class codes of the labels, one per row.
    answers
        Class codes of the answers, by classifier and row; a third axis has the samples of one question.
    n
        Number of rows in all, if rows on which all agree are left out. Default: the number of labels.
    goal
        `winner`, `top:K`, `pairs` or `incumbent`.
    incumbent
        Number of the incumbent, from 0, for the goal `incumbent`.
    level
        Confidence level of all claims together, at all looks.
    expert_error
        Largest chance that the expert is wrong about a row, independently from row to row.
    budget
        Number of questions at most. Default: all disputed rows.
    seed
        Seed of the draws.
    table
        Credit of each answer (columns) for each right class (rows), from 0 to 1. Default: right or wrong.
    recorded
        For each row, the credit that each answer got in the data, by class code. Default: what the labels give.

    Returns
    -------
    tuple
        The plan, and the places of its rows among those given.

    Examples
    --------
    >>> plan, rows = plan_pool([0, 0, 1, 1], [[0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 1, 1]])
    >>> rows.tolist(), plan.pairs.tolist(), plan.says.tolist()
    ([1, 3], [[0, 1], [0, 2], [1, 2]], [[2, 0], [2, -1], [-1, 2]])
    """
    labels, codes = np.asarray(label), np.asarray(answers)
    if codes.ndim not in (2, 3) or labels.shape != codes.shape[1:2]:
        raise InputError(
            f"Answers need one row per classifier and one column per label; got shapes {codes.shape} and "
            f"{labels.shape}."
        )
    if len(codes) < FEWEST:
        raise InputError(f"A pooled audit needs {FEWEST} classifiers or more; got {len(codes)}.")
    rows = np.flatnonzero(disputed_rows(codes))
    chosen = PoolGoal.parse(goal, len(codes), incumbent) if isinstance(goal, str) else goal
    check_size(chosen, len(codes), len(rows))
    plan = PoolPlan(
        n=len(labels) if n is None else n,
        label=labels[rows],
        answers=codes[:, rows],
        goal=chosen,
        level=level,
        expert_error=expert_error,
        budget=len(rows) if budget is None else min(budget, len(rows)),
        seed=seed,
        table=None if table is None else np.asarray(table, dtype=float),
        recorded=None if recorded is None else tuple(recorded[row] for row in rows.tolist()),
    )
    return plan, rows


def check_size(goal: PoolGoal, systems: int, rows: int) -> None:
    """Refuse more pairs and rows than fit in memory."""
    if len(goal.pairs(systems)) * rows > MOST_CELLS:
        raise InputError(
            f"{systems} classifiers dispute {rows:,} rows, which are too many pairs to follow at once. Leave out "
            "classifiers, or ask for goal='incumbent' (--goal incumbent)."
        )


def disputed_rows(answers: Array) -> Array:
    """Return on which rows some classifiers differ: in their answers, or in how often they give them.

    >>> disputed_rows(np.array([[[0, 1], [0, 0]], [[1, 0], [0, 1]]])).tolist()
    [False, True]
    """
    ordered = np.sort(answers, -1) if answers.ndim == 3 else answers
    different = ordered != ordered[0]
    return np.asarray(different.any((0, 2) if answers.ndim == 3 else 0))
