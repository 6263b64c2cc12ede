"""How much of the labels' spread is explained: RSE, R² and, which is not the same, the squared correlation.

    RSE = Σ(y-f)²/Σ(y-ȳ)²   R² = 1-RSE   r² = cov(y, f)²/(var y·var f)

Always R² ≤ r², with equality exactly when the residuals have mean zero and no correlation with the predictions, as in
a least-squares fit with intercept on its own data (docs/errata.md, items 6 and 13). R² can be negative: then the mean
would be the better prediction. r² forgives any wrong scale or offset, so it says nothing about how far off predictions
are.

>>> sums = Sums.of([1.0, 2.0, 4.0], [1.0, 3.0, 3.0]).total
>>> [round(float(measure(sums)), 4) for measure in (rse, r2, squared_correlation)]
[0.4286, 0.5714, 0.5714]
"""

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.confusion import ratio
from justesse.measures.regression.sums import Sums


def rse(sums: Sums) -> Array:
    """Compute the relative squared error: 1 is what predicting the mean scores; NaN if all labels are equal."""
    return ratio(sums.squared, spread_about_mean(sums.yy, sums.y, sums.weight))


def r2(sums: Sums) -> Array:
    """Return 1 - RSE."""
    return 1 - rse(sums)


def squared_correlation(sums: Sums) -> Array:
    """Return the square of the correlation, NaN if labels or predictions are all equal."""
    shared = sums.yf - ratio(sums.y * sums.f, sums.weight)
    both = spread_about_mean(sums.yy, sums.y, sums.weight) * spread_about_mean(sums.ff, sums.f, sums.weight)
    return np.minimum(ratio(shared**2, both), 1.0)


def spread_about_mean(squares: Array, total: Array, weight: Array) -> Array:
    """Return the sum of squares about the mean."""
    spread = squares - ratio(total**2, weight)
    # what rounding leaves of no spread at all
    return np.where(spread <= 1e-12 * np.maximum(squares, 1e-300), 0.0, spread)
