"""Audits, looked at after every answer: false replacements at a risk of 5 %, and bounds at all looks together."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from justesse.core.seeds import stream
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_questions import draw_weights
from justesse.judges.audit_rule import AuditRule
from justesse.judges.audit_strata import prior_of
from justesse.judges.simulated_audits import simulate_audits
from studies.validity.audits import DISPUTED, NEITHER, N, composition, drawn_counts
from studies.validity.case import Case, Hits, Setting

Run = Callable[[int, int], Mapping[str, Hits]]
REPLACES, BOUNDS = "audited replaces", "difference, audited"
HOSTILE = {
    "labels are right": "labels are right",
    "uniform, 10 %": "10 % wrong labels, anywhere",
    "by features: hard rows get the candidate's class, 30 %": "30 % wrong labels, all in the candidate's favour",
    "always wrong": "all labels wrong",
}


def _replaced(noise: str, lead: int, *, disputed: int = DISPUTED, error: float = 0.0, **options: Any) -> Run:
    """Audit pairs whose candidate leads by so many of the disputed rows; an expert may err, always in its favour."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "audit cases", noise, str(lead), str(disputed), str(error))
        neither = NEITHER if disputed == DISPUTED else disputed // 4 * 2
        counts = drawn_counts(rng, composition(lead, repetitions, disputed=disputed, neither=neither), noise)
        for value in (0, 1):
            given = rng.binomial(counts[:, :, value], error)
            counts[:, :, value] -= given
            counts[:, :, 2] += given
        words = {"alternative": "greater", "budget": disputed, "expert_error": error, **options}
        found = simulate_audits(counts, 10 * disputed, seed=seed, **words)
        return {REPLACES: Hits(int(found.replaced.sum()), repetitions, 0, ("betting",))}

    return run


def _population(noise: str) -> Run:
    """Draw test sets from a population in which both are equally good."""
    rest = (DISPUTED - NEITHER) / N
    shares = [rest / 2, NEITHER / N, rest / 2]

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "audits of a population", noise)
        right = rng.multinomial(N, [*shares, 1 - sum(shares)], size=repetitions)[:, :3]
        found = simulate_audits(
            drawn_counts(rng, right, noise), N, alternative="greater", budget=DISPUTED, question="population", seed=seed
        )
        return {REPLACES: Hits(int(found.replaced.sum()), repetitions, 0, ("betting",))}

    return run


def bounds_at_all_looks(noise: str, lead: int, silent: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Run:
    """Follow the bounds to the last row, never stopping: does the true total ever lie outside?

    `silent` is how often the expert cannot decide a row that the incumbent, neither or the candidate gets right.
    """

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng, every = stream(seed, "bounds of audits", noise, str(lead)), np.arange(repetitions)
        unknown = stream(seed, "rows the expert cannot decide", noise, str(lead))
        left = drawn_counts(rng, composition(lead, repetitions), noise).astype(float)
        whole = np.full(repetitions, float(lead))
        goal = AuditRule().target(np.full(repetitions, float(N)), np.full(repetitions, float(DISPUTED)), "test set")
        thresholds = np.stack([goal.lower, whole], -1)
        bounds = ConfidenceSequence(left.sum(-1), prior=prior_of(1), lower=thresholds, upper=thresholds)
        for _ in range(DISPUTED):
            weights, _ = draw_weights(goal, bounds.left, bounds.chances, bounds.sum)
            at = _drawn(rng, weights)
            value = _drawn(rng, left[every, at])
            left[every, at, value] -= 1
            open_ended = unknown.random(repetitions) < np.asarray(silent)[value]
            low, high = np.where(open_ended, -1, value - 1), np.where(open_ended, 1, value - 1)
            bounds.draw(weights=weights, stratum=at, low=low, high=high)
        above, below = (side[:, 1] >= np.log(1 / goal.risk) for side in bounds.wealth())
        return {BOUNDS: Hits(int((~(above | below)).sum()), repetitions, 0, ("betting",))}

    return run


def _drawn(rng: np.random.Generator, weights: Any) -> Any:
    sums = np.cumsum(weights, -1)
    luck = rng.random(len(weights)) * sums[:, -1]
    return np.minimum((sums <= luck[:, None]).sum(-1), weights.shape[1] - 1)


AUDITED = ("judge:audited",)
WRONG = "`expert_error`"
SETTINGS = (
    *(
        Setting("audits", f"candidate no better, {words}", N, (Case(REPLACES, "size", AUDITED),), _replaced(noise, 0))
        for noise, words in HOSTILE.items()
    ),
    *(
        Setting("audits", f"candidate no better, {disputed} disputed rows, all labels wrong", 10 * disputed, (Case(REPLACES, "size", AUDITED),), _replaced("always wrong", 0, disputed=disputed))
        for disputed in (6, 30)
    ),
    Setting("audits", "candidate better by the margin of 2 points and no more, 10 % wrong labels", N, (Case(REPLACES, "size", AUDITED),), _replaced("uniform, 10 %", 20, margin=0.02)),
    *(
        Setting("audits", f"candidate no better, {100 * error:g} % of the answers wrong in its favour, and allowed for", N, (Case(REPLACES, "size", AUDITED, instead=WRONG),), _replaced("uniform, 10 %", 0, error=error))
        for error in (0.02,)
    ),
    Setting("audits", "candidate no better, 2 % of the answers wrong in its favour, not allowed for", N, (Case(REPLACES, "size", AUDITED, instead=WRONG),), _replaced("uniform, 10 %", 0, error=0.02, expert_error=0.0)),
    *(
        Setting("audits", f"no better in the population, {words}", N, (Case(REPLACES, "size", AUDITED),), _population(noise))
        for noise, words in list(HOSTILE.items())[1:2]
    ),
    *(
        Setting("audits", f"true difference {lead / N:g}, {words}, at all looks together", N, (Case(BOUNDS, about=AUDITED),), bounds_at_all_looks(noise, lead))
        for noise, words in list(HOSTILE.items())[1:3]
        for lead in (0, 20)
    ),
)  # fmt: skip
