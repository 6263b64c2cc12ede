"""Baselines for numbers: predict the median, the mean, or the label of another row."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import finite_or_none


@dataclass(frozen=True)
class NumericBaseline:
    """One baseline and its errors."""

    name: str
    prediction: float
    mse: float
    rmse: float
    mae: float

    def to_dict(self) -> dict[str, Any]:
        return {key: finite_or_none(value) if isinstance(value, float) else value for key, value in vars(self).items()}


def numeric_baselines(y: Array, w: Array) -> list[NumericBaseline]:
    """Score the median, the mean, and another row's label drawn at random (expected errors, exact).

    >>> [(baseline.name, baseline.mae) for baseline in numeric_baselines(np.array([0.0, 0.0, 3.0]), np.ones(3))]
    [('median', 1.0), ('mean', 1.3333333333333333), ('random label', 1.3333333333333333)]
    """
    order = np.argsort(y)
    ordered, heavy = y[order], w[order]
    up_to = np.cumsum(heavy)
    total = up_to[-1]
    median = float(ordered[np.searchsorted(up_to, total / 2)])
    mean = float(np.average(y, weights=w))
    naive = []
    for name, guess in (("median", median), ("mean", mean)):
        squared = float(np.average((y - guess) ** 2, weights=w))
        absolute = float(np.average(np.abs(y - guess), weights=w))
        naive.append(NumericBaseline(name, guess, squared, math.sqrt(squared), absolute))
    variance = naive[1].mse
    ordered = ordered - mean  # differences stay the same, and do not drown in a large offset
    below = np.concatenate([[0.0], up_to[:-1]])
    summed = np.concatenate([[0.0], np.cumsum(heavy * ordered)[:-1]])
    apart = max(0.0, float(2 * (heavy * (ordered * below - summed)).sum() / total**2))
    return [*naive, NumericBaseline("random label", math.nan, 2 * variance, math.sqrt(2 * variance), apart)]
