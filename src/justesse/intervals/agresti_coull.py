"""Agresti and Coull's interval of a proportion: Wald's with z² rows added, half of them right."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, checked_counts, one_sided, z_value


def agresti_coull(
    successes: ArrayLike, trials: ArrayLike, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Ends:
    """Compute the Agresti-Coull interval of a proportion, e' ± z·sqrt(e'(1-e')/n'), n' = n + z², e' = (k + z²/2)/n'.

    A little wider than Wilson's around the same centre; its ends may leave [0, 1]. Agresti and Coull (1998).

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
    >>> ends = agresti_coull(8, 10)
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.479, 0.954)
    """
    tails = tail_levels(level, alternative)
    k, n = checked_counts(successes, trials)

    def end(z: float, sign: int) -> Array:
        more = n + z**2
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (k + z**2 / 2) / more
            return np.asarray(share + sign * z * np.sqrt(share * (1 - share) / more))

    low, high = end(z_value(tails[0] or 0.5), -1), end(z_value(tails[1] or 0.5), +1)
    return Ends(*one_sided(low, high, tails, n), level, "agresti-coull")
