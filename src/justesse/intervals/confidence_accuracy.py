"""Accuracy on rows without labels, from the confidence of the predictions and a labelled reference."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.resampling import check_draws
from justesse.core.results import Estimate, Interval, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.prediction_powered import PredictionPowered, Stratum, prediction_powered
from justesse.intervals.recalibration import Recalibration
from justesse.measures.curves.confidence_counts import ConfidenceCounts

METHOD = "bootstrap of reference and target"
ConfidenceMethod = Literal[
    "calibrated_confidence", "difference_of_confidences", "thresholded_confidence", "average_confidence"
]
TITLES: dict[ConfidenceMethod, str] = {
    "calibrated_confidence": "calibrated confidence",
    "difference_of_confidences": "difference of confidences",
    "thresholded_confidence": "thresholded confidence",
    "average_confidence": "average confidence",
}
PRIOR = 0.5  # imagined right and wrong rows of a resample, as in Jeffreys' interval
BATCH = 200
LEVELS = 3  # proxies of a prediction-powered mean: few values, so that exact intervals of each stay narrow


@dataclass(frozen=True, eq=False)
class ConfidenceAccuracy:
    """Estimates of the accuracy on the target, each with its interval, and the recalibrated confidences.

    Parameters
    ----------
    estimates
        Accuracy by each method.
    fitted
        Share of right predictions that the reference shows at each confidence of the counts.
    """

    estimates: Mapping[ConfidenceMethod, Estimate]
    fitted: FloatArray


def confidence_accuracy(
    counts: ConfidenceCounts, *, level: float = 0.95, draws: int = 2000, seed: int = 0
) -> ConfidenceAccuracy:
    """Estimate the accuracy on rows without labels from how confident the classifier is.

        average confidence:         mean_T c
        difference of confidences:  accuracy_R + mean_T c - mean_R c
        thresholded confidence:     share of T with c ≥ t, where a share 1 - accuracy_R of R has c < t
        calibrated confidence:      mean_T g(c), where g(c) is the share of right predictions of R at confidence c

    R is the labelled reference, T the target.

    Parameters
    ----------
    counts
        Rows by confidence.
    level
        Confidence level.
    draws
        Number of resamples.
    seed
        Seed of the random numbers.

    Returns
    -------
    ConfidenceAccuracy
        Estimates with intervals that carry the sampling of the reference and of the target.

    Notes
    -----
    Calibrated confidence assumes that a prediction of a given confidence is right as often in the target as in the
    reference. Average confidence needs confidences that are right as they are, difference of confidences that they are
    off by the same amount. No method sees a classifier that became wrong without becoming less confident. Intervals:
    Bayesian bootstrap of the rows of both, with half an imagined right and half an imagined wrong row, so that a
    reference without mistakes has an interval, too. Hendrycks and Gimpel (2017); Guillory et al. (2021); Garg et al.
    (2022); Rubin (1981).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> reference, target = rng.uniform(0.5, 1, 2000), rng.uniform(0.5, 0.8, 2000)
    >>> right = rng.random(2000) < reference - 0.1  # over-confident by ten points
    >>> result = confidence_accuracy(ConfidenceCounts.of(reference, right, target), draws=200)
    >>> {name: round(item.value, 2) for name, item in result.estimates.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'calibrated_confidence': 0.54, 'difference_of_confidences': 0.54, 'thresholded_confidence': 0.4,
     'average_confidence': 0.65}
    """
    tails = tail_levels(level, "two-sided")
    check_draws(draws)
    curve = Recalibration.of(counts.confidence, counts.reference)
    fitted = curve.fitted(counts.right, counts.wrong)
    values = _values(counts.confidence, counts.right, counts.wrong, counts.target, fitted)
    rng = stream(seed, "confidence accuracy, target")
    drawn = np.concatenate(
        [
            _values(counts.confidence, right, wrong, rng.standard_gamma(counts.target, right.shape), share)
            for right, wrong, share in _resampled(counts, curve, draws, seed)
        ]
    )
    low, high = np.quantile(drawn, tails[0], axis=0), np.quantile(drawn, 1 - tails[1], axis=0)
    n = int(counts.target.sum())
    return ConfidenceAccuracy(
        {
            name: Estimate(
                "accuracy", float(value), n, Interval(float(a), float(b), level, METHOD, (0.0, 1.0)),
                words="accuracy", is_share=True,
            )
            for name, value, a, b in zip(get_args(ConfidenceMethod), values, low, high, strict=True)
        },
        fitted,
    )  # fmt: skip


def drawn_curves(counts: ConfidenceCounts, *, draws: int, seed: int = 0) -> FloatArray:
    """Return the share of right predictions at each confidence in resamples of the reference, draws × confidences.

    >>> counts = ConfidenceCounts.of([0.6] * 20 + [0.9] * 20, [1, 0] * 10 + [1] * 20, [0.7])
    >>> drawn_curves(counts, draws=100).mean(axis=0).round(2).tolist()
    [0.49, 0.79, 0.99]
    """
    curve = Recalibration.of(counts.confidence, counts.reference)
    return np.concatenate([share for _, _, share in _resampled(counts, curve, draws, seed)])


def checked_accuracy(counts: ConfidenceCounts, fitted: FloatArray, *, level: float = 0.95) -> PredictionPowered:
    """Estimate the accuracy from recalibrated confidences of all rows of the target and the labels of some of them.

    Parameters
    ----------
    counts
        Rows by confidence, with labelled rows of the target drawn at random.
    fitted
        Share of right predictions that the reference shows at each confidence.
    level
        Confidence level.

    Returns
    -------
    PredictionPowered
        Accuracy with an interval that needs no calibration; `bias` is the estimate by confidences minus the truth on
        these rows.

    Notes
    -----
    Recalibrated confidences are rounded to three values. The result is right for any proxies; good ones narrow the
    interval. Angelopoulos et al. (2023), Prediction-powered inference.

    Examples
    --------
    >>> counts = ConfidenceCounts.of([0.6, 0.9], [0, 1], [0.6, 0.9] * 50, [0.6, 0.9] * 10, [0, 1] * 10)
    >>> round(checked_accuracy(counts, np.array([0.55, 0.9])).value, 2)
    0.5
    """
    order = np.argsort(fitted, kind="stable")
    mass = np.cumsum(counts.target[order])
    level_of = np.empty(len(fitted), dtype=np.int64)
    level_of[order] = np.minimum(((mass - counts.target[order] / 2) / mass[-1] * LEVELS).astype(int), LEVELS - 1)
    rows = np.bincount(level_of, counts.target, minlength=LEVELS)
    means = np.bincount(level_of, counts.target * fitted, minlength=LEVELS) / np.maximum(rows, 1e-300)
    hits, misses = (
        np.bincount(level_of, part, minlength=LEVELS) for part in (counts.labelled_right, counts.labelled_wrong)
    )
    kept = rows > 0
    means, rows, hits, misses = means[kept], rows[kept], hits[kept], misses[kept]
    stratum = Stratum(
        means, rows, np.repeat([1.0, 0.0], len(means)), np.tile(means, 2), np.concatenate([hits, misses])
    )  # fmt: skip
    return prediction_powered([stratum], level=level)


def _values(
    confidence: FloatArray, right: FloatArray, wrong: FloatArray, target: FloatArray, fitted: FloatArray
) -> FloatArray:
    """Compute all four estimates, in the order of their names, for one table or for many (methods on the last axis)."""
    reference, n, size = right + wrong, (right + wrong).sum(-1), target.sum(-1)
    accuracy = right.sum(-1) / n
    average, before = target @ confidence / size, reference @ confidence / n
    return np.stack(
        [
            (target * fitted).sum(-1) / size,
            np.clip(accuracy + average - before, 0.0, 1.0),
            1 - _share_below(reference, wrong.sum(-1), target) / size,
            average,
        ],
        axis=-1,
    )


def _share_below(reference: FloatArray, wrong: FloatArray, target: FloatArray) -> FloatArray:
    """Add up the target below the confidence that as much of the reference is below as is wrong."""
    reached = np.cumsum(reference, axis=-1)
    before = reached - reference
    part = np.clip((wrong[..., None] - before) / np.maximum(reference, 1e-300), 0.0, 1.0)
    below = np.where(reference > 0, part, before < wrong[..., None])
    return np.asarray((below * target).sum(-1))


def _resampled(
    counts: ConfidenceCounts, curve: Recalibration, draws: int, seed: int
) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
    """Draw weights of the right and the wrong rows of the reference, and the curve fitted to them, batch by batch."""
    rng = stream(seed, "confidence accuracy, reference")
    places = counts.reference / counts.reference.sum()
    begin = curve.coefficients(counts.right + places / 2, counts.wrong + places / 2)
    for start in range(0, draws, BATCH):
        many = min(BATCH, draws - start)
        right, wrong = (rng.standard_gamma(part, (many, len(places))) for part in (counts.right, counts.wrong))
        for side in (right, wrong):
            side[np.arange(many), rng.choice(len(places), many, p=places)] += rng.standard_gamma(PRIOR, many)
        yield right, wrong, curve.fitted(right, wrong, start=begin)
