"""Labels that are missing, or were asked with known probabilities that depend on being right: bounds and estimates."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.seeds import stream
from justesse.lifelong.asked_labels import AskedRows, asked_difference, asked_scores
from justesse.lifelong.missing_labels import difference_bounds, score_bounds, within_bounds
from justesse.lifelong.periods import block_length
from justesse.lifelong.policy import Policy
from justesse.lifelong.policy_difference import PairedBlocks
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks
from studies.validity.case import ADVERSARIAL, Case, Hits, Setting, covered

RECENT = Policy("recent")
RARELY, SELDOM = 0.05, 1 / 6  # chance of a label of the second kind of items, and their error rate over the others'
BOUNDS, ESTIMATE = "error under a policy, missing labels bounded", "error under a policy, labels asked"
GAP_BOUNDS, GAP = "difference under a policy, missing labels bounded", "difference under a policy, labels asked"
RANGE = "range between both bounds of an error under a policy"
METHODS = {ESTIMATE: "inverse-probability-blocks", GAP: "inverse-probability-blocks"}
MORE = "longer periods, or labels asked with probabilities that differ less"


@dataclass(frozen=True)
class Asked:
    """Items of periods: error rates of two systems, days, items of a day, chances of a label, and how alike days are."""

    rates: tuple[float, ...]
    gain: float
    days: int
    size: int
    chance_if_right: float  # that a label is asked where the first system is right
    chance_if_wrong: float
    same_day: float = 0.0
    spread: float = 0.0  # chances of single items differ further, evenly by this factor up and down
    rare: float = 0.0  # share of items of a second kind, rarely asked and seldom wrong

    @property
    def n(self) -> int:
        return len(self.rates) * self.days * self.size

    @property
    def kinds(self) -> float:
        """Error rate of all items over that of the first kind."""
        return 1 - self.rare + self.rare * SELDOM

    def labelled(self, wrong: bool) -> FloatArray:
        """Share of items of each period that are wrong, or right, and have a label."""
        rates, chance = np.asarray(self.rates), chance_of(self, wrong)
        first, second = (rates, SELDOM * rates) if wrong else (1 - rates, 1 - SELDOM * rates)
        return np.asarray((1 - self.rare) * first * chance + self.rare * second * RARELY)

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array, FloatArray, Array]:
        """Draw whether each system is wrong, the probability of a label, and whether there is one."""
        from scipy.special import ndtri

        shape = (len(self.rates), self.days, self.size)
        latent = np.sqrt(self.same_day) * rng.normal(size=(*shape[:2], 1))
        latent = latent + np.sqrt(1 - self.same_day) * rng.normal(size=shape)
        rarely = rng.random(shape) < self.rare if self.rare else np.zeros(shape, dtype=bool)
        factor = np.where(rarely, SELDOM, 1.0)
        rates = np.asarray(self.rates)[:, None, None] * factor
        first, second = latent < ndtri(rates), rng.random(shape) < rates - self.gain * factor
        chance = np.where(first, self.chance_if_wrong, self.chance_if_right)
        if self.spread:
            chance = np.clip(chance * np.exp(self.spread * (2 * rng.random(shape) - 1)), 0.02, 1.0)
        chance = np.where(rarely, RARELY, chance)
        return first, second, np.asarray(chance), rng.random(shape) < chance


def labels(drawn: Asked, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Bound and estimate, again and again."""
    rng, size = stream(seed, "missing labels"), len(drawn.rates)
    names = tuple(map(str, range(size)))
    weights = RECENT.weights(names)
    truth, gain = float(weights @ np.asarray(drawn.rates)) * drawn.kinds, drawn.gain * drawn.kinds
    starts = np.arange(0, drawn.days, block_length(drawn.days))
    of_day = np.searchsorted(starts, np.arange(drawn.days), side="right") - 1
    block = (np.arange(size)[:, None] * len(starts) + of_day)[:, :, None] + np.zeros(drawn.size, dtype=int)
    period = np.repeat(np.arange(size), len(starts))
    sizes = np.bincount(block.ravel(), minlength=len(period)).astype(float)
    at = np.repeat(np.arange(size), drawn.days * drawn.size)
    everything = ScoreMatrix(
        ("v",), names, np.zeros((1, size)), (size,), False, TimeBlocks(period, sizes[None] * 0, sizes[None])
    )
    intervals: dict[str, list[Any]] = {name: [] for name in (BOUNDS, ESTIMATE, GAP_BOUNDS, GAP)}
    ranges = 0
    low, high = float(weights @ drawn.labelled(True)), float(weights @ (1 - drawn.labelled(False)))
    for _ in range(repetitions):
        first, second, chance, asked = drawn.draw(rng)

        def added(part: Array) -> FloatArray:
            return np.bincount(block.ravel(), part.ravel(), minlength=len(period)).astype(float)

        known = added(asked)
        blocks = TimeBlocks(period, added(first & asked)[None], known[None])
        values = np.add.reduceat(blocks.totals[0], np.arange(0, len(period), len(starts)))
        values = values / np.add.reduceat(known, np.arange(0, len(period), len(starts)))
        matrix = ScoreMatrix(("v",), names, values[None], (size,), False, blocks)
        bounds = score_bounds(matrix, (sizes - known)[None], RECENT)[0]
        intervals[BOUNDS].append(bounds.score.interval)
        ends = bounds.score.interval
        ranges += bool(ends is not None and ends.low <= low and high <= ends.high)
        inside = asked.ravel()
        zero = np.zeros(int(inside.sum()), dtype=int)
        weight, many = 1 / chance.ravel()[inside], zero + 1
        place = (zero, at[inside], block.ravel()[inside])
        rows = AskedRows(*place, first.ravel()[inside].astype(float), weight, many)
        score = asked_scores(rows, everything, RECENT)[0][0]
        if ends is not None and score.interval is not None:
            inner = within_bounds(score.value, score.interval, bounds.low, bounds.high, ends)
            intervals[ESTIMATE].append(inner[1])
        gaps = first.astype(float) - second
        pairs = PairedBlocks(period, added(asked & second & ~first), added(asked & first & ~second), 0 * sizes, known)
        unknown = difference_bounds(pairs, sizes - known, added(~asked & (first != second)), range(size), weights)
        intervals[GAP_BOUNDS].append(unknown[2])
        rows = AskedRows(*place, gaps.ravel()[inside], weight, many)
        value, interval = asked_difference(rows, range(size), weights)
        intervals[GAP].append(within_bounds(value, interval, *unknown)[1])
    truths = {BOUNDS: truth, ESTIMATE: truth, GAP_BOUNDS: gain, GAP: gain}
    measured = {name: covered(made, truths[name]) for name, made in intervals.items()}
    return {**measured, RANGE: Hits(ranges, repetitions, methods=("missing-label-bounds",))}


def chance_of(drawn: Asked, wrong: bool) -> float:
    """Mean probability of a label, of rows that are wrong or right."""
    chance = drawn.chance_if_wrong if wrong else drawn.chance_if_right
    if not drawn.spread:
        return chance
    grid = np.exp(drawn.spread * (2 * (np.arange(20000) + 0.5) / 20000 - 1))
    return float(np.clip(chance * grid, 0.02, 1.0).mean())


RATES = (0.3, 0.1, 0.2, 0.15)
DRAWN = {
    "four periods of 30 days, 20 items a day, wrong ones asked more (0.6 against 0.2)": Asked(RATES, 0.02, 30, 20, 0.2, 0.6),
    "four periods of 30 days, 20 items a day, days alike (0.1), right ones asked more (0.6 against 0.3)": Asked(
        RATES, 0.02, 30, 20, 0.6, 0.3, 0.1
    ),
    "four periods without days, 300 items each, chances from 0.05 to 1": Asked(RATES, 0.02, 1, 300, 0.3, 0.4, 0.0, 1.2),
    f"{ADVERSARIAL}four periods without days, 100 items each, wrong ones rarely asked (0.1 against 0.5)": Asked(
        RATES, 0.02, 1, 100, 0.5, 0.1
    ),
    "four periods without days, 200 items each, few errors, wrong ones asked more (0.8 against 0.3)": Asked(
        (0.05, 0.03, 0.05, 0.04), 0.01, 1, 200, 0.3, 0.8
    ),
    "four periods of 30 days, 20 items a day, nearly all labels known (0.98 against 0.95)": Asked(
        RATES, 0.02, 30, 20, 0.98, 0.95
    ),
    f"{ADVERSARIAL}four periods without days, 400 items each, four in five rarely asked (0.05 against 0.8)": Asked(
        RATES, 0.05, 1, 400, 0.8, 0.8, rare=0.8
    ),
}  # fmt: skip
SETTINGS = tuple(
    Setting(
        "missing labels",
        name,
        drawn.n,
        tuple(
            Case(what, about=(f"interval:{METHODS.get(what, 'missing-label-bounds')}",), instead=MORE)
            for what in (BOUNDS, RANGE, ESTIMATE, GAP_BOUNDS, GAP)
        ),
        partial(labels, drawn),
    )
    for name, drawn in DRAWN.items()
)
