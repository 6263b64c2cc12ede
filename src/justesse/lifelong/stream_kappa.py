"""Kappa statistics of a stream: better than chance, than repeating the last label, than the majority class."""

import math
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Estimate, Interval

METHOD = "block-jackknife"
FEWEST = 3  # blocks of time that an interval needs
FEW_BLOCKS = "fewer than three blocks of time, so its interval is unknown"
PERFECT = {
    "kappa": "all labels and predictions are the same class",
    "kappa_temporal": "the no-change baseline makes no error",
    "kappa_majority": "the majority-class baseline makes no error",
}
WORDS = {"kappa": "kappa", "kappa_temporal": "kappa-temporal", "kappa_majority": "kappa-m (majority class)"}


@dataclass(frozen=True)
class StreamCounts:
    """A stream counted by block of time.

    Parameters
    ----------
    sizes, errors
        Items and errors of each block.
    labels, predictions
        Items of each class by label, and by prediction: blocks down, classes across.
    compared
        Items that each baseline answers, by the name of the kappa that it belongs to.
    errors_there
        The system's errors on those items.
    baseline_errors
        The baseline's errors on them.
    """

    sizes: FloatArray
    errors: FloatArray
    labels: FloatArray
    predictions: FloatArray
    compared: dict[str, FloatArray]
    errors_there: dict[str, FloatArray]
    baseline_errors: dict[str, FloatArray]


def count_stream(
    labels: Array, predictions: Array, classes: int, block: Array, baselines: dict[str, Array]
) -> StreamCounts:
    """Count a stream by block.

    Parameters
    ----------
    labels, predictions
        Codes of the classes.
    classes
        Number of classes.
    block
        Block of each item, from 0.
    baselines
        Answers of each baseline, -1 where it has none, by the name of the kappa that it belongs to.

    >>> counts = count_stream(np.array([0, 1]), np.array([0, 0]), 2, np.array([0, 0]), {})
    >>> counts.errors.tolist(), counts.labels.tolist()
    ([1.0], [[1.0, 1.0]])
    """
    blocks = int(block.max()) + 1
    wrong = labels != predictions

    def added(inside: Array) -> FloatArray:
        return np.bincount(block, inside, minlength=blocks).astype(float)

    def by_class(codes: Array) -> FloatArray:
        return np.bincount(block * classes + codes, minlength=blocks * classes).reshape(blocks, classes).astype(float)

    answered = {name: answers >= 0 for name, answers in baselines.items()}
    return StreamCounts(
        added(np.ones(len(labels))),
        added(wrong),
        by_class(labels),
        by_class(predictions),
        {name: added(there) for name, there in answered.items()},
        {name: added(wrong & there) for name, there in answered.items()},
        {name: added(there & (baselines[name] != labels)) for name, there in answered.items()},
    )


def stream_kappas(counts: StreamCounts, *, level: float = 0.95) -> dict[str, Estimate]:
    """Compute kappa, kappa-temporal and kappa-m with intervals over blocks of time.

        κ = (p - p_c) / (1 - p_c),   κ_t = (p - p_n) / (1 - p_n),   κ_m = (p - p_m) / (1 - p_m)

    p is the accuracy, p_c that of chance (Cohen), p_n that of the no-change baseline, p_m that of the majority class.
    Both baselines use only labels known before each item, and are compared on the items that they answer.

    Parameters
    ----------
    counts
        The stream counted by block of time.
    level
        Confidence level.

    Returns
    -------
    dict
        Estimates by name.

    Notes
    -----
    Bifet et al. (2015); Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015). Intervals: delete one block of time at
    a time (jackknife) with Student's t of G - 1 degrees of freedom. Blocks of different periods count as a sample, so
    that drift makes the interval wider.

    >>> block = np.repeat(np.arange(4), 5)
    >>> labels, answers = np.array([0, 0, 1, 1, 0] * 4), np.array([0, 0, 0, 1, 0] * 4)
    >>> before = np.concatenate([[-1], labels[:-1]])
    >>> counts = count_stream(labels, answers, 2, block, {"kappa_temporal": before})
    >>> {name: round(estimate.value, 3) for name, estimate in stream_kappas(counts).items()}
    {'kappa': 0.545, 'kappa_temporal': 0.5}
    """
    estimates = {"kappa": _estimate("kappa", counts.sizes.sum(), _kappas(counts), _kappas(counts, each=True), level)}
    for name, there in counts.compared.items():
        sides = counts.errors_there[name], counts.baseline_errors[name]
        whole = _one_minus_ratio(*(side.sum(keepdims=True) for side in sides))
        without = _one_minus_ratio(*(side.sum() - side for side in sides))
        estimates[name] = _estimate(name, there.sum(), whole, without, level)
    return estimates


def _kappas(counts: StreamCounts, each: bool = False) -> FloatArray:
    """Compute Cohen's kappa of all blocks, or without each in turn."""
    parts = (counts.sizes[:, None], counts.errors[:, None], counts.labels, counts.predictions)
    n, errors, labels, predictions = (part.sum(axis=0, keepdims=True) - (part if each else 0.0) for part in parts)
    apart = n[:, 0] - np.sum(labels * predictions, axis=1) / np.where(n[:, 0] > 0, n[:, 0], 1.0)
    return _one_minus_ratio(errors[:, 0], np.where(apart > 1e-9 * n[:, 0], apart, 0.0))


def _one_minus_ratio(errors: FloatArray, baseline: FloatArray) -> FloatArray:
    return np.asarray(1 - np.divide(errors, baseline, out=np.full(np.shape(errors), math.nan), where=baseline > 0))


def _estimate(name: str, n: float, whole: FloatArray, without: FloatArray, level: float) -> Estimate:
    from scipy.special import stdtrit

    value, blocks = float(whole[0]), len(without)
    if math.isnan(value):
        why = PERFECT[name] if n else "the baseline has no answer: no label is known in time"
        return Estimate(name, value, int(n), undefined=why, words=WORDS[name])
    if blocks < FEWEST or np.isnan(without).any():
        return Estimate(name, value, int(n), undefined=FEW_BLOCKS, words=WORDS[name])
    error = math.sqrt((blocks - 1) / blocks * float(np.sum((without - without.mean()) ** 2)))
    reach = float(stdtrit(blocks - 1, (1 + level) / 2)) * error
    interval = Interval(value - reach, value + reach, level, METHOD, (-math.inf, 1.0))
    return Estimate(name, value, int(n), interval, words=WORDS[name])
