"""Always-valid bounds from rows that are re-checked one after another: stop whenever you like."""

from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative, Interval, tail_levels
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.noise.sample_design import SampleDesign

STEPS = 500  # steps between the least and the greatest total, tried on each side
PRIOR = (1.0, 8.0, 1.0)  # corrections by -1, 0 and 1 that one expects, as if so many had been seen


def drawn_sequence(
    corrections: Any,
    strata: Any,
    design: SampleDesign,
    measured: float,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    bounds: tuple[float, float] = (0.0, 1.0),
    reach: int = 1,
) -> Interval:
    """Bound the mean of these rows from corrections in the order they were drawn, valid at every look.

        mean of these rows = mean by the labels + Σ corrections / N

    Parameters
    ----------
    corrections
        True value minus value by the label of each re-checked row, in the order of the draws.
    strata
        Position of the stratum of each.
    design
        Sizes and chances of the strata.
    measured
        Mean of all rows by the labels.
    level
        Confidence level, of all looks together.
    alternative
        "greater" leaves the upper end open, "less" the lower end.
    bounds
        Least and greatest mean.
    reach
        Largest correction of a row: 1 for an accuracy, 2 for a difference of two.

    Notes
    -----
    About these rows, not their population. It holds however often you look and whenever you stop, and is wider than an
    interval for a number of rows fixed in advance. Do not use it if rows were left out of the order drawn.
    Waudby-Smith and Ramdas (2020, 2024).

    Examples
    --------
    >>> design = SampleDesign((1, 2), (800, 200), (0.6, 0.4))
    >>> print(drawn_sequence([0] * 90 + [-1] * 10, [0, 1] * 50, design, 0.95))
    [0.8560, 1.0000]
    """
    assert design.chances is not None
    tails = tail_levels(level, alternative)
    rows = sum(design.sizes)
    strata, values = np.asarray(strata, dtype=int), np.asarray(corrections, dtype=int)
    # rows whose stratum was fixed are known, and nothing is bet on them
    known = int(values[: design.fixed].sum())
    sizes = np.array(design.sizes) - np.bincount(strata[: design.fixed], minlength=len(design.sizes))
    strata, values = strata[design.fixed :], values[design.fixed :]
    # no correction goes further
    least, most = rows * (bounds[0] - measured) - known, rows * (bounds[1] - measured) - known
    low, high = max(least, -reach * sizes.sum()), min(most, reach * sizes.sum())
    if len(values):
        thresholds = np.unique(np.linspace(least - 1, most + 1, STEPS + 1).round())
        prior = np.broadcast_to(np.array(PRIOR), (1, len(sizes), 3))
        scale = np.full(len(sizes), float(reach))
        sequence = ConfidenceSequence([sizes], prior=prior, lower=thresholds[None], upper=thresholds[None], scale=scale)
        weights = _weights(strata, sizes, np.array(design.chances))
        _, ends = sequence.follow(weights=weights, stratum=strata, low=values, high=values, risks=[max(tails)])
        # what was refuted once stays refuted
        low, high = float(ends[:, 0, 0].max()), float(ends[:, 0, 1].min())
    low, high = low if tails[0] else -np.inf, high if tails[1] else np.inf
    return Interval(
        measured + (known + low) / rows, measured + (known + high) / rows, level, "betting", bounds, alternative
    )


def _weights(strata: Array, sizes: Array, chances: Array) -> Array:
    """Chance of each stratum at each draw: those without rows left are not drawn from."""
    before = np.cumsum(strata[:, None] == np.arange(len(sizes)), axis=0)
    left = np.vstack([np.zeros(len(sizes)), before[:-1]]) < sizes
    weights = left * chances
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
