"""Krippendorff's alpha of a table of counts, items × classes, in one pass: from sums and products of its columns."""

import numpy as np

from justesse.annotators.agreement import agreement
from justesse.annotators.item_spread import interval_of_spread
from justesse.annotators.profiles import FEWEST_ITEMS, table_profiles
from justesse.core.annotations import Votes
from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Alternative, Estimate

FEW_CLASSES = 20  # products of all classes with all others are worth it
ROWS = 8192  # items at once: they stay in the processor's cache


def alpha_of_counts(table: Array, *, level: float = 0.95, alternative: Alternative = "two-sided") -> Estimate:
    """Compute nominal alpha and its interval from the answers counted by item and class.

    With n_ik answers of class k to item i, m_i = sum_k n_ik >= 2 and g_i = sum_k n_ik (n_ik - 1) / (m_i - 1), alpha is
    1 - (1 - sum g_i / M) / (1 - sum_k N_k (N_k - 1) / (M (M - 1))), M = sum m_i, N_k = sum_i n_ik. The linearised value
    of an item is a linear function of g_i and n_ik, so that its variance follows from their sums and products.

    >>> alpha_of_counts(np.array([[2, 0], [1, 1], [0, 2]]))
    Estimate(alpha 0.4444, 95 % CI -1.0000 to 0.9925, n = 3)
    """
    alike = table_profiles(table) if len(table) >= FEWEST_ITEMS else None
    if alike is None and table.shape[1] > FEW_CLASSES:
        return agreement(_cells(table), level=level, alternative=alternative)
    n, first, second = _moments(table) if alike is None else _moments(alike.counts, alike.times)
    if not n:
        return Estimate("alpha", np.nan, 0, undefined="no item has two answers")
    counts = first[1:]
    total = counts.sum()
    mean, share = total / n, counts / total
    expected, small = float(share @ share), 1 / total
    if expected >= 1 - 1e-12:
        return Estimate(
            "alpha", np.nan, n, undefined="all answers are of one class, so that chance alone agrees everywhere"
        )
    agreeing = first[0] / total
    value = ((1 - small) * agreeing + small - expected) / (1 - expected)
    if n < 2:
        return Estimate("alpha", value, n, undefined="one item gives no interval")
    # weights of g_i and of n_ik in the linearised value of an item
    weights = np.empty(len(first))
    weights[0] = 1 - small
    weights[1:] = -(1 - small) * agreeing - 2 * (1 - value) * (share - expected)
    weights /= mean * (1 - expected)
    centre = first / n
    variance = float(weights @ (second / n - np.outer(centre, centre)) @ weights) * n / (n - 1)
    interval = interval_of_spread(np.sqrt(max(variance, 0.0)), n, value, level=level, alternative=alternative)
    if interval is None:
        return Estimate("alpha", value, n, undefined="all items agree alike, so there is no spread to compute it from")
    return Estimate("alpha", value, n, interval)


def _cells(table: Array) -> Votes:
    """Keep the cells with answers: with many classes they are few."""
    cells = np.flatnonzero(table)
    item, answer = np.divmod(cells, table.shape[1])
    return Votes(item, answer, np.take(table, cells), len(table), tuple(range(table.shape[1])))


def _moments(table: Array, times: Array | None = None) -> tuple[int, FloatArray, FloatArray]:
    """Count the items with two answers or more, and sum (g, n_1, ..., n_K) and its products over them.

    Each row counts as often as `times` says.
    """
    k = table.shape[1]
    ones = np.ones(k)
    n, first, second = 0, np.zeros(k + 1), np.zeros((k + 1, k + 1))
    for start in range(0, len(table), ROWS):
        counts = table[start : start + ROWS].astype(float)
        size = counts @ ones
        squares = np.einsum("ij,ij->i", counts, counts)
        paired = size >= 2
        often = np.ones(len(size)) if times is None else times[start : start + ROWS].astype(float)
        if not paired.all():
            counts, size, squares, often = counts[paired], size[paired], squares[paired], often[paired]
        agreeing = (squares - size) / (size - 1)
        weighted = counts if times is None else counts * often[:, None]
        n += int(often.sum())
        first[0] += agreeing @ often
        first[1:] += often @ counts
        second[0, 0] += agreeing**2 @ often
        second[0, 1:] += agreeing @ weighted
        second[1:, 1:] += counts.T @ weighted
    second[1:, 0] = second[0, 1:]
    return n, first, second
