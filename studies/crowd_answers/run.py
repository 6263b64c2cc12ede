"""Evaluate classifiers against a crowd's answers, and compare the interval with the truth that was put aside."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

import justesse
from justesse.core.arrays import Array

Kind = Literal["independent", "annotator"]
KINDS: dict[Kind, str] = {
    "independent": "right in 70 to 95 %, whatever the item",
    "annotator": "an annotator, left out of the crowd",
}
FEWEST = {"bluebird": 100, "rte": 100, "dog": 150, "web": 300}  # answers of an annotator who is evaluated
MOST = {"bluebird": 20, "rte": 20, "dog": 12, "web": 6}  # classifiers of each kind
DRAWS = 500


@dataclass(frozen=True)
class Crowd:
    """Answers as item, annotator and answer, and the true class of most items."""

    name: str
    answers: Array
    truth: dict[int, int]

    @classmethod
    def read(cls, name: str, folder: Path) -> "Crowd":
        with (folder / "label.csv").open(newline="") as file:
            rows = [(int(row["item"]), int(row["worker"]), int(row["label"])) for row in csv.DictReader(file)]
        with (folder / "truth.csv").open(newline="") as file:
            truth = {int(row["item"]): int(row["truth"]) for row in csv.DictReader(file)}
        return cls(name, np.array(rows), truth)

    @property
    def items(self) -> Array:
        """The items with answers and a true class."""
        return np.array(sorted(set(self.answers[:, 0].tolist()) & set(self.truth)))


@dataclass(frozen=True)
class Judged:
    """One classifier: its share of right predictions, and what the answers say of it."""

    crowd: str
    kind: Kind
    n: int
    right: float
    value: float
    low: float
    high: float
    by_vote: float
    vote_low: float
    vote_high: float
    pvalue: float

    @property
    def covers(self) -> bool:
        return self.low <= self.right <= self.high

    @property
    def vote_covers(self) -> bool:
        return self.vote_low <= self.right <= self.vote_high


def classifiers(crowd: Crowd, kind: Kind) -> Iterator[tuple[Array, Array, Array]]:
    """Give the items, the predictions, and the answers of the others, of each classifier."""
    items, classes = crowd.items, np.unique(crowd.answers[:, 2])
    if kind == "independent":
        true = np.array([crowd.truth[item] for item in items.tolist()])
        for seed in range(MOST[crowd.name]):
            rng = np.random.default_rng(seed)
            right = rng.random(len(items)) < rng.uniform(0.7, 0.95)
            other = classes[(np.searchsorted(classes, true) + rng.integers(1, len(classes), len(items))) % len(classes)]
            yield items, np.where(right, true, other), crowd.answers
        return
    names, sizes = np.unique(crowd.answers[:, 1], return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    busiest = names[order][sizes[order] >= FEWEST[crowd.name]][: MOST[crowd.name]]
    for name in busiest.tolist():
        own = (crowd.answers[:, 1] == name) & np.isin(crowd.answers[:, 0], items)
        rest = crowd.answers[crowd.answers[:, 1] != name]
        own &= np.isin(crowd.answers[:, 0], rest[:, 0])
        mine = dict(crowd.answers[own][:, [0, 2]].tolist())
        yield np.array(list(mine)), np.array(list(mine.values())), rest


def judged(crowd: Crowd, kind: Kind, items: Array, predictions: Array, answers: Array) -> Judged:
    """Evaluate one classifier."""
    right = float(
        np.mean([crowd.truth[item] == one for item, one in zip(items.tolist(), predictions.tolist(), strict=True)])
    )
    table = {"item": answers[:, 0], "annotator": answers[:, 1], "answer": answers[:, 2]}
    result = justesse.evaluate({"id": items, "prediction": predictions}, answers=table, draws=DRAWS)
    accuracy, vote = result["accuracy"], result.by_vote[0]
    assert accuracy.interval is not None
    assert vote.interval is not None
    fit = result.truth.fit
    return Judged(
        crowd.name,
        kind,
        len(items),
        right,
        accuracy.value,
        accuracy.interval.low,
        accuracy.interval.high,
        vote.value,
        vote.interval.low,
        vote.interval.high,
        float("nan") if fit is None else fit.pvalue,
    )
