"""The stakes of bets on means: a fixed grid, so that the same sums always give the same interval."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from justesse.core.arrays import Array
from justesse.intervals.arm_sums import ArmSums

STEP = 0.5 * np.log(2)
SMALLEST, LARGEST = -22, 4  # in steps of √2: from 0.0005 to 4
CENTRE = -6  # 1/8, best after some thousand events
SLANT = 3  # stakes on the second mean are up to 8 times smaller or larger
OF_SUMS = 0.75  # of the stake follows the sums alone, the rest the spread


@dataclass(frozen=True)
class Tilts:
    """Stakes on two means at once, and the share of the initial wealth that each gets.

    `sums` and `spread` say which shares bet by the sums alone (Hoeffding's bound) and by the spread (empirical
    Bernstein).
    """

    first: Array
    second: Array
    sums: Array
    spread: Array

    @cached_property
    def distinct_first(self) -> tuple[Array, Array]:
        """The different stakes on the first mean, and which of them each pair has."""
        return _distinct(self.first)

    @cached_property
    def distinct_second(self) -> tuple[Array, Array]:
        """The different stakes on the second mean, and which of them each pair has."""
        return _distinct(self.second)


def _distinct(stakes: Array) -> tuple[Array, Array]:
    steps = np.round(np.log(stakes / stakes.min()) / STEP).astype(int)
    _, first, inverse = np.unique(steps, return_index=True, return_inverse=True)
    return stakes[first], inverse


def _grid(slants: range) -> Tilts:
    pairs = [(step, slant) for step in range(SMALLEST, LARGEST + 1) for slant in slants]
    steps, slant = (np.array(part) for part in zip(*pairs, strict=True))
    weight = 1 / (4 + np.abs(steps - CENTRE)) / (1 + np.abs(slant)) ** 2
    first, second = (np.exp(STEP * (steps + sign * slant)) for sign in (1, -1))
    usable = np.maximum(first, second) < 1  # the spread allows stakes below 1 only
    by_spread = np.where(usable, weight, 0.0)
    return Tilts(first, second, OF_SUMS * weight / weight.sum(), (1 - OF_SUMS) * by_spread / by_spread.sum())


ONE_MEAN, TWO_MEANS = _grid(range(1)), _grid(range(-SLANT, SLANT + 1))


@cache
def two_mean_tilts(share: float) -> Tilts:
    """Return stakes on two means of which the first has this share of the events of both.

    The stakes are in inverse proportion to the planned numbers of events, so that a change of both means by the same
    amount hardly counts.
    """
    slant = np.sqrt((1 - share) / share)
    first, second = TWO_MEANS.first * slant, TWO_MEANS.second / slant
    by_spread = np.where(np.maximum(first, second) < 1, TWO_MEANS.spread, 0.0)
    return Tilts(first, second, TWO_MEANS.sums, by_spread)


def by_sums(arm: ArmSums, mean: Array, tilt: Array, sign: int) -> Array:
    """Return the log wealth (looks × stakes) of bets that a mean is larger (`sign` 1) or smaller (-1) than `mean`.

        ±λ·Σx - n·log(1 + m·(exp(±λ) - 1))

    The second term is concave in m, so it also holds for the average of means that change.
    """
    stake = sign * tilt
    return np.asarray(arm.total[:, None] * stake - arm.n[:, None] * np.log1p(mean[:, None] * np.expm1(stake)))


def by_spread(arm: ArmSums, mean: Array, tilt: Array, sign: int) -> Array:
    """Return the log wealth (looks × stakes) of bets that allow for the spread of the outcomes.

    ±λ·(Σx - n·m) + (log(1-λ) + λ)·Σ(x - c)²,    λ < 1
    """
    stake = np.minimum(tilt, 0.999)  # larger stakes have no weight
    paid = sign * stake * (arm.total - arm.n * mean)[:, None]
    return np.asarray(paid + (np.log1p(-stake) + stake) * arm.spread[:, None])
