"""Measures of numeric predictions: functions of a few sums over rows, vectorised over a batch axis."""

import math

from justesse.measures.regression.errors import mae, mse, rmse, rmsle
from justesse.measures.regression.explained import r2, rse, squared_correlation
from justesse.measures.regression.measure import NumericMeasure
from justesse.measures.regression.sums import Sums

EQUAL_LABELS = "all labels are equal"

ALL = (
    NumericMeasure("mse", "MSE", mse, mean_of="squared"),
    NumericMeasure("rmse", "RMSE", rmse, in_label_unit=True, headline=2, mean_of="squared", root=True),
    NumericMeasure("mae", "MAE", mae, in_label_unit=True, headline=1, mean_of="absolute"),
    NumericMeasure(
        "rmsle", "RMSLE", rmsle, undefined="a label or prediction is -1 or less", mean_of="log_squared", root=True
    ),
    NumericMeasure("rse", "relative squared error", rse, undefined=EQUAL_LABELS),
    NumericMeasure("r2", "R²", r2, True, (-math.inf, 1.0), EQUAL_LABELS, headline=3),
    NumericMeasure(
        "squared_correlation",
        "squared correlation",
        squared_correlation,
        True,
        (0.0, 1.0),
        "all labels or all predictions are equal",
    ),
)
HEADLINE = tuple(sorted((measure for measure in ALL if measure.headline), key=lambda measure: measure.headline))

__all__ = ["ALL", "NumericMeasure", "Sums", "mae", "mse", "r2", "rmse", "rmsle", "rse", "squared_correlation"]
