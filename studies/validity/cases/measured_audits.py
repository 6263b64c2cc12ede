"""Audits of precision, recall, F1, macro averages and costs, looked at after every answer."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.intervals.confidence_sequence import ConfidenceSequence
from justesse.judges.audit_payoffs import payoffs
from justesse.judges.audit_questions import draw_weights
from justesse.judges.measured_audit import MeasuredPlan, plan_measured_audit
from studies.validity.case import Case, Hits, Setting
from studies.validity.cases.audits import AUDITED, BOUNDS, REPLACES

Run = Callable[[int, int], Mapping[str, Hits]]
N, CLASSES, SHARES = 400, ("a", "b", "c"), (0.55, 0.3, 0.15)
COSTS = np.array([[0.0, 5.0, 1.0], [2.0, 0.0, 1.0], [1.0, 9.0, 0.0]])
DATASETS, TRIED, WITHIN = 5, 150, 0.1
MEASURES = ("cost", "precision:b", "recall:b", "f1:b", "macro-precision", "macro-recall", "macro-f1")
POPULATION = "difference in the population, audited"
WORDS = {0.1: "10 % wrong labels, anywhere", 1.0: "all labels wrong"}


def _drawn(rng: np.random.Generator, n: int, skill: tuple[float, float], wrong: float) -> tuple[Array, ...]:
    """Draw true classes, labels and both classifiers' answers; if all labels are wrong, class counts stay as they are."""
    true = rng.choice(3, n, p=SHARES)
    old, new = (np.where(rng.random(n) < share, true, rng.choice(3, n, p=SHARES)) for share in skill)
    if wrong == 1.0:
        label = true[np.argsort(true, kind="stable")]
        moved = np.roll(label, max(np.bincount(true)))  # as many labels of each class, hardly one of them right
        label = np.empty_like(true)
        label[np.argsort(true, kind="stable")] = moved
    else:
        label = np.where(rng.random(n) < wrong, rng.choice(3, n, p=SHARES), true)
    return label, old, new, true


def difference(measure: str, true: Array, old: Array, new: Array) -> float:
    """Return the difference of a measure by the true classes."""
    cells = np.stack([true, old, new, np.ones_like(true)], -1)
    gains = payoffs(measure, CLASSES, cells, costs=COSTS if measure == "cost" else None, counts_within=0.0)
    return float(gains.gains[old, new, true].sum())


def _plan(measure: str, label: Array, old: Array, new: Array, **rule: Any) -> MeasuredPlan:
    cells = np.stack([label, old, new, np.ones_like(label)], -1)
    costs = COSTS if measure == "cost" else None
    gains = payoffs(measure, CLASSES, cells, costs=costs, counts_within=WITHIN)
    return plan_measured_audit(gains, label, old, new, n=len(label), **rule)


def _hard(measure: str, wrong: float, rng: np.random.Generator) -> tuple[Array, ...]:
    """Choose, among many data sets, the one whose candidate is no better by the least, with class counts as assumed."""
    best: tuple[float, tuple[Array, ...]] | None = None
    for _ in range(TRIED):
        rows = _drawn(rng, N, (0.7, 0.7), wrong)
        counts = [np.bincount(each, minlength=3) for each in (rows[0], rows[3])]
        if np.abs(np.log(counts[0] / counts[1])).max() > np.log1p(WITHIN):
            continue
        lead = difference(measure, rows[3], rows[1], rows[2])
        if lead <= 1e-12 and (best is None or lead > best[0]):
            best = lead, rows
    assert best is not None
    return best[1]


def followed_audits(
    plan: MeasuredPlan, true: Array, repetitions: int, rng: np.random.Generator, *, checked: bool = False
) -> tuple[Array, Array]:
    """Follow audits to their last row: which ever replace, and which bounds ever miss the true total.

    If `checked`, no audit replaces while its answers contradict the class sizes that it assumed.
    """
    goal = plan.targets["test set"]
    values = plan.values(true[plan.rows]) - plan.centre[plan.stratum]
    whole, every = values.sum(), np.arange(repetitions)
    limits = np.tile([float(goal.lower), whole], (repetitions, 1))
    bounds = ConfidenceSequence(
        np.tile(plan.sizes, (repetitions, 1)),
        prior=plan.prior,
        lower=limits,
        upper=limits,
        scale=plan.scale,
        whole=False,
    )
    left = np.ones((repetitions, plan.disputed), dtype=bool)
    replaced = np.zeros(repetitions, dtype=bool)
    for _ in range(plan.disputed):
        weights, _ = draw_weights(goal, bounds.mass, bounds.chances, bounds.sum)
        sums = np.cumsum(weights, -1)
        # as `Drawing.next`: chances that do not add up to 1 would break the level here too
        at = np.minimum((sums <= rng.random(repetitions)[:, None]).sum(-1), len(plan.strata) - 1)
        luck = np.where(left & (plan.stratum == at[:, None]), rng.random(left.shape), -1.0)
        row = luck.argmax(-1)
        assert (luck[every, row] >= 0).all()
        left[every, row] = False
        bounds.draw(weights=weights, stratum=at, low=values[row], high=values[row])
        news = bounds.refuted(goal.risk)[0][:, 0]
        if checked:
            news &= ~_contradicted(plan, true, ~left)
        replaced |= news
    above, below = (side[:, 1] >= np.log(1 / goal.risk) for side in bounds.wealth())
    return replaced, above | below


def _contradicted(plan: MeasuredPlan, true: Array, answered: Array) -> Array:
    """Return which audits have answers that contradict the class sizes, as `contradicted_size` does for one."""
    result = np.zeros(len(answered), dtype=bool)
    for at, labels, least, most in plan.payoffs.class_sizes:
        size = labels + answered @ ((true[plan.rows] == at).astype(int) - (plan.label == at))
        result |= (size < least - 1e-9) | (size > most + 1e-9)
    return result


def _audited(measure: str, wrong: float, alternative: str) -> Run:
    """Follow audits of candidates that are no better; the first of both figures is one-sided."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "measured audits", measure, str(wrong), alternative)
        replaced = missed = 0
        for _ in range(DATASETS):
            label, old, new, true = _hard(measure, wrong, rng)
            plan = _plan(measure, label, old, new, alternative=alternative, futility=False)
            results = followed_audits(plan, true, repetitions // DATASETS, rng)
            replaced, missed = replaced + int(results[0].sum()), missed + int(results[1].sum())
        total = repetitions // DATASETS * DATASETS
        if alternative == "greater":
            return {REPLACES: Hits(replaced, total, 0, ("betting",))}
        return {BOUNDS: Hits(total - missed, total, 0, ("betting",))}

    return run


def _small_masses(measure: str) -> Run:
    """Follow audits of equally good classifiers whose disputed rows can add very little beside a rare class or cost."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "measured audits with small masses", measure)
        counts = (
            (0, 0, 0, 0, 1),
            (1, 2, 1, 1, 36),
            (1, 2, 1, 2, 4),
            (2, 2, 1, 2, 32),
            (1, 1, 1, 1, 960),
            (2, 2, 2, 2, 968),
        )
        label, old, new, true = (np.repeat([row[at] for row in counts], [row[4] for row in counts]) for at in range(4))
        costs = np.array([[0.0, 1000.0, 1000.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]) if measure == "cost" else None
        cells = np.stack([label, old, new, np.ones_like(label)], -1)
        gains = payoffs(measure, CLASSES, cells, costs=costs, counts_within=0.0)
        plan = plan_measured_audit(gains, label, old, new, n=len(label), alternative="greater", futility=False)
        replaced, _ = followed_audits(plan, true, repetitions, rng)
        return {REPLACES: Hits(int(replaced.sum()), repetitions, 0, ("betting",))}

    return run


def _tiny(measure: str) -> Run:
    """Follow audits of a class with few labels, whose true size differs by up to the three rows that are allowed for."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "measured audits of a tiny class", measure)
        replaced = 0
        for _ in range(DATASETS):
            best: tuple[float, tuple[Array, ...]] | None = None
            for _ in range(TRIED):
                true = np.where(np.arange(N) < 8 + rng.integers(-3, 4), 2, rng.integers(0, 2, N))
                label = np.where(np.isin(np.arange(N), rng.choice(14, 8, replace=False)), 2, np.minimum(true, 1))
                old, new = (np.where(rng.random(N) < 0.7, true, rng.integers(0, 3, N)) for _ in range(2))
                lead = difference(measure, true, old, new)
                if lead <= 1e-12 and (best is None or lead > best[0]):
                    best = lead, (label, old, new, true)
            assert best is not None
            label, old, new, true = best[1]
            plan = _plan(measure, label, old, new, alternative="greater", futility=False)
            replaced += int(followed_audits(plan, true, repetitions // DATASETS, rng)[0].sum())
        return {REPLACES: Hits(replaced, repetitions // DATASETS * DATASETS, 0, ("betting",))}

    return run


def _outside(measure: str) -> Run:
    """Follow audits of a class of 20 to 40 rows with 8 labels, far more than is allowed for; who predicts it less is worse."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "measured audits of a class with far more rows than labels", measure)
        replaced = 0
        for _ in range(DATASETS):
            best: tuple[float, tuple[Array, ...]] | None = None
            for _ in range(TRIED):
                true = np.where(np.arange(N) < rng.integers(20, 41), 2, rng.integers(0, 2, N))
                label = np.where(np.arange(N) < 8, 2, np.minimum(true, 1))
                often, rarely = ((0.5, 0.8), (0.02, 0.4))
                calls = [rng.random(N) < np.where(true == 2, hit, miss / 20) for miss, hit in (often, rarely)]
                old, new = (np.where(calls_it, 2, np.minimum(true, 1)) for calls_it in calls)
                lead = difference(measure, true, old, new)
                if lead <= 1e-12 and (best is None or lead > best[0]):
                    best = lead, (label, old, new, true)
            assert best is not None
            label, old, new, true = best[1]
            plan = _plan(measure, label, old, new, alternative="greater", futility=False)
            replaced += int(followed_audits(plan, true, repetitions // DATASETS, rng, checked=True)[0].sum())
        return {REPLACES: Hits(replaced, repetitions // DATASETS * DATASETS, 0, ("betting",))}

    return run


def _population(measure: str) -> Run:
    """Draw test sets from a population; every row is answered, so that only the draw of the rows can mislead."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "measured audits of a population", measure)
        _, old, new, true = _drawn(rng, 2_000_000, (0.7, 0.75), 0.1)
        whole = difference(measure, true, old, new)
        hits = 0
        for _ in range(repetitions):
            label, old, new, true = _drawn(rng, N, (0.7, 0.75), 0.1)
            plan = _plan(measure, label, old, new)
            total = np.array([plan.values(true[plan.rows]).sum() - plan.offset])
            low, high = plan.ends("population", total, total)
            hits += bool(low[0] <= whole <= high[0])
        return {POPULATION: Hits(hits, repetitions, 0, ("betting",))}

    return run


SETTINGS = (
    *(
        Setting("audits", f"{measure}, candidate no better, {words}", N, (Case(REPLACES, "size", AUDITED),), _audited(measure, wrong, "greater"))
        for measure in MEASURES
        for wrong, words in WORDS.items()
    ),
    *(
        Setting("audits", f"adversarial: {measure}, equally good, one {what}", 2001, (Case(REPLACES, "size", AUDITED),), _small_masses(measure))
        for measure, what in (("macro-recall", "row of a class"), ("cost", "cost of 1,000"))
    ),
    *(
        Setting("audits", f"adversarial: {measure}, candidate no better, 8 labels of the class, true size 5 to 11", N, (Case(REPLACES, "size", AUDITED),), _tiny(measure))
        for measure in ("recall:c", "f1:c", "macro-recall")
    ),
    *(
        Setting("audits", f"adversarial: {measure}, candidate no better, 8 labels of the class, true size 20 to 40", N, (Case(REPLACES, "size", AUDITED),), _outside(measure))
        for measure in ("f1:c", "macro-f1")
    ),
    *(
        Setting("audits", f"{measure}, candidate no better, all labels wrong, at all looks together", N, (Case(BOUNDS, about=AUDITED),), _audited(measure, 1.0, "two-sided"))
        for measure in MEASURES
    ),
    *(
        Setting("audits", f"{measure}, test sets from a population, 10 % wrong labels, every row answered", N, (Case(POPULATION, about=AUDITED),), _population(measure))
        for measure in MEASURES
    ),
)  # fmt: skip
