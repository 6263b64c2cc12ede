"""Ranks of classifiers on each data set, and their means."""

import math
from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError


def ranks_within(table: Array, *, higher_is_better: bool = True) -> Array:
    """Rank every row: 1 is the best, those that tie share the mean of their places.

    >>> ranks_within(np.array([[0.8, 0.9, 0.8]])).tolist()
    [[2.5, 1.0, 2.5]]
    """
    worth = table if higher_is_better else -table
    first, other = worth[:, :, None], worth[:, None, :]
    return np.asarray(0.5 + (other > first).sum(axis=2) + (other == first).sum(axis=2) / 2)


def checked_ranks(ranks: Sequence[float]) -> Array:
    """Check mean ranks.

    >>> checked_ranks([1, 1.5, 2.5])
    Traceback (most recent call last):
    justesse.core.errors.OptionError: mean ranks of 3 classifiers add up to 6; these add up to 5: rank within each ...
    """
    means = np.asarray(ranks, dtype=float)
    many = means.size
    if means.ndim != 1 or many < 2 or not np.all((means >= 1) & (means <= many)):
        raise OptionError(
            "Give the mean ranks of at least two classifiers, each between 1 and the number of classifiers; "
            f"got {ranks!r}."
        )
    if abs(means.sum() - many * (many + 1) / 2) > 0.01 * many:
        raise OptionError(
            f"Mean ranks of {many} classifiers must add up to {many * (many + 1) / 2:g}; these add up to "
            f"{means.sum():g}. Rank within each data set, and give ties their mean rank."
        )
    return means


def rank_error(classifiers: int, n: int) -> float:
    """Compute the standard error of the difference of two mean ranks over n data sets, sqrt(L(L+1)/6n).

    >>> round(rank_error(4, 14), 3)
    0.488
    """
    if n < 2 or n != int(n):
        raise OptionError(f"n, the number of data sets, must be a whole number of at least 2; got {n!r}.")
    return math.sqrt(classifiers * (classifiers + 1) / (6 * n))
