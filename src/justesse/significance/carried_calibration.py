"""Whether predictions of the same confidence are right as often in labelled rows of a target as in the reference."""

import math

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.results import TestResult
from justesse.core.seeds import stream
from justesse.intervals.confidence_accuracy import drawn_curves
from justesse.measures.curves.confidence_counts import ConfidenceCounts

NAME = "carried-calibration"
ASSUMPTIONS = (
    "the labelled rows of the target are a random part of it",
    "their labels are right",
    "rows are independent draws",
)
DRAWS = 2000
EDGE = 1e-6  # confidences nearer to 0 or 1 count as this near
STEPS = 100  # far more than are ever taken


def carried_calibration(counts: ConfidenceCounts, *, draws: int = DRAWS, seed: int = 0) -> TestResult:
    """Test that the calibration of a reference carries over to a target, on labelled rows of the target.

        S = Σ_labelled (right - g(c))·(1, z),   D = S' Cov(S)⁻¹ S

    g(c) is the share of right predictions that the reference shows at confidence c, z the centred g(c): the first part
    of S is how many more labelled rows are right than expected, the second whether this differs between low and high
    confidences.

    Parameters
    ----------
    counts
        Rows by confidence, with labelled rows of the target.
    draws
        Number of simulated labelled parts; the p-value is a multiple of 1 / (draws + 1).
    seed
        Seed of the random numbers.

    Returns
    -------
    TestResult
        D, and the larger of two p-values: the share of simulated labelled parts with a D at least as large, and that of
        Cox's recalibration test of two samples. Undefined without labelled rows.

    Notes
    -----
    Each simulated part has g from a resample of the reference, and labels that are right with probability g(c). As
    Spiegelhalter's test, with estimated probabilities and a second direction. With a few hundred rows or fewer, the
    resamples of g differ too little, and this p-value alone would be below 5 % in up to 17 % of cases without a
    difference. The second p-value compares the reference and the labelled rows by logistic regression on the log odds
    of the confidence; it holds with a small reference, but takes the calibration as a line. A calibration that is off
    in the middle only, and not on average, is not seen. Spiegelhalter (1986); Cox (1958).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> reference, target = rng.uniform(0.5, 1, 1000), rng.uniform(0.5, 1, 300)
    >>> right = rng.random(1000) < reference
    >>> same, worse = rng.random(300) < target, rng.random(300) < target - 0.15
    >>> [
    ...     carried_calibration(ConfidenceCounts.of(reference, right, target, target, hit)).pvalue < 0.05
    ...     for hit in (same, worse)
    ... ]
    [False, True]
    """
    rows = counts.labelled
    total = float(rows.sum())
    if not total:
        why = "no row of the target has a label"
        return TestResult(NAME, math.nan, math.nan, 0, "two-sided", ASSUMPTIONS, undefined=why)
    held = rows > 0
    curves = drawn_curves(counts, draws=draws, seed=seed)[:, held]
    rows, right = rows[held], counts.labelled_right[held]
    expected = curves.mean(axis=0)
    lean = np.stack([np.ones_like(expected), expected - rows @ expected / total], axis=1)
    simulated = stream(seed, "carried calibration").binomial(rows.astype(np.int64), curves)
    around = (simulated - rows * expected) @ lean
    scale = np.linalg.pinv(np.atleast_2d(around.T @ around) / len(around), rcond=1e-9, hermitian=True)
    seen = (right - rows * expected) @ lean
    statistic = float(seen @ scale @ seen)
    beyond = int((((around @ scale) * around).sum(axis=1) >= statistic * (1 - 1e-12)).sum())
    pvalue = max((1 + beyond) / (1 + draws), two_lines_pvalue(counts))
    return TestResult(NAME, statistic, pvalue, total, "two-sided", ASSUMPTIONS)


def two_lines_pvalue(counts: ConfidenceCounts) -> float:
    """Test whether the reference and the labelled rows have the same line of log odds of being right (Cox 1958).

        logit P(right) = a + b·logit c   for both, or with an a and a b for each: χ² with 2 degrees of freedom

    >>> confidence = np.linspace(0.55, 0.95, 9)
    >>> tens = np.full(9, 10.0)
    >>> same = ConfidenceCounts(confidence, 8 * tens, 2 * tens, tens, 0.8 * tens, 0.2 * tens)
    >>> worse = ConfidenceCounts(confidence, 8 * tens, 2 * tens, tens, 0.4 * tens, 0.6 * tens)
    >>> round(two_lines_pvalue(same), 3), two_lines_pvalue(worse) < 0.0001
    (1.0, True)
    """
    clipped = np.clip(counts.confidence, EDGE, 1 - EDGE)
    lines = np.stack([np.ones_like(clipped), np.log(clipped / (1 - clipped))], axis=1)
    groups = ((counts.right, counts.wrong), (counts.labelled_right, counts.labelled_wrong))
    apart = sum(_log_likelihood(lines, right, wrong) for right, wrong in groups)
    together = _log_likelihood(lines, groups[0][0] + groups[1][0], groups[0][1] + groups[1][1])
    return math.exp(-max(apart - together, 0.0))  # the upper tail of χ² with 2 degrees of freedom, at twice the gain


def _log_likelihood(lines: FloatArray, right: FloatArray, wrong: FloatArray) -> float:
    """Fit a logistic regression to counts by Newton's method, and return its largest log-likelihood."""

    def value(slopes: FloatArray) -> float:
        odds = lines @ slopes
        return float(-(right * np.logaddexp(0.0, -odds) + wrong * np.logaddexp(0.0, odds)).sum())

    slopes = np.zeros(2)
    best = value(slopes)
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-np.clip(lines @ slopes, -30, 30)))
        gradient = lines.T @ (right - (right + wrong) * share)
        curvature = lines.T @ (lines * ((right + wrong) * share * (1 - share))[:, None])
        step = np.linalg.pinv(curvature, rcond=1e-12, hermitian=True) @ gradient
        while (next_best := value(slopes + step)) < best and np.abs(step).max() > 1e-10:
            step = step / 2
        if next_best - best < 1e-10:
            return max(best, next_best)
        slopes, best = slopes + step, next_best
    return best
