"""One class against the rest, and against each other class, from one ranking of the rows by its score."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.measures.confusion import ratio
from justesse.measures.curves.score_counts import ScoreCounts


@dataclass(frozen=True)
class ClassAreas:
    """The areas of one class, and how much each moves with each row's weight.

    `pairs` has the area against each class: NaN against itself and against a class that does not occur. `pair_slope` is
    that of their sum.
    """

    table: ScoreCounts
    auc: float
    auc_slope: Array
    average_precision: float
    average_precision_slope: Array
    pairs: Array
    pair_slope: Array


def class_areas(scores: Array, labels: Array, weights: Array | None, class_code: int, totals: Array) -> ClassAreas:
    """Compute the areas of one class against all others and against each other one, by one sort.

    Everything is counted at the rows of the class itself: how many rows of each other class lie below each of them.
    These are few numbers, from which the areas and what each row adds to them are looked up.

    Parameters
    ----------
    scores
        Score of the class for each row.
    labels
        Code of each row's label.
    weights
        Weight of each row; `None` if all count alike.
    class_code
        Code of the class.
    totals
        Number of rows, or sum of weights, of each class.

    Examples
    --------
    >>> scores, labels = np.array([0.9, 0.8, 0.6, 0.4]), np.array([0, 1, 0, 2])
    >>> areas = class_areas(scores, labels, None, 0, np.array([2.0, 1.0, 1.0]))
    >>> areas.auc, areas.pairs.tolist(), areas.auc_slope.tolist()
    (0.75, [nan, 0.5, 1.0], [0.125, -0.125, -0.125, 0.125])
    """
    scores = np.ascontiguousarray(scores)  # a column of a table is slow to look up
    if not np.all(np.isfinite(scores)):
        raise InputError("Scores must be finite numbers.")
    order = np.argsort(scores)
    rising, label = scores[order], labels[order]
    is_own = label == class_code
    own = is_own.astype(float) if weights is None else np.where(is_own, weights[order], 0.0)
    others = 1 - own if weights is None else weights[order] - own
    changes = rising[1:] != rising[:-1]
    starts = None if changes.all() else np.flatnonzero(np.append(True, changes))
    table = _table(rising, own, others, weights, order, starts)
    total, rest, classes = float(totals[class_code]), float(totals.sum() - totals[class_code]), len(totals)
    if not total:
        undefined, nothing = np.full(len(order), np.nan), np.full(classes, np.nan)
        return ClassAreas(table, np.nan, undefined, np.nan, undefined, nothing, np.zeros(len(order)))

    # a level is a score that a row of the class has; `level` counts those below each row
    if starts is None:
        tied, level = None, np.cumsum(is_own) - is_own
        levels = int(is_own.sum())
    else:
        group, has_own = np.cumsum(np.append(False, changes)), np.logical_or.reduceat(is_own, starts)
        tied, level = has_own[group], (np.cumsum(has_own) - has_own)[group]
        levels = int(has_own.sum())
    between, at = _by_level(label, None if weights is None else own + others, level, tied, levels, classes, class_code)
    own_at, all_at = at[:, class_code], at.sum(axis=1)
    below, all_below = np.cumsum(between, axis=0), np.cumsum(between.sum(axis=1)) + np.cumsum(all_at) - all_at
    if tied is not None:
        below += np.cumsum(at, axis=0) - at / 2
    below[:, class_code] = 0.0  # of the other classes only
    own_up_to = np.append(0.0, np.cumsum(own_at))

    # what moves an area depends on where a row lies: between levels, at one, or whether it is of the class itself
    place = np.empty(len(order), dtype=np.intp)
    place[order] = 3 * level + 2 * is_own + (0 if tied is None else tied & ~is_own)

    def looked_up(between_levels: Array, at_levels: Array, of_class: Array) -> Array:
        values = np.empty((levels + 1, 3))
        values[:, 0], values[:levels, 1], values[:levels, 2] = between_levels, at_levels, of_class
        return np.asarray(values.ravel()[place])

    beating = 1 - own_up_to / total, 1 - (own_up_to[:-1] + own_at / 2) / total
    pairs = np.where(np.arange(classes) == class_code, np.nan, ratio(own_at @ below, total * totals))
    each = np.nan_to_num(ratio(1.0, totals))
    of_class = (below @ each - np.nansum(pairs)) / total / each[class_code]
    pair_slope = looked_up(*beating, of_class) * each[labels] - np.nan_to_num(pairs * each)[labels]

    auc, auc_slope = np.nan, np.full(len(order), np.nan)
    if rest:
        beaten = below.sum(axis=1)
        auc = float(own_at @ beaten / (total * rest))  # whole numbers, as in `auc`: the same digits
        lower, tie = ((part - auc) / rest for part in beating)
        auc_slope = looked_up(lower, tie, (beaten / rest - auc) / total)

    # at the threshold of each level: the rows of the class, and all rows, from there on
    kept, called = total - own_up_to[:-1], total + rest - all_below
    precision = ratio(kept, called)
    parts = np.nan_to_num(ratio(own_at * kept, called))
    value = float(np.ascontiguousarray(parts[::-1]).sum() / total)  # in the order of `average_precision`
    moved = np.nan_to_num(ratio(own_at, called**2))
    lost = -np.append(0.0, np.cumsum(moved * kept)) / total
    gained = (np.nan_to_num(precision) - value + np.cumsum(moved * (called - kept))) / total
    return ClassAreas(table, auc, auc_slope, value, looked_up(lost, lost[1:], gained), pairs, pair_slope)


def _by_level(
    label: Array, weight: Array | None, level: Array, tied: Array | None, levels: int, classes: int, class_code: int
) -> tuple[Array, Array]:
    """Add up the rows of each class just below each level, and at it."""
    code = level * classes + label
    size = (levels + 1) * classes

    def counted(rows: Array | slice) -> Array:
        counts = np.bincount(code[rows], None if weight is None else weight[rows], minlength=size)
        return counts.astype(float).reshape(-1, classes)[:levels]

    if tied is not None:
        return counted(~tied), counted(tied)
    # without equal scores, only the row of the class itself is at its level
    between = counted(slice(None))
    at = np.zeros((levels, class_code + 1))
    at[:, class_code] = between[:, class_code]
    between[:, class_code] = 0.0
    return between, at


def _table(
    rising: Array, own: Array, others: Array, weights: Array | None, order: Array, starts: Array | None
) -> ScoreCounts:
    def falling(weight: Array) -> Array:
        return (weight if starts is None else np.add.reduceat(weight, starts))[::-1]

    scores = (rising if starts is None else rising[starts])[::-1]
    positives, negatives = falling(own), falling(others)
    if weights is None:
        return ScoreCounts(scores, positives, negatives, positives, negatives)
    heavy = weights[order]
    return ScoreCounts(scores, positives, negatives, falling(heavy * own), falling(heavy * others))
