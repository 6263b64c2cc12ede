"""The confusion matrix to expect on rows without labels, from calibrated class probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.results import ClassName, Estimate, Interval, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.confidence_accuracy import METHOD, PRIOR
from justesse.intervals.quantile import quantile
from justesse.measures import (
    MAIN_PER_CLASS,
    PER_CLASS,
    Confusion,
    Measure,
    accuracy,
    averaged,
    balanced_accuracy,
    kappa,
    mcc,
)
from justesse.measures.ratio import Ratio

CELLS = 400_000  # probabilities that are resampled at most, of the reference and of the target
MOST_DRAWS = 500
OVERALL: tuple[Measure, ...] = (
    accuracy,
    balanced_accuracy,
    *(averaged(measure, "macro") for measure in MAIN_PER_CLASS),
    mcc,
    kappa,
)
OF_CLASS: tuple[Ratio, ...] = PER_CLASS


@dataclass(frozen=True, eq=False)
class ExpectedConfusion:
    """Expected counts, true class × prediction, and the measures that follow.

    Parameters
    ----------
    matrix
        Expected number of rows of the target, by true class and prediction.
    estimates
        Measures of all classes, then of each class, with their intervals.
    """

    matrix: FloatArray
    estimates: tuple[Estimate, ...]

    @property
    def accuracy(self) -> Estimate:
        return self.estimates[0]


def expected_confusion(
    reference: FloatArray,
    labels: Array,
    target: FloatArray,
    predictions: Array,
    classes: Sequence[ClassName],
    *,
    level: float = 0.95,
    draws: int = MOST_DRAWS,
    seed: int = 0,
) -> ExpectedConfusion:
    """Estimate the confusion matrix of rows without labels (confidence-based performance estimation, CBPE).

        E[true i, predicted j] = Σ_{rows predicted j} q_i,   q_i = g_i(p_i) / Σ_k g_k(p_k)

    g_i is the isotonic regression of "the class is i" on the probability of i in the reference.

    Parameters
    ----------
    reference, labels
        Probabilities of the reference, rows × classes, and the code of each row's label.
    target, predictions
        Probabilities of the target, rows × classes, and the code of each row's prediction.
    classes
        Names of the classes.
    level
        Confidence level.
    draws
        Number of resamples; at most 500 are drawn.
    seed
        Seed of the random numbers.

    Returns
    -------
    ExpectedConfusion
        Expected counts, and measures with intervals that carry the sampling of the reference and of the target.

    Notes
    -----
    Assumes that a class is as frequent among rows with a given probability of it in the target as in the reference.
    Isotonic regression follows chance at both ends: if the target has far more rows there, the intervals are too
    narrow; use `confidence_accuracy` for the accuracy. Resamples have at most 400,000 probabilities, so intervals of
    larger tables are a little too wide. As nannyml's CBPE, which leaves a class uncalibrated if calibration does not
    lower its calibration error in cross-validation.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> positive = rng.random(4000)
    >>> both = np.stack([1 - positive, positive], axis=1)
    >>> label = (rng.random(4000) < positive).astype(int)
    >>> result = expected_confusion(both[:2000], label[:2000], both[2000:], both[2000:].argmax(axis=1), ["no", "yes"])
    >>> result.accuracy
    Estimate(accuracy 75.1 %, 95 % CI 73.5 to 77.0 %, n = 2,000)
    """
    tails = tail_levels(level, "two-sided")
    maps = _Maps.of(reference, labels, target)
    every = np.ones(len(predictions))
    matrix = _matrix(maps.calibrated(np.ones(len(labels))), target, predictions, every)
    rng = stream(seed, "expected confusion")
    ours, theirs = (_some(len(part), target.shape[1], rng) for part in (reference, target))
    few = _Maps.of(reference[ours], labels[ours], target[theirs])
    drawn = np.array(
        [
            _matrix(few.drawn(rng), target[theirs], predictions[theirs], rng.standard_exponential(len(theirs)))
            for _ in range(min(draws, MOST_DRAWS))
        ]
    )
    estimates = [
        *_estimated(matrix, drawn, OVERALL, [None], level, tails),
        *_estimated(matrix, drawn, OF_CLASS, classes, level, tails),
    ]
    return ExpectedConfusion(matrix, tuple(estimates))


def _estimated(
    matrix: FloatArray,
    drawn: FloatArray,
    measures: Sequence[Measure],
    classes: Sequence[ClassName],
    level: float,
    tails: tuple[float, float],
) -> list[Estimate]:
    seen, around = _confusion(matrix), _confusion(drawn)
    estimates = []
    for measure in measures:
        values = np.atleast_1d(measure(seen))
        spread = np.reshape(measure(around), (len(drawn), -1))
        low, high = (quantile(spread, np.array(share)) for share in (tails[0], 1 - tails[1]))
        for at, name in enumerate(classes):
            ends = None
            if not np.isnan(values[at]):
                ends = Interval(float(low[at]), float(high[at]), level, METHOD, measure.bounds)
            why = measure.reason if ends is None else None
            estimates.append(
                Estimate.of(measure, float(values[at]), round(float(matrix.sum())), ends, why, class_name=name)
            )
    return estimates


def _confusion(matrix: FloatArray) -> Confusion:
    """Lay out expected counts for the measures; they are no whole numbers."""
    hits = np.diagonal(matrix, axis1=-2, axis2=-1)
    return Confusion(hits, matrix.sum(-1), matrix.sum(-2), matrix.sum((-2, -1)), weighted=True)


def _matrix(calibrated: FloatArray, raw: FloatArray, predictions: Array, weights: FloatArray) -> FloatArray:
    total = calibrated.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, calibrated / np.where(total > 0, total, 1.0), raw) * weights[:, None]
    size = shares.shape[1]
    return np.stack([np.bincount(predictions, shares[:, at], minlength=size) for at in range(size)])


def _some(n: int, classes: int, rng: np.random.Generator) -> Array:
    """Choose the rows to resample: all, or as many at random as there is room for."""
    most = max(CELLS // classes, 1000)
    return np.arange(n) if n <= most else np.sort(rng.choice(n, most, replace=False))


@dataclass(frozen=True, eq=False)
class _Map:
    """One class: the place of every reference row among its distinct probabilities, and of every target row."""

    group: Array
    belongs: FloatArray
    size: int
    below: Array
    above: Array
    part: FloatArray

    def calibrated(self, weights: FloatArray, extra: tuple[Array, Array] | None = None) -> FloatArray:
        """Fit to weighted rows of the reference and read off the target, in a straight line between distinct values.

        `extra` are rows of the reference and weights: an imagined row of the class, and one of another.
        """
        from scipy.optimize import isotonic_regression

        total = np.bincount(self.group, weights, minlength=self.size)
        hits = np.bincount(self.group, weights * self.belongs, minlength=self.size)
        if extra is not None:
            at, worth = self.group[extra[0]], extra[1]
            hits[at[0]] += worth[0]
            np.add.at(total, at, worth)
        fitted = isotonic_regression(hits / total, weights=total).x
        return np.asarray(fitted[self.below] + self.part * (fitted[self.above] - fitted[self.below]))


@dataclass(frozen=True, eq=False)
class _Maps:
    """The maps of all classes."""

    each: tuple[_Map, ...]
    rows: int

    @classmethod
    def of(cls, reference: FloatArray, labels: Array, target: FloatArray) -> "_Maps":
        each = []
        for code in range(reference.shape[1]):
            values, group = np.unique(reference[:, code], return_inverse=True)
            above = np.clip(np.searchsorted(values, target[:, code]), 0, len(values) - 1)
            below = np.where(values[above] > target[:, code], np.maximum(above - 1, 0), above)
            gap = values[above] - values[below]
            part = np.where(gap > 0, (target[:, code] - values[below]) / np.where(gap > 0, gap, 1.0), 0.0)
            belongs = (labels == code).astype(float)
            each.append(_Map(group, belongs, len(values), below, above, np.clip(part, 0.0, 1.0)))
        return cls(tuple(each), len(reference))

    def calibrated(self, weights: FloatArray) -> FloatArray:
        return np.stack([item.calibrated(weights) for item in self.each], axis=1)

    def drawn(self, rng: np.random.Generator) -> FloatArray:
        weights = rng.standard_exponential(self.rows)
        extras = [(rng.integers(self.rows, size=2), rng.standard_gamma(PRIOR, 2)) for _ in self.each]
        return np.stack([item.calibrated(weights, extra) for item, extra in zip(self.each, extras, strict=True)], 1)
