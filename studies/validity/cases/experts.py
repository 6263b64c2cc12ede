"""Audits with three experts who err: how often each rule about their disagreements replaces wrongly."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.choices import ExpertRule
from justesse.core.seeds import stream
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_plan import AuditPlan, GainRange, plan_audit
from justesse.judges.audit_questions import next_questions
from justesse.judges.simulated_audits import EXACT, simulate_audits
from justesse.verbs.audit.expert_fit import fit_experts
from studies.validity.audits import DISPUTED, NEITHER, N
from studies.validity.case import Case, Hits, Setting
from studies.validity.cases.audits import AUDITED, REPLACES

Run = Callable[[int, int], Mapping[str, Hits]]
PEOPLE, LOOKS = 3, (20, 40, 60, 80, 100)
WON = (DISPUTED - NEITHER) // 2
GAINS = np.repeat([-1, 0, 1], [WON, NEITHER, WON])
RANGES = (*EXACT, (-1, 0), (0, 1), (-1, 1))
OF_RANGE = np.full((3, 3), -1)
for number, (low, high) in enumerate(RANGES):
    OF_RANGE[low + 1, high + 1] = number


@dataclass(frozen=True)
class Mistakes:
    """How often each of three experts is wrong about a row, in which way, and what the audit allows for."""

    rate: float
    shared: bool = False
    one_sided: bool = True
    allowed: float = 0.0

    def __str__(self) -> str:
        together = "all three together" if self.shared else "each alone"
        side = ", always for the candidate" if self.one_sided else ", either way"
        allowed = f"; expert error {self.allowed:g} allowed" if self.allowed else ""
        return f"wrong about {100 * self.rate:g} %, {together}{side}{allowed}"

    def views(self, rng: np.random.Generator, shape: tuple[int, ...] = ()) -> Array:
        """Give each expert's view of who gains on each disputed row.

        One-sided mistakes are about rows that the incumbent wins, which seem won by the candidate. Other mistakes are
        about any row, and name each of the two wrong gains equally often.
        """
        size = (*shape, 1 if self.shared else PEOPLE, DISPUTED)
        wrong = rng.random(size) < self.rate
        if self.one_sided:
            views = np.where(wrong & (GAINS < 0), 1, GAINS)
        else:
            other = (GAINS + 1 + rng.integers(1, 3, size)) % 3 - 1
            views = np.where(wrong, other, GAINS)
        return np.broadcast_to(views, (*shape, PEOPLE, DISPUTED))


def _counted(rule: ExpertRule, mistakes: Mistakes) -> Run:
    """Audit a candidate that is no better, by rules that look at one row at a time; every look counts."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "experts", rule, str(mistakes))
        views = mistakes.views(rng, (repetitions,))
        lowest, highest = views.min(axis=1), views.max(axis=1)
        if rule == "majority":  # three different answers are a tie, which counts as "cannot say"
            middle, differ = np.median(views, axis=1).astype(int), (np.diff(np.sort(views, axis=1), axis=1) > 0).all(1)
            lowest, highest = np.where(differ, -1, middle), np.where(differ, 1, middle)
        kind = OF_RANGE[lowest + 1, highest + 1]
        counts = np.zeros((repetitions, 3, len(RANGES)), dtype=int)
        for stratum in range(3):  # labels are right: they say who wins each row
            for value in range(len(RANGES)):
                counts[:, stratum, value] = (kind[:, stratum - 1 == GAINS] == value).sum(axis=1)
        audits = simulate_audits(
            counts, N, alternative="greater", budget=DISPUTED, expert_error=mistakes.allowed, seed=seed, gains=RANGES
        )
        return {REPLACES: Hits(int(audits.replaced.sum()), repetitions, 0, ("betting",))}

    return run


def _fitted(mistakes: Mistakes) -> Run:
    """The same by the rule `model`, which judges all rows again at each of five looks."""
    incumbent, candidate = np.where(GAINS < 0, 0, 1), np.where(GAINS > 0, 0, 2)

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "experts", "model", str(mistakes))
        hits = 0
        for _ in range(repetitions):
            label = np.where(GAINS == 0, 3, 0)
            plan = plan_audit(
                label, incumbent, candidate, n=N, seed=int(rng.integers(2**31)), budget=DISPUTED,
                alternative="greater", expert_error=mistakes.allowed, futility=False,
            )  # fmt: skip
            hits += _replaces(plan, mistakes.views(rng))
        return {REPLACES: Hits(hits, repetitions, 0, ("betting",))}

    return run


def _replaces(plan: AuditPlan, views: Array) -> bool:
    """Tell whether the audit says "replace" at one of the looks."""
    asked = next_questions(plan, [], {}, DISPUTED)
    goal = plan.targets[plan.question]
    for end in LOOKS:
        rows = [each.row for each in asked[:end]]
        fit = fit_experts([(row, str(who), int(views[who, row])) for row in rows for who in range(PEOPLE)])
        ranges = {row: GainRange.of(views[:, row].tolist()) for row in rows} if fit is None else fit.ranges
        bounds = ConfidenceSequence(
            plan.sizes[None], prior=plan.prior, lower=[[goal.lower, goal.alike]], upper=[[goal.upper]], aims=(2, 1)
        )
        _, ends = bounds.follow(
            weights=[each.weights for each in asked[:end]],
            stratum=[each.stratum for each in asked[:end]],
            low=np.array([ranges[row].low for row in rows]),
            high=np.array([ranges[row].high for row in rows]),
            risks=[goal.risk],
        )
        if ends[-1, 0, 0] > goal.lower:
            return True
    return False


ALONE, TOGETHER = (0.05, 0.1, 0.2), 0.1
CASES = (
    *(Mistakes(rate, one_sided=False) for rate in ALONE),
    *(Mistakes(rate) for rate in ALONE),
    Mistakes(TOGETHER, shared=True),
    Mistakes(TOGETHER, shared=True, allowed=TOGETHER),
)
ALLOWED = (Mistakes(0.1, allowed=0.01), Mistakes(0.2, allowed=0.02))
INSTEAD = "`--expert-error`"


def _setting(rule: ExpertRule, mistakes: Mistakes) -> Setting:
    name = f"candidate no better, three experts, {mistakes}; experts: {rule}"
    case = Case(REPLACES, "size", AUDITED, instead="" if mistakes.allowed else INSTEAD)
    if rule == "model":
        return Setting("experts", name, N, (case,), _fitted(mistakes), repetitions=400, chunk=50, models=True)
    return Setting("experts", name, N, (case,), _counted(rule, mistakes))


SETTINGS = (
    *(_setting("unanimous", mistakes) for mistakes in (*CASES, *ALLOWED)),
    *(_setting("majority", mistakes) for mistakes in CASES),
    *(_setting("model", mistakes) for mistakes in CASES),
)
