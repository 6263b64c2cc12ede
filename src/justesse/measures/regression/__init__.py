"""Measures of numeric predictions: functions of a few sums over rows, vectorised over a batch axis."""

from justesse.measures.regression.errors import mae, mse, rmse, rmsle
from justesse.measures.regression.explained import r2, rse, squared_correlation
from justesse.measures.regression.sums import Sums

ALL = (mse, rmse, mae, rmsle, rse, r2, squared_correlation)

__all__ = ["ALL", "Sums", "mae", "mse", "r2", "rmse", "rmsle", "rse", "squared_correlation"]
