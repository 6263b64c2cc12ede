"""A leaderboard of 100 models against a loop over the pairs; memory and time of 1,000 models on 100,000 questions."""

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone, command

HERE = "benchmarks.leaderboard"
MODELS, QUESTIONS = 100, 10_000
LOOPED = 60  # pairs the loop is timed on
MANY, LARGE = 1000, 100_000
LIMIT = 4096  # megabytes


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    pairs = MODELS * (MODELS - 1) // 2
    ours, looped = alone(HERE, "at_once"), alone(HERE, "loop")
    whole = looped.seconds * pairs / LOOPED
    what = f"ranks, breakdown and rows to re-check of {MODELS} models × {QUESTIONS:,} questions"
    yield (
        what,
        "SciPy's binomtest, pair by pair",
        whole / ours.seconds,
        3,
        f"{ours.seconds:.2f} s against {whole:.1f} s",
    )
    path = folder / "board.parquet"
    write(path)
    large = command("tournament", str(path), "--json", "--task-column", "subject")
    what = f"{MANY:,} models × {LARGE:,} questions from Parquet, 5 tasks, whole command: memory below 4 GB"
    yield what, "4 GB", LIMIT / large.megabytes, 1, f"{large.seconds:.0f} s, {large.megabytes:.0f} MB"


def answers(models: int, questions: int) -> tuple[Any, Any]:
    """Draw a key, and the answers of models that find the same questions hard."""
    rng = np.random.default_rng(0)
    key = rng.integers(4, size=questions).astype(np.int8)
    hard = rng.beta(0.5, 1.5, questions)
    given = np.empty((models, questions), dtype=np.int8)
    for at in range(models):
        wrong = rng.random(questions) < hard * rng.uniform(0.5, 1.2)
        given[at] = np.where(wrong, rng.integers(4, size=questions), key)
    return key, given


def at_once() -> Callable[[], Any]:
    from justesse import tournament

    key, given = answers(MODELS, QUESTIONS)
    columns = {"label": key, **{f"model {at}": row for at, row in enumerate(given)}}
    return lambda: tournament(columns)


def loop() -> Callable[[], Any]:
    from scipy.stats import binomtest

    key, given = answers(MODELS, QUESTIONS)
    right = given == key
    every = list(combinations(range(MODELS), 2))
    chosen = [every[at] for at in np.linspace(0, len(every) - 1, LOOPED).astype(int)]

    def job() -> list[float]:
        pvalues = []
        for i, j in chosen:
            only = int((right[i] & ~right[j]).sum()), int((right[j] & ~right[i]).sum())
            pvalues.append(float(binomtest(only[0], sum(only)).pvalue))
        return pvalues

    return job


def write(path: Path) -> None:
    """Write the large file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    key, given = answers(MANY, LARGE)
    letters = np.array(list("ABCD"))
    columns = {"subject": [f"subject {at % 5}" for at in range(LARGE)], "label": letters[key]}
    columns |= {f"model {at}": letters[row] for at, row in enumerate(given)}
    pq.write_table(pa.table({name: pa.array(column).dictionary_encode() for name, column in columns.items()}), path)
