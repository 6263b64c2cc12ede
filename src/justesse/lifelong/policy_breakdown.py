"""How many wrong labels could turn the ranking of two systems under a policy."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from justesse.core.arrays import FloatArray
from justesse.lifelong.policy_difference import PairedBlocks


@dataclass(frozen=True)
class PolicyBreakdown:
    """The fewest wrong labels that could turn the ranking of two systems under a policy."""

    count: int | None
    n: int

    @property
    def rate(self) -> float | None:
        return None if self.count is None else self.count / self.n


def policy_breakdown(pairs: PairedBlocks, periods: Sequence[int], weights: FloatArray) -> PolicyBreakdown:
    """Count the fewest wrong labels that could make the better system no better under a policy. Exact.

    An item where only the better system is right moves the difference by 2·P_j/n_j if its label is changed to the
    other's answer; one where both are wrong with different answers, by P_j/n_j. Items of one period and kind are worth
    the same, so taking the most valuable first is best.

    Parameters
    ----------
    pairs
        Items that both answered.
    periods
        Periods that count.
    weights
        Their weights, which add up to 1.

    >>> import numpy as np
    >>> period = np.array([0])
    >>> pairs = PairedBlocks(period, np.array([5.0]), np.array([15.0]), np.array([0.0]), np.array([100.0]))
    >>> policy_breakdown(pairs, [0], np.array([1.0])).count
    5
    """
    lead = float(weights @ pairs.differences(periods))
    kinds: list[tuple[float, int]] = []  # what a label moves, and how many there are
    n = 0
    for weight, period in zip(weights.tolist(), periods, strict=True):
        first, second, neither, sizes = (float(part.sum()) for part in pairs.of_period(period))
        n += int(sizes)
        ahead = second if lead > 0 else first
        kinds += [(2 * weight / sizes, int(ahead)), (weight / sizes, int(neither))]
    left, count = abs(lead), 0
    if left <= 1e-12:
        return PolicyBreakdown(0, n)
    for worth, many in sorted(kinds, reverse=True):
        if not worth:
            continue
        needed = math.ceil((left - 1e-12) / worth)
        if needed <= many:
            return PolicyBreakdown(count + needed, n)
        left -= many * worth
        count += many
    return PolicyBreakdown(None, n)
