"""Two systems under the same policy: the paired difference with its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.results import Interval
from justesse.intervals.clustered import clustered_mean
from justesse.intervals.ends import Ends
from justesse.lifelong.policy_score import METHOD, combined
from justesse.significance.paired_difference import paired_difference


@dataclass(frozen=True)
class PairedBlocks:
    """Items that both systems answered, by block of time.

    Parameters
    ----------
    period
        Test period of each block, from 0.
    only_first, only_second
        Items where only the first, or only the second system is right.
    neither_differ
        Items where both are wrong, with different answers.
    sizes
        Items of each block.
    """

    period: Array
    only_first: FloatArray
    only_second: FloatArray
    neither_differ: FloatArray
    sizes: FloatArray

    def of_period(self, period: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return the counts of the blocks of one period."""
        inside = (self.period == period) & (self.sizes > 0)
        return self.only_first[inside], self.only_second[inside], self.neither_differ[inside], self.sizes[inside]

    def differences(self, periods: ArrayLike) -> FloatArray:
        """Return the accuracy of the second system minus that of the first, in each of these periods."""
        values = []
        for period in np.asarray(periods).tolist():
            first, second, _, sizes = self.of_period(int(period))
            if not sizes.sum():
                raise InputError(f"No item of period {period + 1} was answered by both systems.")
            values.append((second.sum() - first.sum()) / sizes.sum())
        return np.array(values, dtype=float)


def policy_difference(
    pairs: PairedBlocks, periods: Sequence[int], weights: FloatArray, *, level: float = 0.95
) -> tuple[float, Interval]:
    """Compute the difference of two systems under a policy, second minus first, with its confidence interval.

        Δ_P = Σ_j P_j·Δ_j

    Parameters
    ----------
    pairs
        Items that both answered.
    periods
        Periods that count.
    weights
        Their weights, which add up to 1. A period of weight 0 needs no item.
    level
        Confidence level.

    Notes
    -----
    In a period with several blocks of time, Δ_j ± t_ν times the cluster-robust standard error over blocks; with one
    block, Tango's interval of a paired difference (1998). Squared half-widths add up as variances do (MOVER).

    >>> period = np.array([0])
    >>> pairs = PairedBlocks(period, np.array([5.0]), np.array([15.0]), np.array([0.0]), np.array([100.0]))
    >>> value, interval = policy_difference(pairs, [0], np.array([1.0]))
    >>> round(value, 2), str(interval)
    (0.1, '[0.0134, 0.1924]')
    """
    periods = [period for period, weight in zip(periods, weights, strict=True) if weight != 0]  # others need no item
    weights = weights[weights != 0]
    values = pairs.differences(periods)
    ends = [period_ends(pairs, period, level) for period in periods]
    low, high = combined(weights, values, ends)
    value = float(weights @ values)
    return value, Interval(value - low, value + high, level, METHOD, (-1.0, 1.0))


def period_ends(pairs: PairedBlocks, period: int, level: float) -> Ends:
    """Compute the interval of the difference in one period: over its blocks of time, or over items if there is one."""
    from scipy.special import stdtrit

    first, second, _, sizes = pairs.of_period(period)
    if len(sizes) == 1:
        return paired_difference(first, second, sizes, level=level)
    mean = clustered_mean(second - first, sizes)
    reach = float(stdtrit(mean.degrees, (1 + level) / 2)) * mean.error
    if not reach > 0:  # no block differs from another: single items still may
        return paired_difference(
            first.sum(keepdims=True), second.sum(keepdims=True), sizes.sum(keepdims=True), level=level
        )
    return Ends(np.array([mean.value - reach]), np.array([mean.value + reach]), level, METHOD)
