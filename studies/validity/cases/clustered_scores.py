"""Scores of rows that come in clusters: areas, losses and shares at a threshold."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.special import ndtr

from justesse.core.arrays import Array
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.clustered_areas import clustered_area
from justesse.intervals.clustered_scores import RowClusters
from justesse.intervals.estimate import Confidence
from justesse.intervals.score_estimates import estimate_clustered_scores, estimate_probabilities
from justesse.measures.curves import AVERAGE_PRECISION, BRIER, LOG_LOSS, ROC_AUC, ROC_AUC_OVO
from studies.validity.case import ADVERSARIAL, Case, Hits, Setting, covered

BY = "scores of rows in clusters: "
MORE = "more clusters"
MANY = 40_000  # clusters that stand for the population
SINGLE = {measure.title: measure for measure in (ROC_AUC, AVERAGE_PRECISION, LOG_LOSS, BRIER)}
AT = ("recall", "specificity", "precision")
MEANS = {
    "macro ROC AUC": (ROC_AUC, "macro"),
    "weighted ROC AUC": (ROC_AUC, "weighted"),
    "macro average precision": (AVERAGE_PRECISION, "macro"),
    "weighted average precision": (AVERAGE_PRECISION, "weighted"),
    "one-vs-one ROC AUC": (ROC_AUC_OVO, "macro"),
    "log loss of three classes": (LOG_LOSS, None),
    "Brier score of three classes": (BRIER, None),
}


def _clusters(rng: np.random.Generator, groups: int, uneven: bool) -> Array:
    return np.repeat(np.arange(groups), rng.geometric(0.1, groups) if uneven else np.full(groups, 10))


def _two(rng: np.random.Generator, groups: int, uneven: bool, gain: float, shared: float) -> tuple[Array, Array, Array]:
    """Draw probabilities that share a level in each cluster, and clusters with more or fewer positive rows."""
    cluster = _clusters(rng, groups, uneven)
    positive = rng.random(len(cluster)) < rng.beta(2, 3, groups)[cluster]
    level = rng.normal(0, shared, groups)[cluster]
    score = 1 / (1 + np.exp(-(gain * (positive - 0.5) + level + rng.normal(size=len(cluster)))))
    return score, positive, cluster


def _three(
    rng: np.random.Generator, groups: int, uneven: bool, gain: float, shared: float
) -> tuple[Array, Array, Array]:
    cluster = _clusters(rng, groups, uneven)
    mix = np.cumsum(rng.dirichlet([2.0, 1.0, 0.6], groups), axis=1)
    label = (rng.random(len(cluster))[:, None] > mix[cluster]).sum(1).clip(max=2)
    logits = gain * np.eye(3)[label] + rng.normal(0, shared, (groups, 3))[cluster] + rng.normal(size=(len(cluster), 3))
    odds = np.exp(logits)
    return odds / odds.sum(1, keepdims=True), label, cluster


def _of_two(score: Array, positive: Array, cluster: Array) -> dict[str, tuple[float, Interval | None]]:
    estimates, item = estimate_clustered_scores(score, positive, RowClusters.of(cluster), Confidence())
    figures = {
        title: next((each.value, each.interval) for each in estimates if each.name == measure.name)
        for title, measure in SINGLE.items()
    }
    called = score >= 0.5
    values = (called[positive].mean(), (~called)[~positive].mean(), positive[called].mean())
    for (name, (low, high)), value in zip(item.at_threshold(0.5, 0.95).items(), values, strict=True):
        interval = None if np.isnan(low) else Interval(low, high, 0.95, "wilson-cr2", (0.0, 1.0))
        figures[f"{name} at a threshold"] = (float(value), interval)
    return figures


def _of_three(scores: Array, label: Array, cluster: Array) -> dict[str, tuple[float, Interval | None]]:
    result = estimate_probabilities(scores, label, (0, 1, 2), None, Confidence(), RowClusters.of(cluster))
    return {
        title: next(
            (each.value, each.interval)
            for each in result.estimates
            if each.name == measure.name and each.average == average and each.class_name is None
        )
        for title, (measure, average) in MEANS.items()
    }


KINDS: dict[int, tuple[Any, Any]] = {2: (_two, _of_two), 3: (_three, _of_three)}


@cache
def _truth(classes: int, uneven: bool, gain: float, shared: float) -> dict[str, float]:
    """Compute every figure on a population so large that its error does not count."""
    draw, figures = KINDS[classes]
    drawn = draw(stream(0, "population of clustered scores"), MANY, uneven, gain, shared)
    return {name: value for name, (value, _) in figures(*drawn).items()}


def _covered(
    classes: int, groups: int, uneven: bool, gain: float, shared: float, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    rng = stream(seed, "clustered scores", str(classes), str(groups), str(uneven), str(gain), str(shared))
    draw, figures = KINDS[classes]
    truth = _truth(classes, uneven, gain, shared)
    every: dict[str, list[Interval | None]] = {name: [] for name in truth}
    for _ in range(repetitions):
        for name, (_, interval) in figures(*draw(rng, groups, uneven, gain, shared)).items():
            every[name].append(interval)
    return {f"{BY}{name}": covered(intervals, truth[name]) for name, intervals in every.items()}


def _pure(
    sides: tuple[int, int], uneven: bool, gain: float, shared: float, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    """Draw clusters whose rows are all positive or all negative, with normal scores: the area is Φ(gain/√2)."""
    rng = stream(seed, "clusters of one class", str(sides), str(uneven), str(gain), str(shared))
    truth, groups = float(ndtr(gain / np.sqrt(2))), sum(sides)
    label = np.arange(groups) < sides[0]
    intervals: list[Interval | None] = []
    for _ in range(repetitions):
        sizes = np.full(groups, 10)
        if uneven:  # two large clusters anywhere
            sizes = rng.permutation(np.append(rng.integers(2, 12, groups - 2), [40, 25]))
        cluster = np.repeat(np.arange(groups), sizes)
        positive = label[cluster]
        noise = np.sqrt(shared) * rng.normal(size=groups)[cluster] + np.sqrt(1 - shared) * rng.normal(size=len(cluster))
        intervals += clustered_area(positive, gain * positive + noise, cluster).intervals()
    return {f"{BY}{ROC_AUC.title}": covered(intervals, truth)}


def _cases(classes: int) -> tuple[Case, ...]:
    if classes == 3:
        return tuple(
            Case(f"{BY}{name}", about=(f"measure:{measure.name}",), instead=MORE)
            for name, (measure, _) in MEANS.items()
        )
    areas = (Case(f"{BY}{name}", about=(f"measure:{measure.name}",), instead=MORE) for name, measure in SINGLE.items())
    return (*areas, *(Case(f"{BY}{name} at a threshold", instead=MORE) for name in AT))


def _words(classes: int, uneven: bool, gain: float, shared: float) -> str:
    sizes = "very unequal clusters, ten rows on average" if uneven else "clusters of ten rows"
    hard = ADVERSARIAL if gain > 3 else ""
    return f"{hard}probabilities of {classes} classes, {sizes}, gain {gain:g}, spread of clusters {shared:g}"


PURE = tuple(
    Setting(
        "clusters",
        f"{ADVERSARIAL}one class in each cluster, {sides[0]} positive and {sides[1]} negative, "
        f"{'two of 40 and 25 rows, the others of 2 to 11' if uneven else 'ten rows each'}, gain {gain:g}, "
        f"intraclass correlation {shared:g}",
        sum(sides), (Case(f"{BY}{ROC_AUC.title}", about=(f"measure:{ROC_AUC.name}",), instead=MORE),),
        partial(_pure, sides, uneven, gain, shared),
    )
    for sides, uneven, gain, shared in (
        ((4, 4), True, 1.0, 0.5),
        ((4, 4), False, 1.0, 0.8),
        ((3, 9), True, 1.0, 0.5),
        ((6, 6), True, 1.0, 0.5),
        ((10, 10), True, 2.0, 0.8),
        ((30, 30), True, 1.0, 0.5),
    )
)  # fmt: skip
SETTINGS = PURE + tuple(
    Setting(
        "clusters", _words(classes, uneven, gain, shared), groups, _cases(classes),
        partial(_covered, classes, groups, uneven, gain, shared),
    )
    for classes, groups, uneven, gain, shared in (
        (2, 8, False, 1.5, 1.0),
        (2, 20, True, 1.5, 1.0),
        (2, 50, True, 1.5, 1.0),
        (2, 20, True, 4.0, 0.7),
        (2, 200, False, 1.5, 1.0),
        (3, 8, False, 1.5, 0.7),
        (3, 20, True, 1.5, 0.7),
        (3, 100, False, 1.5, 0.7),
    )
)  # fmt: skip
