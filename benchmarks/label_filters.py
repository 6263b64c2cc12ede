"""Filters of labels: confident learning on a million rows against cleanlab, neighbours and graphs of 100,000 rows.

Times are of the processor. The peer is no dependency: `pip install cleanlab==2.9.0`. Without it the part keeps its rows.
"""

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.label_filters"
ROWS, CLASSES = 1_000_000, 10
MANY, COLUMNS, MINUTE = 100_000, 50, 60
PRUNE = {"by-noise-rate": "prune_by_noise_rate", "both": "both"}


def results(_folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    if importlib.util.find_spec("cleanlab") is None:
        raise ModuleNotFoundError(f"The part label_filters needs cleanlab: see {HERE}.")
    for prune in PRUNE:
        ours, theirs = alone(HERE, "ours", prune, repeat=3), alone(HERE, "cleanlab", prune, repeat=2)
        detail = f"{ours.busy:.2f} s, {ours.megabytes:.0f} MB against {theirs.busy:.2f} s, {theirs.megabytes:.0f} MB"
        what = f"confident learning ({prune}), 1 million rows, {CLASSES} classes"
        yield what, "cleanlab 2.9.0", theirs.busy / ours.busy, 3, detail
        yield "its memory", "cleanlab 2.9.0", theirs.megabytes / ours.megabytes, 1, detail
    for method in ("edited-neighbours", "neighbourhood-graph"):
        cost = alone(HERE, "neighbours", method)
        detail = f"{cost.busy:.0f} s, {cost.megabytes:.0f} MB"
        yield f"{method}, {MANY:,} rows, {COLUMNS} features", "a minute", MINUTE / cost.busy, 1, detail


def drawn() -> tuple[Any, Any]:
    """Draw labels, a tenth of them anew, and probabilities that favour the true classes."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, CLASSES, ROWS)
    labels = np.where(rng.random(ROWS) < 0.1, rng.integers(0, CLASSES, ROWS), true)
    shares = rng.dirichlet(np.full(CLASSES, 0.5), ROWS) * 0.6
    shares[np.arange(ROWS), true] += 0.4
    return labels, shares


def ours(prune: str) -> Callable[[], Any]:
    from justesse.cleaning import filter_named
    from justesse.cleaning.evidence import LabelEvidence

    labels, shares = drawn()
    item = filter_named("confident-learning")
    return lambda: item(LabelEvidence(labels, tuple(range(CLASSES)), shares), prune=prune)


def cleanlab(prune: str) -> Callable[[], Any]:
    from importlib import import_module

    labels, shares = drawn()
    peer = import_module("cleanlab.filter")
    return lambda: peer.find_label_issues(labels, shares, filter_by=PRUNE[prune], n_jobs=1)


def neighbours(method: str) -> Callable[[], Any]:
    from justesse.cleaning import filter_named
    from justesse.cleaning.evidence import LabelEvidence

    rng = np.random.default_rng(0)
    true = rng.integers(0, CLASSES, MANY)
    features = rng.normal(size=(CLASSES, COLUMNS))[true] + rng.normal(size=(MANY, COLUMNS))
    labels = np.where(rng.random(MANY) < 0.1, rng.integers(0, CLASSES, MANY), true)
    item = filter_named(method)
    return lambda: item(LabelEvidence(labels, tuple(range(CLASSES)), features=features))
