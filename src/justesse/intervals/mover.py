"""An interval for the mean of shares of disjoint rows, from the intervals of the shares (MOVER)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative
from justesse.intervals.ends import Ends
from justesse.intervals.wilson import wilson


def mover(
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: Callable[..., Ends] = wilson,
) -> Ends:
    """Give mean(p_k) - sqrt(Σ(p_k - l_k)²)/K and mean(p_k) + sqrt(Σ(u_k - p_k)²)/K, [l_k, u_k] each share's interval.

    Balanced accuracy is such a mean: rows of different labels are independent. Where a rare class shows no mistake,
    resampling takes it as certain; this does not. Classes without rows are left out. Zou and Donner (2008).

    >>> ends = mover([19, 180], [20, 200])
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.829, 0.952)
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    k, n = k[n > 0], n[n > 0]
    ends = method(k, n, level=level, alternative=alternative)
    if not len(n):
        return Ends(np.asarray(np.nan), np.asarray(np.nan), level, "mover")
    share, mean = k / n, np.mean(k / n)
    below, above = (np.sqrt(((share - end) ** 2).sum()) / len(n) for end in (ends.low, ends.high))
    low = -np.inf if alternative == "less" else mean - below
    high = np.inf if alternative == "greater" else mean + above
    return Ends(np.asarray(low), np.asarray(high), level, "mover")
