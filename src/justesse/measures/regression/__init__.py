"""Measures of numeric predictions: functions of a few sums over rows, vectorised over a batch axis."""

import math

from justesse.measures.regression.errors import mae, mse, rmse, rmsle
from justesse.measures.regression.explained import r2, rse, squared_correlation
from justesse.measures.regression.measure import NumericMeasure
from justesse.measures.regression.sums import Sums

EQUAL_LABELS = "all labels are equal"

ALL = (
    NumericMeasure("mse", mse),
    NumericMeasure("rmse", rmse, in_label_unit=True),
    NumericMeasure("mae", mae, in_label_unit=True),
    NumericMeasure("rmsle", rmsle),
    NumericMeasure("rse", rse, undefined=EQUAL_LABELS),
    NumericMeasure("r2", r2, True, (-math.inf, 1.0), EQUAL_LABELS),
    NumericMeasure(
        "squared_correlation", squared_correlation, True, (0.0, 1.0), "all labels or all predictions are equal"
    ),
)

__all__ = ["ALL", "NumericMeasure", "Sums", "mae", "mse", "r2", "rmse", "rmsle", "rse", "squared_correlation"]
