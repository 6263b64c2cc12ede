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
from justesse.intervals.ends import Ends, z_value
from justesse.intervals.mover import share_variances, weighted_sum
from justesse.intervals.wilson import wilson
from justesse.lifelong.penalised_ends import penalised_ends
from justesse.lifelong.policy import NoWeightError, Policy
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks

METHOD = "mover-blocks"
NO_PERIOD = "no test period comes before the training of this version"
NO_ITEMS = "no item of the test periods that count for this version has a score"
NO_WEIGHT = "the policy gives weight 0 to all periods that count for this version"
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
    for version, (seen, weights) in enumerate(weighed_periods(matrix, policy, convention, at)):
        name = matrix.versions[version]
        if isinstance(weights, str):
            scores.append(PolicyScore(name, (), (), math.nan, 0, undefined=weights))
            continue
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


def weighed_periods(
    matrix: ScoreMatrix, policy: Policy, convention: LifelongConvention, times: FloatArray
) -> list[tuple[Array, FloatArray | str]]:
    """Return the periods that count for each version and their weights, or why it has none.

    A policy that gives no version a weight is refused.

    >>> matrix = ScoreMatrix.from_scores([[0.2, 0.3], [0.1, 0.2]])
    >>> later = Policy("table", table={"1": 0, "2": 1})
    >>> [weights for _, weights in weighed_periods(matrix, later, "through-next", np.arange(2.0))]
    ['the policy gives weight 0 to all periods that count for this version', array([0., 1.])]
    """
    parts: list[tuple[Array, FloatArray | str]] = []
    refused = None
    for version in range(len(matrix.versions)):
        seen = matrix.seen(version, convention)
        if not len(seen):
            parts.append((seen, NO_ITEMS if matrix.counting(version, convention) else NO_PERIOD))
            continue
        try:
            parts.append((seen, policy.weights([matrix.periods[j] for j in seen], times[seen])))
        except NoWeightError as error:
            refused = error
            parts.append((seen, NO_WEIGHT))
    if refused is not None and all(isinstance(weights, str) for _, weights in parts):
        raise refused
    return parts


def _interval(
    matrix: ScoreMatrix, version: int, seen: Array, weights: FloatArray, value: float, level: float
) -> Interval | None:
    blocks = matrix.blocks
    assert blocks is not None
    ends = [_cell_ends(blocks, version, int(j), level) for j in seen]
    sizes = [blocks.of_period(version, int(j))[1] for j in seen]
    items = np.array([own.sum() if len(own) == 1 and blocks.squares is None else np.nan for own in sizes])
    low, high = combined(weights, matrix.values[version, seen], ends, items=items)
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


def combined(
    weights: FloatArray, values: FloatArray, ends: Sequence[Ends], *, items: FloatArray | None = None
) -> tuple[float, float]:
    """Combine intervals of independent parts into how far a weighted sum may lie above and below its true value.

    Half-widths add as variances do, and shifts as third cumulants do (`weighted_sum`): over many periods the sum is
    less skewed than the score of one. Parts that are shares of independent items have their number in `items`, others
    NaN: the reach is at least what their unbiased variances give, as in `mover`.

    >>> ends = [Ends(np.array([0.1]), np.array([0.3]), 0.95, "wilson")] * 2
    >>> [round(reach, 4) for reach in combined(np.array([0.5, 0.5]), np.array([0.2, 0.2]), ends)]
    [0.0707, 0.0707]
    """
    low = np.array([float(part.low[0]) for part in ends])
    high = np.array([float(part.high[0]) for part in ends])
    least = None
    if items is not None:
        z = z_value((1 + ends[0].level) / 2)
        shares = z**2 * share_variances(values, np.nan_to_num(items, nan=1.0))
        least = np.where(np.isnan(items), ((high - low) / 2) ** 2, shares)
    value, (lowest, highest) = float(weights @ values), weighted_sum(weights, values, low, high, least=least)
    return value - lowest, highest - value
