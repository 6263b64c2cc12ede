"""Measures of numeric predictions with their intervals: Student's t for means, a bootstrap for the others."""

import math
from collections.abc import Sequence

import numpy as np

from justesse.core.results import Estimate, Interval
from justesse.core.seeds import stream
from justesse.intervals.estimate import Confidence
from justesse.intervals.explained_intervals import METHOD as EXPLAINED
from justesse.intervals.explained_intervals import explained_intervals
from justesse.intervals.mean_error import METHOD as MEAN_ERROR
from justesse.intervals.mean_error import mean_error
from justesse.measures.regression import ALL, NumericMeasure, Sums
from justesse.measures.regression.sums import resampled_sums

ROUNDING = 1e-12  # a spread this small, relative to the value, comes from floating-point arithmetic
NOTHING_VARIES = "no interval: these rows do not show how much the value varies"


def numeric_estimates(
    sums: Sums, n: float, confidence: Confidence, *, rmsle_undefined: str = "", measures: Sequence[NumericMeasure] = ALL
) -> list[Estimate]:
    """Estimate every measure; `rmsle_undefined` says why RMSLE has no value, if it has none.

    >>> sums = Sums.of([1.0, 2.0, 4.0], [1.0, 3.0, 3.0])
    >>> [(each.name, round(each.value, 3)) for each in numeric_estimates(sums, 3, Confidence(draws=200))][:3]
    [('mse', 0.667), ('rmse', 0.816), ('mae', 0.667)]
    """
    sums = sums.in_value_order
    total = sums.total
    buckets = len(sums.weight)
    (drawn,) = resampled_sums([sums], confidence.enough_draws, stream(confidence.seed, "regression"))
    explained = explained_intervals(sums, confidence, n=n) if buckets > 1 else {}
    ends_of_means = _means(sums, confidence) if buckets > 1 else {}
    estimates = []
    for measure in measures:
        with np.errstate(invalid="ignore", over="ignore"):
            value, values = float(measure(total)), measure(drawn)
        reason = rmsle_undefined if measure.name == "rmsle" and rmsle_undefined else measure.undefined
        values = values[np.isfinite(values)]
        if math.isnan(value):
            estimates.append(Estimate.of(measure, value, n, None, reason))
        elif buckets < 2 or not len(values) or np.ptp(values) <= ROUNDING * abs(value):
            estimates.append(Estimate.of(measure, value, n, None, NOTHING_VARIES))
        else:
            if measure.mean_of:
                low, high = ends_of_means[measure.mean_of]
                method = MEAN_ERROR
                if measure.root:
                    low, high = (math.copysign(math.sqrt(abs(end)), end) for end in (low, high))
            else:
                low, high = explained[measure.name]
                method = EXPLAINED
            if math.isnan(low) or math.isnan(high):
                estimates.append(Estimate.of(measure, value, n, None, NOTHING_VARIES))
                continue
            ends = Interval(low, high, confidence.level, method, measure.bounds, confidence.alternative)
            estimates.append(Estimate.of(measure, value, n, ends))
    return estimates


def _means(sums: Sums, confidence: Confidence) -> dict[str, tuple[float, float]]:
    """Compute the ends of the intervals of the means, by the sum they are the mean of."""
    ends = {
        name: mean_error(np.nan_to_num(getattr(sums, name)), sums.weight, **confidence.sides)
        for name in dict.fromkeys(measure.mean_of for measure in ALL)
        if name
    }
    return {name: (float(both.low), float(both.high)) for name, both in ends.items()}
