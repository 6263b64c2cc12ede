"""All judges but `audited` on all ordered pairs of 100 classifiers, against a loop over the pairs; memory of 1,000."""

from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone
from benchmarks.pairs import CLASSES, CLASSIFIERS, ROWS

HERE = "benchmarks.tournament"
LOOPED = 6  # pairs the loop is timed on, drawn from all; the rest takes as long
LARGE = 1000
LIMIT = 4096  # megabytes


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    for measure in ("accuracy", "recall", "precision"):
        ours = alone(HERE, "at_once", measure, CLASSIFIERS, repeat=2)
        looped = alone(HERE, "loop", measure)
        whole = looped.seconds * CLASSIFIERS * (CLASSIFIERS - 1) / LOOPED
        what = f"seven judges by {measure} on {CLASSIFIERS * (CLASSIFIERS - 1):,} ordered pairs × {ROWS:,} rows"
        detail = f"{ours.seconds:.2f} s against {whole:.0f} s (from {LOOPED} pairs)"
        yield what, "the same judges pair by pair", whole / ours.seconds, 100, detail
    for measure in ("accuracy", "precision"):
        large = alone(HERE, "at_once", measure, LARGE)
        what = f"the same by {measure} for {LARGE:,} classifiers: memory below 4 GB"
        yield what, "4 GB", LIMIT / large.megabytes, 1, f"{large.seconds:.0f} s, {large.megabytes:.0f} MB"


def answers(many: int) -> tuple[Any, Any, Any, Any]:
    """Draw true classes, labels of which 5 % are wrong, and answers that err on the same hard rows."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, CLASSES, ROWS).astype(np.int8)
    difficulty = rng.beta(0.3, 2.2, ROWS)
    likely = ((true + 1 + rng.integers(0, CLASSES - 1, ROWS)) % CLASSES).astype(np.int8)
    hardest = np.argsort(-difficulty)
    label = true.copy()
    label[hardest[: ROWS // 20]] = likely[hardest[: ROWS // 20]]
    given = np.empty((many, ROWS), dtype=np.int8)
    for at in range(many):
        wrong = rng.random(ROWS) < np.clip(difficulty * rng.uniform(0.3, 2.5), 0, 1)
        given[at] = np.where(wrong, likely, true)
    hard = np.zeros(ROWS, dtype=bool)
    hard[hardest[: ROWS // 10]] = True
    return true, label, given, hard


def at_once(measure: str, many: int) -> Callable[[], Any]:
    from justesse.cleaning.simulated import Nett
    from justesse.frames.pairwise import count_all_pairs
    from justesse.judges import ALL, judge_named
    from justesse.judges.evidence import Rule
    from justesse.judges.tournament import rates

    true, label, given, hard = answers(many)
    at = None if measure == "accuracy" else 0

    def job() -> list[Any]:
        cleaned = Nett(0.6, 0.1).clean_rows(label, true, classes=CLASSES)
        known = {"true": true, "hard": hard, "cleaned": cleaned}
        pairs = count_all_pairs(label, given, measure=measure, at=at, **known)  # type: ignore[arg-type]
        rule = Rule()
        reference = judge_named("reference").decide_many(pairs, rule)
        return [
            rates(judge.decide_many(pairs, rule), reference, pairs.true_difference)
            for judge in ALL
            if not judge.most_pairs
        ]

    return job


def loop(measure: str) -> Callable[[], Any]:
    from justesse.core.case import Case
    from justesse.core.tally import Tally
    from justesse.judges import ALL

    true, label, given, hard = answers(CLASSIFIERS)
    asked = "accuracy" if measure == "accuracy" else f"{measure}:0"
    every = list(permutations(range(CLASSIFIERS), 2))
    chosen = [every[at] for at in np.linspace(0, len(every) - 1, LOOPED).astype(int)]

    def job() -> list[bool]:
        found = []
        for i, j in chosen:
            columns = (true, label, given[i], given[j])
            coded: list[Any] = [(column.astype(np.int32), range(CLASSES)) for column in columns]
            coded.append((hard.astype(np.int32), (False, True)))
            axes = ("true", "label", "incumbent", "candidate", "hard")
            case = Case(Tally.from_codes(axes, coded, np.ones(ROWS, dtype=np.int64)))
            found += [judge.decide(case, measure=asked, draws=100).replaces for judge in ALL if not judge.most_pairs]
        return found

    return job
