"""Pooled audits of pass rates and of partial credit, looked at after every answer: false claims, and all bounds."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.judges.pool_plan import PoolAnswer, plan_pool
from justesse.judges.pool_scores import Credits
from studies.validity.case import Case, Hits, Setting
from studies.validity.cases.audits import AUDITED
from studies.validity.cases.pooled_audits import BOUNDS, CLAIMS, followed

Kind = Literal["pass rates", "partial credit"]
Drawn = tuple[Array, Array, list[PoolAnswer], Array, dict[str, Any]]
SAMPLES, CLASSES = 3, 3
CREDITS = np.array([0.0, 0.25, 0.5, 1.0])


def pass_rates(rng: np.random.Generator, models: int, rows: int) -> Drawn:
    """Draw questions with three samples; all classifiers have the same pass rates, on other questions each.

    Every label is the first answer of the first classifier.
    """
    true = rng.integers(0, CLASSES, rows)
    passed = np.repeat(np.arange(SAMPLES + 1), -(-rows // (SAMPLES + 1)))[:rows]
    answers = np.empty((models, rows, SAMPLES), dtype=np.int64)
    for at in range(models):
        right = np.arange(SAMPLES) < rng.permutation(passed)[:, None]
        other = (true[:, None] + rng.integers(1, CLASSES, (rows, SAMPLES))) % CLASSES
        answers[at] = rng.permuted(np.where(right, true[:, None], other), axis=1)
    scores = (answers == true[:, None]).mean(-1).sum(-1)
    return answers[0, :, 0], answers, [(frozenset([int(code)]),) for code in true], scores, {}


def partial_credit(rng: np.random.Generator, models: int, rows: int) -> Drawn:
    """Draw answers that all differ, and their true credits, equal in sum; the data give full credit to the first only."""
    answers = np.tile(np.arange(models)[:, None], (1, rows))
    credits = np.stack([rng.permutation(np.resize(CREDITS, rows)) for _ in range(models)])
    replies: list[PoolAnswer] = [(Credits.of(dict(enumerate(own.tolist()))),) for own in credits.T]
    return np.zeros(rows, dtype=np.int64), answers, replies, credits.sum(-1), {"recorded": [{0: 1.0}] * rows}


DRAWN: dict[Kind, Callable[[np.random.Generator, int, int], Drawn]] = {
    "pass rates": pass_rates,
    "partial credit": partial_credit,
}
WORDS: dict[Kind, str] = {
    "pass rates": "pass rates of 3 samples, all labels favour the first",
    "partial credit": "partial credit, all recorded scores favour the first",
}


def _graded(kind: Kind, models: int, size: int, goal: str) -> Callable[[int, int], Mapping[str, Hits]]:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "graded pools", kind, str(models), str(size), goal)
        false = held = 0
        for _ in range(repetitions):
            label, answers, replies, scores, options = DRAWN[kind](rng, models, size)
            plan, rows = plan_pool(label, answers, goal=goal, seed=int(rng.integers(2**32)), **options)
            claimed, within = followed(plan, scores, [replies[row] for row in rows.tolist()])
            false, held = false + claimed, held + within
        return {
            CLAIMS: Hits(false, repetitions, 0, ("betting",)),
            BOUNDS: Hits(held, repetitions, 0, ("betting",)),
        }

    return run


def _setting(kind: Kind, models: int, size: int, goal: str) -> Setting:
    return Setting(
        "audits",
        f"{models} classifiers, all equally good, goal {goal}, {WORDS[kind]}",
        size,
        (Case(CLAIMS, "size", AUDITED), Case(BOUNDS, about=AUDITED)),
        _graded(kind, models, size, goal),
        chunk=250,
    )


SETTINGS = (
    _setting("pass rates", 3, 20, "pairs"),
    _setting("pass rates", 5, 16, "winner"),
    _setting("pass rates", 5, 16, "top:2"),
    _setting("partial credit", 3, 16, "pairs"),
    _setting("partial credit", 6, 12, "incumbent"),
)
