"""An interval for the mean of shares of disjoint rows, from the intervals of the shares (MOVER)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, z_value
from justesse.intervals.wilson import wilson


def mover(
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: Callable[..., Ends] = wilson,
) -> Ends:
    """Compute an interval for the mean of K shares from the interval of each share, p_k + c_k ± h_k.

        mean(p_k) + s ± sqrt(Σ h_k²)/K,   s = Σ c_k·h_k² / (K·Σ h_k²)

    Balanced accuracy is such a mean: rows of different labels are independent. Where a rare class shows no mistake,
    resampling takes it as certain; this does not. Half-widths add as variances do (MOVER; Zou and Donner, 2008), and
    are never less in sum than those of the delta method. The shifts c_k, which allow for skewness, add as third
    cumulants do: with more classes the mean is less skewed, and the interval nearer to symmetric. MOVER itself keeps
    the skewness of a single class, so that with 100 classes of 10 rows nearly all misses (14 %) are on one side
    (docs/validity.md). For one class it is the interval of the share. Classes without rows are left out.

    >>> ends = mover([19, 180], [20, 200])
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.832, 0.953)
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    k, n = k[n > 0], n[n > 0]
    tail = max(tail_levels(level, alternative))
    ends = method(k, n, level=1 - 2 * tail)
    if not len(n):
        return Ends(np.asarray(np.nan), np.asarray(np.nan), level, "mover")
    share = k / n
    squares, shifts = ((ends.high - ends.low) / 2) ** 2, (ends.high + ends.low) / 2 - share
    reach, shift = 0.0, 0.0
    if (total := float(squares.sum())) > 0:
        shift = float(shifts @ squares) / total / len(n)
        if len(n) > 1:
            total = max(total, z_value(tail) ** 2 * float((share * (1 - share) / n).sum()))
        reach = np.sqrt(total) / len(n)
    middle = np.mean(share) + shift
    low = -np.inf if alternative == "less" else middle - reach
    high = np.inf if alternative == "greater" else middle + reach
    return Ends(np.asarray(low), np.asarray(high), level, "mover")
