"""Every ordered pair audited, with the people's majority as the expert."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from justesse.frames.disputes import count_disputes
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
    replaces: Array
    answers: Array


def audits(images: Images, label: Array, settings: Settings, *, seed: int) -> Iterator[Audits]:
    """Audit all ordered pairs of networks: the risk is that of accepting a worse candidate, and of refusing a better."""
    counts = count_disputes(label, images.true, images.given)
    many = len(images.networks)
    pairs = ~np.eye(many, dtype=bool)
    for risk in settings.risks:
        for question in QUESTIONS:
            found = simulate_audits(
                counts[pairs],
                len(label),
                level=1 - 2 * risk,
                budget=settings.budget,
                question=question,
                seed=seed,
            )
            replaces, answers = np.zeros((many, many), dtype=bool), np.zeros((many, many), dtype=int)
            replaces[pairs], answers[pairs] = found.replaced, found.answered
            yield Audits(risk, question, replaces, answers)
