"""What the worst and the best placing of wrong labels can do, when only their number is known."""

import numpy as np

from justesse.core.arrays import Array
from justesse.core.tally import Tally
from justesse.measures import Confusion

# One direction for each way in which the worths of the moves of `corners` can be ordered.
DIRECTIONS = ((1, 1), (-1, 2), (-3, 2), (-4, 1), (-1, -1), (1, -2), (3, -2), (4, -1))


def accuracy_range(apparent: float, low: float, high: float, classes: int) -> tuple[float, float]:
    """Bound accuracy when the share of wrong labels lies between `low` and `high`.

        exactly η:  A-η, or 0 (K ≥ 3) or η-A (K = 2) if η > A    to    A+η, or 2-A-η if η > 1-A

    and over a range of rates the least and the most of these.

    >>> [round(end, 3) for end in accuracy_range(0.9, 0.0, 0.05, 3)]
    [0.85, 0.95]
    >>> [round(end, 3) for end in accuracy_range(0.9, 0.2, 0.2, 3)]
    [0.7, 0.9]
    """
    to_high = min(max(1 - apparent, low), high)
    to_low = min(max(apparent, low), high)
    below = abs(apparent - to_low) if classes == 2 else max(0.0, apparent - to_low)
    return below, 1 - abs(1 - apparent - to_high)


def corners(table: Confusion, *, fewest: float, most: float | Array, at: slice = slice(None)) -> tuple[Array, Array]:
    """Return the corners of what relabelling `fewest` to `most` rows can do to each class's right answers and size.

    Around a class k there are four kinds of rows. Giving one of them another true class
        labelled k, predicted k           takes one right answer and one row from k,
        labelled k, predicted otherwise   takes one row from k,
        labelled otherwise, predicted k   adds one right answer and one row if it becomes k, else changes nothing,
        neither                           adds one row if it becomes k, else changes nothing,
    where "else" needs a third class. So (right, true) fills a polygon whose corners are found by taking the moves in
    the order of their worth in eight directions. A measure of the class that is a ratio of two sums of these numbers
    is least and most at corners. First axis: corners; last: classes, those of `at` only. A column of numbers as `most`
    gives the corners of each. Whole rows stay whole.

    >>> hits, true = corners(Confusion.of(Tally.from_dense([[4, 1], [2, 3]])), fewest=0, most=1)
    >>> sorted(set(zip(hits[:, 0].tolist(), true[:, 0].tolist())))
    [(3.0, 4.0), (4.0, 4.0), (4.0, 6.0), (5.0, 6.0)]
    """
    spare = len(table.hits) > 2
    right_now, labelled, predicted = table.hits[at], table.labelled[at], table.predicted[at]
    rows = (
        right_now,
        labelled - right_now,
        predicted - right_now,
        table.n - labelled - predicted + right_now,
    )
    shape = np.broadcast_shapes(right_now.shape, np.shape(most))
    all_hits, all_true = [], []
    for by_hit, by_true in DIRECTIONS:
        # (worth, right answers gained, rows gained) of each kind of row; a third class lets the last two change nothing
        moves = [
            (-by_hit - by_true, -1, -1),
            (-by_true, 0, -1),
            (by_hit + by_true, 1, 1),
            (by_true, 0, 1),
        ]
        if spare:
            moves[2:] = [(0, 0, 0) if worth < 0 else (worth, right, true) for worth, right, true in moves[2:]]
        hits, true = np.broadcast_to(right_now, shape), np.broadcast_to(labelled, shape)
        used = np.zeros(shape)
        for kind in sorted(range(4), key=lambda kind: -moves[kind][0]):
            worth, right, size = moves[kind]
            moved = np.minimum(rows[kind], np.maximum((most if worth > 0 else fewest) - used, 0.0))
            hits, true, used = hits + right * moved, true + size * moved, used + moved
        all_hits.append(hits)
        all_true.append(true)
    return np.array(all_hits), np.array(all_true)


def linear_range(rows: Tally, worth: Array, *, fewest: float, most: float, start: float = 0.0) -> tuple[float, float]:
    """Bound start + Σ worth[true, prediction] over rows when `fewest` to `most` of them get another true class.

    Each row is worth the most as its best other class: the rows that gain most are moved first.

    >>> low, high = linear_range(Tally.from_dense([[4, 1], [2, 3]]), np.eye(2) / 10, fewest=0, most=1)
    >>> round(low, 3), round(high, 3)
    (0.6, 0.8)
    """
    now = worth[rows.codes[:, 0], rows.codes[:, 1]]
    value = start + float(now @ rows.counts)
    return (
        value - _gained(_best_other(rows, -worth) + now, rows.counts, fewest, most),
        value + _gained(_best_other(rows, worth) - now, rows.counts, fewest, most),
    )


def _best_other(rows: Tally, worth: Array) -> Array:
    label, prediction = rows.codes.T
    order = np.argsort(worth, axis=0)
    first, second = order[-1, prediction], order[-2, prediction]
    return np.asarray(worth[np.where(first == label, second, first), prediction])


def _gained(gain: Array, counts: Array, fewest: float, most: float) -> float:
    order = np.argsort(-gain, kind="stable")
    limit = np.where(gain[order] > 0, most, fewest)
    moved = np.diff(np.maximum.accumulate(np.minimum(np.cumsum(counts[order]), limit)), prepend=0.0)
    return float(moved @ gain[order])
