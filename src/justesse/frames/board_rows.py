"""What a leaderboard needs of the rows: counts by task and cluster, and the rows whose label matters most."""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

import numpy as np

from justesse.core.arrays import Array
from justesse.core.board_counts import BoardCounts, ClusterCounts
from justesse.frames.pairwise import count_pairs

SHORTLIST = 400  # rows looked at closely for each that is listed, at most
BLOCK = 8192  # rows looked at together


def board_counts(labels: Array, answers: Array, clusters: Array | None = None) -> BoardCounts:
    """Count who is right where, for all pairs of models, and by cluster if there are any.

    Parameters
    ----------
    labels
        Code of each row's label.
    answers
        Codes of the answers, models down.
    clusters
        Code of each row's cluster.

    Examples
    --------
    >>> counts = board_counts(np.array([0, 1, 1]), np.array([[0, 1, 0], [0, 1, 1]]), np.array([5, 5, 7]))
    >>> counts.both_right.tolist(), counts.clusters.codes.tolist(), counts.clusters.right.tolist()
    ([[2, 2], [2, 3]], [5, 7], [[2, 2], [0, 1]])
    """
    pairs = count_pairs(labels, answers)
    narrow = np.int32 if labels.size < 2**31 else np.int64
    both, differently = (np.asarray(part, dtype=narrow) for part in (pairs.both_right, pairs.both_wrong_differently))
    own = None
    if clusters is not None:
        codes, inverse, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
        right = np.empty((len(codes), len(answers)), dtype=np.int32)
        for at, row in enumerate(answers):
            right[:, at] = np.bincount(inverse[row == labels], minlength=len(codes))
        own = ClusterCounts(codes, sizes, right)
    return BoardCounts(both, differently, int(labels.size), own)


@dataclass(frozen=True)
class NeighbourRows:
    """Rows that could move the order of two neighbours: by 2 and by 1 towards the second, and the lead of the first."""

    lead: int
    double: int
    single: int


def neighbour_rows(labels: Array, answers: Array, order: Sequence[int], answered: Array) -> list[NeighbourRows]:
    """Count, for each model and the next one in the order, the rows whose label could move the two.

    Parameters
    ----------
    labels
        Code of each row's label.
    answers
        Codes of the answers, models down.
    order
        Models from the best to the worst.
    answered
        Whether a code is an answer that could be right; `answered[code]`.

    Examples
    --------
    >>> answers, answered = np.array([[0, 1, 0], [1, 1, 2]]), np.array([True, True, False])
    >>> neighbour_rows(np.array([0, 1, 1]), answers, [0, 1], answered)
    [NeighbourRows(lead=1, double=1, single=0)]
    """
    result = []
    for first, second in pairwise(order):
        mine, theirs = answers[first] == labels, answers[second] == labels
        possible = answered[answers[second]]
        only = mine & ~theirs
        apart = ~mine & ~theirs & (answers[first] != answers[second]) & possible
        double = int((only & possible).sum())
        result.append(
            NeighbourRows(int(mine.sum()) - int(theirs.sum()), double, int(only.sum()) - double + int(apart.sum()))
        )
    return result


@dataclass(frozen=True)
class DecisiveRow:
    """A row whose label could move several neighbouring orders, if another class is the true one.

    Parameters
    ----------
    row
        Position of the row.
    instead
        Code of the class that would move most; None if any other class would, because nobody answered another.
    orders
        Neighbouring orders that it would move towards the second model.
    swaps
        Orders among them that this label alone would swap.
    weight
        Sum over these orders of the share of the lead that the label takes away.
    right
        Models that are right now.
    """

    row: int
    instead: int | None
    orders: int
    swaps: int
    weight: float
    right: int


def decisive_rows(
    labels: Array, answers: Array, order: Sequence[int], answered: Array, leads: Array, *, most: int
) -> list[DecisiveRow]:
    """List the rows to re-check first: those whose label could move the most neighbouring orders, the closest first.

    Parameters
    ----------
    labels
        Code of each row's label.
    answers
        Codes of the answers, models down.
    order
        Models from the best to the worst.
    answered
        Whether a code is an answer that could be right.
    leads
        Lead of each model over the next one in the order, in rows.
    most
        Number of rows to list at most.

    Notes
    -----
    If class k is true instead of the label, the lead of a model over the next falls by the change of the second less
    that of the first; the change of a model is +1 if it answered k and -1 if it answered the label. The weight of a row
    is Σ min(1, fall/(lead + 1)) over the orders that fall, for the k with the largest sum.

    Examples
    --------
    >>> answers = np.array([[0, 1, 0], [0, 1, 1], [0, 0, 1]])
    >>> decisive_rows(np.array([0, 1, 0]), answers, [0, 1, 2], np.array([True, True]), np.array([1, 1]), most=1)
    [DecisiveRow(row=1, instead=0, orders=1, swaps=1, weight=1.0, right=2)]
    """
    weights = 1.0 / (np.asarray(leads, dtype=float) + 1)
    limits = np.zeros(labels.size)
    ordered = list(order)
    for start in range(0, labels.size, BLOCK):
        rows = slice(start, start + BLOCK)
        codes = answers[:, rows]
        right = codes == labels[rows]
        for at, (first, second) in enumerate(pairwise(ordered)):
            fall = 2.0 * (right[first] & ~right[second]) + (
                ~right[first] & ~right[second] & (codes[first] != codes[second])
            )
            limits[rows] += np.minimum(1.0, fall * weights[at])
    short = np.argsort(-limits, kind="stable")[: min(labels.size, SHORTLIST * most)]
    listed: list[DecisiveRow] = []
    heaviest: list[float] = []
    for row in short[limits[short] > 0].tolist():
        if len(heaviest) == most and limits[row] < heaviest[0]:
            break  # no later row can weigh more
        if (item := _decisive(row, labels[row], answers[ordered, row], answered, weights)) is not None:
            listed.append(item)
            heappush(heaviest, item.weight)
            if len(heaviest) > most:
                heappop(heaviest)
    return sorted(listed, key=lambda item: (-item.weight, item.row))[:most]


def _decisive(row: int, label: int, codes: Array, answered: Array, weights: Array) -> DecisiveRow | None:
    """Find the class that would move most if it was the true one."""
    right = codes == label
    best: DecisiveRow | None = None
    others: list[int | None] = [code for code in np.unique(codes[~right]).tolist() if answered[code]]
    for code in others or [None]:  # a class that somebody answered moves at least as much as others do
        change = (np.zeros(len(codes), dtype=int) if code is None else (codes == code).astype(int)) - right
        fall = np.maximum(change[1:] - change[:-1], 0)
        shares = np.minimum(1.0, fall * weights)
        weight = float(shares.sum())
        if best is None or weight > best.weight + 1e-12:
            swaps = int((fall * weights >= 1 - 1e-12).sum())
            best = DecisiveRow(row, code, int((fall > 0).sum()), swaps, weight, int(right.sum()))
    return best if best is not None and best.weight > 0 else None
