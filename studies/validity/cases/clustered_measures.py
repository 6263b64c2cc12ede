"""Every measure of rows that come in clusters: cluster-robust intervals, and resamples of whole clusters."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.clustered_bootstrap import clustered_bootstrap
from justesse.intervals.clustered_measures import clustered_ends
from justesse.intervals.ends import Ends
from justesse.measures import (
    Confusion,
    Measure,
    accuracy,
    balanced_accuracy,
    f1,
    fbeta,
    kappa,
    mcc,
    precision,
    recall,
)  # fmt: skip
from justesse.measures.averages import averaged
from justesse.measures.cost import cost
from studies.validity.case import ADVERSARIAL, Case, Hits, Setting, covered

CLASSES = np.array([0.6, 0.3, 0.1])
COSTS = np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0], [8.0, 4.0, 0.0]])
MEASURES: dict[str, tuple[Measure, int | None]] = {
    "accuracy": (accuracy, None),
    "balanced accuracy": (balanced_accuracy, None),
    "MCC": (mcc, None),
    "kappa": (kappa, None),
    "macro F1": (averaged(f1, "macro"), None),
    "weighted F1": (averaged(f1, "weighted"), None),
    "cost": (cost(COSTS), None),
    "precision of the rarest class": (precision, 2),
    "recall of the rarest class": (recall, 2),
    "F1 of the rarest class": (f1, 2),
    "F2 of the rarest class": (fbeta(2), 2),
}
BY = "rows in clusters: "
DRAWS = 400
MORE = "more clusters"


def _sizes(rng: np.random.Generator, groups: int, uneven: bool) -> Array:
    return rng.geometric(0.1, groups) if uneven else np.full(groups, 10)


def _drawn(rng: np.random.Generator, groups: int, uneven: bool, right: float, alike: float) -> Tally:
    """Draw clusters that differ in their mix of classes and in how often they are right."""
    cluster = np.repeat(np.arange(groups), _sizes(rng, groups, uneven))
    mix = np.cumsum(rng.dirichlet(3 * CLASSES, groups), axis=1)
    label = (rng.random(len(cluster))[:, None] > mix[cluster]).sum(1).clip(max=2)
    chance = rng.beta(right * (1 / alike - 1), (1 - right) * (1 / alike - 1), groups)
    hit = rng.random(len(cluster)) < chance[cluster]
    answer = np.where(hit, label, (label + rng.integers(1, 3, len(cluster))) % 3)
    codes, counts = np.unique(np.stack([label, answer, cluster], -1), axis=0, return_counts=True)
    names = ((0, 1, 2), (0, 1, 2), tuple(range(groups)))
    return Tally.canonical(("label", "prediction", "cluster"), names, codes.astype(np.int32), counts)


def _truth(right: float) -> dict[str, float]:
    shares = np.outer(CLASSES, np.full(3, (1 - right) / 2))
    shares[np.arange(3), np.arange(3)] = CLASSES * right
    tally = Tally.from_dense(np.rint(shares * 1e9).astype(np.int64))
    values = {}
    for name, (measure, at) in MEASURES.items():
        table = Confusion.of(tally, costs=COSTS)
        value = np.asarray(measure.value(table))
        values[name] = float(value if at is None else value[at])
    return values


def _robust(tally: Tally) -> list[Ends]:
    table = Confusion.of(tally.marginal("label", "prediction"), costs=COSTS)
    return clustered_ends(tally, [measure for measure, _ in MEASURES.values()], table)


def _resampled(tally: Tally, *, method: Any) -> list[Ends]:
    chosen = [measure for measure, _ in MEASURES.values()]
    return clustered_bootstrap(tally, chosen, costs=COSTS, method=method, draws=DRAWS)


def _covered(
    intervals: Callable[[Tally], list[Ends]], groups: int, uneven: bool, right: float, alike: float,
    repetitions: int, seed: int,
) -> Mapping[str, Hits]:  # fmt: skip
    rng = stream(seed, "clustered measures", str(groups), str(uneven), str(right), str(alike))
    truth = _truth(right)
    every: dict[str, list[Any]] = {name: [] for name in MEASURES}
    for _ in range(repetitions):
        for (name, (measure, at)), ends in zip(
            MEASURES.items(), intervals(_drawn(rng, groups, uneven, right, alike)), strict=True
        ):
            every[name].append(ends.intervals(bounds=measure.bounds)[at or 0])
    return {f"{BY}{name}": covered(intervals, truth[name]) for name, intervals in every.items()}


def _words(uneven: bool, right: float, alike: float) -> str:
    sizes = "very unequal clusters, ten rows on average" if uneven else "clusters of ten rows"
    return f"three classes, one of 10 %, accuracy {right:g}, {sizes}, intraclass correlation {alike:g}"


def _cases(instead: str) -> tuple[Case, ...]:
    return tuple(
        Case(f"{BY}{name}", about=(f"measure:{measure.name}",), instead=instead)
        for name, (measure, _) in MEASURES.items()
    )


SETTINGS = (
    *(
        Setting(
            "clusters", f"{ADVERSARIAL if uneven and right > 0.9 else ''}{_words(uneven, right, alike)}", groups,
            _cases(MORE), partial(_covered, _robust, groups, uneven, right, alike),
        )
        for groups, uneven, right, alike in (
            (8, False, 0.85, 0.2),
            (20, False, 0.85, 0.2),
            (20, True, 0.85, 0.2),
            (50, True, 0.95, 0.3),
            (200, False, 0.9, 0.2),
        )
    ),
    *(
        Setting(
            "clusters", f"{_words(True, 0.85, 0.2)}, `--bootstrap {method}`", groups, _cases("the default"),
            partial(_covered, partial(_resampled, method=method), groups, True, 0.85, 0.2), draws=DRAWS,
        )
        for groups, method in ((20, "percentile"), (100, "percentile"), (20, "bca"), (100, "bca"))
    ),
)  # fmt: skip
