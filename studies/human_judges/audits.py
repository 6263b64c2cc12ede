"""Every ordered pair audited, with the people's majority as the expert."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from justesse.judges.audit_plan import plan_audit
from justesse.judges.audit_targets import About
from justesse.judges.simulated_audits import simulate_audits
from studies.human_judges.settings import Settings
from studies.noise_ladder.images import Array, Images

QUESTIONS: tuple[About, ...] = ("test set", "population")


@dataclass(frozen=True)
class Audits:
    """What the audits of all ordered pairs came to, at one risk and for one question."""

    risk: float
    question: About
    suspected: bool
    replaces: Array
    answers: Array

    @property
    def title(self) -> str:
        by = "label and votes of the other networks" if self.suspected else "label"
        return f"audited, {self.question}, risk {self.risk:g}, strata by {by}"


def audits(images: Images, label: Array, settings: Settings, *, seed: int) -> Iterator[Audits]:
    """Audit all ordered pairs: the risk is that of accepting a worse candidate, and that of refusing a better one."""
    many = len(images.networks)
    pairs = ~np.eye(many, dtype=bool)
    for suspected in (True, False):
        counts = disputed(images, label, suspected=suspected)
        for risk in settings.risks:
            for question in QUESTIONS:
                found = simulate_audits(
                    counts,
                    len(label),
                    level=1 - 2 * risk,
                    budget=settings.budget,
                    question=question,
                    seed=seed,
                )
                replaces, answers = np.zeros((many, many), dtype=bool), np.zeros((many, many), dtype=int)
                replaces[pairs], answers[pairs] = found.replaced, found.answered
                yield Audits(risk, question, suspected, replaces, answers)


def disputed(images: Images, label: Array, *, suspected: bool) -> Array:
    """Count the disputed images of every ordered pair by stratum; what the other networks contradict is suspicious."""
    given, strata = images.given, 9 if suspected else 3
    against = (given != label).sum(axis=0)
    found = []
    for one, other in permutations(range(len(given)), 2):
        others = against - (given[one] != label) - (given[other] != label)
        plan = plan_audit(label, given[one], given[other], suspicion=others if suspected else None)
        counts = plan.counts(images.true)
        found.append(np.pad(counts, ((0, strata - len(counts)), (0, 0))))
    return np.stack(found)
