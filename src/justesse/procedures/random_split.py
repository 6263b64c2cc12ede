"""Would a random split put so many equal rows on both sides, or into the test alone?"""

import math
from typing import Any

import numpy as np

from justesse.core.arrays import Array

LARGE = 50.0  # variance from which the sum is close to normal


def as_many_shared(test: Array, train: Array, many: Array) -> float:
    """Give the chance that a random split has as many test rows equal to a training row as this one, or more.

        S = Σ_contents j·1(j < m),   j ~ hypergeometric: how many of the m rows of a content are drawn into the test

    `many` contents stand `test` times in the test and `train` times in training. All rows are pooled and the test is
    drawn again from them, so that equal rows of different records are expected as often as they occur. Contents are
    taken as independent, which makes the chance slightly too large.

    >>> as_many_shared(np.array([0, 1]), np.array([1, 1]), np.array([90, 10])) < 0.001  # copies, and all of them apart
    True
    >>> as_many_shared(np.array([0, 0, 1, 1]), np.array([1, 2, 0, 1]), np.array([50, 10, 10, 5])) > 0.3
    True
    """
    shared = int((test * (train > 0) * many).sum())
    return _tail(test, train, many, shared, lambda m: np.r_[np.arange(m), 0])


def as_many_repeated(test: Array, train: Array, many: Array) -> float:
    """Give the chance that a random split has as many test rows that repeat an earlier test row, or more.

    >>> as_many_repeated(np.array([0, 1, 2]), np.array([1, 0, 0]), np.array([900, 80, 10])) < 0.001
    True
    """
    repeated = int((np.maximum(test - 1, 0) * many).sum())
    return _tail(test, train, many, repeated, lambda m: np.maximum(np.arange(m + 1) - 1, 0))


def _tail(test: Array, train: Array, many: Array, observed: int, counted: Any) -> float:
    """Give P(sum ≥ observed) where a content of m rows counts `counted(m)[j]` if j of them are drawn into the test."""
    from scipy.special import ndtr
    from scipy.stats import hypergeom

    if observed <= 0:
        return 1.0
    drawn, rows = int((test * many).sum()), int(((test + train) * many).sum())
    sizes, inverse = np.unique(test + train, return_inverse=True)
    contents = np.bincount(inverse, weights=many)
    parts = []
    mean = variance = 0.0
    for size, content in zip(sizes.tolist(), contents.tolist(), strict=True):
        if size < 2:
            continue
        chance = hypergeom.pmf(np.arange(size + 1), rows, size, drawn)
        value = counted(size).astype(float)
        middle = float(chance @ value)
        mean += content * middle
        variance += content * float(chance @ (value - middle) ** 2)
        parts.append((value.astype(np.int64), chance, content))
    if not parts or variance == 0:
        return 1.0 if observed <= round(mean) else 0.0
    if variance > LARGE:
        return float(ndtr((mean - observed + 0.5) / math.sqrt(variance)))
    # the distribution of the sum, by its characteristic function on a lattice long enough to lose nothing that counts
    length = 1 << math.ceil(math.log2(max(observed, mean) + 20 * math.sqrt(variance) + 50))
    angles = np.exp(-2j * np.pi * np.arange(length // 2 + 1) / length)
    spectrum = np.ones(length // 2 + 1, dtype=complex)
    for value, chance, content in parts:
        density = np.bincount(value, weights=chance)
        spectrum *= np.polynomial.polynomial.polyval(angles, density) ** content
    return float(np.clip(np.fft.irfft(spectrum, length)[observed:].sum(), 0.0, 1.0))
