"""An interval of the lowest cost of any threshold, which allows for it being chosen on the same rows."""

import numpy as np

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.intervals.ends import Ends
from justesse.intervals.wilson import wilson
from justesse.measures.curves.score_counts import ScoreCounts
from justesse.measures.curves.thresholds import CostCurve, cost_curve, gathered

METHOD = "mover, cross-validated threshold"
FOLDS = 10
MOST_THRESHOLDS = 500  # of the folds: with more rows than that, choosing among more thresholds flatters no further


def lowest_cost(table: ScoreCounts, ratios: Array, *, level: float = 0.95) -> tuple[CostCurve, Ends]:
    """Compute the lowest cost per row for each ratio, with its interval.

        low = c - reach below,   high = (c + v)/2 + reach above,   at most r·(1-π) and (1-r)·π at their upper ends

    c is the cost on these rows of the best threshold on these rows: on average too low. v is its cross-validated cost,
    with the threshold chosen on the other nine tenths: on average too high. The lowest cost that any threshold has in
    the population lies between their means. A row that is missed costs 1-r, a false alarm r. How far the cost may be
    off follows from Wilson's intervals of both shares, which exclude each other (MOVER, Zou and Donner 2008). Whoever
    predicts always or never pays r·(1-π) or (1-r)·π, so no lowest cost is higher; π is the share of positive rows.

    The delta method at the best threshold, c ± z·e, covers 80 to 92 % at level 95 %; this covers 95 to
    99 % (docs/validity.md).

    Parameters
    ----------
    table
        Positive and negative rows at each score.
    ratios
        What a false alarm costs, if it and a miss together cost 1.
    level
        Confidence level.

    Returns
    -------
    tuple of CostCurve and Ends
        Lowest costs, and the ends of their intervals.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> positive = rng.random(200) < 0.3
    >>> curve, ends = lowest_cost(ScoreCounts.of(rng.normal(size=200) + 1.5 * positive, positive), np.array([0.25]))
    >>> float(curve.cost[0].round(3)), float(ends.low[0].round(3)), float(ends.high[0].round(3))
    (0.062, 0.049, 0.092)
    """
    curve = cost_curve(table, ratios)
    rows = max(sum(table.effective), 1.0)
    missed, alarmed = cross_validated_shares(table, ratios)
    between = CostCurve(curve.ratio, (curve.missed + missed) / 2, (curve.alarmed + alarmed) / 2)
    low = curve.cost - _reach(curve, rows, level, -1)
    high = np.maximum(between.cost, curve.cost) + _reach(between, rows, level, 1)
    positive = table.n_positive / table.total if table.total else 0.0
    always = ratios * wilson((1 - positive) * rows, rows, level=level).high
    never = (1 - ratios) * wilson(positive * rows, rows, level=level).high
    return curve, Ends(np.maximum(low, 0.0), np.minimum(high, np.minimum(always, never)), level, METHOD)


def cross_validated_shares(table: ScoreCounts, ratios: Array) -> tuple[Array, Array]:
    """Return the shares of rows missed and of false alarms, each fold with the best threshold of the others.

    Rows are put into folds at random, the same way each time. Weighted rows with one score stay together.

    >>> table = ScoreCounts.of([0.9, 0.8, 0.7, 0.2, 0.1, 0.05] * 5, [1, 1, 1, 0, 0, 0] * 5)
    >>> [share.tolist() for share in cross_validated_shares(table, np.array([0.5]))]
    [[0.0], [0.0]]
    """
    light = gathered(table, MOST_THRESHOLDS)
    generator = stream(0, "folds of the lowest cost")
    whole = [light.positives, light.negatives]
    counted = np.array_equal(light.positives, light.positive_squares)
    parts = [_in_folds(mass, generator, counted=counted).T for mass in whole]
    none = np.zeros((FOLDS, 1))
    called = [np.hstack([none, np.cumsum(part, axis=1)]) for part in parts]
    misses = np.maximum(called[0][:, -1:] - called[0], 0.0)  # sums of weights are rounded
    others = [(side.sum(axis=0) - side) for side in (misses, called[1])]
    share_missed, share_alarmed = [], []
    fold = np.arange(FOLDS)
    for ratio in ratios:
        best = np.argmin((1 - ratio) * others[0] + ratio * others[1], axis=1)
        share_missed.append(misses[fold, best].sum())
        share_alarmed.append(called[1][fold, best].sum())
    total = max(light.total, 1e-300)
    return np.array(share_missed) / total, np.array(share_alarmed) / total


def _in_folds(mass: Array, generator: np.random.Generator, *, counted: bool) -> Array:
    """Put the rows of each score into folds at random: a column per fold."""
    if counted:
        return generator.multinomial(np.rint(mass).astype(np.int64), np.full(FOLDS, 1 / FOLDS)).astype(float)
    own = generator.integers(FOLDS, size=len(mass))
    return np.asarray(mass[:, None] * (own[:, None] == np.arange(FOLDS)))


def _reach(curve: CostCurve, rows: float, level: float, sign: int) -> Array:
    """Return how far the mean cost may be off: two shares that exclude each other, each with its interval."""
    shares = np.stack([curve.missed, curve.alarmed])
    ends = wilson(shares * rows, rows, level=level)
    part = np.stack([1 - curve.ratio, curve.ratio]) * (ends.high - shares if sign > 0 else shares - ends.low)
    lean = np.sqrt(shares / np.maximum(1 - shares, 1e-12)) * part
    return np.asarray(np.sqrt(np.maximum((part**2).sum(axis=0) - 2 * lean[0] * lean[1], 0.0)))
