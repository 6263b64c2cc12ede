"""Events of an on-line comparison, read in batches and counted, against pandas in chunks; and a loop over rows."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.ab"
EVENTS, LOOPED = 5_000_000, 500_000
PER_SECOND = 1_000_000
MEMORY = 1000  # megabytes


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    alone(HERE, "events", str(folder))
    file = f"{folder}/events.csv"
    ours, chunks = (alone(HERE, part, file, repeat=3) for part in ("counted", "in_chunks"))
    loop = alone(HERE, "row_by_row", file)
    what = f"ab: {EVENTS:,} events of a CSV file read in batches and counted, processor time"
    detail = f"{ours.busy:.2f} s, {ours.megabytes:.0f} MB against {chunks.busy:.2f} s, {chunks.megabytes:.0f} MB"
    yield what, "pandas in chunks", chunks.busy / ours.busy, 1, detail
    whole = loop.busy * EVENTS / LOOPED
    yield "the same", "csv module, row by row", whole / ours.busy, 2, f"{ours.busy:.2f} s against {whole:.1f} s"
    rate = EVENTS / ours.seconds
    detail = f"{rate / 1e6:.1f} million a second, {EVENTS / ours.busy / 1e6:.1f} million per second of processor time"
    yield "events per second, over a million", "1 million", rate / PER_SECOND, 1, detail
    yield "its memory below 1 GB", "1 GB", MEMORY / ours.megabytes, 1, f"{ours.megabytes:.0f} MB"


def events(folder: str) -> Callable[[], Any]:
    """Write events of two variants."""
    import pyarrow as pa
    from pyarrow import csv

    rng = np.random.default_rng(0)
    variants = np.array(["old", "new"])[rng.integers(0, 2, EVENTS)]
    table = pa.table({"event": np.arange(EVENTS), "variant": variants, "outcome": rng.integers(0, 2, EVENTS)})
    return lambda: csv.write_csv(table, f"{folder}/events.csv")


def counted(file: str) -> Callable[[], Any]:
    from justesse.frames.events import EventColumns, count_events

    def job() -> None:
        blocks = count_events(file, EventColumns("variant", "outcome"))
        assert blocks.n.sum() == EVENTS

    return job


def in_chunks(file: str) -> Callable[[], Any]:
    import pandas as pd

    from justesse.core.event_blocks import look_edges

    edges = look_edges(EVENTS)

    def job() -> None:
        sums = None
        for chunk in pd.read_csv(file, usecols=["variant", "outcome"], chunksize=500_000):
            look = np.searchsorted(edges, chunk.index, side="right")
            part = chunk.groupby(["variant", look])["outcome"].agg(["count", "sum"])
            sums = part if sums is None else sums.add(part, fill_value=0)
        assert sums is not None
        assert sums["count"].sum() == EVENTS

    return job


def row_by_row(file: str) -> Callable[[], Any]:
    import csv

    def job() -> None:
        counts: dict[str, list[float]] = {}
        with open(file, newline="") as stream:
            for at, row in enumerate(csv.DictReader(stream)):
                if at == LOOPED:
                    break
                cell = counts.setdefault(row["variant"], [0, 0.0])
                cell[0] += 1
                cell[1] += float(row["outcome"])

    return job
