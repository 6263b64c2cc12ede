"""Who was right where, for all pairs of many classifiers in one pass."""

from typing import Any

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
    low = min(int(answers.min(initial=0)), int(label.min(initial=0)))
    high = max(int(answers.max(initial=0)), int(label.max(initial=0))) - low
    narrow = np.min_scalar_type(high)
    codes, truth = ((part if low == 0 else part.astype(np.int64) - low).astype(narrow) for part in (answers, label))
    right = codes == truth
    # rows that all get right say nothing about who is better, and are often most of them
    told = np.flatnonzero(~right.all(axis=0))
    rows, digits = len(told), max(1, high.bit_length())
    codes, right = np.take(codes, told, axis=1), np.take(right, told, axis=1)
    planes = [_packed(codes & narrow.type(1 << digit)) for digit in range(digits)]
    agree, both_right = _pairwise(planes, _packed(right.view(np.uint8)), rows)
    hits = np.diagonal(both_right)
    only_first, only_second = hits[:, None] - both_right, hits[None, :] - both_right
    alike = agree - both_right
    differently = rows - both_right - only_first - only_second - alike
    return Disagreement(both_right + (label.size - rows), only_first, only_second, alike, differently)


def _pairwise(planes: list[Words], right: Words, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count the rows where two classifiers give the same answer, and where both are right, for all pairs."""
    many = len(right)
    agree, both = np.zeros((2, many, many), dtype=np.int64)
    words, other = np.empty_like(right), np.empty_like(right)  # written again and again: they stay in the cache

    def ones(bits: Words) -> NDArray[Any]:
        return np.asarray(np.bitwise_count(bits).sum(axis=1, dtype=np.uint32))

    for i in range(many):
        differs = np.bitwise_xor(planes[0][i], planes[0][i:], out=words[i:])
        for plane in planes[1:]:
            differs |= np.bitwise_xor(plane[i], plane[i:], out=other[i:])
        agree[i, i:] = rows - ones(differs)
        both[i, i:] = ones(np.bitwise_and(right[i], right[i:], out=other[i:]))
    return np.maximum(agree, agree.T), np.maximum(both, both.T)


def _packed(bits: NDArray[Any]) -> Words:
    """Pack what is 0 or not into words of 64 bits, row by row."""
    many, rows = bits.shape
    packed = np.zeros((many, -(-rows // 64) * 8), dtype=np.uint8)
    packed[:, : -(-rows // 8)] = np.packbits(bits if bits.dtype == np.uint8 else bits != 0, axis=1)
    return packed.view(np.uint64)
