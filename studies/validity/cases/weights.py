"""Weighted rows: weights that are independent of everything, larger for wrong rows, or larger for one class."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import accuracy, averaged, balanced_accuracy, f1, mcc, precision
from studies.validity.case import Case, Hits, Setting, covered

RIGHT = 0.9
AXES, CELLS = ("label", "prediction"), np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.int32)
MEASURES = (accuracy, precision, averaged(f1, "macro"), balanced_accuracy, mcc)
WHATS = {
    "accuracy": "measure:accuracy",
    "precision of the first class": "measure:precision",
    "precision of the second class": "measure:precision",
    "macro F1": "measure:f1",
    "balanced accuracy": "measure:balanced_accuracy",
    "MCC": "measure:mcc",
}
INSTEAD = {"delta": "the default", "wilson": "nothing measured here; it holds with more rows"}
KINDS = {
    "independent": "weights independent of everything",
    "wrong": "wrong rows weigh twice as much",
    "class": "rows of the first class weigh five times as much",
}


def _run(kind: str, n: int, method: Any) -> Callable[[int, int], Mapping[str, Hits]]:
    on_wrong, on_class = (2.0 if kind == "wrong" else 1.0), (5.0 if kind == "class" else 1.0)
    # expectation of the weighted table
    table = np.array([[RIGHT, (1 - RIGHT) * on_wrong], [(1 - RIGHT) * on_wrong, RIGHT]]) * [[on_class], [1.0]]
    large = Tally.from_dense(np.rint(table / table.sum() * 1e12).astype(np.int64))
    truths = np.concatenate([np.atleast_1d(measure(large)) for measure in MEASURES]).tolist()

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "weights", str(n), kind)
        found = []
        for _ in range(repetitions):
            label, wrong = rng.integers(2, size=n), rng.random(n) > RIGHT
            weight = rng.gamma(2.0, size=n) if kind == "independent" else np.ones(n)
            weight = weight * np.where(wrong, on_wrong, 1.0) * np.where(label == 0, on_class, 1.0)
            cell = 2 * label + np.where(wrong, 1 - label, label)
            sums = [np.bincount(cell, values, minlength=4).astype(float) for values in (weight, weight**2)]
            tally = Tally.canonical(AXES, ((0, 1), (0, 1)), CELLS, np.bincount(cell, minlength=4), sums[0], sums[1])
            found.append([item.interval for item in estimate(tally, MEASURES, Confidence(method=method))])
        columns = zip(WHATS, zip(*found, strict=True), truths, strict=True)
        return {what: covered(intervals, truth) for what, intervals, truth in columns}

    return run


SETTINGS = tuple(
    Setting(
        "weights",
        f"two equal classes, accuracy 0.9, {words}" + (", `--method delta`" if method == "delta" else ""),
        n,
        tuple(Case(what, about=(about,), instead=INSTEAD[method]) for what, about in WHATS.items()),
        _run(kind, n, method),
    )
    for kind, words in KINDS.items()
    for n in (200, 1000)
    for method in ("wilson", "delta")
)
