"""A sine approximated by steps, and ridge regression: both parts of the excess error, exact and simulated.

The places where the function is measured are fixed, so that both parts have a formula; `justesse` splits simulated answers
with the same bias-variance decomposition that `bias_variance` uses on data.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.seeds import stream
from justesse.procedures.bias_variance import squared_parts

Array = NDArray[Any]
SETS = 4000
# a sine, measured at 64 places over 1.3 periods; each family of steps holds the one before
PLACES, PERIODS, STEP_NOISE = 64, 1.3, 0.5
PIECES = (1, 2, 4, 8, 16, 32, 64)
# 40 rows of 15 features that say nearly the same
ROWS, FEATURES, ALIKE, RIDGE_NOISE = 40, 15, 0.95, 1.0
PENALTIES = tuple(float(10.0**power) for power in np.arange(-2, 3.51, 0.5))


@dataclass(frozen=True)
class Excess:
    """The excess error of one model: exact parts, and what simulation found."""

    setting: float
    approximation: float
    estimation: float
    simulated_approximation: float
    simulated_estimation: float

    @property
    def total(self) -> float:
        return self.approximation + self.estimation


def steps(pieces: int, *, sets: int = SETS, seed: int = 0) -> Excess:
    """Fit so many equal steps to noisy measurements of a sine by least squares: the mean of each piece.

    The best steps are the means of the sine itself; each of the m means is off by noise of variance σ²·m/n.
    """
    sine = np.sin(2 * np.pi * PERIODS * (np.arange(PLACES) + 0.5) / PLACES)
    smoother = np.kron(np.eye(pieces), np.full((PLACES // pieces,) * 2, pieces / PLACES))
    return _excess(pieces, smoother, sine, STEP_NOISE, sets, seed, "steps")


def ridge(penalty: float, *, sets: int = SETS, seed: int = 0) -> Excess:
    """Fit ridge regression to a noisy linear function of features that are alike.

    β̂ = (λI + XᵀX)⁻¹Xᵀy
    """
    rng = stream(seed, "ridge")
    shared = rng.normal(size=(ROWS, 1))
    x = np.sqrt(ALIKE) * shared + np.sqrt(1 - ALIKE) * rng.normal(size=(ROWS, FEATURES))
    truth = x @ (rng.normal(size=FEATURES) / np.sqrt(FEATURES))
    smoother = x @ np.linalg.solve(penalty * np.eye(FEATURES) + x.T @ x, x.T)
    return _excess(penalty, smoother, truth, RIDGE_NOISE, sets, seed, "ridge noise")


def _excess(setting: float, smoother: Array, truth: Array, noise: float, sets: int, seed: int, purpose: str) -> Excess:
    """Split the excess of answers S·y: approximation |S·t - t|²/n, estimation σ²·tr(SᵀS)/n."""
    labels = truth + noise * stream(seed, purpose).normal(size=(sets, len(truth)))
    found = squared_parts(truth, labels @ smoother.T)
    approximation = float(((smoother @ truth - truth) ** 2).mean())
    estimation = float(noise**2 * (smoother**2).sum() / len(truth))
    return Excess(setting, approximation, estimation, found.bias, found.variance)
