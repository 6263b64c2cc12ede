"""Areas under curves from Parquet, against scikit-learn on arrays in memory."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.areas"
MOST_SORTS = 8  # times the sorting of all columns that their evaluation may take


def results(folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    path = str(write(folder / "scores.parquet", 10_000_000))
    peer, ours = alone(HERE, "peer", path), alone(HERE, "areas", path, repeat=3)
    detail = f"{ours.seconds:.2f} s, {ours.megabytes:.0f} MB against {peer.seconds:.2f} s, {peer.megabytes:.0f} MB"
    yield (
        "AUC and average precision of 10 million rows, Parquet",
        "scikit-learn",
        peer.seconds / ours.seconds,
        3,
        detail,
    )
    sort, error = alone(HERE, "one_argsort", 1_000_000, repeat=5), alone(HERE, "interval", 1_000_000, repeat=5)
    sorts = f"{error.seconds / sort.seconds:.1f} sorts, wanted at most 6"
    detail = f"{1000 * error.seconds:.0f} ms against {1000 * sort.seconds:.0f} ms: {sorts}"
    yield (
        "DeLong interval of 1 million rows, six argsorts over",
        "np.argsort",
        6 * sort.seconds / error.seconds,
        1,
        detail,
    )
    columns, several = (alone(HERE, name, 1_000_000, 10, repeat=3) for name in ("all_columns", "all_areas"))
    times = several.seconds / columns.seconds
    yield (
        f"areas, losses and curves of probabilities, 1 million rows × 10 classes: {MOST_SORTS} sorts of all columns over",
        "np.argsort of every column",
        MOST_SORTS * columns.seconds / several.seconds,
        1,
        f"{several.seconds:.2f} s against {columns.seconds:.2f} s: {times:.1f} times, wanted at most {MOST_SORTS}",
    )


def write(path: Path, rows: int) -> Path:
    """Make scores of two overlapping classes."""
    import pyarrow as pa
    import pyarrow.parquet

    label, score = draw(rows)
    pyarrow.parquet.write_table(pa.table({"label": label.astype(int), "score": score}), path)
    return path


def draw(rows: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    label = rng.random(rows) < 0.3
    return label, rng.normal(size=rows) + label


def peer(path: str) -> Callable[[], Any]:
    import pyarrow.parquet
    from sklearn.metrics import average_precision_score, roc_auc_score

    table = pyarrow.parquet.read_table(path)
    label, score = table["label"].to_numpy(), table["score"].to_numpy()
    return lambda: (roc_auc_score(label, score), average_precision_score(label, score))


def areas(path: str) -> Callable[[], Any]:
    from justesse.frames.count import opened
    from justesse.frames.scores import read_scores
    from justesse.measures.curves.auc import auc
    from justesse.measures.curves.precision_recall import average_precision
    from justesse.verbs.evaluate.scores import binary_table

    def job() -> Any:
        rows = read_scores(
            opened(path),
            label=None,
            score="score",
            proba=None,
            weight=None,
            positive=1,
            drop_labels=False,
            as_text=False,
        )
        table = binary_table(rows)
        return auc(table), average_precision(table)

    return job


def one_argsort(rows: int) -> Callable[[], Any]:
    _, score = draw(rows)
    return lambda: np.argsort(score)


def interval(rows: int) -> Callable[[], Any]:
    from justesse.intervals.delong import delong
    from justesse.measures.curves.score_counts import ScoreCounts

    label, score = draw(rows)
    return lambda: delong(ScoreCounts.of(score, label))


def probabilities(rows: int, classes: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    labels = rng.integers(classes, size=rows)
    scores = rng.normal(size=(rows, classes))
    scores[np.arange(rows), labels] += 1.5
    scores = np.exp(scores)
    return labels, scores / scores.sum(axis=1, keepdims=True)


def all_columns(rows: int, classes: int) -> Callable[[], Any]:
    _, scores = probabilities(rows, classes)
    return lambda: [np.argsort(scores[:, k]) for k in range(classes)]


def all_areas(rows: int, classes: int) -> Callable[[], Any]:
    from justesse.intervals.estimate import Confidence
    from justesse.intervals.score_evaluation import evaluate_several

    labels, scores = probabilities(rows, classes)
    return lambda: evaluate_several(scores, labels, list(range(classes)), None, Confidence()).to_dict()
