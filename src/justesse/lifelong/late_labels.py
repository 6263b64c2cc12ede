"""Which labels are known when an item is answered, and what a baseline would answer from them."""

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError


def known_after(n: int, delay: int = 0) -> Array:
    """Return for each of n items the position of the first item that is answered after its label is known.

    Parameters
    ----------
    n
        Number of items, in the order in which they were answered.
    delay
        Number of further items answered before a label is known. 0: it is known before the next item.

    >>> known_after(3).tolist(), known_after(3, delay=2).tolist()
    ([1, 2, 3], [3, 4, 5])
    """
    if delay < 0:
        raise OptionError(f"The delay of labels is a number of items, 0 or more; got {delay!r}.")
    return np.arange(n) + delay + 1


def known_at(times: FloatArray, known: FloatArray) -> Array:
    """Return the same from the time of each item, in order, and the time at which its label became known.

    A label helps only items that are strictly later: whether it came before an item of the same time is not known.

    >>> known_at(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.5, 2.0, 9.0, 4.0])).tolist()
    [2, 2, 4, 4]
    """
    return np.maximum(np.searchsorted(times, known, side="right"), np.arange(len(times)) + 1)


def arrival_order(known: Array) -> Array | slice:
    """Return the order in which labels become known; all of them as they are if that is the order of the items.

    >>> arrival_order(np.array([3, 2, 4])).tolist(), arrival_order(np.array([1, 2, 3]))
    ([1, 0, 2], slice(None, None, None))
    """
    if (known[1:] >= known[:-1]).all():
        return slice(None)
    return np.argsort(known, kind="stable")


def no_change_answers(labels: ArrayLike, known: Array) -> Array:
    """Return what the no-change baseline answers: the label of the latest item whose label is known; -1 if none is.

    Parameters
    ----------
    labels
        Codes of the labels, from 0.
    known
        Position of the first item answered after each label is known.

    Notes
    -----
    Žliobaitė et al. (2015) call it the persistent classifier.

    >>> no_change_answers([0, 1, 1, 0], known_after(4)).tolist()
    [-1, 0, 1, 1]
    >>> no_change_answers([0, 1, 1, 0], known_after(4, delay=1)).tolist()
    [-1, -1, 0, 1]
    """
    codes = np.asarray(labels)
    n = len(codes)
    latest = np.full(n + 1, -1)
    inside = known < n
    np.maximum.at(latest, known[inside], np.flatnonzero(inside))
    last = np.maximum.accumulate(latest[:n])
    return np.where(last >= 0, codes[last], -1)


def majority_answers(labels: ArrayLike, known: Array) -> Array:
    """Return what the majority-class baseline answers: the most frequent label known so far; -1 if none is.

    Of two classes as frequent, the one that became so first stays.

    Parameters
    ----------
    labels
        Codes of the labels, from 0.
    known
        Position of the first item answered after each label is known.

    >>> majority_answers([0, 1, 1, 0, 0], known_after(5)).tolist()
    [-1, 0, 0, 1, 1]
    """
    codes = np.asarray(labels)
    n = len(codes)
    arrived = codes[arrival_order(known)]
    record = _occurrence(arrived)
    leads = record > np.concatenate([[0], np.maximum.accumulate(record)[:-1]])
    leader = arrived[np.maximum.accumulate(np.where(leads, np.arange(n), 0))]
    heard = np.cumsum(np.bincount(np.minimum(known, n), minlength=n + 1))[:n]
    return np.where(heard > 0, leader[heard - 1], -1)


def _occurrence(codes: Array) -> Array:
    """Count for each value how often it has occurred so far, itself included.

    >>> _occurrence(np.array([5, 2, 5, 5, 2])).tolist()
    [1, 1, 2, 3, 2]
    """
    few = codes.max() < np.iinfo(np.int16).max
    order = np.argsort(codes.astype(np.int16) if few else codes, kind="stable")  # small numbers are sorted at once
    sizes = np.bincount(codes)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    counts = np.empty(len(codes), dtype=np.int64)
    counts[order] = np.arange(1, len(codes) + 1) - first
    return counts
