"""The largest bias that wrong labels can cause, for any classifier."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.all_pairs import Judgeable, PairTable
from justesse.core.arrays import Array
from justesse.core.case import Disagreement
from justesse.measures.confusion import ratio
from justesse.noise.models import check_rate


@dataclass(frozen=True)
class Extremes:
    """Lowest and highest possible bias (apparent minus true)."""

    low: Array
    high: Array


def extreme_bias(measure: Judgeable, joint: ArrayLike, *, at: int | None = None, predicted: ArrayLike = 0) -> Extremes:
    """Bound the bias of a measure by the counts of true classes (rows) and labels (columns) alone.

        accuracy: ±P(N)      precision: -P(N∩C)/P(P) to P(N∩A)/P(P)
        recall:   -P(N|C) + min(0, Δ) to P(N|A) + max(0, Δ),   Δ = P(A∩C)·(1/P(A) - 1/P(C))

    `at` is the number of the class, `predicted` how many rows are predicted so. Both ends are reached by some
    classifier; a given one is often far from them, so that judging by them is very prudent (`sharp` looks at what the
    two answered). Benjelloun (2021), 6.5.4 and 6.3.

    >>> result = extreme_bias("precision", [[40, 10], [5, 45]], at=0, predicted=50)
    >>> float(result.low), float(result.high)
    (-0.2, 0.1)
    """
    table = np.asarray(joint, dtype=float)
    if measure == "accuracy":
        wrong = np.asarray(1 - np.trace(table) / table.sum())
        return Extremes(-wrong, wrong)
    both, label, true = table[at, at], table[:, at].sum(), table[at].sum()
    if measure == "precision":
        return Extremes(-ratio(true - both, predicted), ratio(label - both, predicted))
    of_label, of_true = ratio(label - both, label), ratio(true - both, true)
    moved = of_true - of_label
    return Extremes(-of_true + np.minimum(0, moved), of_label + np.maximum(0, moved))


def worst_biases(table: PairTable, measure: Judgeable, rate: float) -> tuple[Array, Array]:
    """Return the incumbent's lowest and the candidate's highest bias, if at most this share of labels is wrong.

    The worst, both at once, over all counts of true classes and labels that the rate η allows. With x rows wrongly
    labelled so and y wrongly labelled otherwise, x + y at most η·n:
        accuracy: -η, η      recall: -η/P(A), η/P(A)      precision: -y/predicted_1, x/predicted_2
    where the rarer prediction gets as many of the rows as there are.

    >>> from justesse.core.one_vs_rest import OneVsRestPair
    >>> table = OneVsRestPair(Disagreement(40, 2, 5, 2, 1), Disagreement(5, 3, 2, 39, 1))
    >>> [float(end.round(3)) for end in worst_biases(table, "precision", 0.1)]
    [-0.2, 0.0]
    """
    most = check_rate(rate)
    if isinstance(table, Disagreement):
        return np.asarray(-most), np.asarray(most)
    if measure == "recall":
        moved = np.minimum(1.0, ratio(most * table.n, table.labelled.n))
        return -moved, moved
    item, other = table.predicted_by_incumbent, table.predicted_by_candidate
    rows, labelled, others = most * table.n, table.labelled.n, table.others.n
    first = other <= item  # taking a right answer from the candidate moves more than giving one to the incumbent
    taken = np.minimum(labelled, np.where(first, rows, np.maximum(rows - others, 0)))
    granted = np.minimum(others, rows - taken)
    return -ratio(granted, item), ratio(taken, other)
