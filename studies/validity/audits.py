"""Disputed rows of audits: who is right, and whom the labels agree with."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
N, DISPUTED, NEITHER = 1000, 100, 12
# who the label agrees with (incumbent, neither, candidate; columns) if the incumbent, neither, the candidate is right
NOISE = {
    "labels are right": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "uniform, 10 %": [[0.9, 0.075, 0.025], [0.025, 0.95, 0.025], [0.025, 0.075, 0.9]],
    "by class: the incumbent's classes are mistaken, 20 %": [[0.8, 0.05, 0.15], [0.05, 0.9, 0.05], [0.01, 0.01, 0.98]],
    "by features: hard rows get the candidate's class, 30 %": [[0.7, 0.0, 0.3], [0.0, 0.7, 0.3], [0.0, 0.0, 1.0]],
}
HOSTILE = NOISE | {
    "always the candidate's class": [[0.0, 0.0, 1.0]] * 3,
    "never either class": [[0.0, 1.0, 0.0]] * 3,
    "always wrong": [[0.0, 0.0, 1.0], [0.5, 0.0, 0.5], [1.0, 0.0, 0.0]],
}


def drawn_counts(rng: np.random.Generator, right: Array, noise: str) -> Array:
    """Draw labels: from who is right on how many rows (pairs × 3) to counts by stratum and by who is right."""
    parts = [rng.multinomial(right[:, value], HOSTILE[noise][value]) for value in range(3)]
    return np.stack(parts, -1)


def composition(total: int, pairs: int, *, disputed: int = DISPUTED, neither: int = NEITHER) -> Array:
    """Give rows won by the incumbent, by neither and by the candidate."""
    rest = disputed - neither
    return np.tile([(rest - total) // 2, neither, (rest + total) // 2], (pairs, 1))
