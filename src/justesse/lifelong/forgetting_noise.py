"""What wrong labels can do to the fall of every period from its best version: a mean of maxima."""

from collections.abc import Iterator, Mapping

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.lifelong.item_patterns import ItemPatterns
from justesse.lifelong.label_moves import TINY, LabelMoves, NoiseRate, furthest

EXACT_LABELS = 1500  # wrong labels up to which their best division over periods is found exactly
EXACT_CHOICES = 2000  # groups of items by true class up to which the lowest value is found in whole items
NODES = 2000  # of the search in whole items, so that it always ends


def forgetting_range(patterns: ItemPatterns, rate: NoiseRate) -> tuple[float, float, bool]:
    """Bound the mean fall from the best version, Chaudhry's forgetting, for a rate of wrong labels.

        f = 1/(T-1)·Σ_{j<T} (max_{i<T} R_ij - R_Tj)

    Parameters
    ----------
    patterns
        Items, with as many versions as periods.
    rate
        Lowest and highest share of wrong labels of all items, or of those of each period.

    Returns
    -------
    tuple
        Lowest value, highest value, and whether both can be reached.

    Notes
    -----
    Highest: the best version of each period may be any one, and given one the fall is a weighted sum. So the highest
    fall of a period for k wrong labels is the largest of these sums, and the best division of the labels over periods
    is found by dynamic programming (for more than 1,500 labels: by the least concave bound, which may not be reached).
    Lowest: a linear program in whole items, as all versions of a period must be lowered together; with many different
    items its relaxation, which may not be reached.

    >>> period = np.array([0, 1])
    >>> patterns = ItemPatterns(period, period * 0, np.array([[0, 1], [0, 0]]), np.array([10, 10]), 2, 2)
    >>> forgetting_range(patterns, (0.0, 0.1))
    (0.6, 1.0, True)
    """
    high, high_sharp = _highest(patterns, rate)
    low, low_sharp = _lowest(patterns, rate)
    return low, max(high, low), high_sharp and low_sharp


def fewest_for_no_forgetting(patterns: ItemPatterns, apparent: float) -> int | None:
    """Count the fewest wrong labels that could make the fall from the best version 0, or turn its sign.

    >>> period = np.array([0, 1])
    >>> patterns = ItemPatterns(period, period * 0, np.array([[0, 1], [0, 0]]), np.array([10, 10]), 2, 2)
    >>> fewest_for_no_forgetting(patterns, 1.0)
    5
    """
    if abs(apparent) <= TINY:
        return 0
    n = int(patterns.many.sum())

    def turned(labels: int) -> bool:
        rate = (0.0, labels / n)
        return _lowest(patterns, rate)[0] <= 1e-9 if apparent > 0 else _highest(patterns, rate)[0] >= -1e-9

    if not turned(n):
        return None
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if turned(middle) else (middle, high)
    return high


def _falls(patterns: ItemPatterns) -> Iterator[tuple[int, list[tuple[float, LabelMoves]]]]:
    """Yield each period but the last, with the share of the fall from each version and what wrong labels do to it."""
    scores = patterns.accuracies
    last = len(scores) - 1
    for period in range(last):
        inside = patterns.period == period
        options = []
        for version in range(last):
            coefficients = np.zeros_like(scores)
            coefficients[version, period] += 1 / last
            coefficients[last, period] -= 1 / last
            moves = patterns.moves(coefficients)
            part = LabelMoves(*(column[inside] for column in (moves.period, moves.many, moves.up, moves.down)))
            options.append((float((coefficients * np.nan_to_num(scores)).sum()), part))
        yield period, options


def _highest(patterns: ItemPatterns, rate: NoiseRate) -> tuple[float, bool]:
    """Find the highest value, and whether it can be reached."""
    if isinstance(rate, Mapping):
        return sum(
            max(start + moves.range({period: rate[period]})[1] for start, moves in options)
            for period, options in _falls(patterns)
        ), True
    n = int(patterns.many.sum())
    fewest, most = LabelMoves(patterns.period, patterns.many, np.zeros(0), np.zeros(0)).budgets(rate)[0][1:]
    # wrong labels of the last period change nothing: what must be wrong may be there
    spare = int(patterns.many[patterns.period == len(patterns.accuracies) - 1].sum())
    most, fewest = min(most, n - spare), max(fewest - spare, 0)
    curves = [_curve(options, most) for _, options in _falls(patterns)]
    if most > EXACT_LABELS:
        steps = np.sort(np.concatenate([np.diff(_concave(curve)) for curve in curves]))[::-1]
        taken = furthest(steps, np.ones(len(steps), dtype=np.int64), fewest, most)
        return float(sum(curve[0] for curve in curves)) + taken, False
    best = np.full(most + 1, -np.inf)
    best[0] = 0.0
    for curve in curves:
        after = np.full(most + 1, -np.inf)
        for labels, value in enumerate(curve.tolist()):
            np.maximum(after[labels:], best[: most + 1 - labels] + value, out=after[labels:])
        best = after
    return float(best[fewest:].max()), True


def _curve(options: list[tuple[float, LabelMoves]], most: int) -> FloatArray:
    """Return the highest fall of a period for exactly 0, 1, 2, ... wrong labels in it."""
    size = min(most, options[0][1].n)
    curves = []
    for start, moves in options:
        order = np.argsort(-moves.up, kind="stable")
        each = np.repeat(moves.up[order], moves.many[order])[:size]
        curves.append(start + np.concatenate([[0.0], np.cumsum(each)]))
    return np.asarray(np.max(curves, axis=0))


def _concave(curve: FloatArray) -> FloatArray:
    """Return the least concave curve above another."""
    hull: list[int] = []
    for at in range(len(curve)):
        while len(hull) > 1 and (curve[hull[-1]] - curve[hull[-2]]) * (at - hull[-2]) <= (
            curve[at] - curve[hull[-2]]
        ) * (hull[-1] - hull[-2]):
            hull.pop()
        hull.append(at)
    return np.interp(np.arange(len(curve)), hull, curve[hull])


def _lowest(patterns: ItemPatterns, rate: NoiseRate) -> tuple[float, bool]:
    """Find the lowest value by a linear program, in whole items if there are few kinds, and whether it is reached."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, hstack, vstack

    scores = patterns.accuracies
    last = len(scores) - 1
    group, moved = choices(patterns)
    kinds, periods = len(group), np.arange(last)
    many = patterns.many[group].astype(float)
    rows, start = [], []
    for period, version in np.ndindex(last, last):  # z_j >= R_ij - R_Tj after the labels have moved
        inside = patterns.period[group] == period
        size = patterns.sizes[:, period]
        rows.append(np.where(inside, moved[:, last] / size[last] - moved[:, version] / size[version], 0.0))
        start.append(scores[version, period] - scores[last, period])
    falls = hstack([csr_array(np.array(rows)), csr_array((np.repeat(periods, last)[:, None] == periods).astype(float))])
    constraints = [LinearConstraint(falls, lb=np.array(start))]
    of_group = csr_array((np.ones(kinds), (group, np.arange(kinds))), shape=(len(patterns.many), kinds + last))
    constraints.append(LinearConstraint(of_group, ub=patterns.many))
    budgets = LabelMoves(patterns.period, patterns.many, np.zeros(0), np.zeros(0)).budgets(rate)
    sums = vstack(
        [csr_array(np.append(inside[group].astype(float), np.zeros(last))[None, :]) for inside, _, _ in budgets]
    )
    constraints.append(
        LinearConstraint(sums, lb=[fewest for _, fewest, _ in budgets], ub=[most for _, _, most in budgets])
    )
    whole = kinds <= EXACT_CHOICES
    result = milp(
        np.append(np.zeros(kinds), np.full(last, 1 / last)),
        constraints=constraints,
        bounds=Bounds(np.append(np.zeros(kinds), np.full(last, -1.0)), np.append(many, np.ones(last))),
        integrality=np.append(np.full(kinds, int(whole)), np.zeros(last)),
        options={"node_limit": NODES, "mip_rel_gap": 0.0} if whole else {},
    )
    if result.fun is None or not result.success:  # the search ended early: what it has shown is a bound
        bound = result.get("mip_dual_bound")
        return (-1.0 if bound is None else float(bound)), False
    return float(result.fun), whole


def choices(patterns: ItemPatterns) -> tuple[Array, Array]:
    """List every other true class of each group: the group, and which versions become right (1) or wrong (-1)."""
    right = (patterns.answers == patterns.label[:, None]).astype(float)
    groups, moved = [], []
    for at in range(patterns.answers.shape[1]):
        answer = patterns.answers[:, at]
        earlier = (patterns.answers[:, :at] == answer[:, None]).any(axis=1)  # the same class is listed once
        chosen = np.flatnonzero((answer >= 0) & (answer != patterns.label) & ~earlier)
        groups.append(chosen)
        moved.append((patterns.answers[chosen] == answer[chosen, None]) - right[chosen])
    free = np.flatnonzero(patterns.distinct < patterns.classes)
    return np.concatenate([*groups, free]), np.concatenate([*moved, -right[free]])
