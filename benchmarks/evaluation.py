"""From rows to every measure with its interval, against scikit-learn's `classification_report`."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone, command

HERE = "benchmarks.evaluation"


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    big = write(folder / "ten.parquet", 10_000_000, 10)
    peer = alone(HERE, "report", str(big))
    ours = alone(HERE, "evaluation", str(big), repeat=3)
    whole = command("evaluate", str(big), "--json")
    detail = f"{ours.seconds:.2f} s against {peer.seconds:.2f} s; {ours.megabytes:.0f} MB"
    yield (
        "10 million rows, 10 classes, Parquet, in process",
        "classification_report",
        peer.seconds / ours.seconds,
        20,
        detail,
    )
    detail = f"{whole.seconds:.2f} s against {peer.seconds:.2f} s; {whole.megabytes:.0f} MB, wanted under 1000"
    yield "the same, whole command", "classification_report", peer.seconds / whole.seconds, 5, detail
    page = command("evaluate", str(big), "--json", "--report", str(folder / "page.html"))
    added = page.busy - whole.busy  # processor time: other work on the machine does not count
    detail = f"{added:.2f} s of processor time more, wanted under 4"
    yield (
        "the page on top of it: four seconds over what it adds",
        "itself",
        4 / added,
        1,
        detail,
    )
    many = write(folder / "thousand.parquet", 1_000_000, 1000)
    peer = alone(HERE, "report", str(many), repeat=3)
    ours = alone(HERE, "evaluation", str(many), repeat=3)
    detail = f"{ours.seconds:.2f} s against {peer.seconds:.2f} s; {ours.megabytes:.0f} MB"
    yield (
        "1 million rows, 1,000 classes, Parquet, in process",
        "classification_report",
        peer.seconds / ours.seconds,
        5,
        detail,
    )


def write(path: Path, rows: int, classes: int) -> Path:
    """Make labels and predictions that agree on nine rows of ten."""
    if not path.exists():
        import pyarrow as pa
        import pyarrow.parquet

        rng = np.random.default_rng(0)
        label = rng.integers(classes, size=rows)
        prediction = np.where(rng.random(rows) < 0.9, label, rng.integers(classes, size=rows))
        pyarrow.parquet.write_table(pa.table({"label": label, "prediction": prediction}), path)
    return path


def report(path: str) -> Callable[[], Any]:
    """Prepare scikit-learn with the arrays in memory."""
    import pyarrow.parquet
    from sklearn.metrics import classification_report

    table = pyarrow.parquet.read_table(path)
    label, prediction = table["label"].to_numpy(), table["prediction"].to_numpy()
    return lambda: classification_report(label, prediction, output_dict=True)


def evaluation(path: str) -> Callable[[], Any]:
    """Prepare justesse with nothing but its import."""
    from justesse import evaluate

    return lambda: evaluate(path).to_columns()
