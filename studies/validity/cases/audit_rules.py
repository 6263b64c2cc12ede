"""Audits with suspected rows, rows the expert cannot decide, p-values, bounds for the population, and giving up."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from justesse.core.case import Case as Rows
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.judges.audit_targets import About
from justesse.judges.audited import simulated_audit
from justesse.judges.simulated_audits import simulate_audits
from studies.validity.audits import DISPUTED, HOSTILE, N, composition, drawn_counts
from studies.validity.case import Case, Hits, Setting, covered, rejected
from studies.validity.cases.audits import AUDITED, BOUNDS, REPLACES, bounds_at_all_looks

Run = Callable[[int, int], Mapping[str, Hits]]
PVALUE, POPULATION, SETTLED = "audit, p-value", "difference in the population, audited", "given-up audit would have been settled"  # fmt: skip
SUSPECTED = {
    "wrong labels are the most suspected": ((0.55, 0.30, 0.15), (0.10, 0.30, 0.60)),
    "right labels are the most suspected": ((0.10, 0.30, 0.60), (0.80, 0.15, 0.05)),
}
FEW = 30  # rows of a small audit, of which ten are disputed
PROMISED = 0.1  # of the audits that give up, at most so many would have been settled


def _suspected(noise: str, shares: tuple[Any, Any]) -> Run:
    """Divide the disputed rows by suspicion, which is higher for wrong labels or, to mislead, for right ones."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "suspected rows", noise, str(shares))
        counts = drawn_counts(rng, composition(0, repetitions), noise)
        wrong = ~np.eye(3, dtype=bool)
        parts = np.where(wrong[..., None], rng.multinomial(counts, shares[1]), rng.multinomial(counts, shares[0]))
        strata = np.moveaxis(parts, -1, 1).reshape(repetitions, 9, 3)
        found = simulate_audits(strata, N, alternative="greater", budget=DISPUTED, seed=seed)
        return {REPLACES: Hits(int(found.replaced.sum()), repetitions, 0, ("betting",))}

    return run


def _small(noise: str, gain: float) -> Run:
    """Audit small test sets drawn from a population, as `justesse audit` does, and read off what it prints."""
    apart = (0.3 - gain) / 2, 0.04, (0.3 + gain) / 2
    # true class 0; who is right: the incumbent, neither, the candidate
    answers = ((0, 1), (1, 2), (1, 0))

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "small audits", noise, str(gain))
        inside: list[Interval | None] = []
        pvalues: list[float] = []
        for at in range(repetitions):
            counts = rng.multinomial(FEW, [*apart, 1 - sum(apart)])
            cells = [(0, 0, 0, 0, int(counts[3]))]
            for value, (incumbent, candidate) in enumerate(answers):
                by_label = rng.multinomial(counts[value], HOSTILE[noise][value])
                labels = (incumbent, 3, candidate)
                cells += [(0, label, incumbent, candidate, int(many)) for label, many in zip(labels, by_label, strict=True)]  # fmt: skip
            tally = Tally.of(("true", "label", "incumbent", "candidate"), [cell for cell in cells if cell[-1]])
            here = (counts[2] - counts[0]) / FEW
            state = simulated_audit(Rows(tally), seed=at, question="population", futility=False)
            looks = state.looks["population"]
            inside.append(Interval(float(looks.low.max()), float(looks.high.min()), 0.95, "betting"))
            if here <= 0:  # only then is "replace" an error about these rows
                own = simulated_audit(Rows(tally), seed=at, alternative="greater", futility=False)
                pvalues.append(own.pvalue)
            else:
                pvalues.append(float("nan"))
        return {POPULATION: covered(inside, gain), PVALUE: rejected(pvalues, "betting")}

    return run


def _given_up(noise: str, disputed: int, budget: int, about: About) -> Run:
    """Let audits go on where they would have given up; leads of the candidate are spread around 0."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, neither = stream(seed, "given up", noise, str(disputed), about), disputed // 10
        leads = np.clip(rng.normal(0, 0.25, repetitions), -0.9, 0.9) * (disputed - neither)
        right = np.concatenate([composition(int(lead), 1, disputed=disputed, neither=neither) for lead in leads])
        counts = drawn_counts(rng, right, noise)
        found = simulate_audits(counts, 10 * disputed, budget=budget, question=about, futility=False, seed=seed)
        stopped = found.hopeless_at >= 0
        settled = int((stopped & found.settled).sum())
        return {SETTLED: Hits(settled, repetitions, int((~stopped).sum()), ("chance below 3 %",))}

    return run


UNIFORM, HARD = "uniform, 10 %", "by features: hard rows get the candidate's class, 30 %"
NOISE_WORDS = {UNIFORM: "10 % wrong labels, anywhere", HARD: "30 % wrong labels, all in the candidate's favour"}
TO_GIVE_UP: tuple[tuple[int, int, About, str], ...] = (
    (300, 100, "test set", UNIFORM),
    (300, 100, "population", HARD),
    (1000, 200, "population", HARD),
)
SETTINGS = (
    *(
        Setting("audits", f"candidate no better, {NOISE_WORDS[noise]}; {words}", N, (Case(REPLACES, "size", AUDITED),), _suspected(noise, shares))
        for noise in (UNIFORM, HARD)
        for words, shares in SUSPECTED.items()
    ),
    *(
        Setting("audits", f"true difference {lead / N:g}, {NOISE_WORDS[UNIFORM]}; the expert cannot decide {words}, at all looks together", N, (Case(BOUNDS, about=AUDITED),), bounds_at_all_looks(UNIFORM, lead, silent))
        for lead, words, silent in (
            (0, "half of the rows that the incumbent gets right", (0.5, 0.0, 0.0)),
            (20, "a fifth of all rows", (0.2, 0.2, 0.2)),
        )
    ),
    *(
        Setting("audits", f"test sets from a population with a true difference of {gain:g}, {NOISE_WORDS[noise]}", FEW, (Case(POPULATION, about=AUDITED), Case(PVALUE, "size", AUDITED)), _small(noise, gain), chunk=100)
        for noise, gain in ((HARD, 0.0), (UNIFORM, 0.1))
    ),
    *(
        Setting("audits", f"{disputed} disputed rows, at most {budget} answers about the {about}, {NOISE_WORDS[noise]}", 10 * disputed, (Case(SETTLED, "size", AUDITED, PROMISED),), _given_up(noise, disputed, budget, about))
        for disputed, budget, about, noise in TO_GIVE_UP
    ),
)  # fmt: skip
