"""Variants compared over time, looked at after every event: guardrails and proxies too."""

from collections.abc import Mapping

import numpy as np

from justesse.core.choices import OnlineMethod
from justesse.core.event_blocks import look_edges
from justesse.core.seeds import stream
from justesse.intervals.arm_sums import ArmSums
from justesse.intervals.difference_sequence import least_log_wealth, log_wealth
from justesse.intervals.tilts import two_mean_tilts
from justesse.judges.online import METHODS, PROXIES, OnlineRule, difference_sequence
from justesse.judges.proxied import OF_PROXY, ProxyArm, tuned_interval
from studies.validity.case import Case, Hits, Setting
from studies.validity.cases.online import Array, Outcomes, Run, drifting, shares

RISK = 0.05
COVERED, STOPPED, CORRECTED = "difference of two variants", "stopped by a guardrail", "difference by a proxy"


def sums_at_every_event(own: Array, values: Array) -> ArmSums:
    """Sum the outcomes of one variant up to every event, in the blocks of the command, which grow as events come."""
    n = len(values)
    starts = np.concatenate([[0], look_edges(n)])
    start = starts[np.searchsorted(starts, np.arange(n), side="right") - 1]  # of the block of each event
    counts, totals = np.cumsum(own), np.cumsum(own * values)
    before = start - 1
    centre = (0.5 + np.where(start, totals[before], 0.0)) / (1 + np.where(start, counts[before], 0))
    return ArmSums(counts.astype(float), totals, np.cumsum(own * (values - centre) ** 2))


def averages(own: Array, expected: Array) -> Array:
    """Average what was expected of a variant's outcomes, up to every event."""
    return np.asarray(np.cumsum(own * expected) / np.maximum(np.cumsum(own), 1))


def exceeds(first: ArmSums, a: Array, second: ArmSums, b: Array, share: float, risk: float) -> bool:
    """Tell whether the lower bound of the difference is above the true one at any event.

    Wealth at the true means is an upper bound of the least wealth over all means with their difference, which decides.
    """
    tilts, limit = two_mean_tilts(share), -np.log(risk)
    started = (first.n > 0) & (second.n > 0)
    doubtful = np.flatnonzero(started & (log_wealth(first, a, second, b, tilts) >= limit))
    if not len(doubtful):
        return False
    least = least_log_wealth(first.at(doubtful), second.at(doubtful), (a - b)[doubtful], tilts)
    return bool((least >= limit).any())


def betting(outcomes: Outcomes, n: int, share: float = 0.5) -> Run:
    """Cover the difference of the averages so far, after every event."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "every event", str(n), str(share))
        covered = 0
        for _ in range(repetitions):
            arm = rng.random(n) < share
            values, expected = outcomes(rng, arm, np.arange(n) / n)
            old, new = (sums_at_every_event(own, values) for own in (~arm, arm))
            a, b = (averages(own, expected) for own in (arm, ~arm))
            covered += not (exceeds(new, a, old, b, share, RISK / 2) or exceeds(old, b, new, a, 1 - share, RISK / 2))
        return {COVERED: Hits(covered, repetitions, 0, (METHODS["betting"],))}

    return run


def asymptotic(outcomes: Outcomes, n: int) -> Run:
    """Cover the difference with the asymptotic sequence, after every event."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "every event, asymptotic", str(n))
        covered = 0
        for _ in range(repetitions):
            arm = rng.random(n) < 0.5
            values, expected = outcomes(rng, arm, np.arange(n) / n)
            old, new = (sums_at_every_event(own, values) for own in (~arm, arm))
            ends = difference_sequence(old, new, OnlineRule(method="asymptotic"))
            true = averages(arm, expected) - averages(~arm, expected)
            covered += bool(((ends.low <= true) & (true <= ends.high)).all())
        return {COVERED: Hits(covered, repetitions, 0, (METHODS["asymptotic"],))}

    return run


def guarded(rates: tuple[float, ...], limit: float, n: int) -> Run:
    """Count candidates just within the limits that any of several guardrails ever stops."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "guardrails", str(n), str(rates), str(limit))
        stopped = 0
        for _ in range(repetitions):
            arm = rng.random(n) < 0.5
            for rate in rates:
                harm = (rng.random(n) < rate + limit * arm).astype(float)
                old, new = (sums_at_every_event(own, harm) for own in (~arm, arm))
                means = np.full(n, rate)
                if exceeds(new, means + limit, old, means, 0.5, RISK / len(rates)):
                    stopped += 1
                    break
        return {STOPPED: Hits(stopped, repetitions, 0, (METHODS["betting"],))}

    return run


def proxied(agree: tuple[float, float], known: float, n: int, method: OnlineMethod) -> Run:
    """Cover the difference by a proxy whose errors differ by variant.

    With betting, an interval is counted as missing if either of its parts misses, which happens more often.
    """

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "proxy", str(n), str(agree), str(known), method)
        covered = 0
        for _ in range(repetitions):
            arm = rng.random(n) < 0.5
            right = (rng.random(n) < 0.4).astype(float)
            chance = np.where(arm, agree[1], agree[0])
            proxy = np.where(rng.random(n) < chance, right, 1.0)
            labelled = rng.random(n) < known
            errors = (1 + right - proxy) / 2
            arms = [
                ProxyArm(
                    sums_at_every_event(own, proxy), sums_at_every_event(own & labelled, errors),
                    sums_at_every_event(own & labelled, right), method == "asymptotic",
                )
                for own in (~arm, arm)
            ]  # fmt: skip
            if method == "asymptotic":
                low, high = tuned_interval(*arms, risk=RISK)
                covered += bool(((low <= 0) & (high >= 0)).all())
                continue
            too_kind = [np.full(n, 0.6 * (1 - share)) for share in agree]
            parts = [
                ([own.proxy for own in arms], [0.4 + bias for bias in too_kind], OF_PROXY),
                ([own.errors for own in arms], [(1 - bias) / 2 for bias in too_kind], 1 - OF_PROXY),
            ]
            covered += not any(
                exceeds(sums[first], means[first], sums[second], means[second], 0.5, part * RISK / 2)
                for sums, means, part in parts
                for first, second in ((1, 0), (0, 1))
            )
        return {CORRECTED: Hits(covered, repetitions, 0, (PROXIES[method],))}

    return run


EVERY = "after every event"
PROXY_SETTINGS: tuple[tuple[str, tuple[float, float], float, int, OnlineMethod], ...] = (
    ("proxy too kind to the candidate, 20 % of the outcomes known", (0.95, 0.7), 0.2, 1000, "betting"),
    ("asymptotic, proxy too kind to the candidate, 20 % of the outcomes known", (0.95, 0.7), 0.2, 5000, "asymptotic"),
    ("asymptotic, poor proxy, 10 % of the outcomes known", (0.3, 0.3), 0.1, 5000, "asymptotic"),
)
SETTINGS = (
    *(
        Setting("on-line", f"{words}, {EVERY}", n, (Case(COVERED, about=(f"interval:{METHODS['betting']}",)),), betting(outcomes, n, share), chunk=250)
        for words, outcomes, n, share in (
            ("both right in 50 %", shares(0.5, 0.5), 1000, 0.5),
            ("right in 40 and 50 %", shares(0.4, 0.5), 1000, 0.5),
            ("rare: 1 % both", shares(0.01, 0.01), 1000, 0.5),
            ("rare: 0.5 and 2 %, traffic 9:1 as planned", shares(0.005, 0.02), 1000, 0.1),
            ("both drift from 10 to 90 %", drifting, 1000, 0.5),
        )
    ),
    *(
        Setting("on-line", f"asymptotic, {words}, {EVERY}", n, (Case(COVERED, about=(f"interval:{METHODS['asymptotic']}",), instead="`--method betting`"),), asymptotic(outcomes, n))
        for words, outcomes, n in (
            ("30 % both", shares(0.3, 0.3), 5000), ("rare: 1 % both", shares(0.01, 0.01), 5000),
            ("both drift from 10 to 90 %", drifting, 5000),
        )
    ),
    *(
        Setting("on-line", f"{words}, {EVERY}", 1000, (Case(STOPPED, "size"),), guarded(rates, limit, 1000), chunk=250)
        for words, rates, limit in (
            ("one guardrail, candidate at its limit of 2 points", (0.05,), 0.02),
            ("three guardrails, candidate without harm", (0.02, 0.1, 0.5), 0.0),
        )
    ),
    *(
        Setting("on-line", f"{words}, {EVERY}", n, (Case(CORRECTED, about=(f"interval:{PROXIES[method]}",)),), proxied(agree, known, n, method), chunk=250)
        for words, agree, known, n, method in PROXY_SETTINGS
    ),
)  # fmt: skip
