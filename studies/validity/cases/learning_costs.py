"""Score against cost over few seeds: area, gain paired by seed, deficiency against random, cost to reach a score."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.seeds import stream
from justesse.lifelong.cost_curve import RunCurve
from justesse.lifelong.seed_curves import CostRange, SeedCurves
from studies.validity.case import Case, Hits, Setting, covered

AREA, GAIN, DEFICIENCY, REACH = (
    "area under a curve",
    "gain of area",
    "deficiency against random",
    "cost to reach a score",
)
COSTS = (0.0, 10.0, 25.0, 50.0, 100.0, 200.0)
RANGE = CostRange(0.0, 200.0)
TARGET = 0.75
MORE = "more seeds"


@dataclass(frozen=True)
class Learner:
    """Accuracy 0.9 - 0.4·exp(-speed·cost): how fast, how speeds differ between seeds (log scale), and noise of a point."""

    speed: float
    uneven: float
    noise: float

    def scores(self, rng: np.random.Generator, luck: FloatArray) -> FloatArray:
        """Draw the scores of several seeds, a row each; lucky seeds of one system are so of the other."""
        n = len(luck)
        speeds = self.speed * np.exp(self.uneven * rng.normal(size=n) - self.uneven**2 / 2)
        clean = 0.9 - 0.4 * np.exp(-speeds[:, None] * np.array(COSTS)) + luck[:, None]
        return np.asarray(clean + rng.normal(0, self.noise, clean.shape))

    def curves(self, rng: np.random.Generator, luck: FloatArray) -> SeedCurves:
        """Draw runs."""
        drawn = self.scores(rng, luck).tolist()
        return SeedCurves({str(seed): RunCurve(COSTS, scores) for seed, scores in enumerate(drawn)})


@cache
def _truth(system: Learner, random: Learner, luck: float) -> dict[str, float]:
    rng = stream(0, "truth of learning costs")
    moves = rng.normal(0, luck, 20_000)
    drawn = [learner.scores(rng, moves) for learner in (system, random)]
    own, theirs = (np.trapezoid(scores, COSTS, axis=1) / RANGE.budget for scores in drawn)
    final = drawn[1][:, -1]
    reached = [
        RunCurve(COSTS, scores).cost_to_reach(TARGET, higher_is_better=True) for scores in drawn[0][:4000].tolist()
    ]
    return {
        AREA: float(own.mean()),
        GAIN: float(own.mean() - theirs.mean()),
        DEFICIENCY: float((final - own).mean() / (final - theirs).mean()),
        REACH: float(np.nanmean(reached)),
    }


def _run(seeds: int, system: Learner, random: Learner, luck: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    rng, truth = stream(seed, "learning costs"), _truth(system, random, luck)
    intervals: dict[str, list[object]] = {what: [] for what in truth}
    for _ in range(repetitions):
        moves = rng.normal(0, luck, seeds)
        own, theirs = system.curves(rng, moves), random.curves(rng, moves)
        intervals[AREA].append(own.area(RANGE).interval)
        intervals[GAIN].append(own.area_gain(theirs, RANGE, higher_is_better=True).interval)
        intervals[DEFICIENCY].append(own.deficiency(theirs, RANGE).interval)
        intervals[REACH].append(own.cost_to_reach(TARGET, higher_is_better=True).interval)
    return {what: covered(intervals[what], truth[what]) for what in truth}  # type: ignore[arg-type]


CASES = (
    Case(AREA, about=("interval:student",), instead=MORE),
    Case(GAIN, about=("interval:paired-t",), instead=MORE),
    Case(DEFICIENCY, about=("interval:fieller",), instead=MORE),
    Case(REACH, about=("interval:student",), instead=MORE),
)
EVEN, SLOW = Learner(0.03, 0.2, 0.005), Learner(0.015, 0.2, 0.005)
SETTINGS = tuple(
    Setting("learning costs", name, seeds, CASES, partial(_run, seeds, system, random, 0.01))
    for seeds in (5, 10)
    for name, system, random in (
        ("seeds of about one speed", EVEN, SLOW),
        ("adversarial: speeds that differ much between seeds", Learner(0.03, 0.8, 0.01), Learner(0.015, 0.8, 0.01)),
    )
)
