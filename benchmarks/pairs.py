"""All ordered pairs of 100 classifiers, and a join of two large files, against the loops people write."""

from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone, command

HERE = "benchmarks.pairs"
CLASSIFIERS, ROWS, CLASSES = 100, 12_000, 10
LOOPED = 10  # incumbents the peers are timed on; the rest takes as long


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    ours = alone(HERE, "all_pairs", repeat=20)
    for peer, wanted in (("crosstab", 200), ("numpy", 0)):
        looped = alone(HERE, "loop", peer, repeat=2)
        whole = looped.seconds * CLASSIFIERS / LOOPED
        detail = f"{1000 * ours.seconds:.0f} ms against {whole:.2f} s (from {LOOPED} incumbents)"
        named = {"crosstab": "pandas.crosstab and statsmodels mcnemar", "numpy": "statsmodels mcnemar on NumPy tables"}
        what = f"{CLASSIFIERS * (CLASSIFIERS - 1):,} ordered pairs × {ROWS:,} rows: tables, intervals, breakdown rates"
        yield what, named[peer], whole / ours.seconds, wanted, detail
    files = large(folder)
    joined = command("compare", *map(str, files[:2]), "--on", "id", "--no-gate")
    merged = alone(HERE, "merge", *map(str, files[:2]))
    detail = (
        f"{joined.seconds:.1f} s, {joined.megabytes:.0f} MB against {merged.seconds:.1f} s, {merged.megabytes:.0f} MB"
    )
    yield (
        "compare, whole command: join of 2 × 10 million rows, Parquet",
        "pandas merge and McNemar",
        merged.seconds / joined.seconds,
        1,
        detail,
    )
    order = command("compare", *map(str, files[:1]), str(files[2]), "--no-gate")
    yield (
        "the same in row order",
        "the join",
        joined.seconds / order.seconds,
        0.5,
        f"{order.seconds:.1f} s, {order.megabytes:.0f} MB",
    )


def answers() -> tuple[Any, Any]:
    """Draw classifiers of accuracy .8 to .95 that err on the same hard rows, often in the same way."""
    rng = np.random.default_rng(0)
    label = rng.integers(0, CLASSES, ROWS)
    hard = rng.beta(0.3, 2.2, ROWS)
    likely = (label + 1 + rng.integers(0, CLASSES - 1, ROWS)) % CLASSES
    given = np.empty((CLASSIFIERS, ROWS), dtype=np.int16)
    for at in range(CLASSIFIERS):
        wrong = rng.random(ROWS) < np.clip(hard * rng.uniform(0.4, 1.6), 0, 1)
        other = np.where(rng.random(ROWS) < 0.6, likely, (label + 1 + rng.integers(0, CLASSES - 1, ROWS)) % CLASSES)
        given[at] = np.where(wrong, other, label)
    return label.astype(np.int16), given


def all_pairs() -> Callable[[], Any]:
    from justesse.frames.pairwise import count_pairs
    from justesse.judges.pairs import judge_pairs

    label, given = answers()
    return lambda: judge_pairs(count_pairs(label, given))


def loop(tables: str) -> Callable[[], Any]:
    import pandas as pd
    from statsmodels.stats.contingency_tables import mcnemar

    label, given = answers()
    right = given == label

    def by_numpy(one: Any, other: Any) -> Any:
        both, first, second = int((one & other).sum()), int(one.sum()), int(other.sum())
        return [[both, first - both], [second - both, ROWS - first - second + both]]

    make: Any = {"numpy": by_numpy, "crosstab": pd.crosstab}[tables]

    def job() -> list[float]:
        pairs = ((i, j) for i, j in permutations(range(CLASSIFIERS), 2) if i < LOOPED)
        return [mcnemar(make(right[i], right[j])).pvalue for i, j in pairs]

    return job


def large(folder: Path, n: int = 10_000_000) -> list[Path]:
    """Write an incumbent's file, a candidate's in another order, and the same in order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    label, ids = rng.integers(0, 10, n, dtype=np.int8), np.arange(n)
    one, other = (
        np.where(rng.random(n) < right, label, rng.integers(0, 10, n, dtype=np.int8)) for right in (0.9, 0.91)
    )
    shuffled = rng.permutation(n)
    files = [folder / f"{name}.parquet" for name in ("incumbent", "shuffled", "candidate")]
    for file, at, given in ((files[0], ids, one), (files[1], shuffled, other), (files[2], ids, other)):
        pq.write_table(pa.table({"id": at, "label": label[at], "prediction": given[at]}), file)
    return files


def merge(incumbent: str, candidate: str) -> Callable[[], Any]:
    import pandas as pd
    from statsmodels.stats.contingency_tables import mcnemar

    def job() -> float:
        both = pd.read_parquet(incumbent).merge(pd.read_parquet(candidate), on="id", validate="one_to_one")
        right = both["prediction_x"] == both["label_x"], both["prediction_y"] == both["label_y"]
        return float(mcnemar(pd.crosstab(*right), exact=False).pvalue)

    return job
