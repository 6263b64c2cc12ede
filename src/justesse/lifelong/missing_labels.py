"""Scores and differences where labels are missing: what every label that they could have would give."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
from justesse.core.choices import LifelongConvention
from justesse.core.results import Interval
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_difference import PairedBlocks, policy_difference
from justesse.lifelong.policy_score import PolicyScore, policy_scores
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks

METHOD = "missing-label-bounds"


@dataclass(frozen=True)
class ScoreBounds:
    """The score of one version if every missing label were in its favour, and if none were.

    Parameters
    ----------
    score
        Its score on the rows that have a label, with an interval that covers both bounds; NaN without any label.
    low, high
        Lowest and highest score; NaN if no period counts.
    unlabelled
        Rows without a label in the periods that count.
    """

    score: PolicyScore
    low: float
    high: float
    unlabelled: int


def completed(matrix: ScoreMatrix, unlabelled: FloatArray) -> tuple[ScoreMatrix, ScoreMatrix]:
    """Return the matrices of error rates if all rows without a label are right, and if all are wrong.

    Parameters
    ----------
    matrix
        Error rates of the rows that have a label, with their blocks.
    unlabelled
        Rows without a label, versions down, blocks across.

    >>> blocks = TimeBlocks(np.array([0]), np.array([[2.0]]), np.array([[8.0]]))
    >>> matrix = ScoreMatrix(("v",), ("t",), np.array([[0.25]]), (0,), False, blocks)
    >>> [part.values.tolist() for part in completed(matrix, np.array([[2.0]]))]
    [[[0.2]], [[0.4]]]
    """
    blocks = matrix.blocks
    assert blocks is not None
    sizes = blocks.sizes + unlabelled
    made = []
    for totals in (blocks.totals, blocks.totals + unlabelled):
        errors, rows = (
            np.array([np.bincount(blocks.period, row, minlength=len(matrix.periods)) for row in part])
            for part in (totals, sizes)
        )
        values = np.divide(errors, rows, out=np.full(rows.shape, np.nan), where=rows > 0)
        made.append(replace(matrix, values=values, blocks=TimeBlocks(blocks.period, totals, sizes)))
    return made[0], made[1]


def score_bounds(
    matrix: ScoreMatrix,
    unlabelled: FloatArray,
    policy: Policy,
    *,
    convention: LifelongConvention = "through-next",
    times: ArrayLike | None = None,
    level: float = 0.95,
) -> list[ScoreBounds]:
    """Bound the error of every version under a policy, whatever the missing labels are.

        low = Σ_j P_j·k_j/n_j,   high = Σ_j P_j·(k_j + m_j)/n_j

    with k_j errors among the labelled rows of period j, m_j rows without a label and n_j rows in all.

    Parameters
    ----------
    matrix
        Error rates of the rows that have a label, with their blocks.
    unlabelled
        Rows without a label, versions down, blocks across.
    policy
        How much each period matters.
    convention
        Which periods count for a version.
    times
        Time of each period as a number, for half-lives.
    level
        Confidence level.

    Notes
    -----
    The bounds are sharp: both are reached, by labels equal to the predictions and by others (Manski 1989). The interval
    reaches from the lower end of the interval of `low` to the upper end of that of `high`: it covers the whole range
    with about the level (measured: 90 to 99.5 % at 95 %), and the score itself more often.

    >>> blocks = TimeBlocks(np.array([0]), np.array([[20.0]]), np.array([[80.0]]))
    >>> matrix = ScoreMatrix(("v",), ("t",), np.array([[0.25]]), (0,), False, blocks)
    >>> bounds = score_bounds(matrix, np.array([[20.0]]), Policy("uniform"))[0]
    >>> bounds.low, bounds.high, str(bounds.score.interval)
    (0.2, 0.4, '[0.1334, 0.4980]')
    """
    options = {"convention": convention, "times": times, "level": level}
    best, worst = completed(matrix, unlabelled)
    results = []
    pairs = zip(policy_scores(best, policy, **options), policy_scores(worst, policy, **options), strict=True)  # type: ignore[arg-type]
    for row, (least, most) in enumerate(pairs):
        if least.interval is None or most.interval is None:
            results.append(ScoreBounds(least, math.nan, math.nan, 0))
            continue
        seen, weights = list(least.periods), np.array(least.weights)
        known = ~np.isnan(matrix.values[row, seen])
        value = math.nan
        if (weights * known).sum() > 0:
            shares = weights * known / (weights * known).sum()
            value = float(shares[known] @ matrix.values[row, seen][known])
        counted = [at for at, weight in zip(seen, least.weights, strict=True) if weight > 0]
        inside = np.isin(best.blocks.period, counted)  # type: ignore[union-attr]
        missing = int(unlabelled[row, inside].sum())
        interval = Interval(least.interval.low, most.interval.high, level, METHOD, (0.0, 1.0))
        score = replace(least, value=value, n=least.n - missing, interval=interval)
        results.append(ScoreBounds(score, least.value, most.value, missing))
    return results


def within_bounds(value: float, interval: Interval, low: float, high: float, ends: Interval) -> tuple[float, Interval]:
    """Keep an estimate inside the bounds of its rows, and its interval inside that of the bounds.

    Parameters
    ----------
    value, interval
        The estimate from the labels that were asked.
    low, high
        Lowest and highest figure, whatever the missing labels are.
    ends
        Interval that reaches over both.

    Notes
    -----
    No label can move the figure of these rows beyond its bounds. Where both are equal, every label that matters is
    known: the figure and its interval are then those of all rows.

    >>> wide, narrow = Interval(0.0, 0.1, 0.95, "asked", (0.0, 1.0)), Interval(0.02, 0.06, 0.95, "bounds", (0.0, 1.0))
    >>> value, interval = within_bounds(0.05, wide, 0.04, 0.04, narrow)
    >>> value, str(interval)
    (0.04, '[0.0200, 0.0600]')
    """
    if high - low <= 1e-12:
        return low, replace(interval, unclipped_low=ends.low, unclipped_high=ends.high)
    kept = min(max(value, low), high)
    low, high = min(max(interval.low, ends.low), kept), max(min(interval.high, ends.high), kept)
    return kept, replace(interval, unclipped_low=low, unclipped_high=high)


def difference_bounds(
    pairs: PairedBlocks,
    unlabelled: FloatArray,
    differing: FloatArray,
    periods: Sequence[int],
    weights: FloatArray,
    *,
    level: float = 0.95,
) -> tuple[float, float, Interval]:
    """Bound the difference of two systems under a policy, whatever the missing labels are.

        Σ_j P_j·(c_j - b_j ± d_j)/n_j

    Only the d_j rows without a label to which both answered differently can move it: where both gave the same answer,
    both are right or both are wrong. Sharp.

    Parameters
    ----------
    pairs
        Items with a label that both answered.
    unlabelled, differing
        Items without a label in each block, and those of them with different answers.
    periods
        Periods that count.
    weights
        Their weights, which add up to 1.
    level
        Confidence level.

    Returns
    -------
    tuple
        Lowest and highest difference, and the interval that covers both.

    >>> period, none = np.array([0]), np.array([0.0])
    >>> pairs = PairedBlocks(period, np.array([5.0]), np.array([15.0]), none, np.array([80.0]))
    >>> low, high, interval = difference_bounds(pairs, np.array([20.0]), np.array([4.0]), [0], np.array([1.0]))
    >>> round(low, 2), round(high, 2), str(interval)
    (0.06, 0.14, '[-0.0379, 0.2377]')
    """
    sizes = pairs.sizes + unlabelled
    worst = replace(pairs, only_first=pairs.only_first + differing, sizes=sizes)
    best = replace(pairs, only_second=pairs.only_second + differing, sizes=sizes)
    (low, least), (high, most) = (policy_difference(part, periods, weights, level=level) for part in (worst, best))
    low, high = (0.0 if abs(end) < 1e-12 else end for end in (low, high))  # sums of weights are not exact
    return low, high, Interval(least.low, most.high, level, METHOD, (-1.0, 1.0))
