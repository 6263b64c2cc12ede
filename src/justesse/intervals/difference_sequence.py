"""Bounds on the difference of two means that hold at every look, from sums: two variants, outcomes over time."""

from collections.abc import Callable

import numpy as np

from justesse.core.arrays import Array
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.tilts import Tilts, by_spread, by_sums, two_mean_tilts

GOLDEN = (np.sqrt(5) - 1) / 2
NUISANCE = 22  # steps of the search for the least favourable pair of means
MOST_STEPS, PRECISION = 60, 1e-3
SHIFT = 20.0  # log wealth near the estimate is negative
CAREFUL = 0.01  # what an imprecise minimum may be too high by, in log wealth


def log_wealth(first: ArmSums, mean: Array, second: ArmSums, other: Array, tilts: Tilts) -> Array:
    """Return the log wealth of bets that the first mean is larger, and the second smaller, than these."""
    # each stake occurs in many pairs, so what it pays is computed once
    each_first, at_first = tilts.distinct_first
    each_second, at_second = tilts.distinct_second
    with np.errstate(divide="ignore", invalid="ignore"):
        sums = by_sums(first, mean, each_first, 1)[:, at_first] + by_sums(second, other, each_second, -1)[:, at_second]
        spread = (
            by_spread(first, mean, each_first, 1)[:, at_first] + by_spread(second, other, each_second, -1)[:, at_second]
        )
        usable = tilts.spread > 0
        parts = np.concatenate([sums + np.log(tilts.sums), (spread + np.log(tilts.spread))[:, usable]], axis=1)
    parts[np.isnan(parts)] = -np.inf
    most = parts.max(axis=1)
    return np.asarray(most + np.log(np.exp(parts - most[:, None]).sum(axis=1)))


def least_log_wealth(first: ArmSums, second: ArmSums, difference: Array, tilts: Tilts) -> Array:
    """Return the least log wealth over all pairs of means with these differences.

    The log wealth is convex in both means, so a golden-section search finds it; the result is lowered a little.
    """
    low, high = np.maximum(0.0, -difference), np.minimum(1.0, 1.0 - difference)

    def at(other: Array) -> Array:
        return log_wealth(first, np.clip(other + difference, 0.0, 1.0), second, other, tilts)

    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = at(left), at(right)
    least = np.minimum(at_left, at_right)
    for _ in range(NUISANCE):
        smaller = at_left < at_right
        high, low = np.where(smaller, right, high), np.where(smaller, low, left)
        point = np.where(smaller, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        value = at(point)
        left, right, at_left, at_right = (
            np.where(smaller, point, right),
            np.where(smaller, left, point),
            np.where(smaller, value, at_right),
            np.where(smaller, at_left, value),
        )
        least = np.minimum(least, value)
    return np.asarray(least - CAREFUL)


def lower_difference(first: ArmSums, second: ArmSums, *, risk: float, share: float = 0.5) -> Array:
    """Return lower bounds on the first mean minus the second, at every look; all hold together with 1 - risk.

        K_t(a, b) = Σ_k w_k · Π_first pay_k(x; a) · Π_second pay_k(x; b);   bound = min a - b with K_t(a, b) < 1/risk

    At the true means (averages of what was expected of each outcome before it arrived) the wealth K_t is not expected
    to grow, so it ever reaches 1/risk with a chance of at most the risk (Ville, 1939). Means may change over time:
    the bounds are about the averages so far. Upper bounds are minus the lower bounds of the arms swapped. Wrong to use
    if the next event's variant was chosen for the outcome it would have. Howard, Ramdas, McAuliffe and Sekhon (2021);
    Waudby-Smith and Ramdas (2024).

    Parameters
    ----------
    first, second
        Sums of both variants at the same looks.
    risk
        Chance that the bound is ever too high.
    share
        Planned share of the first variant in the events of both.

    Examples
    --------
    >>> new, old = ArmSums.of_blocks([1000], [560], [560]), ArmSums.of_blocks([1000], [400], [400])
    >>> lower_difference(new, old, risk=0.025).round(3).tolist()
    [0.084]
    """
    tilts = two_mean_tilts(share)
    none = (first.n == 0) | (second.n == 0)
    with np.errstate(invalid="ignore"):
        middle = np.where(none, 0.0, first.mean - second.mean)
    return first_refuted(lambda at: least_log_wealth(first, second, at, tilts), middle, -1.0, -np.log(risk))


def first_refuted(log_wealth_at: Callable[[Array], Array], middle: Array, least: float, limit: float) -> Array:
    """Return the largest value below the estimate that is refuted: there the log wealth reaches the limit.

    The log wealth falls from `least` to `middle`. The search keeps a refuted value below and one that is not above, so
    what it returns errs to the safe side, by a thousandth of the distance to the estimate at most.
    """

    def excess(at: Array) -> Array:
        # log wealth grows with the square of the distance, and a secant needs what grows in proportion
        return np.asarray(np.sqrt(np.maximum(log_wealth_at(at) + SHIFT, 0.0)) - np.sqrt(limit + SHIFT))

    low, high = np.full(len(middle), least), np.array(middle)
    at_low, at_high = excess(low), excess(high)
    bounded = at_low >= 0  # otherwise nothing is refuted yet
    low = np.where(bounded & (at_high >= 0), high, low)  # an estimate that is refuted itself: means that changed
    side = np.zeros(len(middle))
    for step in range(MOST_STEPS):
        wide = bounded & (high - low > PRECISION * np.maximum(middle - low, 1e-9))
        if not wide.any():
            break
        with np.errstate(invalid="ignore", divide="ignore"):
            point = low + (high - low) * at_low / (at_low - at_high)
        # the secant, with halved ends so that both move (Illinois); every fourth step halves the interval
        unusable = ~np.isfinite(point) | (step % 4 == 3)
        point = np.where(unusable, (low + high) / 2, point)
        value = excess(point)
        refuted = value >= 0
        at_high = np.where(refuted & (side > 0), at_high / 2, at_high)
        at_low = np.where(~refuted & (side < 0), at_low / 2, at_low)
        low, at_low = np.where(refuted, point, low), np.where(refuted, value, at_low)
        high, at_high = np.where(refuted, high, point), np.where(refuted, at_high, value)
        side = np.where(refuted, 1, -1)
    return np.asarray(low)
