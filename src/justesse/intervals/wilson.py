"""Wilson's score interval of a proportion: the default."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, checked_counts, one_sided, z_value


def wilson(
    successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Compute Wilson's score interval of a proportion: the values that a score test at this level does not reject.

        (e + z²/2n ± z·sqrt(e(1-e)/n + z²/4n²)) / (1 + z²/n),   e = k/n

    Good at any n, on average; for single p near 0 or 1 its coverage can dip below the level (docs/validity.md).
    Where the level must be guaranteed use Clopper-Pearson. Wilson (1927).

    Parameters
    ----------
    successes
        Number of successes, or an array of them.
    trials
        Number of rows each is a share of.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Returns
    -------
    Ends
        Lower and upper ends, NaN where there are no rows.

    Examples
    --------
    >>> ends = wilson([8, 80], [10, 100])
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([0.49, 0.711], [0.943, 0.867])
    """
    tails = tail_levels(level, alternative)
    k, n = checked_counts(successes, trials)
    low, high = score_end(k, n, -z_value(tails[0] or 0.5)), score_end(k, n, z_value(tails[1] or 0.5))
    return Ends(*one_sided(low, high, tails, n), level, "wilson")


def score_end(successes: ArrayLike, trials: ArrayLike, z: ArrayLike) -> Array:
    """Return the end that lies z standard deviations from the share, below it if z is negative; z may vary.

    >>> score_end([8, 80], [10, 100], [-1.96, 1.0]).round(3).tolist()
    [0.49, 0.837]
    """
    k, n, far = (np.asarray(value, dtype=float) for value in (successes, trials, z))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = k / n
        root = far * np.sqrt(share * (1 - share) / n + far**2 / (4 * n**2))
        end = (share + far**2 / (2 * n) + root) / (1 + far**2 / n)
    return np.where((k == 0) & (far < 0), 0.0, np.where((k == n) & (far > 0), 1.0, end))
