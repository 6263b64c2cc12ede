"""Who was right where, for all pairs of many classifiers in one pass."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.case import Disagreement
from justesse.core.errors import InputError

Words = NDArray[np.uint64]


def count_pairs(labels: ArrayLike, predictions: ArrayLike) -> Disagreement:
    """Count both right, only one, both wrong alike and differently for every ordered pair of M classifiers.

    `predictions` has one row per classifier, coded like `labels` with whole numbers. Entry [i, j] is about incumbent i
    and candidate j. Right and wrong are packed into bits, 64 rows to a word, and so are the codes, one plane per binary
    digit: two classifiers agree where all planes do.

    >>> found = count_pairs([0, 1, 2, 0], [[0, 1, 2, 1], [0, 2, 2, 2]])
    >>> int(found.both_right[0, 1]), int(found.only_incumbent[0, 1]), int(found.both_wrong_differently[0, 1])
    (2, 1, 1)
    """
    label, answers = np.asarray(labels), np.asarray(predictions)
    if answers.ndim != 2 or answers.shape[1:] != label.shape:
        raise InputError(f"one row of {label.size:,} answers per classifier is needed; got shape {answers.shape}")
    if label.dtype.kind not in "iu" or answers.dtype.kind not in "iu":
        raise InputError("labels and answers must be coded with whole numbers; see justesse.count for names")
    right = answers == label
    # rows that all get right say nothing about who is better, and are most of them
    told = ~right.all(axis=0)
    easy = int(label.size - told.sum())
    answers, right = answers[:, told], right[:, told]
    correct = right.astype(np.float32)
    both_right = (correct @ correct.T).astype(np.int64)
    alike = _agreements(answers) - both_right
    hits = np.diagonal(both_right)
    only_first, only_second = hits[:, None] - both_right, hits[None, :] - both_right
    differently = answers.shape[1] - both_right - only_first - only_second - alike
    return Disagreement(both_right + easy, only_first, only_second, alike, differently)


def _agreements(answers: NDArray[np.integer]) -> NDArray[np.int64]:
    """Count the rows where two classifiers give the same answer, for all pairs."""
    many, rows = answers.shape
    if not rows:
        return np.zeros((many, many), dtype=np.int64)
    codes = answers - answers.min()
    digits = max(1, int(codes.max()).bit_length())
    codes = codes.astype(np.min_scalar_type(1 << digits))
    planes = [_packed((codes >> digit) & 1) for digit in range(digits)]
    found = np.zeros((many, many), dtype=np.int64)
    for i in range(many):
        apart = planes[0][i] ^ planes[0][i:]
        for plane in planes[1:]:
            apart |= plane[i] ^ plane[i:]
        found[i, i:] = rows - np.bitwise_count(apart).sum(axis=1, dtype=np.int64)
    return np.maximum(found, found.T)


def _packed(bits: NDArray[np.integer]) -> Words:
    """Pack rows of zeros and ones into words of 64."""
    many, rows = bits.shape
    packed = np.zeros((many, -(-rows // 64) * 8), dtype=np.uint8)
    packed[:, : -(-rows // 8)] = np.packbits(bits.astype(np.uint8, copy=False), axis=1)
    return packed.view(np.uint64)
