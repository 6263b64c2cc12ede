"""How hard an instance is, and how plausible each class, from what annotators answered (thesis 6.5.2, algorithm 2).

Answers are a matrix, instances × annotators, of codes of classes, -1 where an annotator gave none; annotators may be
people or models. Legitimacies are kept as whole numbers over one denominator, so that sums are exact in whatever order
they are added, and two instances that are as hard as each other really tie.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.arrays import Array
from justesse.core.errors import OptionError

Legitimacy = Literal["accuracy", "error"] | Sequence[float] | NDArray[Any]
EXACT = 1 << 53  # whole numbers up to here add up exactly in float64
GRID = 1 << 30  # so finely are legitimacies told apart where no common denominator is small enough
CHUNK = 1 << 17  # answers or sums held at once: they stay in the processor's cache


def legitimacy(answers: ArrayLike, labels: ArrayLike, *, kind: Literal["accuracy", "error"] = "accuracy") -> Array:
    """Return the weight of each annotator: how often its answers are the labels, or how often they are not.

        l_K = 1 - e_K    ("accuracy"),    l_K = e_K    ("error"),    e_K = wrong answers / answers

    The thesis writes the error itself, by which the most wrong weigh most; 1-error is what it means, and the default.
    Do not use it where annotators answered few instances: their shares are then mostly chance. An annotator that
    answered nothing has 0. Benjelloun (2021), 6.5.2.

    >>> legitimacy([[0, 1], [1, 1], [0, 0], [1, 1]], [0, 1, 0, 1]).tolist()
    [1.0, 0.75]
    """
    matrix, true = check_answers(answers, labels)
    weights, unit = _weights(matrix, _wrong(matrix, true), kind)
    return weights / unit


def difficulty(answers: ArrayLike, labels: ArrayLike, *, legitimacy: Legitimacy = "accuracy") -> Array:
    """Add up the legitimacies of the annotators that were wrong on each instance.

        d_i = Σ_K l_K·[K answered i, and not its label]

    Do not use it where some instances have many more answers than others: they look harder; `Ranking.from_votes` works
    with shares. Benjelloun (2021), 6.5.2.

    >>> difficulty([[0, 1], [1, 1], [0, 0], [1, 1]], [0, 1, 0, 1]).tolist()
    [0.75, 0.0, 0.0, 0.0]
    >>> difficulty([[0, 1], [1, 1], [0, 0], [1, 1]], [0, 1, 0, 1], legitimacy="error").tolist()
    [0.25, 0.0, 0.0, 0.0]
    """
    matrix, true = check_answers(answers, labels)
    return confusions(matrix, true, legitimacy, classes_in(matrix, true))[0]


def plausibility(answers: ArrayLike, labels: ArrayLike, *, legitimacy: Legitimacy = "accuracy") -> Array:
    """Add up the legitimacies of the annotators that gave each class: instances × classes.

        s_ik = Σ_K l_K·[K answered k for i]

    Labels serve only to know how legitimate each annotator is. Do not use it as a probability: it is a sum of weights.
    Benjelloun (2021), 6.5.2.

    >>> plausibility([[0, 1], [1, 1], [0, 0], [1, -1]], [0, 1, 0, 1], legitimacy=[0.5, 0.25]).tolist()
    [[0.5, 0.25], [0.0, 0.75], [0.75, 0.0], [0.0, 0.5]]
    """
    matrix, true = check_answers(answers, labels)
    weights, unit = _weights(matrix, _wrong(matrix, true), legitimacy)
    return np.concatenate([sums for _, sums in _sums(matrix, matrix >= 0, weights, classes_in(matrix, true))]) / unit


def confusions(answers: Array, labels: Array, legitimacy: Legitimacy, size: int) -> tuple[Array, Array, Array]:
    """Return each row's difficulty, its most plausible wrong class (-1 if none has a vote), and that plausibility.

    Of wrong classes that are as plausible as each other the one with the lowest code is taken.

    >>> result = confusions(np.array([[0, 2], [1, 1]]), np.array([0, 1]), [0.5, 0.25], size=3)
    >>> [column.tolist() for column in result]
    [[0.25, 0.0], [2, -1], [0.25, 0.0]]
    """
    mistaken = _wrong(answers, labels)
    weights, unit = _weights(answers, mistaken, legitimacy)
    every, hard, best = np.ones(size), np.empty(len(labels)), np.empty(len(labels))
    wrong = np.empty(len(labels), dtype=np.int32)
    for rows, sums in _sums(answers, mistaken, weights, size):
        hard[rows] = sums @ every
        wrong[rows] = most_plausible = sums.argmax(axis=1)
        best[rows] = sums[np.arange(len(sums)), most_plausible]
    return hard / unit, np.where(best > 0, wrong, -1), best / unit


def check_answers(answers: ArrayLike, labels: ArrayLike) -> tuple[Array, Array]:
    """Refuse what is not a matrix of codes with one label for each of its rows."""
    matrix, true = np.asarray(answers), np.asarray(labels)
    whole = matrix.dtype.kind in "iu"
    if matrix.ndim != 2 or not matrix.size or not whole or matrix.min() < -1:
        lowest = f" with {matrix.min()}" if matrix.size and whole else ""
        raise OptionError(
            "Answers must be a matrix of instances × annotators with codes of classes 0, 1, … (-1: no answer); "
            f"got {matrix.dtype} of shape {matrix.shape}{lowest}."
        )
    if true.shape != matrix.shape[:1] or true.dtype.kind not in "iu" or true.min() < 0:
        raise OptionError(
            f"{len(matrix)} rows of answers need {len(matrix)} labels, as codes 0, 1, …; got {true.dtype} of "
            f"shape {true.shape}."
        )
    return matrix, true


def classes_in(answers: Array, labels: Array) -> int:
    """Count the classes by the highest code."""
    return int(max(answers.max(), labels.max())) + 1


def _wrong(answers: Array, labels: Array) -> Array:
    """Mark the answers that are not the label."""
    if labels.max() <= np.iinfo(answers.dtype).max:  # one type on both sides compares several times as fast
        labels = labels.astype(answers.dtype)
    wrong = answers != labels[:, None]
    return np.asarray(wrong if answers.min() >= 0 else wrong & (answers >= 0))


def _weights(answers: Array, wrong: Array, kind: Legitimacy) -> tuple[Array, float]:
    """Return legitimacies as whole numbers, and the number that means 1."""
    rows, annotators = answers.shape
    if isinstance(kind, str):
        if kind not in ("accuracy", "error"):
            raise OptionError(f"legitimacy must be 'accuracy', 'error' or a number per annotator; got {kind!r}.")
        errors = wrong.view(np.uint8).sum(axis=0, dtype=np.int32)  # twice as fast as adding up booleans
        answered = np.full(annotators, rows) if answers.min() >= 0 else np.count_nonzero(answers >= 0, axis=0)
        counted = answered - errors if kind == "accuracy" else errors
        answered = np.maximum(answered, 1)
        common = math.lcm(*set(answered.tolist()))
        if common * annotators < EXACT:
            return counted * (common // answered).astype(float), float(common)
        shares = counted / answered
    else:
        shares = np.asarray(kind, dtype=float)
        if shares.shape != (annotators,) or not np.all((shares >= 0) & np.isfinite(shares)):
            raise OptionError(
                f"legitimacy must hold a number of 0 or more for each of {annotators} annotators; got {kind!r}."
            )
    unit = GRID / float(shares.max() or 1.0)
    return np.rint(shares * unit), unit


def _sums(answers: Array, counted: Array, weights: Array, size: int) -> Iterator[tuple[slice, Array]]:
    """Add up the weights of the answers that count, by instance and class, some rows at a time."""
    annotators = answers.shape[1]
    step = max(1, CHUNK // max(annotators, size))
    first, repeated = np.repeat(np.arange(step) * size, annotators), np.tile(weights, step)
    for start in range(0, len(answers), step):
        part = answers[start : start + step]
        at = np.flatnonzero(counted[start : start + step])
        cells = first.take(at) + part.ravel().take(at).astype(np.int64)
        sums = np.bincount(cells, repeated.take(at), minlength=len(part) * size)
        yield slice(start, start + len(part)), sums.reshape(len(part), size)
