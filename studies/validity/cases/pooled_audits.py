"""Pooled audits, looked at after every answer: any false claim about any pair, and bounds of all pairs together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.judges.pool_plan import PoolAnswer, PoolPlan, plan_pool
from justesse.judges.pool_progress import PoolProgress
from studies.validity.case import Case, Hits, Setting
from studies.validity.cases.audits import AUDITED

Run = Callable[[int, int], Mapping[str, Hits]]
Labels = Literal["right", "first"]
CLAIMS = "pooled audit claims something false about any pair, at any look"
BOUNDS = "pooled bounds of all pairs, at all looks together"
LABELS: dict[Labels, str] = {
    "right": "right labels",
    "first": "all disputed labels favour the first",
}
CLASSES = 3


def drawn_rows(rng: np.random.Generator, models: int, rows: int, labels: Labels, ties: int) -> tuple[Array, ...]:
    """Draw true classes, answers and labels; the first `ties` classifiers are equally right, the others less and less."""
    true = rng.integers(0, CLASSES, rows)
    answers = np.tile(true, (models, 1))
    for at in range(models):
        errors = rows // 3 + max(at - ties + 1, 0) * rows // (6 * models)
        wrong = rng.choice(rows, errors, replace=False)
        answers[at, wrong] = (true[wrong] + rng.integers(1, CLASSES, errors)) % CLASSES
    label = true if labels == "right" else answers[0]
    return true, answers, label


def followed(plan: PoolPlan, scores: Array, replies: Sequence[PoolAnswer]) -> tuple[bool, bool]:
    """Run an audit to its end; tell whether it ever claimed what is false, and whether all bounds always held.

    Parameters
    ----------
    plan
        The plan.
    scores
        True sum of the scores of each classifier.
    replies
        What the expert answers about each row of the plan.
    """
    progress = PoolProgress(plan)
    first, second = plan.pairs.T
    total = np.round(scores[second] - scores[first], 9)
    false, held = False, True
    while True:
        better = progress.run.better
        false = false or bool(
            (better[first, second] & (total <= 0)).any() or (better[second, first] & (total >= 0)).any()
        )
        low, high = progress.run.bounds()
        held = held and bool(((low <= total + 1e-9) & (total <= high + 1e-9)).all())
        if progress.stop or not (new := progress.draw()):
            return false, held
        progress.answer(new[0].row, replies[new[0].row])


def _pooled(models: int, size: int, labels: Labels, ties: int, goal: str, error: float = 0.0) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        named = (str(error),) if error else ()
        rng = stream(seed, "pooled audits", str(models), str(size), labels, str(ties), goal, *named)
        false = held = 0
        for _ in range(repetitions):
            true, answers, label = drawn_rows(rng, models, size, labels, ties)
            plan, rows = plan_pool(label, answers, goal=goal, seed=int(rng.integers(2**32)), expert_error=error)
            answered = true[rows]
            if error:  # mistakes name the class of the first classifier
                answered = np.where(rng.random(len(rows)) < error, answers[0][rows], answered)
            replies = [(frozenset([int(code)]),) for code in answered]
            claimed, within = followed(plan, (answers == true).sum(-1), replies)
            false, held = false + claimed, held + within
        return {
            CLAIMS: Hits(false, repetitions, 0, ("betting",)),
            BOUNDS: Hits(held, repetitions, 0, ("betting",)),
        }

    return run


def _setting(models: int, size: int, labels: Labels, ties: int, goal: str, error: float = 0.0) -> Setting:
    equal = "all equally right" if ties == models else f"the best {ties} equally right" if ties > 1 else "no ties"
    wrong = f", {100 * error:g} % of the answers wrong in favour of the first, and allowed for" if error else ""
    return Setting(
        "audits",
        f"{models} classifiers, {equal}, goal {goal}, {LABELS[labels]}{wrong}",
        size,
        (Case(CLAIMS, "size", AUDITED), Case(BOUNDS, about=AUDITED)),
        _pooled(models, size, labels, ties, goal, error),
        chunk=250,
    )


SETTINGS = (
    _setting(3, 24, "right", 3, "pairs"),
    _setting(3, 24, "first", 3, "pairs"),
    _setting(6, 24, "first", 6, "pairs"),
    _setting(12, 24, "first", 12, "incumbent"),
    _setting(12, 24, "first", 12, "pairs"),
    _setting(5, 18, "first", 5, "winner"),
    _setting(5, 18, "first", 2, "winner"),
    _setting(5, 18, "first", 5, "top:2"),
    _setting(5, 18, "first", 3, "top:2"),
    _setting(3, 24, "first", 3, "pairs", 0.02),
    _setting(3, 24, "right", 3, "winner", 0.02),
)
