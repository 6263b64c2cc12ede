"""Who was right where, for all pairs of many classifiers in one pass."""

from dataclasses import replace
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.all_pairs import AllPairs, Judgeable, PairTable
from justesse.core.arrays import Array
from justesse.core.case import Disagreement
from justesse.core.errors import InputError, OptionError
from justesse.core.one_vs_rest import OneVsRestPair

Words = NDArray[np.uint64]


def count_pairs(labels: ArrayLike, predictions: ArrayLike) -> Disagreement:
    """Count both right, only one, both wrong alike and differently for every ordered pair of M classifiers.

    `predictions` has one row per classifier, coded like `labels` with whole numbers. Entry [i, j] is about incumbent i
    and candidate j. Right and wrong are packed into bits, 64 rows to a word, and so are the codes, one plane per binary
    digit: two classifiers agree where all planes do.

    >>> result = count_pairs([0, 1, 2, 0], [[0, 1, 2, 1], [0, 2, 2, 2]])
    >>> int(result.both_right[0, 1]), int(result.only_incumbent[0, 1]), int(result.both_wrong_differently[0, 1])
    (2, 1, 1)
    """
    label, codes, _, high = _checked(labels, predictions)
    right = codes == label
    # rows that all get right say nothing about who is better, and are often most of them
    rows = np.flatnonzero(~right.all(axis=0))
    pairs = _counts_that_differ(np.take(codes, rows, axis=1), np.take(right, rows, axis=1), high)
    return replace(pairs, both_right=pairs.both_right + (label.size - len(rows)))


def count_around(labels: ArrayLike, predictions: ArrayLike, at: int) -> OneVsRestPair:
    """Count who says class number `at`, on the rows labelled with it and on the others, for every ordered pair.

    >>> result = count_around([0, 1, 2, 0], [[0, 1, 2, 1], [0, 2, 0, 2]], 0)
    >>> int(result.labelled.both_right[0, 1]), int(result.others.only_candidate[0, 1])
    (1, 1)
    """
    label, codes, low, high = _checked(labels, predictions)
    own = label == at - low
    parts = (np.compress(rows, codes, axis=1) for rows in (own, ~own))
    return OneVsRestPair(*(_counts_that_differ(part, part == at - low, high) for part in parts))


def count_all_pairs(
    labels: ArrayLike,
    predictions: ArrayLike,
    *,
    measure: Judgeable = "accuracy",
    at: int | None = None,
    true: ArrayLike | None = None,
    hard: ArrayLike | None = None,
    cleaned: ArrayLike | None = None,
) -> AllPairs:
    """Count what the judges of a tournament need to know of M classifiers.

    Parameters
    ----------
    labels
        Code of each row's label: 0, 1, …
    predictions
        Codes of the answers, one row per classifier.
    measure
        Measure to judge by.
    at
        The class that recall or precision is about.
    true
        Codes of the true classes.
    hard
        Whether each row is hard.
    cleaned
        Labels after a cleaning step, -1 where it removed the row.

    Examples
    --------
    >>> pairs = count_all_pairs([0, 1, 1, 0], [[0, 1, 0, 0], [0, 1, 1, 1]], true=[0, 1, 1, 1], hard=[0, 0, 1, 1])
    >>> pairs.difference[0, 1].item(), pairs.true_difference[0, 1].item(), pairs.joint.tolist()
    (0.0, 0.5, [[1, 0], [1, 2]])
    """
    if measure not in get_args(Judgeable):
        raise OptionError(f"A tournament compares {', '.join(get_args(Judgeable))}; got {measure!r}.")
    if (measure == "accuracy") != (at is None):
        raise OptionError(f"Recall and precision need a class (at=…), and accuracy needs none; got {at!r}.")
    label, answers = np.asarray(labels), np.asarray(predictions)

    def counted(by: Array, rows: Array | slice = slice(None)) -> PairTable:
        kept = answers if isinstance(rows, slice) else np.compress(rows, answers, axis=1)
        return count_pairs(by[rows], kept) if at is None else count_around(by[rows], kept, at)

    parts: dict[str, Any] = {}
    if hard is not None:
        mask = _as_long(hard, label, "hard").astype(bool)
        parts["hard"] = counted(label, mask)
    if true is not None:
        truth = _as_long(true, label, "true")
        size = 1 + max(int(part.max(initial=0)) for part in (truth, label, answers))
        if min(int(part.min(initial=0)) for part in (truth, label)) < 0:
            raise InputError("Classes must be coded 0, 1, …; got a negative code.")
        joint = np.bincount(truth.astype(np.int64) * size + label.astype(np.int64), minlength=size * size).reshape(
            size, size
        )
        parts |= {"true": counted(truth), "joint": joint}
    if cleaned is not None:
        mended = _as_long(cleaned, label, "cleaned")
        parts["cleaned"] = counted(mended, mended >= 0)
    return AllPairs(measure, counted(label), at=at, **parts)


def _as_long(values: ArrayLike, label: Array, name: str) -> Array:
    result = np.asarray(values)
    if result.shape != label.shape:
        raise InputError(
            f"Array {name!r} needs one value for each of the {label.size:,} rows; got shape {result.shape}."
        )
    return result


def _checked(labels: ArrayLike, predictions: ArrayLike) -> tuple[Array, Array, int, int]:
    """Give labels and answers in the narrowest whole numbers from 0 up, what 0 stood for, and the highest."""
    label, answers = np.asarray(labels), np.asarray(predictions)
    if answers.ndim != 2 or answers.shape[1:] != label.shape:
        raise InputError(f"Answers need one row of {label.size:,} per classifier; got shape {answers.shape}.")
    if label.dtype.kind not in "iu" or answers.dtype.kind not in "iu":
        raise InputError("Labels and answers must be coded as whole numbers. Use justesse.count for class names.")
    low = min(int(answers.min(initial=0)), int(label.min(initial=0)))
    high = max(int(answers.max(initial=0)), int(label.max(initial=0))) - low
    narrow = np.min_scalar_type(high)
    codes, truth = ((part if low == 0 else part.astype(np.int64) - low).astype(narrow) for part in (answers, label))
    return truth, codes, low, high


def _counts_that_differ(codes: Array, right: Array, high: int) -> Disagreement:
    """Count for every pair who of the two is marked, and whether unmarked answers are alike."""
    rows, digits = codes.shape[1], max(1, high.bit_length())
    planes = [_packed(codes & codes.dtype.type(1 << digit)) for digit in range(digits)]
    agree, both_right = _pairwise(planes, _packed(right.view(np.uint8)), rows)
    hits = np.diagonal(both_right)
    only_first, only_second = hits[:, None] - both_right, hits[None, :] - both_right
    alike = agree - both_right
    differently = rows - both_right - only_first - only_second - alike
    return Disagreement(both_right, only_first, only_second, alike, differently)


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
