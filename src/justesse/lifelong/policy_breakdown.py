"""How many wrong labels could turn the ranking of two systems under a policy."""

from collections.abc import Sequence
from dataclasses import dataclass

from justesse.core.arrays import FloatArray
from justesse.lifelong.policy_difference import PairedBlocks
from justesse.lifelong.policy_noise import difference_moves


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
    moves = difference_moves(pairs, periods, weights)
    return PolicyBreakdown(moves.fewest(-lead), moves.n)
