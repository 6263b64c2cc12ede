"""The half-width of an asymptotic confidence sequence: a normal interval that may be looked at all the time."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError

TIGHTEST = 1000  # events at which the interval is narrowest for its level


def asymptotic_half_width(n: ArrayLike, deviation: ArrayLike, *, risk: float, tightest: float = TIGHTEST) -> Array:
    """Return the half-width after n values with this standard deviation, for all n together.

        σ · √( 2(nρ² + 1) / (n²ρ²) · log( √(nρ² + 1) / risk ) ),    ρ² = (-2 log risk + log(1 - 2 log risk)) / tightest

    The values need no bounds. It holds for large n only: at the first looks, and for rare outcomes, it may miss more
    often than the risk. Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), Time-uniform central limit theory and
    asymptotic confidence sequences.

    Parameters
    ----------
    n
        Number of values.
    deviation
        Their standard deviation.
    risk
        Chance that the interval ever misses the mean, on either side.
    tightest
        Number of values at which the interval is narrowest for its level.

    Examples
    --------
    >>> asymptotic_half_width([100, 10_000], 0.5, risk=0.05).round(4).tolist()
    [0.1928, 0.0162]
    """
    if not 0 < risk < 1:
        raise OptionError(f"The risk must lie between 0 and 1; got {risk!r}.")
    count = np.asarray(n, dtype=float)
    rho = (-2 * np.log(risk) + np.log(1 - 2 * np.log(risk))) / tightest
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = 2 * (count * rho + 1) / (count**2 * rho) * np.log(np.sqrt(count * rho + 1) / risk)
        return np.asarray(np.asarray(deviation, dtype=float) * np.sqrt(inside))
