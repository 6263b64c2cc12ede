"""The studentised bootstrap of means: each resample is measured in its own standard errors."""

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.regression.sums import bucket_draws

TINY = 1e-12  # what rounding leaves of no spread


def studentised(
    totals: Array, weights: Array, *, draws: int, generator: np.random.Generator, tails: tuple[float, float]
) -> tuple[Array, Array]:
    """Compute the ends of the intervals of means Σ totals / Σ weights over buckets of rows; one row per mean.

        m - q(1 - tail)·e,  m - q(tail)·e,   q a quantile of (m* - m)/e* over resamples

    Errors of predictions are skewed, so their mean has a longer tail above than a percentile bootstrap shows: with 30
    rows and normal errors its interval of MSE covers 90 %, and this 94 % (docs/validity.md). With heavy
    tails (errors of Student's t with 3 degrees of freedom) and 30 to 500 rows that of MSE and RMSE covers 80 to 87 %,
    that of MAE 94 %: the largest errors are often not among the rows. There is no interval (NaN) where too many
    resamples have no spread, as with two or three rows or mostly exact predictions. Hall (1992).

    Examples
    --------
    >>> errors = np.random.default_rng(0).normal(size=30) ** 2
    >>> low, high = studentised(
    ...     errors[None], np.ones(30), draws=2000, generator=np.random.default_rng(0), tails=(0.025, 0.025)
    ... )
    >>> round(float(errors.mean()), 2), round(float(low[0]), 2), round(float(high[0]), 2)
    (0.67, 0.39, 1.41)
    """
    scale = np.abs(totals).max(axis=1, initial=0.0)
    scale[scale == 0] = 1.0
    totals = totals / scale[:, None]  # so that squares of large numbers stay finite
    mean, error = _means(np.ones((1, len(weights))), totals, weights)
    apart = []
    for times in bucket_draws(len(weights), draws, generator):
        means, errors = _means(times, totals, weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            apart.append((means - mean) / errors)
    distances, shares = np.concatenate(apart), (1 - tails[0], tails[1])
    low, high = mean[0].copy(), mean[0].copy()
    for at, distance in enumerate(distances.T):
        # a resample of equal rows has no error and lies infinitely many errors away
        known = distance[~np.isnan(distance)]
        ends = [np.quantile(known, share, method="inverted_cdf") if len(known) else np.nan for share in shares]
        low[at], high[at] = (mean[0, at] - end * error[0, at] if np.isfinite(end) else np.nan for end in ends)
    low[:] = low if tails[0] else -np.inf
    high[:] = high if tails[1] else np.inf
    return low * scale, high * scale


def _means(times: Array, totals: Array, weights: Array) -> tuple[Array, Array]:
    """Compute each mean in each draw (draws × means), and its standard error."""
    weight = (times @ weights)[:, None]
    means = times @ totals.T / weight
    squares = (
        times @ (totals**2).T - 2 * means * (times @ (totals * weights).T) + means**2 * (times @ weights**2)[:, None]
    )
    buckets = len(weights)
    squares[squares <= TINY * (times @ (totals**2).T)] = 0.0
    return means, np.sqrt(np.maximum(squares, 0) * buckets / max(buckets - 1, 1)) / weight
