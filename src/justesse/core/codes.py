"""Cells of a tally as whole numbers: sorting them, and renaming what they stand for."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array
from justesse.core.levels import identity
from justesse.core.results import ClassName


def cells_in_order(codes: NDArray[np.int32], sizes: Sequence[int]) -> tuple[Array, Array]:
    """Sort cells by their codes; say in which order, and where each distinct one starts."""
    if math.prod(sizes) >= 1 << 62:  # too many possible cells for one number to tell them apart
        order = np.lexsort(codes.T[::-1])
        changed = np.any(np.diff(codes[order], axis=0), axis=1)
        return order, np.flatnonzero(np.append(True, changed))[: len(codes)]
    key = np.zeros(len(codes), dtype=np.int64)
    for a, size in enumerate(sizes):
        key = key * size + codes[:, a]
    order = np.argsort(key, kind="stable")
    return order, np.flatnonzero(np.diff(key[order], prepend=-1))


def recoded(own: Sequence[ClassName], target: Sequence[ClassName]) -> NDArray[np.int32]:
    """Give the position in `target` of each of one's own names.

    >>> recoded(["b", "a"], ["a", "b", "c"]).tolist()
    [1, 0]
    """
    positions = {identity(name): code for code, name in enumerate(target)}
    return np.array([positions[identity(name)] for name in own], dtype=np.int32)
