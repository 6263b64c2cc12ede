"""Two systems under many policies at once: differences whose intervals hold together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.lifelong.policy_difference import PairedBlocks, period_ends, policy_difference

DRAWS = 40_000


@dataclass(frozen=True)
class MappedDifference:
    """The difference of two systems under one policy, second minus first. All intervals hold together."""

    value: float
    interval: Interval

    @property
    def sure(self) -> bool:
        """Whether one of the two is better for sure: the interval leaves out 0."""
        return self.interval.low > 0 or self.interval.high < 0


def mapped_differences(
    pairs: PairedBlocks,
    periods: Sequence[int],
    weights: FloatArray,
    *,
    level: float = 0.95,
    comparisons: int = 1,
    seed: int = 0,
) -> list[MappedDifference]:
    """Compute the difference of two systems under several policies, with simultaneous intervals.

    Parameters
    ----------
    pairs
        Items that both answered.
    periods
        Periods that count.
    weights
        Weights of these periods, policies down; each row adds up to 1.
    level
        Confidence level of all intervals together.
    comparisons
        Number of pairs of systems that are compared, each under these policies: their risks add up (Bonferroni).
    seed
        Seed of the draws.

    Notes
    -----
    The differences under two policies are weighted sums of the same differences of periods, so they are alike. The
    largest of them in units of their standard errors is drawn from the normal law with their correlations (max-t;
    Hothorn, Bretz and Westfall 2008); the level of each interval follows from its quantile. It is never wider than
    Bonferroni's.

    >>> period = np.array([0, 1])
    >>> pairs = PairedBlocks(period, np.array([9.0, 2.0]), np.array([1.0, 8.0]), np.zeros(2), np.array([50.0, 50.0]))
    >>> past, recent = mapped_differences(pairs, [0, 1], np.array([[0.9, 0.1], [0.1, 0.9]]))
    >>> round(past.value, 3), past.sure, round(recent.value, 3), recent.sure
    (-0.132, True, 0.092, False)
    """
    each = simultaneous_level(pairs, periods, weights, level=1 - (1 - level) / comparisons, seed=seed)
    differences = [policy_difference(pairs, periods, row, level=each) for row in weights]
    return [MappedDifference(value, replace(interval, level=level)) for value, interval in differences]


def simultaneous_level(
    pairs: PairedBlocks, periods: Sequence[int], weights: FloatArray, *, level: float, seed: int = 0
) -> float:
    """Find the level of each interval at which the intervals of all policies hold together.

    Parameters
    ----------
    pairs
        Items that both answered.
    periods
        Periods that count.
    weights
        Weights of these periods, policies down.
    level
        Confidence level of all intervals together.
    seed
        Seed of the draws.

    >>> period = np.array([0, 1])
    >>> pairs = PairedBlocks(period, np.array([9.0, 2.0]), np.array([1.0, 8.0]), np.zeros(2), np.array([50.0, 50.0]))
    >>> both = [np.array([[0.9, 0.1], [0.1, 0.9]]), np.array([[0.9, 0.1], [0.9, 0.1]])]
    >>> [round(simultaneous_level(pairs, [0, 1], weights, level=0.95), 3) for weights in both]
    [0.975, 0.95]
    """
    from scipy.special import ndtr

    ends = [period_ends(pairs, int(period), level) for period in periods]
    spread = np.array([float(part.high[0] - part.low[0]) for part in ends])
    parts = weights * spread
    size = np.sqrt((parts**2).sum(axis=1, keepdims=True))
    largest = np.abs(_drawn(seed, len(spread)) @ (parts / size).T).max(axis=1)
    together = 2 * float(ndtr(np.quantile(largest, level))) - 1
    bonferroni = 1 - (1 - level) / len(weights)
    return min(max(together, level), bonferroni)


@lru_cache(maxsize=4)
def _drawn(seed: int, periods: int) -> FloatArray:
    return np.asarray(stream(seed, "policy map").normal(size=(DRAWS, periods)))
