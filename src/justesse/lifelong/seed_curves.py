"""Curves of score against cost over several seeds: mean curve, area, cost to reach a score, deficiency."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.core.results import Estimate, Interval
from justesse.intervals.fieller import fieller
from justesse.intervals.student import all_equal, student
from justesse.lifelong.cost_curve import RunCurve

ONE_SEED = "one seed shows no spread"
FEW_COMMON = "fewer than two seeds in common, so runs cannot be paired"
FLAT = "random does not improve beyond doubt, so there is nothing to compare the deficiency with"
MOST_POINTS = 200  # of a mean curve


@dataclass(frozen=True)
class CostRange:
    """The costs over which curves are compared: from where all have begun to the budget."""

    start: float
    budget: float


@dataclass(frozen=True)
class SeedCurves:
    """Curves of one system, one for each seed.

    Parameters
    ----------
    runs
        Seed → curve.
    """

    runs: Mapping[str, RunCurve]

    @property
    def first(self) -> float:
        """Smallest cost at which all runs have a score."""
        return max(float(run.costs[0]) for run in self.runs.values())

    @property
    def last(self) -> float:
        """Largest cost that all runs reach."""
        return min(float(run.costs[-1]) for run in self.runs.values())

    def points(self, costs: CostRange, *, level: float = 0.95) -> list[tuple[float, Estimate]]:
        """Compute the mean curve with pointwise intervals, at every cost where a run has a score."""
        places = np.unique(
            [costs.start, costs.budget]
            + [cost for run in self.runs.values() for cost in run.costs if costs.start < cost < costs.budget]
        )
        if len(places) > MOST_POINTS:
            places = np.linspace(costs.start, costs.budget, MOST_POINTS)
        values = np.array([run.at(places) for run in self.runs.values()])
        return [(float(cost), _mean("score", values[:, at], level, "Score")) for at, cost in enumerate(places.tolist())]

    def area(self, costs: CostRange, *, level: float = 0.95) -> Estimate:
        """Compute the normalised area under the curve, the mean score on the way, with its interval over seeds."""
        return _mean("area", self._areas(list(self.runs), costs), level, "Mean score on the way")

    def cost_to_reach(
        self, score: float, *, higher_is_better: bool, level: float = 0.95, budget: float = math.inf
    ) -> Estimate:
        """Compute the mean cost to reach a score; undefined, with the number of seeds, if not all seeds reach it.

        A score that is reached beyond the budget counts as not reached.
        """
        spent = np.array([run.cost_to_reach(score, higher_is_better=higher_is_better) for run in self.runs.values()])
        never = int((np.isnan(spent) | (spent > budget)).sum())
        if never:
            within = "" if math.isinf(budget) else f" within a cost of {budget:g}"
            reason = f"{never} of {len(spent)} seeds never reach it{within}"
            return Estimate("cost_to_reach", math.nan, len(spent), undefined=reason, words="Cost to reach the score")
        return _mean("cost_to_reach", spent, level, "Cost to reach the score")

    def area_gain(
        self, baseline: "SeedCurves", costs: CostRange, *, higher_is_better: bool, level: float = 0.95
    ) -> Estimate:
        """Compute by how much the area is better than that of another system, paired by seed; above 0 is better.

        Parameters
        ----------
        baseline
            Curves of the other system.
        costs
            Costs that count.
        higher_is_better
            Whether a higher score is better.
        level
            Confidence level.
        """
        seeds = self._common(baseline)
        own, theirs = (
            self._areas(seeds or list(self.runs), costs),
            baseline._areas(seeds or list(baseline.runs), costs),
        )
        sign = 1.0 if higher_is_better else -1.0
        value = sign * float(own.mean() - theirs.mean())
        words = "Gain of area"
        if len(seeds) < 2:
            reason = ONE_SEED if len(self.runs) == len(baseline.runs) == 1 else FEW_COMMON
            return Estimate("area_gain", value, len(seeds), undefined=reason, words=words)
        return _mean("area_gain", sign * (own - theirs), level, words, "paired-t")

    def deficiency(self, random: "SeedCurves", costs: CostRange, *, level: float = 0.95) -> Estimate:
        """Compute the deficiency against random choice: below 1 is better than random, 0 is best.

            Def = ∫ (s_random(B) - s(c)) dc / ∫ (s_random(B) - s_random(c)) dc

        The score that random choice has reached at the budget B is what both are measured by; the formula is the same
        if a lower score is better.

        Parameters
        ----------
        random
            Curves of a system that chooses its questions at random.
        costs
            Costs that count.
        level
            Confidence level.

        Notes
        -----
        Baram, El-Yaniv and Luz (2004). The mean over seeds of both integrals is taken before they are divided; the
        interval is Fieller's, paired by seed.
        """
        seeds = self._common(random)
        words = "Deficiency against random"
        pairs = (seeds, seeds) if len(seeds) > 1 else (list(self.runs), list(random.runs))
        finals = np.array([float(random.runs[seed].at(costs.budget)) for seed in pairs[1]])
        below = finals - random._areas(pairs[1], costs)
        above = (finals if len(seeds) > 1 else finals.mean()) - self._areas(pairs[0], costs)
        if abs(float(below.mean())) <= 1e-12:
            return Estimate("deficiency", math.nan, len(seeds), undefined=FLAT, words=words)
        value = float(above.mean() / below.mean())
        if len(seeds) < 2:
            reason = ONE_SEED if len(self.runs) == len(random.runs) == 1 else FEW_COMMON
            return Estimate("deficiency", value, len(seeds), undefined=reason, words=words)
        ends = fieller(above, below, level=level)
        low, high = float(ends.low[0]), float(ends.high[0])
        if math.isnan(low):
            return Estimate("deficiency", value, len(seeds), undefined=FLAT, words=words)
        return Estimate("deficiency", value, len(seeds), Interval(low, high, level, ends.method), words=words)

    def _areas(self, seeds: Sequence[str], costs: CostRange) -> FloatArray:
        return np.array([self.runs[seed].mean_score(costs.start, costs.budget) for seed in seeds])

    def _common(self, other: "SeedCurves") -> list[str]:
        return [seed for seed in self.runs if seed in other.runs]


def cost_range(systems: Sequence[SeedCurves], budget: float | None = None) -> CostRange:
    """Find the costs over which systems can be compared.

    Parameters
    ----------
    systems
        Curves of every system.
    budget
        Cost at which all curves are cut. Default: the largest that all runs reach.

    >>> runs = SeedCurves({"0": RunCurve((0, 5), (1, 2)), "1": RunCurve((1, 9), (1, 2))})
    >>> cost_range([runs])
    CostRange(start=1.0, budget=5.0)
    """
    start = max(system.first for system in systems)
    end = min(system.last for system in systems) if budget is None else float(budget)
    if not start < end:
        raise InputError(
            f"No costs in common: all runs have begun at {start:g}, and the budget ends at {end:g}. Give a larger "
            "budget (budget=…, --budget), or leave out a run."
        )
    return CostRange(start, end)


def _mean(name: str, values: FloatArray, level: float, words: str, method: str = "student") -> Estimate:
    """Average over seeds, with Student's interval."""
    value = float(values.mean())
    if len(values) < 2:
        return Estimate(name, value, len(values), undefined=ONE_SEED, words=words)
    if all_equal(values):
        reason = "no interval: all seeds are equal, so their spread is unknown"
        return Estimate(name, value, len(values), undefined=reason, words=words)
    interval = student(values.tolist(), level=level).interval
    assert interval is not None
    ends = Interval(interval.low, interval.high, level, method)
    return Estimate(name, value, len(values), ends, words=words)
