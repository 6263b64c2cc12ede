"""Copies between a million training rows and a test: equal rows against pandas, near texts against plain loops."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.duplicates"
TRAIN, TEST, LOOPED = 1_000_000, 100_000, 2
MEMORY = 2000  # megabytes


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    # written by another process: a child's peak memory starts at its parent's
    alone(HERE, "texts", str(folder))
    files = [f"{folder}/copies-{part}.parquet" for part in ("test", "train")]
    ours, merged = alone(HERE, "equal", *files), alone(HERE, "merge", *files)
    detail = f"{ours.seconds:.1f} s, {ours.megabytes:.0f} MB against {merged.seconds:.1f} s, {merged.megabytes:.0f} MB"
    what = f"equal rows, {TEST:,} against {TRAIN:,} texts, Parquet"
    yield what, "pandas isin", merged.seconds / ours.seconds, 0.3, detail
    near, looped = alone(HERE, "near", *files), alone(HERE, "loops", *files)
    whole = looped.seconds * TEST / LOOPED
    detail = f"{near.seconds:.0f} s against {whole / 3600:,.0f} h (from {LOOPED} test rows)"
    yield "nearly equal texts of the same", "every pair compared", whole / near.seconds, 100, detail
    detail = f"{near.megabytes:.0f} MB, wanted under {MEMORY}"
    yield "its memory below 2 GB", "2 GB", MEMORY / near.megabytes, 1, detail


def texts(folder: str) -> Callable[[], Any]:
    """Write sentences of fifteen words as frequent as words are; one in a hundred of the test is nearly a training one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = np.array(["".join(rng.choice(letters, rng.integers(2, 9))) for _ in range(20_000)])
    share = 1 / np.arange(1, len(words) + 1)

    def draw(n: int) -> list[str]:
        return [" ".join(row) for row in words[rng.choice(len(words), (n, 15), p=share / share.sum())]]

    train, test = draw(TRAIN), draw(TEST)
    for at in range(TEST // 100):
        test[at] = " ".join([*train[at].split()[:-1], "otherwise"])

    def job() -> None:
        for part, column in (("test", test), ("train", train)):
            pq.write_table(pa.table({"text": column}), f"{folder}/copies-{part}.parquet")

    return job


def equal(test: str, train: str) -> Callable[[], Any]:
    from justesse.frames.fingerprints import shared_rows
    from justesse.frames.sides import side

    return lambda: shared_rows(side(test, "test"), side(train, "train"), ["text"])


def merge(test: str, train: str) -> Callable[[], Any]:
    import pandas as pd

    return lambda: pd.read_parquet(test)["text"].isin(pd.read_parquet(train)["text"]).sum()


def near(test: str, train: str) -> Callable[[], Any]:
    from justesse.frames.near_duplicates import near_duplicates
    from justesse.frames.sides import side

    def job() -> None:
        found = near_duplicates(side(test, "test"), side(train, "train"), "text")
        assert len(found.rows) > 0.6 * TEST / 100  # a long last word leaves less than .8 in some

    return job


def loops(test: str, train: str) -> Callable[[], Any]:
    import pandas as pd

    def pieces(text: str) -> set[str]:
        return {text[at : at + 5] for at in range(len(text) - 4)}

    ours = [pieces(text) for text in pd.read_parquet(test)["text"][:LOOPED]]
    part = TRAIN // 100
    theirs = [pieces(text) for text in pd.read_parquet(train)["text"][:part]]

    def job() -> int:
        # a hundredth of the training rows, a hundred times: every pair takes as long
        return sum(len(a & b) >= 0.8 * len(a | b) for _ in range(TRAIN // part) for a in ours for b in theirs)

    return job
