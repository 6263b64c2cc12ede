"""Bounds on a mean that hold at every look, from sums."""

import numpy as np

from justesse.core.arrays import Array
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.difference_sequence import first_refuted
from justesse.intervals.tilts import ONE_MEAN, by_spread, by_sums


def lower_mean(arm: ArmSums, *, risk: float) -> Array:
    """Return lower bounds on the mean of outcomes between 0 and 1, at every look; all hold together with 1 - risk.

        K_t(m) = Σ_k w_k · Π pay_k(x; m);   the mean is above m as soon as K_t(m) ≥ 1/risk

    The mean is the average of what was expected of each outcome before it arrived, so it may change. Upper bounds are
    1 minus the lower bounds of `arm.mirrored`. Howard, Ramdas, McAuliffe and Sekhon (2021); Waudby-Smith and Ramdas
    (2024).

    Parameters
    ----------
    arm
        Sums at every look.
    risk
        Chance that the bound is ever too high.

    Examples
    --------
    >>> lower_mean(ArmSums.of_blocks([100, 900], [30, 270], [30, 270]), risk=0.025).round(3).tolist()
    [0.157, 0.253]
    """
    middle = np.where(arm.n > 0, np.nan_to_num(arm.mean), 0.0)
    return first_refuted(lambda at: mean_log_wealth(arm, at), middle, 0.0, -np.log(risk))


def mean_log_wealth(arm: ArmSums, mean: Array) -> Array:
    """Return the log wealth of bets that the mean is larger than this."""
    with np.errstate(divide="ignore", invalid="ignore"):
        sums = by_sums(arm, mean, ONE_MEAN.first, 1) + np.log(ONE_MEAN.sums)
        spread = by_spread(arm, mean, ONE_MEAN.first, 1) + np.log(ONE_MEAN.spread)
    parts = np.nan_to_num(np.concatenate([sums, spread], axis=1), nan=-np.inf, posinf=np.inf, neginf=-np.inf)
    most = parts.max(axis=1)
    return np.asarray(most + np.log(np.exp(parts - most[:, None]).sum(axis=1)))


def mean_bounds(arm: ArmSums, risk: float) -> tuple[float, float]:
    """Return both bounds at the last look.

    >>> [round(end, 2) for end in mean_bounds(ArmSums.of_blocks([1000], [300], [300]), 0.05)]
    [0.25, 0.35]
    """
    last = arm.at(-1)
    return float(lower_mean(last, risk=risk / 2)[0]), float(1 - lower_mean(last.mirrored, risk=risk / 2)[0])
