"""Penalised scores over time: the gain of each version under a policy."""

import math
from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.results import Estimate, Interval
from justesse.intervals.clustered import clustered_mean
from justesse.intervals.ends import Ends
from justesse.lifelong.penalised_ends import MOST
from justesse.lifelong.policy_score import METHOD, PolicyScore, combined
from justesse.lifelong.score_matrix import TimeBlocks

ONE_BLOCK = "a period with one block of time does not show how much the gain varies"


def policy_gains(
    scores: Sequence[PolicyScore], blocks: TimeBlocks, base: FloatArray, *, level: float = 0.95
) -> list[Estimate]:
    """Compute the gain by generalisation of each version under a policy: error before any help less penalised error.

        G_P(M_i) = Σ_j P_j·(s_base(M_i, t_j) - S_pen(M_i,j, t_j))

    Parameters
    ----------
    scores
        Penalised scores of each version under the policy.
    blocks
        What they were computed from.
    base
        Errors before any help, in the shape of the blocks' totals.
    level
        Confidence level.

    Notes
    -----
    Cluster-robust standard errors over blocks of time; squared half-widths add up as variances do (MOVER).
    """
    from scipy.special import stdtrit

    gains = []
    for version, score in enumerate(scores):
        if not score.periods:
            gains.append(Estimate("gain", math.nan, 0, undefined=score.undefined, words="Gain by generalisation"))
            continue
        values, ends = [], []
        for period in score.periods:
            inside = (blocks.period == period) & (blocks.sizes[version] > 0)
            moves, sizes = base[version, inside] - blocks.totals[version, inside], blocks.sizes[version, inside]
            value = float(moves.sum() / sizes.sum())
            values.append(value)
            if len(sizes) > 1:
                mean = clustered_mean(moves, sizes)
                reach = float(stdtrit(mean.degrees, (1 + level) / 2)) * mean.error
                ends.append(Ends(np.array([value - reach]), np.array([value + reach]), level, METHOD))
        weights = np.array(score.weights)
        total = float(weights @ np.array(values))
        interval = None
        if len(ends) == len(values):
            low, high = combined(weights, np.array(values), ends)
            interval = Interval(total - low, total + high, level, METHOD, (-MOST, 1.0)) if high > 1e-12 else None
        reason = None if interval else ONE_BLOCK
        gains.append(Estimate("gain", total, score.n, interval, reason, words="Gain by generalisation"))
    return gains
