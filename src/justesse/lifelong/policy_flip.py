"""What change of the policy would turn the ranking of two systems."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray

LARGEST = 1e6  # a weight times more than this is another policy


@dataclass(frozen=True)
class WeightChange:
    """The smallest change of one period's weight that turns the ranking: multiply it by `factor`."""

    period: int
    factor: float


def smallest_change(weights: FloatArray, differences: FloatArray) -> WeightChange | None:
    """Find the period whose weight has to change least, as a ratio, to turn the sign of the difference.

        factor_j = -Σ_{k≠j} P_k·Δ_k / (P_j·Δ_j)

    None if no change of a single weight does.

    >>> smallest_change(np.array([0.5, 0.5]), np.array([0.02, -0.01]))
    WeightChange(period=0, factor=0.5)
    """
    parts = weights * differences
    total = float(parts.sum())
    changes = []
    for at, part in enumerate(parts.tolist()):
        if part and (total - part) / part <= 0 and total:
            changes.append(WeightChange(at, -(total - part) / part))
    possible = [change for change in changes if 1 / LARGEST <= change.factor <= LARGEST]
    return min(possible, key=lambda change: abs(math.log(change.factor)), default=None)


def flips(
    differences: FloatArray, positions: ArrayLike | None = None, *, steepest: float = 1.0, steps: int = 2000
) -> list[float]:
    """Find where the ranking flips as the policy moves from past (-1) over uniform (0) to recent (1).

    The weight of period j is 2^(λj). A λ is returned for each change of sign of Σ_j 2^(λj)·Δ_j.

    Parameters
    ----------
    differences
        Difference of both systems in each period, in the order of time.
    positions
        Position j of each period. Default: 0, 1, 2, ...
    steepest
        Largest λ looked at.
    steps
        Number of λ tried on each side; between two of them the root is found by bisection.

    >>> [round(at, 3) for at in flips(np.array([-0.02, 0.0, 0.02]))]
    [0.0]
    """
    grid = np.linspace(-steepest, steepest, 2 * steps + 1)
    at = np.arange(len(differences)) if positions is None else np.asarray(positions, dtype=float)

    def tilted(lean: float) -> float:
        powers = lean * at
        return float(np.exp2(powers - powers.max()) @ differences)

    values = np.array([tilted(lean) for lean in grid])
    roots = []
    for step in range(len(grid)):
        if abs(values[step]) < 1e-15:
            before, after = values[:step][values[:step] != 0], values[step + 1 :][values[step + 1 :] != 0]
            if len(before) and len(after) and before[-1] * after[0] < 0:
                roots.append(float(grid[step]))
        elif step and values[step - 1] * values[step] < 0 and abs(values[step - 1]) >= 1e-15:
            low, high = grid[step - 1], grid[step]
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if tilted(middle) * tilted(low) > 0 else (low, middle)
            roots.append(float((low + high) / 2))
    return roots
