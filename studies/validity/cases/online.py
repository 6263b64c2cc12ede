"""Variants compared over time, looked at 300 times: is the true difference ever outside the interval?"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.seeds import stream
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.difference_sequence import least_log_wealth, log_wealth
from justesse.intervals.mean_sequence import mean_log_wealth
from justesse.intervals.tilts import two_mean_tilts
from justesse.judges.online import METHODS, SHADOW, WORST_CASE, OnlineRule, difference_sequence
from justesse.significance.sample_ratio import sample_ratio
from studies.validity.case import Case, Hits, Setting

Array = NDArray[Any]
Run = Callable[[int, int], Mapping[str, Hits]]
Outcomes = Callable[[np.random.Generator, Array, Array], tuple[Array, Array]]  # arms, time → outcomes, expected ones
RISK = 0.05
COVERED, WORST = "difference of two variants", "difference of two variants, worst case"
MEAN, PAIRED, REPLACED, RATIO = "mean of a variant", "difference, shadow mode", "replaced or kept", "sample ratio"


def shares(incumbent: float, candidate: float) -> Outcomes:
    """Give outcomes 0 and 1 with these chances."""

    def draw(rng: np.random.Generator, arm: Array, time: Array) -> tuple[Array, Array]:
        expected = np.where(arm, candidate, incumbent)
        return (rng.random(len(arm)) < expected).astype(float), expected

    return draw


def drifting(rng: np.random.Generator, arm: Array, time: Array) -> tuple[Array, Array]:
    """Let both means rise from 0.1 to 0.9; the candidate is better by 0.05."""
    expected = 0.1 + 0.75 * time + 0.05 * arm
    return (rng.random(len(arm)) < expected).astype(float), expected


def turning(rng: np.random.Generator, arm: Array, time: Array) -> tuple[Array, Array]:
    """Let the candidate be better by 0.3 at first and worse by 0.3 later."""
    expected = np.where(arm, np.where(time < 0.5, 0.65, 0.35), 0.5 - 0.15 * np.sign(0.5 - time))
    return (rng.random(len(arm)) < expected).astype(float), expected


def narrow(rng: np.random.Generator, arm: Array, time: Array) -> tuple[Array, Array]:
    """Give outcomes close to 0.5, and few at the ends of the range."""
    values = np.where(rng.random(len(arm)) < 0.98, rng.beta(50, 50, len(arm)), rng.integers(0, 2, len(arm)))
    return values, np.full(len(arm), 0.5)


def _drawn(rng: np.random.Generator, n: int, share: float, outcomes: Outcomes) -> tuple[Array, Array, Array]:
    arm = rng.random(n) < share
    return arm, *outcomes(rng, arm, np.arange(n) / n)


def looks_at(n: int) -> Array:
    """Return 300 looks: after each of the first 100 events, then at even steps of the logarithm."""
    return np.unique([*range(1, 101), *np.geomspace(100, n, 201).round().astype(int)]) - 1


def _sums(arm: Array, values: Array) -> list[ArmSums]:
    """Sum up to each look: incumbent, candidate."""
    starts = np.concatenate([[0], looks_at(len(arm))[:-1] + 1])
    return [
        ArmSums.of_blocks(*(np.add.reduceat(own * part, starts) for part in (np.ones(len(arm)), values, values**2)))
        for own in (~arm, arm)
    ]


def _averages(arm: Array, expected: Array) -> list[Array]:
    """Return the averages of what was expected of each variant's outcomes up to each look."""
    at = looks_at(len(arm))
    return [(np.cumsum(own * expected) / np.maximum(np.cumsum(own), 1))[at] for own in (~arm, arm)]


def excluded(sums: list[ArmSums], means: list[Array], share: float, risk: float) -> bool:
    """Tell whether the true difference is outside the interval at any look.

    Wealth at the true means is an upper bound of the least wealth over all means with their difference, which decides.
    """
    limit = -np.log(risk / 2)
    started = (sums[0].n > 0) & (sums[1].n > 0)
    for first, second, part in ((1, 0, share), (0, 1, 1 - share)):
        tilts = two_mean_tilts(part)
        doubtful = np.flatnonzero(
            started & (log_wealth(sums[first], means[first], sums[second], means[second], tilts) >= limit)
        )
        if len(doubtful):
            difference = (means[first] - means[second])[doubtful]
            if (
                least_log_wealth(sums[first].at(doubtful), sums[second].at(doubtful), difference, tilts) >= limit
            ).any():
                return True
    return False


def betting(outcomes: Outcomes, n: int, share: float = 0.5, planned: float | None = None) -> Run:
    """Cover the difference of the averages so far."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "variants over time", str(n), str(share))
        covered = 0
        for _ in range(repetitions):
            arm, values, expected = _drawn(rng, n, share, outcomes)
            covered += not excluded(_sums(arm, values), _averages(arm, expected), planned or share, RISK)
        return {COVERED: Hits(covered, repetitions, 0, (METHODS["betting"],))}

    return run


def asymptotic(outcomes: Outcomes, n: int) -> Run:
    """Cover the difference with the asymptotic sequence."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "asymptotic variants", str(n))
        covered = 0
        for _ in range(repetitions):
            arm, values, expected = _drawn(rng, n, 0.5, outcomes)
            incumbent, candidate = _averages(arm, expected)
            old, new = _sums(arm, values)
            ends = difference_sequence(old, new, OnlineRule(method="asymptotic"))
            true = candidate - incumbent
            covered += bool(((ends.low <= true) & (true <= ends.high)).all())
        return {COVERED: Hits(covered, repetitions, 0, (METHODS["asymptotic"],))}

    return run


def worst_case(n: int) -> Run:
    """Leave outcomes open because of what they would be: bad ones of the candidate, good ones of the incumbent."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "open outcomes", str(n))
        covered = 0
        for _ in range(repetitions):
            arm, values, expected = _drawn(rng, n, 0.5, shares(0.5, 0.5))
            open_ = (rng.random(n) < 0.3) & (values != arm)
            # the least favourable filling for the lower bound; open outcomes of the candidate count as 0
            filled = np.where(open_, np.where(arm, 0.0, 1.0), values)
            best = np.where(open_, np.where(arm, 1.0, 0.0), values)
            means, limit = _averages(arm, expected), -np.log(RISK / 2)
            out = False
            for data, first, second in ((filled, 1, 0), (best, 0, 1)):
                sums = [ArmSums(one.n, one.total, np.full(len(one.n), np.inf)) for one in _sums(arm, data)]
                wealth = log_wealth(sums[first], means[first], sums[second], means[second], two_mean_tilts(0.5))
                out |= bool((wealth >= limit).any())
            covered += not out
        return {WORST: Hits(covered, repetitions, 0, (WORST_CASE,))}

    return run


def one_mean(mean: float, n: int) -> Run:
    """Cover the mean of one variant."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "mean over time", str(n), str(mean))
        starts = np.concatenate([[0], looks_at(n)[:-1] + 1])
        limit, covered = -np.log(RISK / 2), 0
        for _ in range(repetitions):
            right = np.add.reduceat((rng.random(n) < mean).astype(float), starts)
            arm = ArmSums.of_blocks(np.diff([*starts, n]), right, right)
            sides = ((arm, mean), (arm.mirrored, 1 - mean))
            wealth = [mean_log_wealth(side, np.full(len(starts), true)) for side, true in sides]
            covered += bool((np.maximum(*wealth) < limit).all())
        return {MEAN: Hits(covered, repetitions, 0, ("betting-mean",))}

    return run


def shadow(share: float, lead: float, n: int) -> Run:
    """Cover the mean difference of variants that differ on a share of the events only."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "shadow mode", str(n), str(share), str(lead))
        starts = np.concatenate([[0], looks_at(n)[:-1] + 1])
        limit, covered = -np.log(RISK / 2), 0
        for _ in range(repetitions):
            luck = rng.random(n)
            gains = np.where(luck < (share + lead) / 2, 1.0, np.where(luck < share, 0.0, 0.5))
            parts = (np.add.reduceat(values, starts) for values in (np.ones(n), gains, gains**2))
            sums, true = ArmSums.of_blocks(*parts), (1 + lead) / 2
            sides = ((sums, true), (sums.mirrored, 1 - true))
            wealth = [mean_log_wealth(side, np.full(len(starts), mean)) for side, mean in sides]
            covered += bool((np.maximum(*wealth) < limit).all())
        return {PAIRED: Hits(covered, repetitions, 0, (SHADOW,))}

    return run


def decisions(n: int, candidates: int) -> Run:
    """Count experiments in which any of several equal candidates is ever found better or worse."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "equal variants", str(n), str(candidates))
        wrong = 0
        for _ in range(repetitions):
            variant = rng.integers(0, candidates + 1, n)
            values = (rng.random(n) < 0.2).astype(float)
            for name in range(1, candidates + 1):
                of_both = (variant == 0) | (variant == name)
                arm = variant[of_both] == name
                means = [np.full(len(looks_at(len(arm))), 0.2)] * 2
                if excluded(_sums(arm, values[of_both]), means, 0.5, RISK / candidates):
                    wrong += 1
                    break
        return {REPLACED: Hits(wrong, repetitions, 0, (METHODS["betting"],))}

    return run


def ratio(n: int, planned: tuple[float, ...]) -> Run:
    """Test the split after every event, with traffic as planned."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "traffic", str(n), str(planned))
        rejected = 0
        for _ in range(repetitions):
            variant = rng.choice(len(planned), n, p=planned)
            counts = np.cumsum(variant[:, None] == np.arange(len(planned)), axis=0)
            rejected += sample_ratio(counts, planned).pvalue <= RISK
        return {RATIO: Hits(rejected, repetitions, 0, ("sample-ratio",))}

    return run


PEEK = "at 300 looks"
BETTING, ASYMPTOTIC = (f"interval:{METHODS[name]}" for name in ("betting", "asymptotic"))
SETTINGS = (
    *(
        Setting("on-line", f"{words}, {PEEK}", n, (Case(COVERED, about=(BETTING,)),), betting(outcomes, n, share, planned), chunk=250)
        for words, outcomes, n, share, planned in (
            ("both right in 50 %", shares(0.5, 0.5), 1000, 0.5, None),
            ("right in 40 and 50 %", shares(0.4, 0.5), 1000, 0.5, None),
            ("rare: 1 % both", shares(0.01, 0.01), 2000, 0.5, None),
            ("rare: 0.5 and 2 %, traffic 9:1 as planned", shares(0.005, 0.02), 2000, 0.1, None),
            ("20 % both, traffic 9:1, planned 1:1", shares(0.2, 0.2), 1000, 0.1, 0.5),
            ("both drift from 10 to 90 %", drifting, 1000, 0.5, None),
            ("the better variant changes halfway", turning, 1000, 0.5, None),
            ("outcomes mostly close to 0.5", narrow, 1000, 0.5, None),
        )
    ),
    *(
        Setting("on-line", f"{words}, {PEEK}", n, (Case(COVERED, about=(ASYMPTOTIC,), instead="`--method betting`"),), asymptotic(outcomes, n))
        for words, outcomes, n in (
            ("asymptotic, 30 % both", shares(0.3, 0.3), 2000),
            ("asymptotic, rare: 1 % both", shares(0.01, 0.01), 2000),
            ("asymptotic, both drift from 10 to 90 %", drifting, 2000),
        )
    ),
    Setting("on-line", f"30 % of the bad or good outcomes open, against the truth, {PEEK}", 1000, (Case(WORST, about=(f"interval:{WORST_CASE}",)),), worst_case(1000)),
    *(
        Setting("on-line", f"right in {100 * mean:g} %, {PEEK}", 1000, (Case(MEAN, about=("interval:betting-mean",)),), one_mean(mean, 1000))
        for mean in (0.5, 0.01)
    ),
    *(
        Setting("on-line", f"variants differ on {100 * share:g} % of the events, true difference {lead:g}, {PEEK}", 1000, (Case(PAIRED, about=(f"interval:{SHADOW}",)),), shadow(share, lead, 1000))
        for share, lead in ((0.1, 0.0), (0.02, 0.01))
    ),
    *(
        Setting("on-line", f"{candidates} equal {'candidate' if candidates == 1 else 'candidates'}, 20 % right, {PEEK}", n, (Case(REPLACED, "size"),), decisions(n, candidates), chunk=250)
        for candidates, n in ((1, 1000), (3, 1200))
    ),
    *(
        Setting("on-line", f"traffic {words} as planned, after every event", 3000, (Case(RATIO, "size", ("test:sample-ratio",)),), ratio(3000, planned))
        for words, planned in (("1:1", (0.5, 0.5)), ("9:1", (0.9, 0.1)), ("2:1:1", (0.5, 0.25, 0.25)))
    ),
)  # fmt: skip
