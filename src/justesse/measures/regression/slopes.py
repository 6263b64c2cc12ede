"""How the measures of numeric predictions move with each of the sums they are made from."""

from collections.abc import Callable

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.confusion import ratio
from justesse.measures.regression.explained import rse, spread_about_mean
from justesse.measures.regression.sums import Sums

Slopes = Callable[[Sums], dict[str, Array]]


def _of_mean(part: str, *, root: bool = False) -> Slopes:
    """Return the slopes of the mean of one of the sums, or of its root."""

    def slopes(sums: Sums) -> dict[str, Array]:
        mean = ratio(getattr(sums, part), sums.weight)
        twice = 2 * np.sqrt(mean) if root else np.ones_like(mean)
        return {part: ratio(1 / sums.weight, twice), "weight": -ratio(mean / sums.weight, twice)}

    return slopes


def rse_slopes(sums: Sums) -> dict[str, Array]:
    """Return the slopes of the relative squared error."""
    spread, mean = spread_about_mean(sums.yy, sums.y, sums.weight), ratio(sums.y, sums.weight)
    by_spread = -ratio(rse(sums), spread)
    return {
        "squared": ratio(np.ones_like(spread), spread),
        "yy": by_spread,
        "y": -2 * mean * by_spread,
        "weight": mean**2 * by_spread,
    }


def r2_slopes(sums: Sums) -> dict[str, Array]:
    """Return the slopes of R²."""
    return {part: -slope for part, slope in rse_slopes(sums).items()}


def squared_correlation_slopes(sums: Sums) -> dict[str, Array]:
    """Return the slopes of the squared correlation."""
    y, f = ratio(sums.y, sums.weight), ratio(sums.f, sums.weight)
    spread_y = spread_about_mean(sums.yy, sums.y, sums.weight)
    spread_f = spread_about_mean(sums.ff, sums.f, sums.weight)
    shared, both = sums.yf - y * f * sums.weight, spread_y * spread_f
    value, by_shared = ratio(shared**2, both), ratio(2 * shared, both)
    by_y, by_f = -ratio(value, spread_y), -ratio(value, spread_f)
    return {
        "yf": by_shared,
        "yy": by_y,
        "ff": by_f,
        "y": -f * by_shared - 2 * y * by_y,
        "f": -y * by_shared - 2 * f * by_f,
        "weight": y * f * by_shared + y**2 * by_y + f**2 * by_f,
    }


SLOPES: dict[str, Slopes] = {
    "mse": _of_mean("squared"),
    "rmse": _of_mean("squared", root=True),
    "mae": _of_mean("absolute"),
    "rmsle": _of_mean("log_squared", root=True),
    "rse": rse_slopes,
    "r2": r2_slopes,
    "squared_correlation": squared_correlation_slopes,
}
