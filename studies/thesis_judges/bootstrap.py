"""How sure a type II rate, or a difference of two, is over classifiers like these."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def drawn_rates(hits: Array, among: Array, weights: Array) -> Array:
    """Give the share of hits among pairs for every draw of the classifiers.

        Σ_ij w_i·w_j·hits_ij / Σ_ij w_i·w_j·among_ij      w_i: how often classifier i was drawn

    A classifier never meets itself, however often it was drawn. NaN where a draw has no pair to count.

    >>> hits, among = np.array([[0, 1], [0, 0]]), np.array([[0, 1], [1, 0]])
    >>> drawn_rates(hits, among, np.array([[1, 1], [2, 0]])).tolist()
    [0.5, nan]
    """
    w = weights.astype(float)
    some, every = (np.einsum("bi,bi->b", w @ table.astype(float), w) for table in (hits, among))
    return np.asarray(np.divide(some, every, out=np.full(len(w), np.nan), where=every > 0))


def draws(members: int, times: int, generator: np.random.Generator) -> Array:
    """Draw the members with replacement, so many times: how often each was drawn."""
    return generator.multinomial(members, np.full(members, 1 / members), size=times)


def percentiles(values: Array, level: float) -> tuple[float, float]:
    """Give the ends that hold the middle share of the draws that are defined; NaN if none is.

    >>> percentiles(np.array([1.0, 2.0, 3.0, np.nan]), 0.5)
    (1.5, 2.5)
    """
    values = values[np.isfinite(values)]
    if not len(values):
        return np.nan, np.nan
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def mean_over_classes(by_class: Sequence[Array], weights: Array) -> Array:
    """Average rates over classes drawn with replacement, draw by draw.

    >>> mean_over_classes([np.array([0.25]), np.array([0.75])], np.array([[1, 1]])).tolist()
    [0.5]
    """
    rates = np.array(by_class).T
    known = np.isfinite(rates)
    w = weights * known
    total = w.sum(axis=1)
    added = (np.where(known, rates, 0.0) * w).sum(axis=1)
    return np.asarray(np.divide(added, total, out=np.full(len(w), np.nan), where=total > 0))
