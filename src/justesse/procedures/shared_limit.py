"""Do training and test error of a learning curve approach one limit?"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.procedures.power_laws import fit_power_laws

RATE = 0.05  # of rejecting one limit where there is one
DRAWS = 200
FEWEST_SIZES = 4  # six numbers are fitted to two errors of each size
NO_RISE = (
    "The training error does not rise with more rows (the learner memorises them), so the limit is the asymptote of "
    "this learner, not the Bayes error."
)
REJECTED = (
    "Training and test error do not approach one limit (residual test, p = {p:.2g}), so the limit is the asymptote of "
    "this learner, not the Bayes error."
)
FEW = "A test for a shared limit needs {few} training set sizes or more; got {n}. The limit is that of this learner."


@dataclass(frozen=True)
class SharedLimit:
    """Whether training and test error approach one limit; true in a condition if they do."""

    rises: bool
    statistic: float | None
    pvalue: float | None
    reason: str | None

    def __bool__(self) -> bool:
        return self.reason is None

    def to_dict(self) -> dict[str, Any]:
        return {
            "shared": bool(self),
            "training_errors_rise": self.rises,
            "statistic": self.statistic,
            "pvalue": self.pvalue,
            "reason": self.reason,
        }


def shared_limit(sizes: Array, mean: Array, weights: Array, deviations: Array, train: Array) -> SharedLimit:
    """Tell whether training errors rise and the joint fit is not rejected.

        S_joint - S_alone,   the numerator of the F test of one limit against two

    `mean` holds the test errors and then the training errors, `deviations` what resampling the splits does to them
    (draws × 2m), `train` the training errors by split and size. Errors at neighbouring sizes move together, so the F
    distribution does not hold: with it a true shared limit was rejected in 40 % of data sets. The p-value is the share
    of draws, the joint fit with the deviations added, that leave as much or more. Draws are fitted as the errors are,
    with refined exponents: what a coarse grid misses would hide a difference of limits. Training errors rise if the
    mean rise from the smallest to the largest size is more than twice its standard error.

    >>> n, rng = np.array([20, 40, 80, 160, 320.0]), np.random.default_rng(0)
    >>> test, noise = 0.2 + 2 / n, 0.002 * rng.normal(size=(200, 10))
    >>> rising, none = 0.2 - 1 / n, 0 * n
    >>> for train in (rising, none):
    ...     splits = train + 0.001 * rng.normal(size=(9, 5)) * (train > 0)
    ...     print(bool(shared_limit(n, np.append(test, train), np.ones(10), noise, splits)))
    True
    False
    """
    rise = train[:, -1] - train[:, 0]
    rises = bool(rise.mean() > 2 * rise.std(ddof=1) / np.sqrt(len(rise)))
    m = len(sizes)
    if not rises:
        return SharedLimit(rises, None, None, NO_RISE)
    if m < FEWEST_SIZES:
        return SharedLimit(rises, None, None, FEW.format(n=m, few=FEWEST_SIZES))

    def extra(curves: Array) -> tuple[Array, Array]:
        test, training = curves[..., :m], curves[..., m:]
        joint = fit_power_laws(sizes, test, training, weights, refine=True)
        alone = fit_power_laws(sizes, test, training, weights, shared=False, refine=True)
        fitted = np.concatenate([law(sizes[:, None]).T for law in (joint.test, joint.train)], axis=1)
        return joint.left - alone.left, fitted

    (statistic,), fitted = extra(mean)
    pvalue = float(np.mean(np.append(extra(fitted + deviations[:DRAWS])[0] >= statistic, True)))
    reason = REJECTED.format(p=pvalue) if pvalue < RATE else None
    return SharedLimit(rises, float(statistic), pvalue, reason)
