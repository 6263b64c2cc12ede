"""Where two classifiers disagree, for all pairs of many: whom the label favours, and whom the truth does."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


def count_disputes(labels: ArrayLike, true: ArrayLike, predictions: ArrayLike) -> Array:
    """Count for every ordered pair [i, j] the rows on which the two disagree, by label × truth: what an audit would find.

    The last two axes say who is right by the label, and who truly is: incumbent, neither, candidate. Products of tables
    of ones and zeros count all pairs at once; float32 holds such counts exactly up to 16 million rows.

    >>> count_disputes([0, 0, 1], [0, 1, 1], [[0, 0, 1], [1, 1, 1]])[0, 1].tolist()
    [[1, 0, 1], [0, 0, 0], [0, 0, 0]]
    """
    answers = np.asarray(predictions)
    says, is_so = answers == np.asarray(labels), answers == np.asarray(true)

    def together(one: Array, other: Array) -> Array:
        return one.astype(np.float32) @ other.astype(np.float32).T

    many, n = answers.shape
    found = np.zeros((many, many, 3, 3), dtype=np.int64)
    found[..., 0, 0] = together(says & is_so, ~says & ~is_so)
    found[..., 0, 2] = together(says & ~is_so, ~says & is_so)
    found[..., 0, 1] = together(says, ~says) - found[..., 0, 0] - found[..., 0, 2]
    found[..., 2, :] = found[..., 0, ::-1].transpose(1, 0, 2)
    truly = together(is_so, ~is_so)
    found[..., 1, 0] = truly - found[..., 0, 0] - found[..., 2, 0]
    found[..., 1, 2] = truly.T - found[..., 0, 2] - found[..., 2, 2]
    alike = sum(together(answers == code, answers == code) for code in np.unique(answers))
    found[..., 1, 1] = n - alike - found.sum(axis=(2, 3))
    return found
