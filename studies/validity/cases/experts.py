"""Audits with three experts who err: which rule about their disagreements keeps its level."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.choices import ExpertRule
from justesse.core.seeds import stream
from justesse.judges.audit_plan import AuditPlan, GainRange, next_questions, plan_audit
from justesse.judges.audit_state import audit_state
from justesse.judges.simulated_audits import simulate_audits
from justesse.verbs.audit.expert_fit import MOST_ERROR, fit_experts
from studies.validity.audits import DISPUTED, NEITHER, N
from studies.validity.case import Case, Hits, Setting
from studies.validity.cases.audits import AUDITED, REPLACES

Run = Callable[[int, int], Mapping[str, Hits]]
PEOPLE, LOOKS = 3, (50, 100)
WON = (DISPUTED - NEITHER) // 2
GAINS = np.repeat([-1, 0, 1], [WON, NEITHER, WON])
INSTEAD, SHARED = "`--experts unanimous`", "`expert_error`"
RULES: tuple[ExpertRule, ...] = ("unanimous", "model")


def _views(rng: np.random.Generator, shape: tuple[int, ...], independent: float, shared: float) -> Array:
    """Give each expert's view of who gains; only rows won by the incumbent are mistaken, for the candidate's."""
    wrong = rng.random((*shape, PEOPLE, DISPUTED)) < independent
    together = rng.random((*shape, 1, DISPUTED)) < shared
    return np.where((wrong | together) & (GAINS < 0), 1, GAINS)


def _majority(independent: float, shared: float, expert_error: float) -> Run:
    """Audit a candidate that is no better; the answer of two of three counts."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "experts", str(independent), str(shared))
        counting = np.median(_views(rng, (repetitions,), independent, shared), axis=1).astype(int)
        counts = np.zeros((repetitions, 3, 3), dtype=int)
        for stratum in range(3):  # labels are right: they say who wins each row
            for value in range(3):
                counts[:, stratum, value] = (counting[:, stratum - 1 == GAINS] == value - 1).sum(axis=1)
        words: dict[str, Any] = {
            "alternative": "greater",
            "budget": DISPUTED,
            "expert_error": expert_error,
            "seed": seed,
        }
        audits = simulate_audits(counts, N, **words)
        return {REPLACES: Hits(int(audits.replaced.sum()), repetitions, 0, ("betting",))}

    return run


def _fitted(rule: ExpertRule, independent: float, shared: float, expert_error: float) -> Run:
    """The same with rules that need a model of the experts' mistakes, fitted again at two looks."""
    incumbent, candidate = np.where(GAINS < 0, 0, 1), np.where(GAINS > 0, 0, 2)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "experts", rule, str(independent), str(shared))
        hits = 0
        for at in range(repetitions):
            plan = plan_audit(
                np.zeros(DISPUTED, dtype=int), incumbent, candidate, n=N, seed=int(rng.integers(2**31)),
                budget=DISPUTED, alternative="greater", expert_error=expert_error, futility=False,
            )  # fmt: skip
            hits += _replaces(rule, plan, _views(rng, (), independent, shared), at)
        return {REPLACES: Hits(hits, repetitions, 0, ("betting",))}

    return run


def _replaces(rule: ExpertRule, plan: AuditPlan, views: Array, seed: int) -> bool:
    """Tell whether the audit says "replace" at one of the looks."""
    asked = next_questions(plan, [], {}, DISPUTED)
    for end in LOOKS:
        rows = [each.row for each in asked[:end]]
        fit = fit_experts([(row, str(who), int(views[who, row])) for row in rows for who in range(PEOPLE)], seed=seed)
        assert fit is not None
        ranges = {row: GainRange.of(views[:, row].tolist()) for row in rows}
        error = fit.wrong({row: each.low for row, each in ranges.items() if each.low == each.high})
        if rule == "model":
            ranges, error = fit.ranges, fit.left_out
        careful = replace(plan, expert_error=min(max(error, plan.expert_error), MOST_ERROR))
        if audit_state(careful, asked[:end], ranges).decision == "replace":
            return True
    return False


def _words(independent: float, shared: float, expert_error: float) -> str:
    mistakes = f"{independent:.0%}, independently" if independent else f"{shared:.0%}, all three together"
    allowed = f", expert error {expert_error:g} allowed" if expert_error else ""
    return f"mistaken in {mistakes}{allowed}".replace("%", " %")


CASES = ((0.2, 0.0, 0.0), (0.0, 0.05, 0.05), (0.0, 0.1, 0.0))
SETTINGS = (
    *(
        Setting(
            "audits", f"candidate no better, three experts, {_words(*mistakes)}; experts: majority", N,
            (Case(REPLACES, "size", AUDITED, instead=SHARED if mistakes[1] else INSTEAD),), _majority(*mistakes),
        )
        for mistakes in CASES
    ),
    *(
        Setting(
            "audits", f"candidate no better, three experts, {_words(*mistakes)}; experts: {rule}", N,
            (Case(REPLACES, "size", AUDITED, instead=SHARED if mistakes[1] else INSTEAD),), _fitted(rule, *mistakes),
            repetitions=400, chunk=50, models=True,
        )
        for rule in RULES
        for mistakes in CASES[:2]
    ),
)  # fmt: skip
