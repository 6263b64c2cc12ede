"""The prequential error: each item is a test before it is a lesson; recent items can count more."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
from justesse.core.errors import OptionError

LARGEST = 300.0  # logarithm of the largest weight held at once: its reciprocal is still a normal number


def check_memory(fading: float | None, window: int | None) -> None:
    """Refuse a fading factor or a window that is none, and both at once."""
    if fading is not None and window is not None:
        raise OptionError("Choose a fading factor or a window, not both (fading=…, --fading; window=…, --window).")
    if fading is not None and not 0 < fading <= 1:
        raise OptionError(f"The fading factor must be above 0 and at most 1, such as 0.999; got {fading!r}.")
    if window is not None and not (window >= 1 and float(window).is_integer()):
        raise OptionError(f"The window must be a number of items, 1 or more; got {window!r}.")


def prequential_error(errors: ArrayLike, *, fading: float | None = None, window: int | None = None) -> FloatArray:
    """Compute the prequential error after each item.

        P(i) = Σ_k w_k·e_k / Σ_k w_k,   w_k = 1, or α^(i-k) with fading factor α, or 1 for the last w items only

    Parameters
    ----------
    errors
        1 where an item was answered wrongly, 0 where rightly, in the order in which the labels became known; NaN where
        nobody answered, which counts as nothing.
    fading
        Fading factor α, such as 0.999. Default: all items count alike.
    window
        Number of items of a sliding window.

    Returns
    -------
    array
        Error after each item.

    Notes
    -----
    Dawid (1984); Gama, Sebastião and Rodrigues (2013).

    Examples
    --------
    >>> prequential_error([1, 0, 0, 1]).round(3).tolist()
    [1.0, 0.5, 0.333, 0.5]
    >>> prequential_error([1, 0, 0, 1], fading=0.5).round(3).tolist()
    [1.0, 0.333, 0.143, 0.6]
    >>> prequential_error([1, 0, 0, 1], window=2).tolist()
    [1.0, 0.5, 0.0, 0.5]
    """
    check_memory(fading, window)
    values = np.asarray(errors, dtype=float)
    answered = ~np.isnan(values)
    sums = (_remembered(np.where(answered, values, 0.0), fading, window), _remembered(answered, fading, window))
    return np.asarray(np.divide(*sums, out=np.full(len(values), math.nan), where=sums[1] > 0))


def effective_items(n: ArrayLike, *, fading: float | None = None, window: int | None = None) -> FloatArray:
    """Compute how many equally weighted items are worth as much as n items of which recent ones count more.

        (Σ w)² / Σ w² = (1 - α^n)(1 + α) / ((1 + α^n)(1 - α))

    Parameters
    ----------
    n
        Number of items.
    fading
        Fading factor α.
    window
        Number of items of a sliding window.

    >>> effective_items([1, 10, 100_000], fading=0.999).round(1).tolist()
    [1.0, 10.0, 1999.0]
    """
    items = np.asarray(n, dtype=float)
    if window is not None:
        return np.asarray(np.minimum(items, window))
    if fading is None or fading == 1:
        return items
    last = np.exp(items * math.log(fading))
    return np.asarray((1 - last) * (1 + fading) / ((1 + last) * (1 - fading)))


def _remembered(values: ArrayLike, fading: float | None, window: int | None) -> FloatArray:
    """Add up values so far, each with the weight it has after each item."""
    added = np.asarray(values, dtype=float)
    if window is not None:
        sums = np.cumsum(added)
        return np.asarray(sums - np.concatenate([np.zeros(min(window, len(sums))), sums[:-window]]))
    if fading is None or fading == 1:
        return np.cumsum(added)
    # Σ α^(i-k)·v_k = α^i·Σ α^(-k)·v_k, in stretches in which α^(-k) stays a number
    length = max(1, min(len(added), int(LARGEST / -math.log(fading))))
    powers = np.exp(np.arange(length) * math.log(fading))
    sums, before = np.empty(len(added)), 0.0
    for start in range(0, len(added), length):
        part = added[start : start + length]
        own = powers[: len(part)]
        sums[start : start + len(part)] = own * (np.cumsum(part / own) + fading * before)
        before = float(sums[start + len(part) - 1])
    return sums
