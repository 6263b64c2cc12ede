"""True difference of two classifiers from re-checked rows that were drawn with unequal probabilities."""

import math
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Alternative, Interval, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.discrete_mean import mean_reach, sample_worth
from justesse.intervals.ends import z_value
from justesse.intervals.prediction_powered import PredictionPowered, Stratum, prediction_powered
from justesse.noise.drawn_sequence import drawn_sequence
from justesse.noise.sample_design import ORDER, STRATUM, SampleDesign

AXES = ("true", "label", "incumbent", "candidate")
MOVES = np.array([-2, -1, 1, 2])  # how far a corrected label can move one row's difference
METHOD = "recheck-drawn"
OTHER_SIDE: dict[Alternative, Alternative] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def row_moves(rows: Tally) -> Array:
    """Return how far the true class moves the difference of each cell: only the candidate right is +1, the other -1."""
    true, label, old, new = rows.codes[:, [rows.axis(axis) for axis in AXES]].T
    return np.asarray((new == true).astype(int) - (old == true) - (new == label) + (old == label))


def difference_by_draws(
    measured: float, disputed: float, sample: Tally, design: SampleDesign, level: float, alternative: Alternative
) -> PredictionPowered:
    """Add the mean move of each stratum, weighted by its size, and bound the difference in the order of the draws.

    Parameters
    ----------
    measured
        Difference by the labels.
    disputed
        Share of the rows on which the two disagree.
    sample
        Counts of the re-checked rows by true × label × incumbent × candidate × stratum and, if it is known, order.
    design
        Strata that they were drawn from.
    level, alternative
        Confidence level and side of the intervals.
    """
    tails = tail_levels(level, alternative)
    options: dict[str, Any] = {"level": level, "alternative": alternative}
    rows = sample.marginal(*AXES, STRATUM)
    strata, seen, total = design.codes(rows), design.seen(rows), sum(design.sizes)
    sizes = np.array(design.sizes) / total

    def shares(values: Array, among: Any) -> Array:
        """Share of each value (rows) in each stratum (columns)."""
        parts = [
            np.bincount(strata[values == value], rows.counts[values == value], minlength=len(seen)) for value in among
        ]
        return np.array(parts) / np.maximum(seen, 1)

    moved = shares(row_moves(rows), MOVES)
    value = measured + float((MOVES @ moved) @ sizes)
    spread = math.sqrt(max(disputed - value**2, 0.0) / total)

    def reach(tail: float, sign: int) -> float:
        parts = [
            mean_reach(MOVES, share, sample_worth(n, size), tail, sign, reference=0) if n else float(MOVES.max())
            for share, n, size in zip(moved.T, seen, design.sizes, strict=True)
        ]
        return float(np.linalg.norm(sizes * parts))

    here = [reach(tail, sign) if tail else math.inf for tail, sign in zip(tails, (-1, 1), strict=True)]
    down, up = (
        math.hypot(part, z_value(tail) * spread) if tail else math.inf for part, tail in zip(here, tails, strict=True)
    )
    true, _, old, new = rows.codes[:, :4].T
    ahead, behind = rows.n * (shares((new == true).astype(int) - (old == true), (1, -1)) @ sizes)
    as_many = Stratum([0], [total], [1, -1, 0], [0, 0, 0], [ahead, behind, rows.n - ahead - behind])
    always = None
    if design.chances is not None:
        ordered = sample.marginal(ORDER, *AXES, STRATUM)
        always = drawn_sequence(
            row_moves(ordered),
            design.codes(ordered),
            design,
            measured,
            bounds=(-1.0, 1.0),
            reach=int(MOVES.max()),
            **options,
        )
    bias = measured - value
    return PredictionPowered(
        value,
        Interval(value - down, value + up, level, METHOD, (-1.0, 1.0), alternative),
        rows.n,
        total,
        (1.0,) * len(seen),
        bias,
        Interval(bias - here[1], bias + here[0], level, METHOD, (-2.0, 2.0), OTHER_SIDE[alternative]),
        prediction_powered([as_many], tuning="none", bounds=(-1.0, 1.0), **options).alone,
        at_random=False,
        always_valid=always,
    )
