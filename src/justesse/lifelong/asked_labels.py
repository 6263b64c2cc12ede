"""Scores and differences from labels that were asked with known probabilities."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import LifelongConvention
from justesse.core.results import Interval
from justesse.intervals.clustered import cluster_variance
from justesse.intervals.ends import Ends
from justesse.intervals.wilson import score_end
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_score import PolicyScore, combined, weighed_periods
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.significance.paired_difference import paired_difference

METHOD = "inverse-probability-blocks"


@dataclass(frozen=True)
class AskedRows:
    """Rows whose label was asked, in groups of equal ones.

    Parameters
    ----------
    version, period, block
        Place of the version, the period and the block of time.
    value
        What a row counts: 1 if it is wrong, or the difference of two systems on it.
    weight
        One over the probability with which its label was asked.
    many
        Number of rows of the group. 0 stands for rows without a label, which show how rarely some rows are asked.
    """

    version: Array
    period: Array
    block: Array
    value: FloatArray
    weight: FloatArray
    many: Array

    def clusters(self, version: int, period: int) -> tuple[FloatArray, FloatArray, float]:
        """Add up weighted values and weights of one cell by block of time, or by row if there is one block.

        Returns
        -------
        tuple
            Weighted values, weights, and the heaviest row, with or without a label, if weights differ, else 0.
        """
        here = (self.version == version) & (self.period == period)
        every, inside = self.weight[here], here & (self.many > 0)
        value, weight, many = self.value[inside], self.weight[inside], self.many[inside]
        blocks, place = np.unique(self.block[inside], return_inverse=True)
        heaviest = float(every.max()) if len(every) and every.max() > every.min() * (1 + 1e-9) else 0.0
        if len(blocks) > 1:
            sums = (np.bincount(place, part * many).astype(float) for part in (value * weight, weight))
            return next(sums), next(sums), heaviest
        each = np.repeat(np.arange(len(many)), many)
        return (value * weight)[each], weight[each], heaviest


@dataclass(frozen=True)
class AskedCell:
    """One version in one period: Hájek's and Horvitz and Thompson's estimate, and the interval of the former."""

    hajek: float
    horvitz_thompson: float
    n: int
    ends: Ends | None


def weighted_share(totals: FloatArray, sizes: FloatArray, *, heaviest: float = 0.0, level: float) -> tuple[float, Ends]:
    """Estimate a share from weighted rows in clusters, with its interval.

        p = Σ_g y_g / Σ_g w_g,   n* = p(1-p)/v,   Wilson's interval of p with n* rows and t_ν in place of z

    Parameters
    ----------
    totals, sizes
        Weighted successes and weights of each cluster; a cluster may be a single row.
    heaviest
        Weight of the row that is most rarely asked, whether or not it was; 0 if all are asked alike.
    level
        Confidence level.

    Notes
    -----
    v and ν are the bias-reduced variance of the ratio over clusters and its degrees of freedom (`clustered_mean`). With
    no success, or successes only, n* is Σ_g w_g / max_g w_g: the rows that are rarely asked may be the others.

    Rows that are rarely asked are few, and often all alike: their variance is then 0, which says little. None may have
    a label at all. The interval reaches to that of the same rows and one more of the heaviest weight, once a success
    and once not.

    >>> value, ends = weighted_share(np.array([0.0, 2.0, 0.0, 5.0]), np.array([2.0, 2.0, 5.0, 5.0]), level=0.95)
    >>> round(value, 2), ends.low.round(3).tolist(), ends.high.round(3).tolist()
    (0.5, [0.037], [0.963])
    """
    share = _share(totals, sizes)
    low, high = _share_ends(totals, sizes, level)
    if heaviest:
        more = np.append(sizes, heaviest)
        low = min(low, _share_ends(np.append(totals, 0.0), more, level)[0])
        high = max(high, _share_ends(np.append(totals, heaviest), more, level)[1])
    return share, Ends(np.array([low]), np.array([high]), level, METHOD)


def _share(totals: FloatArray, sizes: FloatArray) -> float:
    return min(max(float(totals.sum()) / float(sizes.sum()), 0.0), 1.0)


def _share_ends(totals: FloatArray, sizes: FloatArray, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    weight, share = float(sizes.sum()), _share(totals, sizes)
    worth, far = weight / float(sizes.max()), float(stdtrit(1e9, (1 + level) / 2))
    if len(sizes) > 1 and 1e-12 < share < 1 - 1e-12:
        variance, degrees = cluster_variance((totals - share * sizes) / weight, sizes)
        if variance > 1e-15:
            worth, far = min(share * (1 - share) / variance, weight), float(stdtrit(degrees, (1 + level) / 2))
    n = np.array([worth])
    low, high = (float(score_end(share * n, n, side * far)[0]) for side in (-1, 1))
    return low, high


def asked_cell(rows: AskedRows, version: int, period: int, size: float, *, level: float = 0.95) -> AskedCell:
    """Estimate the error of one version in one period from the labels that were asked.

        Hájek: Σ e/π / Σ 1/π,   Horvitz and Thompson: Σ e/π / n

    Parameters
    ----------
    rows
        Rows whose label was asked.
    version, period
        Which of them.
    size
        Number of rows of the cell, with and without a label.
    level
        Confidence level.
    """
    totals, sizes, heaviest = rows.clusters(version, period)
    inside = (rows.version == version) & (rows.period == period)
    if not len(sizes):
        return AskedCell(math.nan, math.nan, 0, None)
    share, ends = weighted_share(totals, sizes, heaviest=heaviest, level=level)
    return AskedCell(share, float(totals.sum()) / size, int(rows.many[inside].sum()), ends)


def asked_scores(
    rows: AskedRows,
    matrix: ScoreMatrix,
    policy: Policy,
    *,
    convention: LifelongConvention = "through-next",
    times: ArrayLike | None = None,
    level: float = 0.95,
) -> tuple[list[PolicyScore], FloatArray, list[float]]:
    """Estimate the error of every version under a policy from labels asked with known probabilities.

    Parameters
    ----------
    rows
        Rows whose label was asked.
    matrix
        All rows, with or without a label: which cells there are and how large they are.
    policy
        How much each period matters.
    convention
        Which periods count for a version.
    times
        Time of each period as a number, for half-lives.
    level
        Confidence level.

    Returns
    -------
    tuple
        Hájek's estimate of each version under the policy, the matrix of Hájek's estimates, and Horvitz and Thompson's
        estimate of each version.

    Notes
    -----
    Unbiased for large samples if labels were asked with exactly these probabilities, whatever the errors depend on
    (Horvitz and Thompson 1952; Hájek 1971). The interval of each period is over its blocks of time, or over rows if
    there is one block; squared half-widths add up (MOVER).
    """
    blocks = matrix.blocks
    assert blocks is not None
    at = np.arange(len(matrix.periods), dtype=float) if times is None else np.asarray(times, dtype=float)
    values = np.full(matrix.values.shape, np.nan)
    scores, totals = [], []
    for version, (seen, weights) in enumerate(weighed_periods(matrix, policy, convention, at)):
        name = matrix.versions[version]
        cells = {
            period: asked_cell(rows, version, period, float(blocks.of_period(version, period)[1].sum()), level=level)
            for period in range(len(matrix.periods))
            if not np.isnan(matrix.values[version, period])
        }
        for period, cell in cells.items():
            values[version, period] = cell.hajek
        if isinstance(weights, str):
            scores.append(PolicyScore(name, (), (), math.nan, 0, undefined=weights))
            totals.append(math.nan)
            continue
        parts = [cells[int(j)] for j in seen]
        n = sum(part.n for part, weight in zip(parts, weights.tolist(), strict=True) if weight > 0)
        silent = [j for j, part, weight in zip(seen, parts, weights, strict=True) if weight > 0 and part.ends is None]
        place = tuple(seen.tolist()), tuple(weights.tolist())
        if silent:
            why = f"no label was asked in period {matrix.periods[silent[0]]}"
            scores.append(PolicyScore(name, *place, math.nan, n, undefined=why))
            totals.append(math.nan)
            continue
        counted = [(part, weight) for part, weight in zip(parts, weights.tolist(), strict=True) if weight > 0]
        shares = np.array([part.hajek for part, _ in counted])
        weighed = np.array([weight for _, weight in counted])
        value = float(weighed @ shares)
        below, above = combined(weighed, shares, [part.ends for part, _ in counted if part.ends])
        interval = Interval(value - below, value + above, level, METHOD, (0.0, 1.0))
        scores.append(PolicyScore(name, *place, value, n, interval))
        totals.append(float(sum(weight * part.horvitz_thompson for part, weight in counted)))
    return scores, values, totals


def asked_difference(
    rows: AskedRows, periods: Sequence[int], weights: FloatArray, *, level: float = 0.95
) -> tuple[float, Interval]:
    """Estimate the difference of two systems under a policy from labels asked with known probabilities.

    Parameters
    ----------
    rows
        Rows whose label was asked; what each counts is the second system's being right minus the first's.
    periods
        Periods that count; each has a label that was asked.
    weights
        Their weights, which add up to 1.
    level
        Confidence level.

    >>> zero = np.zeros(4, dtype=int)
    >>> values, weights, many = np.array([1.0, 0, 0, -1]), np.array([2.0, 2, 5, 5]), np.array([8, 20, 10, 1])
    >>> rows = AskedRows(zero, zero, zero, values, weights, many)
    >>> value, interval = asked_difference(rows, [0], np.array([1.0]))
    >>> round(value, 3), str(interval)
    (0.099, '[-0.1290, 0.3141]')
    """
    parts = [_period_difference(*rows.clusters(0, int(period)), level=level) for period in periods]
    values = np.array([part[0] for part in parts])
    below, above = combined(weights, values, [part[1] for part in parts])
    value = float(weights @ values)
    return value, Interval(value - below, value + above, level, METHOD, (-1.0, 1.0))


def _period_difference(
    totals: FloatArray, sizes: FloatArray, heaviest: float = 0.0, *, level: float
) -> tuple[float, Ends]:
    """Difference in one period; its ends reach to those with one more row of the heaviest weight, +1 and -1."""
    value = float(totals.sum()) / float(sizes.sum())
    low, high = _difference_ends(totals, sizes, level)
    if heaviest:
        more = np.append(sizes, heaviest)
        low = min(low, _difference_ends(np.append(totals, -heaviest), more, level)[0])
        high = max(high, _difference_ends(np.append(totals, heaviest), more, level)[1])
    return value, Ends(np.array([low]), np.array([high]), level, METHOD)


def _difference_ends(totals: FloatArray, sizes: FloatArray, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    weight = float(sizes.sum())
    value = float(totals.sum()) / weight
    variance, degrees = 0.0, 1.0
    if len(sizes) > 1:
        variance, degrees = cluster_variance((totals - value * sizes) / weight, sizes)
    if variance > 1e-15:
        reach = float(stdtrit(degrees, (1 + level) / 2)) * math.sqrt(variance)
        return value - reach, value + reach
    worth = weight / float(sizes.max())  # nothing differs among the rows asked: those rarely asked still may
    first, second = (np.array([max(side * value, 0.0) * worth]) for side in (-1, 1))
    ends = paired_difference(first, second, np.array([worth]), level=level)
    return float(ends.low[0]), float(ends.high[0])
