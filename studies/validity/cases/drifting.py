"""Tests of annotators who get better or worse over time: how often an honest one is named."""

from collections.abc import Callable, Mapping

import numpy as np

from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.drift import drifts
from justesse.core.annotations import Annotations
from justesse.core.seeds import stream
from studies.validity.case import Case, Hits, Setting, rejected

Run = Callable[[int, int], Mapping[str, Hits]]
CHANGES, ANY = "accuracy changes over time", "any honest annotator changes over time"
STEADY, TIRED, KEEN = (0.9, 0.9), (0.98, 0.55), (0.55, 0.98)
POOLS = {
    "5 annotators, 70 to 95 % right": ((0.95, 0.95), STEADY, STEADY, (0.8, 0.8), (0.7, 0.7)),
    "4 annotators, 90 % right, beside one who falls from 98 to 55 %": (STEADY,) * 4 + (TIRED,),
    "3 annotators, 90 % right, beside one who falls from 98 to 55 % and one who rises": (STEADY,) * 3 + (TIRED, KEEN),
    "3 annotators, 90 % right, beside two who fall from 98 to 55 %": (STEADY,) * 3 + (TIRED,) * 2,
}


def _named(pool: tuple[tuple[float, float], ...], n: int) -> Run:
    honest = [at for at, (first, last) in enumerate(pool) if first == last]
    first, last = np.array(pool).T
    chance = first + (last - first) * np.linspace(0, 1, n)[:, None]

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "drifting", str(pool))
        single, smallest = [], []
        for at in range(repetitions):
            truth = rng.integers(0, 2, n)
            answers = np.where(rng.random((n, len(pool))) < chance, truth[:, None], 1 - truth[:, None])
            item, annotator = np.indices(answers.shape).reshape(2, -1)
            notes = Annotations.sorted(
                range(n), range(len(pool)), (0, 1), item, annotator, answers.ravel(), time=item.astype(float)
            )
            found = {each.annotator: each for each in drifts(dawid_skene(notes))}
            single.append(found[honest[at % len(honest)]].pvalue)
            smallest.append(min(found[who].adjusted for who in honest))
        return {CHANGES: rejected(single, "trend over time"), ANY: rejected(smallest, "trend over time, Holm")}

    return run


SETTINGS = tuple(
    Setting(
        "annotators",
        f"{words}, 2 classes, all answer",
        200,
        (
            Case(CHANGES, "size", ("p-value:drift",), instead="gold answers"),
            Case(ANY, "size", ("p-value:drift",), instead="gold answers"),
        ),
        _named(pool, 200),
    )
    for words, pool in POOLS.items()
)
