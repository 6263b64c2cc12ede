"""Differences between two models' numeric predictions on the same rows, with paired intervals."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Estimate, Interval, finite_or_none, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.ends import two_sided_level
from justesse.intervals.estimate import Confidence
from justesse.intervals.numeric_estimates import NOTHING_VARIES, ROUNDING, numeric_estimates
from justesse.intervals.symmetric_studentised import METHOD, PLAIN, Studentised, symmetric_studentised
from justesse.measures.regression import ALL, NumericMeasure, Sums

FEWEST = 10  # with fewer rows, bootstrap intervals exclude the true difference far too often
TOO_FEW = f"no interval: fewer than {FEWEST} rows are too few for a bootstrap"


@dataclass(frozen=True)
class NumericDifference:
    """A measure of both models and their difference: positive if the candidate is better.

    `pvalue` is that of the paired t-test over rows; `None` for measures that are not means over rows.
    """

    name: str
    incumbent: Estimate
    candidate: Estimate
    difference: Estimate
    pvalue: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "incumbent": self.incumbent.to_dict(),
            "candidate": self.candidate.to_dict(),
            "difference": self.difference.to_dict(),
            "pvalue": None if self.pvalue is None else finite_or_none(self.pvalue),
        }


def numeric_differences(
    label: Array, incumbent: Array, candidate: Array, confidence: Confidence, *, rmsle_undefined: str = ""
) -> list[NumericDifference]:
    """Estimate every measure of both models and the paired difference.

    MAE and MSE are means of row errors: Student's interval of the mean paired difference,

        d̄ ± t_{n-1}·s_d/sqrt(n).

    The other measures: the symmetric studentised bootstrap of paired rows, `symmetric_studentised`. With fewer than 10
    rows they have no interval.

    Parameters
    ----------
    label, incumbent, candidate
        One number per row.
    confidence
        Level, alternative, number of draws and seed.
    rmsle_undefined
        Why RMSLE has no value, if it has none.

    Examples
    --------
    >>> y, close, far = np.arange(50.0), np.arange(50.0) + 0.5, np.arange(50.0) + np.tile([1.0, 2.0], 25)
    >>> mae = numeric_differences(y, far, close, Confidence(draws=200))[2]
    >>> mae.name, mae.difference.value, mae.difference.interval.low > 0
    ('mae', 1.0, True)
    """
    order = np.lexsort((candidate, incumbent, label))  # so that resamples do not depend on the order of the rows
    label, incumbent, candidate = label[order], incumbent[order], candidate[order]
    sums = [Sums.of(label, predictions, seed=confidence.seed) for predictions in (incumbent, candidate)]
    n = len(label)
    estimates = [numeric_estimates(each, n, confidence, rmsle_undefined=rmsle_undefined) for each in sums]
    bootstrapped = _all_bootstrapped(sums, confidence)
    differences = []
    for measure, ours, theirs in zip(ALL, *estimates, strict=True):
        sign = 1.0 if measure.greater_is_better else -1.0
        value = sign * (theirs.value - ours.value)
        pvalue: float | None = None
        if math.isnan(value):
            difference = Estimate.of(measure, value, n, None, ours.undefined or theirs.undefined)
        elif measure.is_mean:
            rows = row_differences(measure, label, incumbent, candidate)
            difference, pvalue = mean_difference(measure, rows, confidence)
        else:
            rounding = ROUNDING * max(abs(ours.value), abs(theirs.value))
            difference = _bootstrapped(measure, value, n, bootstrapped[measure.name], confidence, rounding)
        differences.append(NumericDifference(measure.name, ours, theirs, difference, pvalue))
    return differences


def row_differences(measure: NumericMeasure, label: Array, incumbent: Array, candidate: Array) -> Array:
    """Return how much smaller each row's error is with the candidate, for a measure that is a mean over rows."""
    return np.asarray(measure.row_errors(label, incumbent) - measure.row_errors(label, candidate))


def mean_difference(measure: NumericMeasure, rows: Array, confidence: Confidence) -> tuple[Estimate, float | None]:
    """Return the mean of paired row differences with Student's interval, and the p-value of the paired t-test.

    >>> measure = next(each for each in ALL if each.name == "mae")
    >>> estimate, pvalue = mean_difference(measure, np.array([1.0, 2.0, 3.0, 2.0]), Confidence())
    >>> round(estimate.interval.low, 3), round(pvalue, 4)
    (0.701, 0.0163)
    """
    from scipy.special import stdtr, stdtrit

    n, mean = len(rows), float(rows.mean())
    error = float(rows.std(ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    if error <= 1e-14 * float(np.abs(rows).max(initial=0.0)):
        return Estimate.of(measure, mean, n, None, NOTHING_VARIES), None
    below, above = (
        float(stdtrit(n - 1, 1 - tail)) if tail else math.inf
        for tail in tail_levels(confidence.level, confidence.alternative)
    )
    ends = Interval(
        mean - below * error, mean + above * error, confidence.level, "paired-t", alternative=confidence.alternative
    )
    statistic = mean / error
    tails = {
        "two-sided": 2 * stdtr(n - 1, -abs(statistic)),
        "greater": stdtr(n - 1, -statistic),
        "less": stdtr(n - 1, statistic),
    }
    return Estimate.of(measure, mean, n, ends), float(tails[confidence.alternative])


def _all_bootstrapped(sums: list[Sums], confidence: Confidence) -> dict[str, Studentised]:
    """Compute the intervals of how much better the candidate is, of all measures that are not means over rows."""
    measures = [each for each in ALL if not each.is_mean]
    below, above = tail_levels(confidence.level, confidence.alternative)
    intervals = symmetric_studentised(
        sums,
        [(each, PLAIN) for each in measures],
        draws=confidence.enough_draws,
        generator=stream(confidence.seed, "regression difference"),
        level=two_sided_level((below, above)),
    )
    results = {}
    for measure, ends in zip(measures, intervals, strict=True):
        low, high = (ends.low, ends.high) if measure.greater_is_better else (-ends.high, -ends.low)
        results[measure.name] = Studentised(low if below else -math.inf, high if above else math.inf, ends.error)
    return results


def _bootstrapped(
    measure: NumericMeasure, value: float, n: int, ends: Studentised, confidence: Confidence, rounding: float
) -> Estimate:
    if not ends.error > rounding:
        return Estimate.of(measure, value, n, None, NOTHING_VARIES)
    if n < FEWEST:
        return Estimate.of(measure, value, n, None, TOO_FEW)
    interval = Interval(ends.low, ends.high, confidence.level, METHOD, alternative=confidence.alternative)
    return Estimate.of(measure, value, n, interval)
