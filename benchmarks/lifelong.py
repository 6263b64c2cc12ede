"""Systems that keep learning: a matrix of 200 versions and 200 periods against pandas, a stream against river.

river is no dependency: `pip install river==0.26.1`. Without it the part keeps its rows.
"""

import importlib
import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.lifelong"
SHRUNK = int(os.environ.get("JUSTESSE_BENCH_SHRINK", "1"))  # 10 tries everything at a tenth of the size
ROWS, VERSIONS, PERIODS, DAYS = 50_000_000 // SHRUNK, 200, 200, 5
ITEMS, WINDOW, CELLS = 1_000_000 // SHRUNK, 1_000, 20


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    if importlib.util.find_spec("river") is None:
        raise ModuleNotFoundError(f"The part lifelong needs river: see {HERE}.")
    path = f"{folder}/versions.parquet"
    alone(HERE, "write", path)  # by another process: a child's peak memory starts at its parent's
    ours = alone(HERE, "matrix", path, repeat=2)
    looped, nested = alone(HERE, "pandas_loop", path), alone(HERE, "pandas_nested", path)
    whole = looped.seconds / CELLS * VERSIONS * PERIODS
    what = f"error matrix, {VERSIONS} versions × {PERIODS} periods, {ROWS:,} rows of Parquet"
    detail = (
        f"{ours.seconds:.1f} s, {ours.megabytes:.0f} MB against {whole:,.0f} s (from {CELLS} cells; rows in memory)"
    )
    yield what, "pandas, a filter for each cell", whole / ours.seconds, 20, detail
    detail = f"{ours.seconds:.1f} s against {nested.seconds:.1f} s (rows in memory)"
    yield "the same", "pandas, versions first, then their periods", nested.seconds / ours.seconds, 2, detail
    ours, theirs = alone(HERE, "stream", repeat=3), alone(HERE, "river_stream")
    what = f"{ITEMS:,} predictions: error, kappa, both baselines, all also over the last {WINDOW:,}"
    detail = f"{ours.seconds:.2f} s against {theirs.seconds:.1f} s"
    yield what, "river 0.26.1", theirs.seconds / ours.seconds, 20, detail


def write(path: str) -> Callable[[], Any]:
    """Write the answers of every version on items of every day; later versions err less on later days."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    def job() -> None:
        rng = np.random.default_rng(0)
        writer, step = None, 1_000_000
        for _ in range(0, ROWS, step):
            version = rng.integers(0, VERSIONS, step).astype(np.int16)
            day = rng.integers(0, PERIODS * DAYS, step).astype(np.int16)
            label = rng.integers(0, 3, step).astype(np.int8)
            wrong = rng.random(step) < 0.1 + 0.2 * np.abs(version / VERSIONS - day / (PERIODS * DAYS))
            columns = {
                "version": version,
                "time": day,
                "label": label,
                "prediction": (label + wrong).astype(np.int8) % 3,
            }
            table = pa.table(columns)
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
        assert writer is not None
        writer.close()

    return job


def matrix(path: str) -> Callable[[], Any]:
    from justesse import lifelong_score

    return lambda: lifelong_score(path, period=DAYS, policy="recent")


def _frame(path: str) -> Any:
    import pandas as pd

    frame = pd.read_parquet(path)
    frame["period"] = frame["time"] // DAYS
    return frame


def pandas_loop(path: str) -> Callable[[], Any]:
    """Filter the whole frame for some of the cells."""
    frame = _frame(path)

    def job() -> None:
        for cell in range(CELLS):
            part = frame[(frame["version"] == cell) & (frame["period"] == 7 * cell)]
            assert 0 < (part["label"] != part["prediction"]).mean() < 1

    return job


def pandas_nested(path: str) -> Callable[[], Any]:
    """Filter the frame for each version, then the rows of the version for each period."""
    frame = _frame(path)

    def job() -> None:
        errors = np.zeros((VERSIONS, PERIODS))
        for version in range(VERSIONS):
            own = frame[frame["version"] == version]
            for period in range(PERIODS):
                part = own[own["period"] == period]
                errors[version, period] = (part["label"] != part["prediction"]).mean()

    return job


def _stream() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    labels = np.cumsum(rng.random(ITEMS) < 0.2) % 3
    return labels, np.where(rng.random(ITEMS) < 0.85, labels, (labels + 1) % 3)


def stream() -> Callable[[], Any]:
    """Evaluate the stream with intervals, periods and both baselines, as the command does."""
    from justesse import lifelong_prequential

    labels, answers = _stream()
    rows = {"label": labels, "prediction": answers}
    return lambda: lifelong_prequential(rows, window=WINDOW)


def river_stream() -> Callable[[], Any]:
    """Update river's metrics and dummy classifiers item by item: the same figures, without intervals and periods."""
    metrics, utils, dummy = (importlib.import_module(f"river.{name}") for name in ("metrics", "utils", "dummy"))
    labels, answers = (values.tolist() for values in _stream())

    def job() -> None:
        whole = [metrics.Accuracy() for _ in range(3)]
        recent = [utils.Rolling(metrics.Accuracy, WINDOW) for _ in range(3)]
        kappa, no_change, majority = metrics.CohenKappa(), dummy.NoChangeClassifier(), dummy.PriorClassifier()
        for label, answer in zip(labels, answers, strict=True):
            kappa.update(label, answer)
            given = answer, no_change.predict_one({}), majority.predict_one({})
            for every, last, own in zip(whole, recent, given, strict=True):
                every.update(label, own)
                last.update(label, own)
            no_change.learn_one({}, label)
            majority.learn_one({}, label)

    return job
