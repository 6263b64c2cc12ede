"""How far an estimate must lie from a claim at each of a few planned looks, so that together they keep the risk."""

from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
POINTS = 801
FARTHEST = 8.0  # standard errors


@cache
def spending_bounds(fractions: tuple[float, ...], risk: float) -> Array:
    """Give the number of standard errors to exceed at each look, on one side.

        spent at a share f of the information:  2·(1 - Φ(z_{risk/2} / √f))

    `fractions` are the shares of the planned information at the looks, rising, the last at most 1. Early looks may
    spend little, so that the last one is nearly as sharp as a single test. Wrong to use at looks that were not planned,
    or while the estimate is far from normal: with few answers, or few wrong labels among them, prefer betting. O'Brien
    and Fleming (1979); Lan and DeMets (1983); the sums are those of Armitage, McPherson and Rowe (1969).

    >>> spending_bounds((0.2, 0.4, 0.6, 0.8, 1.0), 0.025).round(3).tolist()
    [4.877, 3.357, 2.68, 2.29, 2.031]
    """
    from scipy.special import ndtr

    normal = NormalDist()
    spent = [2 * (1 - normal.cdf(normal.inv_cdf(1 - risk / 2) / f**0.5)) for f in fractions]
    bounds: list[float] = []
    at, density, before = np.zeros(1), np.ones(1), 0.0  # of the sum of what was learnt, while no bound was passed
    for fraction, total, already in zip(fractions, spent, [0.0, *spent], strict=False):
        step, scale = (fraction - before) ** 0.5, fraction**0.5

        low, high = -FARTHEST, FARTHEST
        for _ in range(60):
            middle = (low + high) / 2
            passed = (density * ndtr((at - middle * scale) / step)).sum()
            low, high = (middle, high) if passed > total - already else (low, middle)
        bounds.append(high)
        ends = np.linspace(-FARTHEST * scale, high * scale, POINTS)
        width = np.full(POINTS, ends[1] - ends[0]) * np.r_[0.5, np.ones(POINTS - 2), 0.5]
        shape = np.exp(-(((ends[:, None] - at) / step) ** 2) / 2) / (step * (2 * np.pi) ** 0.5)
        at, density, before = ends, shape @ density * width, fraction
    return np.array(bounds)
