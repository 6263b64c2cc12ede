"""How many wrong labels could swap two models of a leaderboard, and which ranks a given share of them allows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.board_counts import BoardCounts
from justesse.core.results import finite_or_none
from justesse.noise.models import check_rate

SAME = "no label could change the order: the two never differ"
UNANSWERED = "no labels could swap the two: the second gave too few answers that could be right"


@dataclass(frozen=True)
class OrderBreakdown:
    """Smallest number of wrong labels that could put the second of two models before the first.

    `undefined` says why there is none.
    """

    labels: int | None
    n: int
    undefined: str | None = None

    @property
    def rate(self) -> float:
        """The same as a share of all labels: the breakdown rate."""
        return math.nan if self.labels is None else self.labels / self.n

    def to_dict(self) -> dict[str, Any]:
        return {"labels": self.labels, "rate": finite_or_none(self.rate), "undefined": self.undefined}


def order_breakdown(lead: int, double: int, single: int, n: int) -> OrderBreakdown:
    """Count the wrong labels that suffice to put the second model before the first.

        only the first agrees with the label:   the lead falls by 2, or by 1 if the second did not answer
        both are wrong, in different ways:      the lead falls by 1 if the second's answer is the true class

    Parameters
    ----------
    lead
        How many more rows the first model gets right, 0 or more.
    double
        Rows whose label could take 2 off the lead: only the first is right, and the second answered.
    single
        Rows whose label could take 1 off the lead.
    n
        Number of rows.

    Notes
    -----
    Exact: no smaller number of labels can do it, whatever the true classes. It is about the worst case, not about
    likely errors.

    Examples
    --------
    >>> order_breakdown(5, 20, 3, 100).labels, order_breakdown(3, 0, 9, 100).labels, order_breakdown(0, 0, 0, 9).labels
    (3, 4, None)
    """
    needed = lead + 1
    if 2 * double + single < needed:
        return OrderBreakdown(None, n, UNANSWERED if double or single else SAME)
    by_double = min(double, (needed + 1) // 2)
    return OrderBreakdown(by_double + max(0, needed - 2 * by_double), n)


@dataclass(frozen=True, eq=False)
class OrderBounds:
    """Accuracies and ranks that are possible if at most a given share of the labels is wrong.

    Parameters
    ----------
    low, high
        Lowest and highest accuracy of each model on these rows.
    best, worst
        Best and worst rank of each model on these rows: 1 and the number of models with a strictly higher accuracy.
    labels
        Largest number of wrong labels in each task.
    """

    low: Array
    high: Array
    best: Array
    worst: Array
    labels: tuple[int, ...]


def order_bounds(tasks: Sequence[BoardCounts], rates: Sequence[float]) -> OrderBounds:
    """Bound the accuracy and the rank of every model, given the largest share of wrong labels in each task.

        k_t = ⌊rate_t·n_t⌋,   m_t = min(k_t, rows that only i gets right)
        the lead of i over j falls by at most Σ_t 2·m_t + min(k_t - m_t, rows that both get wrong differently)

    Parameters
    ----------
    tasks
        Counts of each task; one entry if there are none.
    rates
        Largest share of wrong labels in each task.

    Notes
    -----
    About these rows, not about the population: there is no sampling error in it. The lead of a single pair is exact if
    both answered every row. A missing answer cannot become right, which the counts do not show: the bounds then hold,
    but may be too wide. Ranks count the pairs that no such labels can swap: each rank set holds, but not every
    combination of ranks can occur.

    Examples
    --------
    >>> both = np.array([[90, 82, 60], [82, 88, 60], [60, 60, 65]])
    >>> bounds = order_bounds([BoardCounts(both, np.zeros((3, 3)), 100)], [0.05])
    >>> bounds.best.tolist(), bounds.worst.tolist(), bounds.low.tolist()
    ([1, 1, 3], [2, 2, 3], [0.85, 0.83, 0.6])
    """
    many = tasks[0].models
    lead, fall = np.zeros((many, many), dtype=np.int64), np.zeros((many, many), dtype=np.int64)
    low, high = np.zeros(many), np.zeros(many)
    budgets = []
    for task, rate in zip(tasks, rates, strict=True):
        most = math.floor(check_rate(rate) * task.n + 1e-9)
        only = task.only
        taken = np.minimum(most, only)
        fall += 2 * taken + np.minimum(most - taken, task.wrong_differently).astype(np.int64)
        lead += only - only.T
        low += np.maximum(task.right - most, 0)
        high += np.minimum(task.right + most, task.n)
        budgets.append(most)
    n = sum(task.n for task in tasks)
    surely_above = (lead > fall).sum(axis=0)
    never_below = (lead >= fall).sum(axis=1) - 1  # a tie costs no rank; less the model itself
    return OrderBounds(low / n, high / n, 1 + surely_above, many - never_below, tuple(budgets))
