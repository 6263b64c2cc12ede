"""Annotators: Dawid-Skene on a million answers against crowd-kit, alpha of ten million against krippendorff.

Times are of the processor. The peers are no dependencies: `pip install krippendorff==0.9.0 crowd-kit==1.4.2`. Without them the part keeps its rows.
"""

import importlib
import importlib.util
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.job import alone

HERE = "benchmarks.annotators"
ITEMS, EACH, PEOPLE, CLASSES, ROUNDS = 200_000, 5, 1_000, 10, 5
MANY_ITEMS, MORE, PART, MANY_CLASSES, MEMORY = 2_000_000, 100, 100, 1_000, 2000


def results(_folder: Path) -> Iterator[tuple[str, str, float, float, str]]:
    """Yield (what, peer, ratio, wanted, detail)."""
    for peer in ("krippendorff", "crowdkit"):
        if importlib.util.find_spec(peer) is None:
            raise ModuleNotFoundError(f"The part annotators needs {peer}: see {HERE}.")
    ours, theirs = alone(HERE, "fit", repeat=10), alone(HERE, "crowd_kit", repeat=5)
    detail = f"{ours.busy:.2f} s, {ours.megabytes:.0f} MB against {theirs.busy:.2f} s, {theirs.megabytes:.0f} MB"
    what = f"Dawid-Skene, 1 million answers, {CLASSES} classes, {ROUNDS} iterations"
    yield what, "crowd-kit 1.4.2", theirs.busy / ours.busy, 10, detail
    yield "its memory, against half of the peer's", "crowd-kit 1.4.2", theirs.megabytes / 2 / ours.megabytes, 1, detail
    ours, theirs = alone(HERE, "alpha", CLASSES, repeat=10), alone(HERE, "krippendorff_alpha", CLASSES, 1, repeat=5)
    detail = f"{ours.busy:.3f} s, {ours.megabytes:.0f} MB against {theirs.busy:.2f} s, {theirs.megabytes:.0f} MB"
    what = f"alpha of 10 million answers, {CLASSES} classes, both from the same array of counts, items × classes"
    yield what, "krippendorff 0.9.0", theirs.busy / ours.busy, 100, detail
    ours, theirs = alone(HERE, "alpha", MORE, repeat=10), alone(HERE, "krippendorff_alpha", MORE, PART, repeat=5)
    detail = f"{ours.busy:.3f} s, {ours.megabytes:.0f} MB against {PART * theirs.busy:.0f} s (from 1 of {PART} items)"
    yield f"the same with {MORE} classes", "krippendorff 0.9.0", PART * theirs.busy / ours.busy, 100, detail
    ours = alone(HERE, "many_classes")
    detail = f"{ours.busy:.1f} s, {ours.megabytes:.0f} MB, wanted under {MEMORY}"
    yield "Dawid-Skene, 1 million answers, 1,000 classes: memory", "2 GB", MEMORY / ours.megabytes, 1, detail
    ours = alone(HERE, "many_people")
    detail = f"{ours.busy:.1f} s, {ours.megabytes:.0f} MB, wanted under {MEMORY}"
    yield "Dawid-Skene, 1 million annotators with 3 answers each: memory", "2 GB", MEMORY / ours.megabytes, 1, detail


def answers(items: int, classes: int, people: int = PEOPLE) -> tuple[Any, Any, Any]:
    """Draw the item, annotator and answer of each answer; annotators are right in 50 to 95 %."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, classes, items)
    item = np.repeat(np.arange(items), EACH)
    who = (rng.integers(0, people, items)[:, None] + np.arange(EACH) * (people // EACH)).ravel() % people
    right = rng.random(len(item)) < rng.uniform(0.5, 0.95, people)[who]
    return item, who, np.where(right, truth[item], rng.integers(0, classes, len(item)))


def notes(items: int, classes: int) -> Any:
    from justesse.core.annotations import Annotations

    item, who, answer = answers(items, classes)
    return Annotations.sorted(range(items), range(PEOPLE), tuple(range(classes)), item, who, answer)


def fit() -> Callable[[], Any]:
    from justesse.annotators.dawid_skene import dawid_skene

    annotations = notes(ITEMS, CLASSES)
    return lambda: dawid_skene(annotations, most=ROUNDS, tolerance=-1)


def many_classes() -> Callable[[], Any]:
    from justesse.annotators.dawid_skene import dawid_skene

    annotations = notes(ITEMS, MANY_CLASSES)
    return lambda: dawid_skene(annotations, most=ROUNDS, tolerance=-1)


def many_people() -> Callable[[], Any]:
    from justesse.annotators.dawid_skene import dawid_skene
    from justesse.core.annotations import Annotations

    people, each, classes = 1_000_000, 3, 3
    rng = np.random.default_rng(0)
    item = rng.integers(0, people * each // EACH, people * each)
    truth = rng.integers(0, classes, people * each // EACH)
    who = np.repeat(np.arange(people), each)
    answer = np.where(rng.random(len(item)) < 0.7, truth[item], rng.integers(0, classes, len(item)))
    annotations = Annotations.sorted(range(len(truth)), range(people), tuple(range(classes)), item, who, answer)
    return lambda: dawid_skene(annotations, most=ROUNDS, tolerance=-1)


def crowd_kit() -> Callable[[], Any]:
    import pandas as pd

    whole = types.ModuleType("crowdkit.aggregation")  # without its text models, which need torch
    whole.__path__ = [str(Path(next(iter(importlib.import_module("crowdkit").__path__))) / "aggregation")]
    sys.modules["crowdkit.aggregation"] = whole
    peer = importlib.import_module("crowdkit.aggregation.classification.dawid_skene")
    item, who, answer = answers(ITEMS, CLASSES)
    frame = pd.DataFrame({"task": item, "worker": who, "label": answer})
    return lambda: peer.DawidSkene(n_iter=ROUNDS, tol=-np.inf).fit(frame)


def counted(items: int, classes: int) -> Any:
    """Count the answers, items × classes, as the peer wants them."""
    item, _, answer = answers(items, classes)
    return np.bincount(item * classes + answer, minlength=items * classes).reshape(items, classes)


def alpha(classes: int) -> Callable[[], Any]:
    from justesse.annotators.alpha_counts import alpha_of_counts

    counts = counted(MANY_ITEMS, classes)
    return lambda: alpha_of_counts(counts)


def krippendorff_alpha(classes: int, part: int) -> Callable[[], Any]:
    peer = importlib.import_module("krippendorff")
    counts = counted(MANY_ITEMS // part, classes)  # the peer needs a number for each item and two classes
    return lambda: peer.alpha(value_counts=counts, level_of_measurement="nominal")
