"""Measures of numeric predictions with their intervals: percentiles of a bootstrap of buckets of rows."""

import math
from collections.abc import Sequence

import numpy as np

from justesse.core.results import Estimate, Interval, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.estimate import Confidence
from justesse.measures.regression import ALL, NumericMeasure, Sums
from justesse.measures.regression.sums import resampled_sums

METHOD = "bootstrap-percentile"
ROUNDING = 1e-12  # a spread this small, relative to the value, comes from floating-point arithmetic
NOTHING_VARIES = "no interval: these rows do not show how much the value varies"


def numeric_estimates(
    sums: Sums, n: float, confidence: Confidence, *, rmsle_undefined: str = "", measures: Sequence[NumericMeasure] = ALL
) -> list[Estimate]:
    """Estimate every measure; `rmsle_undefined` says why RMSLE has no value, if it has none.

    >>> sums = Sums.of([1.0, 2.0, 4.0], [1.0, 3.0, 3.0])
    >>> [(one.name, round(one.value, 3)) for one in numeric_estimates(sums, 3, Confidence(draws=200))][:3]
    [('mse', 0.667), ('rmse', 0.816), ('mae', 0.667)]
    """
    total = sums.total
    buckets = len(sums.weight)
    (drawn,) = resampled_sums([sums.in_value_order], confidence.enough_draws, stream(confidence.seed, "regression"))
    tails = tail_levels(confidence.level, confidence.alternative)
    estimates = []
    for measure in measures:
        with np.errstate(invalid="ignore", over="ignore"):
            value, values = float(measure(total)), measure(drawn)
        reason = rmsle_undefined if measure.name == "rmsle" and rmsle_undefined else measure.undefined
        values = values[np.isfinite(values)]
        if math.isnan(value):
            estimates.append(Estimate(measure.name, value, n, None, reason))
        elif buckets < 2 or not len(values) or np.ptp(values) <= ROUNDING * abs(value):
            estimates.append(Estimate(measure.name, value, n, None, NOTHING_VARIES))
        else:
            low, high = map(float, np.quantile(values, [tails[0], 1 - tails[1]]))
            ends = Interval(low, high, confidence.level, METHOD, measure.bounds, confidence.alternative)
            estimates.append(Estimate(measure.name, value, n, ends))
    return estimates
