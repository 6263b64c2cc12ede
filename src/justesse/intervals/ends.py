"""Both ends of one interval or of many at once."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Interval


class Sides(TypedDict):
    """Level and sidedness, as keyword arguments."""

    level: float
    alternative: Alternative


@dataclass(frozen=True)
class Ends:
    """Lower and upper ends as arrays, not clipped to any range; NaN where there is no interval."""

    low: Array
    high: Array
    level: float
    method: str

    def intervals(
        self, *, bounds: tuple[float, float] = (0.0, 1.0), alternative: Alternative = "two-sided"
    ) -> list[Interval | None]:
        """Return the intervals one by one, `None` where there is none."""
        ends = zip(self.low.ravel().tolist(), self.high.ravel().tolist(), strict=True)
        return [
            None
            if math.isnan(low) or math.isnan(high)
            else Interval(low, high, self.level, self.method, bounds, alternative)
            for low, high in ends
        ]


def z_value(tail: float) -> float:
    """Return the normal quantile that leaves `tail` above it.

    >>> round(z_value(0.025), 4), z_value(0.0)
    (1.96, inf)
    """
    return -NormalDist().inv_cdf(tail) if tail > 0 else float("inf")


def far_value(tail: float, degrees: float = math.inf) -> float:
    """Return the quantile of Student's t that leaves `tail` above it; the normal one without degrees of freedom.

    >>> round(far_value(0.025, 4.0), 4), round(far_value(0.025), 4), far_value(0.0, 4.0)
    (2.7764, 1.96, inf)
    """
    if math.isinf(degrees) or tail <= 0:
        return z_value(tail)
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 1 - tail))


def normal_share(z: Array) -> Array:
    """Return the share of a normal distribution below each of these values, without loading SciPy.

    >>> normal_share(np.array([-1.96, 0.0, 1.96])).round(4).tolist()
    [0.025, 0.5, 0.975]
    """
    below = [math.erfc(-value / math.sqrt(2)) / 2 for value in np.ravel(z).tolist()]
    return np.array(below).reshape(np.shape(z))


def two_sided_level(tails: tuple[float, float]) -> float:
    """Return the level of the two-sided interval that has a one-sided bound as its end.

    >>> round(two_sided_level((0.05, 0.0)), 3), round(two_sided_level((0.025, 0.025)), 3)
    (0.9, 0.95)
    """
    return max(1 - 2 * max(tails), 1e-9)


def checked_counts(successes: ArrayLike, trials: ArrayLike) -> tuple[Array, Array]:
    """Broadcast k and n together, and refuse k outside [0, n].

    They need not be whole: with row weights both are effective counts.
    """
    k, n = np.broadcast_arrays(np.asarray(successes, dtype=float), np.asarray(trials, dtype=float))
    if np.any(k < 0) or np.any(k > n * (1 + 1e-12)):
        raise OptionError("Successes must lie between 0 and the number of trials.")
    return np.minimum(k, n), n


def one_sided(low: Array, high: Array, tails: tuple[float, float], n: Array) -> tuple[Array, Array]:
    """Open the end that a one-sided bound leaves free, and blank what has no trials."""
    nothing = np.where(n > 0, 0.0, np.nan)
    return (
        (np.zeros_like(n) if tails[0] == 0 else low) + nothing,
        (np.ones_like(n) if tails[1] == 0 else high) + nothing,
    )
