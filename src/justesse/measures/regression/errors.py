"""Errors of numeric predictions: MSE, RMSE, MAE, RMSLE.

    MSE = mean (y-f)²   RMSE = sqrt(MSE)   MAE = mean |y-f|   RMSLE = sqrt(mean (log(1+y) - log(1+f))²)

MSE and RMSE are ruled by the largest errors, MAE is not. RMSLE compares ratios and needs values above -1; it is
undefined otherwise.

>>> sums = Sums.of([1.0, 2.0, 4.0], [1.0, 3.0, 3.0]).total
>>> [round(float(measure(sums)), 4) for measure in (mse, rmse, mae, rmsle)]
[0.6667, 0.8165, 0.6667, 0.2102]
"""

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.confusion import ratio
from justesse.measures.regression.sums import Sums


def mse(sums: Sums) -> Array:
    """Compute the mean squared error."""
    return ratio(sums.squared, sums.weight)


def rmse(sums: Sums) -> Array:
    """Compute the root of the mean squared error, in the unit of the labels."""
    return np.sqrt(mse(sums))


def mae(sums: Sums) -> Array:
    """Compute the mean absolute error, in the unit of the labels."""
    return ratio(sums.absolute, sums.weight)


def rmsle(sums: Sums) -> Array:
    """Compute the root mean squared error of logarithms, NaN where a value is -1 or less."""
    return np.sqrt(ratio(sums.log_squared, sums.weight))
