"""Macro averages when only the number of wrong labels is known: outer bounds, sharp where the average is linear."""

import math
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.measures import Confusion
from justesse.measures.confusion import ratio
from justesse.measures.ratio import Ratio
from justesse.noise.relabelling import corners

TINY = 1e-9
GROWTH = 1.1  # between numbers of rows that are tried: the bounds give away at most this much of the budget


@dataclass(frozen=True)
class RowWorths:
    """An average that is a sum over rows: what a row adds by its true class and prediction, plus a start."""

    by_row: Array
    start: float


def macro_weights(measure: Ratio, table: Confusion) -> RowWorths | None:
    """Write a macro average as a sum over rows, if its denominators do not depend on the truth.

    >>> from justesse.core.tally import Tally
    >>> from justesse.measures import precision, recall
    >>> macro_weights(precision, Confusion.of(Tally.from_dense([[4, 1], [1, 3]]))).by_row.tolist()
    [[0.1, 0.0], [0.0, 0.125]]
    >>> macro_weights(recall, Confusion.of(Tally.from_dense([[4, 1], [1, 3]]))) is None
    True
    """
    top, bottom = measure.numerator, measure.denominator
    if bottom.hits or bottom.labelled:
        return None
    below = bottom.of(table)
    counted = table.averaged_over & (below != 0)
    each = np.where(counted, np.nan_to_num(ratio(1.0, below)), 0.0) / max(np.count_nonzero(counted), 1)
    worth = np.diag(top.hits * each) + (top.labelled * each)[:, None]
    fixed = top.predicted * table.predicted + top.n * table.wide_n
    return RowWorths(worth, float(each @ fixed))


def macro_range(measure: Ratio, table: Confusion, most: float) -> tuple[float, float]:
    """Bound the mean of a measure over classes when at most `most` rows have a wrong label.

    A wrong label touches two classes, its own and the true one, so the classes share twice `most` touches:
        mean ≤ min over λ ≥ 0 of (2λ·most + Σ_k max_m (best_k(m) - λ·m)) / K
    where best_k(m) is the sharp bound of class k touched m times. Any λ gives a bound that holds. Classes that
    relabelling can leave without a value may be left out or have any value they can reach. Outer, not sharp.

    >>> from justesse.core.tally import Tally
    >>> from justesse.measures import recall
    >>> table = Confusion.of(Tally.from_dense([[90, 10, 0], [0, 90, 10], [10, 0, 90]]))
    >>> [round(end, 2) for end in macro_range(recall, table, 9)]
    [0.85, 0.96]
    """
    steps, last = [0], math.floor(most + TINY)
    while steps[-1] < last:
        steps.append(min(max(steps[-1] + 1, int(steps[-1] * GROWTH)), last))
    hits, true = corners(table, fewest=0, most=np.array(steps, dtype=float)[:, None])
    predicted = np.broadcast_to(table.predicted, hits.shape)
    values = measure.value(Confusion(hits, true, predicted, np.full(hits.shape[:-1], float(table.n))))
    values = values[..., table.averaged_over]
    low, high, loose = np.fmin.reduce(values), np.fmax.reduce(values), np.logical_or.reduce(np.isnan(values))
    touches = np.array([0, *(step + 1 for step in steps[:-1])], dtype=float)
    firm, budget = ~loose[-1], 2.0 * last
    return -_most(-low, touches, firm, budget), _most(high, touches, firm, budget)


def _most(best: Array, touches: Array, firm: Array, budget: float) -> float:
    """Return the highest mean: firm classes share the budget, the others may be left out."""
    total, size = 0.0, int(firm.sum())
    if size:

        def bound(price: float) -> float:
            return budget * price + float((best[:, firm] - price * touches[:, None]).max(axis=0).sum())

        # convex in the price, and no touch can be worth more than the whole range of a share
        low, high = 0.0, 1.0
        for _ in range(100):
            third = (high - low) / 3
            if bound(low + third) <= bound(high - third):
                high -= third
            else:
                low += third
        total = min(bound(low), bound(high))
    return _with_or_without(total, size, best[-1, ~firm])


def highest_mean(best: Array, firm: Array) -> float:
    """Return the highest mean if all classes can be at their best; those that are not firm may be left out.

    >>> highest_mean(np.array([0.5, 0.2, 0.8, np.nan]), np.array([True, False, False, False]))
    0.65
    """
    return _with_or_without(float(best[firm].sum()), int(firm.sum()), best[~firm])


def _with_or_without(total: float, size: int, others: Array) -> float:
    """Return the highest mean of a sum of so many values and any of the others."""
    gained = np.cumsum(np.append(0.0, np.sort(others[~np.isnan(others)])[::-1]))
    return float(np.fmax.reduce(ratio(total + gained, size + np.arange(len(gained)))))
