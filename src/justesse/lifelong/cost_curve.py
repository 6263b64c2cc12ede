"""The score of one run against what it cost: area under the curve, and the cost to reach a score."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError


@dataclass(frozen=True)
class RunCurve:
    """Scores of one run by what had been spent; between two points the score is taken to change evenly.

    Parameters
    ----------
    costs
        What had been spent at each point, rising; they need not be evenly spaced.
    scores
        Score at each point.

    >>> curve = RunCurve((0, 10, 40), (0.5, 0.7, 0.8))
    >>> round(curve.area(0, 40), 3), round(curve.mean_score(0, 40), 4), curve.cost_to_reach(0.75, higher_is_better=True)
    (28.5, 0.7125, 25.0)
    """

    costs: Sequence[float]
    scores: Sequence[float]

    def __post_init__(self) -> None:
        """Refuse what is no curve."""
        costs, scores = np.asarray(self.costs, dtype=float), np.asarray(self.scores, dtype=float)
        if costs.shape != scores.shape or costs.ndim != 1 or len(costs) < 2:
            raise InputError(f"A curve needs two points or more, each with a cost and a score; got {costs.size}.")
        if not (np.isfinite(costs).all() and np.isfinite(scores).all() and (np.diff(costs) > 0).all()):
            raise InputError("Costs and scores of a curve must be finite numbers, and the costs rise.")

    def at(self, costs: ArrayLike) -> FloatArray:
        """Return the score at these costs: NaN before the first point, the last score after the last.

        A run that stops asking keeps its score.
        """
        return np.asarray(np.interp(np.asarray(costs, dtype=float), self.costs, self.scores, left=math.nan))

    def area(self, start: float, budget: float) -> float:
        """Compute the area under the curve from one cost to another, by the trapezoidal rule.

        Parameters
        ----------
        start
            Cost at which the area begins, not before the first point.
        budget
            Cost at which it ends; a curve that goes on is cut there.
        """
        inside = [cost for cost in self.costs if start < cost < budget]
        places = np.array([start, *inside, budget])
        return float(np.trapezoid(self.at(places), places))

    def mean_score(self, start: float, budget: float) -> float:
        """Compute the normalised area: area over cost, the mean score on the way; in the unit of the score."""
        return self.area(start, budget) / (budget - start)

    def cost_to_reach(self, score: float, *, higher_is_better: bool) -> float:
        """Find the smallest cost at which the curve is at least as good as a score; NaN if it never is.

        Parameters
        ----------
        score
            Score to reach.
        higher_is_better
            Whether a higher score is better.
        """
        sign = 1.0 if higher_is_better else -1.0
        reached = [sign * (value - score) >= 0 for value in self.scores]
        if True not in reached:
            return math.nan
        at = reached.index(True)
        if not at:
            return float(self.costs[0])
        share = (score - self.scores[at - 1]) / (self.scores[at] - self.scores[at - 1])
        return float(self.costs[at - 1] + share * (self.costs[at] - self.costs[at - 1]))
