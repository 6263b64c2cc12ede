"""The score of a version under a user's policy, with a confidence interval."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import LifelongConvention
from justesse.core.results import Interval
from justesse.intervals.clustered import clustered_share
from justesse.intervals.ends import Ends
from justesse.intervals.wilson import wilson
from justesse.lifelong.penalised_ends import penalised_ends
from justesse.lifelong.policy import Policy
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks

METHOD = "mover-blocks"
NO_PERIOD = "no test period comes before the training of this version"
NO_COUNTS = "scores without the number of items behind them have no interval"


@dataclass(frozen=True)
class PolicyScore:
    """The score of one version under a policy.

    Parameters
    ----------
    version
        Name of the version.
    periods
        Periods that count, by position.
    weights
        Their weights, which add up to 1.
    value
        Weighted mean of the scores; NaN if no period counts.
    n
        Number of items tested in these periods, if they have a weight above 0.
    interval
        Confidence interval, if there is one.
    undefined
        Why the value or its interval is missing.
    """

    version: str
    periods: tuple[int, ...]
    weights: tuple[float, ...]
    value: float
    n: int
    interval: Interval | None = None
    undefined: str | None = None


def policy_scores(
    matrix: ScoreMatrix,
    policy: Policy,
    *,
    convention: LifelongConvention = "through-next",
    times: ArrayLike | None = None,
    level: float = 0.95,
) -> list[PolicyScore]:
    """Compute the score of every version under a policy.

        S_P(M_i) = Σ_j P_j·s(M_i, t_j),   Σ_j P_j = 1 over the periods that count for version i

    Parameters
    ----------
    matrix
        Scores of every version on every period.
    policy
        How much each period matters.
    convention
        Which periods count for a version: "through-next" those up to the first one after its training, "paper" those
        before its training.
    times
        Time of each period as a number, for half-lives. Default: 0, 1, 2, ...
    level
        Confidence level.

    Returns
    -------
    list of PolicyScore
        One per version.

    Notes
    -----
    Prokopalo et al. (2020), equation 2, which does not say that the weights add up to 1. The periods are fixed: an
    interval says how far the score could be off because the items are a sample of those of each period. Items of the
    same block of time may be alike: the interval of each period is Wilson's with cluster-robust variance over its
    blocks, and the squared half-widths add up as variances do (MOVER; Zou and Donner 2008).

    >>> matrix = ScoreMatrix.from_scores([[0.2, 0.3], [0.1, 0.2]])
    >>> [round(score.value, 4) for score in policy_scores(matrix, Policy("recent"))]
    [0.2, 0.1667]
    """
    at = np.arange(len(matrix.periods), dtype=float) if times is None else np.asarray(times, dtype=float)
    scores = []
    for version, name in enumerate(matrix.versions):
        seen = matrix.seen(version, convention)
        if not len(seen):
            scores.append(PolicyScore(name, (), (), math.nan, 0, undefined=NO_PERIOD))
            continue
        weights = policy.weights([matrix.periods[j] for j in seen], at[seen])
        value = float(weights @ matrix.values[version, seen])
        interval, n = None, 0
        if matrix.blocks is not None:
            counted = seen[weights > 0]
            n = int(sum(matrix.blocks.of_period(version, j)[1].sum() for j in counted))
            interval = _interval(matrix, version, seen, weights, value, level)
        scores.append(
            PolicyScore(
                name,
                tuple(seen.tolist()),
                tuple(weights.tolist()),
                value,
                n,
                interval,
                NO_COUNTS if interval is None else None,
            )
        )
    return scores


def _interval(
    matrix: ScoreMatrix, version: int, seen: Array, weights: FloatArray, value: float, level: float
) -> Interval | None:
    blocks = matrix.blocks
    assert blocks is not None
    ends = [_cell_ends(blocks, version, int(j), level) for j in seen]
    low, high = combined(weights, matrix.values[version, seen], ends)
    return Interval(value - low, value + high, level, METHOD, (0.0, 1.0 if blocks.squares is None else 2.0))


def _cell_ends(blocks: TimeBlocks, version: int, period: int, level: float) -> Ends:
    totals, sizes = blocks.of_period(version, period)
    if blocks.squares is None:
        return share_ends(totals, sizes, level=level)
    inside = (blocks.period == period) & (blocks.sizes[version] > 0)
    return penalised_ends(totals, sizes, blocks.squares[version, inside], level=level)


def share_ends(totals: FloatArray, sizes: FloatArray, *, level: float) -> Ends:
    """Compute the interval of a share in one period: over its blocks of time, or over items if there is one block."""
    method: Callable[..., Ends] = clustered_share if len(sizes) > 1 else wilson
    return method(totals, sizes, level=level)


def combined(weights: FloatArray, values: FloatArray, ends: Sequence[Ends]) -> tuple[float, float]:
    """Combine intervals of independent parts into how far a weighted sum may lie above and below its true value.

        sqrt(Σ w_j²·(s_j - low_j)²),   sqrt(Σ w_j²·(high_j - s_j)²)

    >>> ends = [Ends(np.array([0.1]), np.array([0.3]), 0.95, "wilson")] * 2
    >>> [round(reach, 4) for reach in combined(np.array([0.5, 0.5]), np.array([0.2, 0.2]), ends)]
    [0.0707, 0.0707]
    """
    low = np.array([float(part.low[0]) for part in ends])
    high = np.array([float(part.high[0]) for part in ends])
    return (
        float(np.sqrt(np.sum((weights * (values - low)) ** 2))),
        float(np.sqrt(np.sum((weights * (high - values)) ** 2))),
    )
