"""Wilson's score interval of a proportion: the default."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Array, Ends, checked_counts, one_sided, z_value


def wilson(
    successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Give the proportions that a score test at this level would not reject.

        (e + z²/2n ± z·sqrt(e(1-e)/n + z²/4n²)) / (1 + z²/n),   e = k/n

    Good at any n, on average; for single p near 0 or 1 its coverage can dip below the level (docs/validity.md).
    Where the level must be guaranteed use Clopper-Pearson. Wilson (1927).

    >>> ends = wilson([8, 80], [10, 100])
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([0.49, 0.711], [0.943, 0.867])
    """
    tails = tail_levels(level, alternative)
    k, n = checked_counts(successes, trials)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = k / n

        def end(z: float, sign: int) -> Array:
            root = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
            return np.asarray((share + z**2 / (2 * n) + sign * root) / (1 + z**2 / n))

        low = np.where(k == 0, 0.0, end(z_value(tails[0] or 0.5), -1))
        high = np.where(k == n, 1.0, end(z_value(tails[1] or 0.5), +1))
    return Ends(*one_sided(low, high, tails, n), level, "wilson")
