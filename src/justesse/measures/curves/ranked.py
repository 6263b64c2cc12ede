"""Rows ranked by a score, once, for everything that is asked of their order."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError


@dataclass(frozen=True)
class Ranked:
    """The rows in rising order of their scores, and where each group of equal scores begins.

    >>> ranked = Ranked.of(np.array([0.5, 0.1, 0.5]))
    >>> ranked.distinct.tolist(), ranked.starts.tolist(), ranked.group.tolist()
    ([0.1, 0.5], [0, 1], [1, 0, 1])
    """

    scores: Array
    order: Array
    starts: Array

    @classmethod
    def of(cls, scores: Array) -> "Ranked":
        """Sort the rows."""
        values = np.asarray(scores, dtype=float)
        if not np.all(np.isfinite(values)):
            raise InputError("Scores must be finite numbers.")
        order = np.argsort(values)
        return cls(values, order, np.flatnonzero(np.diff(values[order], prepend=np.nan) != 0))

    @property
    def distinct(self) -> Array:
        """The distinct scores, rising."""
        return np.asarray(self.scores[self.order[self.starts]])

    @cached_property
    def group(self) -> Array:
        """Which group of equal scores each row is in, in the order the rows came."""
        sizes = np.diff(self.starts, append=len(self.order))
        group = np.empty(len(self.order), dtype=np.intp)
        group[self.order] = np.repeat(np.arange(len(self.starts)), sizes)
        return group

    def gathered(self, weights: Array) -> Array:
        """Add up the weights of each group of equal scores."""
        if not len(self.order):
            return np.zeros(0)
        return np.asarray(np.add.reduceat(weights[self.order], self.starts))

    def below(self, rows: Array, weights: Array, at: Array) -> Array:
        """Return the weight of these rows at lower scores than each of the rows `at`, equal scores counting half.

        >>> Ranked.of(np.array([0.5, 0.1, 0.5])).below(np.arange(3), np.ones(3), np.array([0, 1])).tolist()
        [2.0, 0.5]
        """
        in_group = np.bincount(self.group[rows], weights, minlength=len(self.starts))
        groups = self.group[at]
        return np.asarray(np.cumsum(in_group)[groups] - in_group[groups] / 2)
