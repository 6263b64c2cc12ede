"""An interval for the mean of shares of disjoint rows, from the intervals of the shares (MOVER)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.ends import Ends, two_sided_level, z_value
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
        the end that s moves inwards is never nearer than MOVER's own, mean(p_k) ± sqrt(Σ (h_k ± c_k)²)/K

    Balanced accuracy is such a mean: rows of different labels are independent. Where a rare class shows no mistake,
    resampling takes it as certain; this does not. Half-widths add as variances do (MOVER; Zou and Donner, 2008), and
    are never less in sum than z·sqrt(Σ v_k), with the unbiased variance v_k = p_k(1-p_k)/(n_k-1): Wilson's half-widths
    are too small for a handful of rows. A class with a single row does not show how much it varies: its v_k is p̄(1-p̄),
    p̄ the mean of all shares. The shifts c_k, which allow for skewness, add as third
    cumulants do: with more classes the mean is less skewed, and the interval nearer to symmetric. MOVER itself keeps
    the skewness of a single class, so that with 100 classes of 10 rows nearly all misses (14 %) are on one side
    (docs/validity.md). The shift is mostly that of the class with the widest interval. If that is a small class without
    mistakes, the shift alone would leave no room for the luck of a large class; MOVER's own end does. For one class it
    is the interval of the share. Classes without rows are left out.

    Parameters
    ----------
    successes
        Successes of each class.
    trials
        Rows of each class.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.
    method
        Interval of each share.

    Returns
    -------
    Ends
        Lower and upper ends, NaN where there are no rows.

    Examples
    --------
    >>> ends = mover([19, 180], [20, 200])
    >>> float(ends.low.round(3)), float(ends.high.round(3))
    (0.832, 0.953)
    """
    k, n = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    k, n = k[n > 0], n[n > 0]
    tail = max(tail_levels(level, alternative))
    ends = method(k, n, level=two_sided_level((tail, tail)))
    if not len(n):
        return Ends(np.asarray(np.nan), np.asarray(np.nan), level, "mover")
    share = k / n
    squares, shifts = ((ends.high - ends.low) / 2) ** 2, (ends.high + ends.low) / 2 - share
    reach, shift = 0.0, 0.0
    if (total := float(squares.sum())) > 0:
        shift = float(shifts @ squares) / total / len(n)
        if len(n) > 1:
            mean = float(share.mean())
            fewer = np.where(n >= 2, n - 1, 1.0)
            variances = np.where(n >= 2, share * (1 - share) / fewer, mean * (1 - mean) / n)
            total = max(total, z_value(tail) ** 2 * float(variances.sum()))
        reach = np.sqrt(total) / len(n)
    middle = np.mean(share) + shift
    below, above = (float(np.sqrt((side**2).sum())) / len(n) for side in (share - ends.low, ends.high - share))
    low, high = middle - reach, middle + reach
    if shift > 0:
        low = min(low, np.mean(share) - below)
    elif shift < 0:
        high = max(high, np.mean(share) + above)
    low = -np.inf if alternative == "less" else low
    high = np.inf if alternative == "greater" else high
    return Ends(np.asarray(low), np.asarray(high), level, "mover")
