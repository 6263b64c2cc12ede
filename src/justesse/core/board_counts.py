"""What a leaderboard needs of many models: how many rows each gets right, and how many two of them do."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError


@dataclass(frozen=True, eq=False)
class ClusterCounts:
    """Rows of each cluster: which cluster it is, how many rows it has, and how many each model gets right.

    Parameters
    ----------
    codes
        Number of each cluster, the same in all tasks.
    sizes
        Rows of each cluster.
    right
        Rows that each model gets right, clusters down, models across.
    """

    codes: Array
    sizes: Array
    right: Array


@dataclass(frozen=True, eq=False)
class BoardCounts:
    """Rows that two of M models get right, and that both get wrong differently, for every pair.

    `both_right[i, i]` are the rows that model i gets right.

    >>> counts = BoardCounts(np.array([[8, 6], [6, 7]]), np.array([[0, 1], [1, 0]]), 10)
    >>> counts.right.tolist(), counts.only.tolist()
    ([8, 7], [[0, 2], [1, 0]])
    """

    both_right: Array
    wrong_differently: Array
    n: int
    clusters: ClusterCounts | None = None

    def __post_init__(self) -> None:
        if self.n < 1:
            raise OptionError(f"A leaderboard needs at least one row; got {self.n}.")

    @property
    def models(self) -> int:
        """Number of models."""
        return len(self.both_right)

    @property
    def right(self) -> Array:
        """Rows that each model gets right."""
        return np.diagonal(self.both_right).astype(np.int64)

    @property
    def only(self) -> Array:
        """Rows that model i gets right and model j does not, at [i, j]."""
        return np.asarray(self.right[:, None] - self.both_right)

    @property
    def covariance(self) -> Array:
        """Covariance of one row's right answers, for every pair of models."""
        share = self.right / self.n
        return np.asarray(self.both_right / self.n - np.outer(share, share))
