"""Rows on which two classifiers disagree, by whom the label and the true class agree with, for all pairs at once."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import InputError


def count_disagreements(labels: ArrayLike, true: ArrayLike, predictions: ArrayLike) -> Array:
    """Count for every ordered pair [i, j] of M classifiers the rows where they answer differently: M × M × 3 × 3.

    The third axis says whom the label agrees with, the fourth whom the true class does: incumbent i, neither, candidate
    j. Classes are coded with whole numbers, one row of `predictions` for each classifier. Where labels or true classes
    accept several classes, give M × rows of booleans instead: which answers are accepted. "Neither" then includes rows
    where both are.

    >>> result = count_disagreements([0, 1, 2, 0], [0, 2, 2, 1], [[0, 1, 2, 1], [1, 2, 2, 0]])
    >>> result[0, 1].tolist()
    [[1, 0, 1], [0, 0, 0], [1, 0, 0]]
    """
    label, truth, answers = np.asarray(labels), np.asarray(true), np.asarray(predictions)
    rows = label.shape[-1] if label.ndim else 0
    if answers.ndim != 2 or any(part.shape not in ((answers.shape[1],), answers.shape) for part in (label, truth)):
        raise InputError(f"Answers need one row of {rows:,} per classifier; got shape {answers.shape}.")
    # sums of products of zeros and ones are counts; single precision holds them up to 2²⁴ rows
    kind: Any = np.float32 if rows < 1 << 24 else np.float64
    by_label, by_truth = (part if part.ndim == 2 else answers == part for part in (label, truth))

    def both(first: Any, second: Any) -> Array:
        return np.asarray(np.rint(first.astype(kind) @ second.astype(kind).T), dtype=np.int64)

    result = np.zeros((len(answers), len(answers), 3, 3), dtype=np.int64)
    result[:, :, 0, 0] = both(by_label & by_truth, ~by_label & ~by_truth)
    result[:, :, 0, 2] = both(by_label & ~by_truth, ~by_label & by_truth)
    result[:, :, 0, 1] = both(by_label, ~by_label) - result[:, :, 0, 0] - result[:, :, 0, 2]
    # the same rows from the other's side
    result[:, :, 2, :] = result.transpose(1, 0, 2, 3)[:, :, 0, ::-1]
    result[:, :, 1, 0] = both(by_truth, ~by_truth) - result[:, :, 0, 0] - result[:, :, 2, 0]
    result[:, :, 1, 2] = result[:, :, 1, 0].T
    result[:, :, 1, 1] = rows - _alike(answers, both) - result.sum(axis=(2, 3))
    return result


def _alike(answers: Array, both: Any) -> Array:
    """Count the rows that both answer alike, class by class."""
    total = np.zeros((len(answers), len(answers)), dtype=np.int64)
    for code in np.unique(answers):
        text = answers == code
        total += both(text, text)
    return total
