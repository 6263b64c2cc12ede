"""Which labels can be exchanged if they do not matter: the permutations behind tests of a judge."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array

CHUNK = 4_000_000  # numbers drawn at once


@dataclass(frozen=True)
class Exchange:
    """Labels that can be exchanged within blocks.

    Parameters
    ----------
    labels
        Code of the label of each carrier.
    blocks
        Code of the block of each carrier.
    carrier
        The carrier whose label each unit bears.
    """

    labels: Array
    blocks: Array
    carrier: Array

    @classmethod
    def of(cls, labels: ArrayLike, ratings: ArrayLike, clusters: ArrayLike) -> "Exchange":
        """Find what can be exchanged if labels do not matter, given people's ratings.

        If each cluster has one label, labels are exchanged between clusters whose units have the same ratings;
        otherwise between units of one cluster and rating, and between clusters of one unit.

        Parameters
        ----------
        labels
            Codes of labels.
        ratings
            What people say of each unit.
        clusters
            Codes of clusters.

        >>> Exchange.of([0, 0, 1], [1, 0, 1], [0, 1, 2]).blocks.tolist()
        [1, 0, 1]
        """
        label, rating = np.asarray(labels), np.unique(np.asarray(ratings), return_inverse=True)[1]
        cluster = np.unique(np.asarray(clusters), return_inverse=True)[1]
        sizes = np.bincount(cluster)
        if (sizes == 1).all():
            return cls(label, rating, np.arange(len(label)))
        first = np.zeros(len(sizes), dtype=label.dtype)
        first[cluster[::-1]] = label[::-1]
        if (first[cluster] == label).all():
            patterns = np.zeros((len(sizes), int(rating.max()) + 1), dtype=np.int64)
            np.add.at(patterns, (cluster, rating), 1)
            return cls(first, np.unique(patterns, axis=0, return_inverse=True)[1].ravel(), cluster)
        alone = sizes[cluster] == 1
        keys = np.stack([np.where(alone, -1, cluster), rating], axis=1)
        return cls(label, np.unique(keys, axis=0, return_inverse=True)[1].ravel(), np.arange(len(label)))

    @property
    def possible(self) -> bool:
        """Whether any exchange changes anything."""
        pairs = np.unique(np.stack([self.blocks, self.labels]), axis=1)
        return bool(len(np.unique(pairs[0])) < pairs.shape[1])

    def draws(self, number: int, rng: np.random.Generator) -> Iterator[Array]:
        """Draw labels of the units, in chunks of draws × units."""
        size = len(self.labels)
        order = np.argsort(self.blocks, kind="stable")
        step = max(1, CHUNK // max(size, 1))
        for start in range(0, number, step):
            keys = self.blocks + rng.random((min(step, number - start), size))
            drawn = np.empty(keys.shape, dtype=self.labels.dtype)
            drawn[:, order] = self.labels[np.argsort(keys, axis=1)]
            yield drawn[:, self.carrier]
