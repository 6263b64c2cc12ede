"""The interval of a penalised error rate in one period."""

import math

from justesse.core.arrays import FloatArray
from justesse.intervals.bounded_mean import bounded_mean
from justesse.intervals.clustered import clustered_mean
from justesse.intervals.ends import Ends

MOST = 2.0  # an item counts 1 if wrong and 1 if touched


def penalised_ends(totals: FloatArray, sizes: FloatArray, squares: FloatArray, *, level: float = 0.95) -> Ends:
    """Compute the interval of a penalised error rate in one period, over its blocks of time or over items.

    Parameters
    ----------
    totals
        Items wrong plus items touched, by block of time.
    sizes
        Items of each block.
    squares
        Sum of squares of what items count, 0, 1 or 2, by block.
    level
        Confidence level.

    >>> import numpy as np
    >>> ends = penalised_ends(np.array([30.0]), np.array([100.0]), np.array([40.0]))
    >>> ends.low.round(3).tolist(), ends.high.round(3).tolist()
    ([0.207], [0.426])
    """
    n = float(sizes.sum())
    value = float(totals.sum()) / n
    spread = max(0.0, float(squares.sum()) / n - value**2)
    error, degrees = math.sqrt(spread / max(n - 1, 1)), math.inf
    if len(sizes) > 1:
        mean = clustered_mean(totals, sizes)
        if mean.error > 0:  # otherwise no block differs from another, but single items may
            error, degrees = mean.error, mean.degrees
    return bounded_mean(value, error, n, top=MOST, degrees=degrees, level=level)
