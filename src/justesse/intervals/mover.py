"""An interval for a weighted sum of independent parts, from the intervals of the parts (MOVER)."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
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
    low, high = weighted_sum(
        np.full(len(n), 1 / len(n)), share, ends.low, ends.high, least=z_value(tail) ** 2 * share_variances(share, n)
    )
    low = -np.inf if alternative == "less" else low
    high = np.inf if alternative == "greater" else high
    return Ends(np.asarray(low), np.asarray(high), level, "mover")


def share_variances(shares: FloatArray, n: FloatArray) -> FloatArray:
    """Return the unbiased variance p(1-p)/(n-1) of each share; with a single row it is that of the mean share."""
    mean = float(shares.mean())
    return np.asarray(np.where(n >= 2, shares * (1 - shares) / np.maximum(n - 1, 1), mean * (1 - mean) / n))


def weighted_sum(
    weights: FloatArray, values: FloatArray, low: FloatArray, high: FloatArray, *, least: FloatArray | None = None
) -> tuple[float, float]:
    """Compute the interval of Σ w_k·x_k from the interval x_k + c_k ± h_k of each independent part; see `mover`.

        Σ w_k·x_k + s ± sqrt(Σ w_k²·h_k²),   s = Σ w_k³·c_k·h_k² / Σ w_k²·h_k²

    `least` are squared half-widths: with several parts, the reach is never less than their sum gives.

    >>> low, high = weighted_sum(np.array([0.9, 0.1]), np.array([0.2, 0.5]), np.array([0.1, 0.3]), np.array([0.4, 0.6]))
    >>> round(low, 2), round(high, 2)
    (0.14, 0.41)
    """
    squares, shifts = (weights * (high - low) / 2) ** 2, weights * ((high + low) / 2 - values)
    value, total = float(weights @ values), float(squares.sum())
    if total == 0:
        return value, value
    shift = float(shifts @ squares) / total
    if least is not None and len(values) > 1:
        total = max(total, float(weights**2 @ least))
    ends = [value + shift - np.sqrt(total), value + shift + np.sqrt(total)]
    if shift > 0:
        ends[0] = min(ends[0], value - float(np.sqrt(((weights * (values - low)) ** 2).sum())))
    elif shift < 0:
        ends[1] = max(ends[1], value + float(np.sqrt(((weights * (high - values)) ** 2).sum())))
    return float(ends[0]), float(ends[1])
