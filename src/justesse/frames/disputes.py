"""Rows on which two classifiers disagree, by whom the label and the true class agree with, for all pairs at once."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.errors import InputError

Array = NDArray[Any]


def count_disputes(labels: ArrayLike, true: ArrayLike, predictions: ArrayLike) -> Array:
    """Count for every ordered pair [i, j] of M classifiers the rows where they answer differently: M × M × 3 × 3.

    The third axis says whom the label agrees with, the fourth whom the true class does: incumbent i, neither, candidate
    j. Classes are coded with whole numbers, one row of `predictions` for each classifier.

    >>> found = count_disputes([0, 1, 2, 0], [0, 2, 2, 1], [[0, 1, 2, 1], [1, 2, 2, 0]])
    >>> found[0, 1].tolist()
    [[1, 0, 1], [0, 0, 0], [1, 0, 0]]
    """
    label, truth, answers = np.asarray(labels), np.asarray(true), np.asarray(predictions)
    if answers.ndim != 2 or not answers.shape[1:] == label.shape == truth.shape:
        raise InputError(f"one row of {label.size:,} answers per classifier is needed; got shape {answers.shape}")
    # sums of products of zeros and ones are counts; single precision holds them up to 2²⁴ rows
    kind: Any = np.float32 if label.size < 1 << 24 else np.float64
    says_label, says_true = answers == label, answers == truth

    def both(first: Any, second: Any) -> Array:
        return np.asarray(np.rint(first.astype(kind) @ second.astype(kind).T), dtype=np.int64)

    neither = ~says_label & ~says_true
    found = np.zeros((len(answers), len(answers), 3, 3), dtype=np.int64)
    found[:, :, 0, 0] = both(says_label & says_true, neither)
    found[:, :, 0, 1] = both(says_label & ~says_true, neither)
    found[:, :, 0, 2] = both(says_label & ~says_true, says_true & ~says_label)
    found[:, :, 1, 0] = both(says_true & ~says_label, neither)
    # the same rows from the other's side
    found[:, :, 2, :] = found.transpose(1, 0, 2, 3)[:, :, 0, ::-1]
    found[:, :, 1, 2] = found[:, :, 1, 0].T
    found[:, :, 1, 1] = both(neither, neither) - _alike(answers, neither, both)
    return found


def _alike(answers: Array, among: Array, both: Any) -> Array:
    """Count the rows that both have among these and answer alike, class by class."""
    total = np.zeros((len(answers), len(answers)), dtype=np.int64)
    for code in np.unique(answers[among]):
        said = among & (answers == code)
        total += both(said, said)
    return total
