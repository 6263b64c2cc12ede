"""What a judge favours: the output shown first, its own outputs, longer outputs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Estimate, Interval, TestResult
from justesse.intervals.bounded_mean import bounded_mean
from justesse.intervals.clustered import clustered_share
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.significance.mcnemar import mcnemar
from justesse.significance.rating_gap import rating_gap
from justesse.verbs.llm_judge.units import JudgeUnits
from justesse.verbs.llm_judge.words import BiasName

NOT_PAIRS = "it needs verdicts on pairs"
NO_ORDERS = "it needs verdicts in both orders (a column swapped)"
NO_PEOPLE = "it needs people's ratings"
NO_OWN = "no model judged is of the judge's family; name its models with own (--own)"
NO_LENGTHS = "it needs the lengths of outputs"


@dataclass(frozen=True)
class JudgeBias:
    """One thing that a judge may favour.

    Parameters
    ----------
    name
        What it may favour.
    gap
        How much more often, in points, the judge sides with that kind of output, among outputs that people rate alike;
        for position, among the same pairs shown in both orders.
    test
        Test that the gap is 0.
    flips
        For position: share of pairs whose winner changes with the order.
    """

    name: BiasName
    gap: Estimate
    test: TestResult | None
    flips: Estimate | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "bias": self.name,
            "gap": self.gap.to_dict(),
            "test": self.test.to_dict() if self.test else None,
            "flips": self.flips.to_dict() if self.flips else None,
        }


def biases_of(
    units: JudgeUnits, own: Sequence[str], family: str, *, level: float, draws: int, seed: int
) -> tuple[JudgeBias, ...]:
    """Measure what a judge favours.

    Parameters
    ----------
    units
        The judge's verdicts.
    own
        Names of models of the judge's family.
    family
        Name of the judge: a model of the same name is its own.
    level, draws, seed
        As in `llm_judge`.
    """
    rated = units.rated
    pairs = units.verdicts.pairs
    mine = {name.lower() for name in (*own, family)}
    is_own = np.array([name.lower() in mine for name in units.verdicts.models] + [False])  # -1: no model
    decided = rated & (units.rating != 0.5)

    def gap(name: BiasName, favoured: FloatArray, missing: str) -> JudgeBias:
        """`favoured` is 1 where the first output is of the kind, 0 where the second is, NaN where neither or both."""
        if not np.isfinite(favoured).any():
            return _absent(name, missing)
        if not rated.any():
            return _absent(name, NO_PEOPLE)
        use = np.isfinite(favoured) & (decided if pairs else rated)
        if pairs:
            kind = favoured[use] == units.rating[use]  # whether people prefer the output of the kind
            test = rating_gap(
                units.agreement[use],
                kind,
                np.zeros(int(use.sum())),
                units.item[use],
                level=level,
                draws=draws,
                seed=seed,
            )
        else:
            test = rating_gap(
                units.value[use], favoured[use] == 1, units.rating[use], units.item[use], level=level, draws=draws, seed=seed
            )  # fmt: skip
        assert test.difference is not None
        return JudgeBias(name, test.difference, test)

    first, second = is_own[units.first].astype(float), is_own[units.second].astype(float)
    if pairs:
        kin = np.where(first != second, first, np.nan)
    else:
        kin = first if 0 < first.sum() < len(first) else np.full(len(first), np.nan)
    return (position_bias(units, level), gap("self", kin, NO_OWN), gap("length", units.longer, NO_LENGTHS))


def position_bias(units: JudgeUnits, level: float) -> JudgeBias:
    """Measure how often a verdict changes with the order, and what the output shown first gains."""
    if not units.verdicts.pairs:
        return _absent("position", NOT_PAIRS)
    both = np.isfinite(units.by_order).all(axis=1)
    n = int(both.sum())
    if n < 2:
        return _absent("position", NO_ORDERS)
    gained = units.by_order[both, 0] - units.by_order[both, 1]
    flipped = np.abs(gained) > 1e-9
    item = np.unique(units.item[both], return_inverse=True)[1]
    [ends] = (
        clustered_share(np.bincount(item, flipped), np.bincount(item), level=level).intervals()
        if item.max()
        else [None]
    )
    flips = Estimate("flips", float(flipped.mean()), n, ends, is_share=True)
    gap = Estimate("gap", float(gained.mean()), n, gain_interval(gained, item, level))
    return JudgeBias("position", gap, position_test(gained, item), flips)


def position_test(gained: FloatArray, clusters: Array) -> TestResult:
    """Test that verdicts flip as often towards the output shown first as away from it, by items."""
    size = np.bincount(clusters)
    ahead, behind = np.bincount(clusters, gained > 1e-9), np.bincount(clusters, gained < -1e-9)
    if int(size.max()) == 1:
        return mcnemar(int(behind.sum()), int(ahead.sum()))
    return clustered_mcnemar(behind, ahead, size)


def gain_interval(gained: FloatArray, clusters: Array, level: float) -> Interval | None:
    """Compute the interval of a mean of numbers from -1 to 1, by items."""
    size = np.bincount(clusters)
    many = len(size)
    if many < 2:
        return None
    mean = float(gained.mean())
    left = np.bincount(clusters, gained - mean) / len(gained)
    error = math.sqrt(many / (many - 1) * float(left @ left))
    [ends] = bounded_mean((mean + 1) / 2, error / 2, many, top=1.0, degrees=many - 1, level=level).intervals()
    return ends and Interval(2 * ends.low - 1, 2 * ends.high - 1, level, ends.method, (-1.0, 1.0))


def _absent(name: BiasName, reason: str) -> JudgeBias:
    return JudgeBias(name, Estimate("gap", math.nan, 0, undefined=reason), None)
