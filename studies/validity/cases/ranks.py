"""Ranks of many models on the same rows: all of them together, on independent rows, clusters, and over tasks."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from justesse.core.arrays import Array
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.frames.board_rows import board_counts
from justesse.judges.task_mean import mean_ends
from justesse.significance.pair_evidence import pair_evidence, task_mean_evidence
from justesse.significance.rank_sets import RankSets, rank_sets
from studies.validity.case import ADVERSARIAL, Case, Hits, Setting, covered

RANKS, MEANS = "all ranks of models", "all ranks by the mean over tasks"
MEAN = "mean accuracy over tasks"
DRAWS = 2000
SIZES: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "clusters of ten rows": lambda rng, groups: np.full(groups, 10),
    "very unequal clusters, ten rows on average": lambda rng, groups: rng.geometric(0.1, groups),
    "very unequal clusters (log-normal), 23 rows on average": lambda rng, groups: np.ceil(
        np.exp(rng.normal(2, 1.5, groups))
    ).astype(int),
}
EQUAL, UNEQUAL, HEAVY = SIZES
Draw = Callable[[np.random.Generator], tuple[Array, Array]]


def _hold(ranks: RankSets, truth: Array) -> bool:
    """Tell whether every rank set holds all ranks that the true score allows."""
    better, worse = (truth[:, None] < truth - 1e-9).sum(1), (truth[:, None] > truth + 1e-9).sum(1)
    return bool((ranks.best <= 1 + better).all() and (ranks.worst >= len(truth) - worse).all())


def _answers(rng: np.random.Generator, skills: Array, hardness: Array) -> Array:
    """Draw who is right: rows differ in how hard they are for all models, without changing the mean of a model."""
    reach = np.minimum(skills, 1 - skills)[:, None]
    return np.asarray(rng.random((len(skills), len(hardness))) < skills[:, None] + reach * hardness)


def _rows(
    skills: tuple[float, ...], rows: int, copies: int, alike: bool, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    rng = stream(seed, "ranks", str(skills), str(rows), str(copies), str(alike))
    truth = np.array([*skills, *[skills[0]] * copies])
    hits = 0
    for _ in range(repetitions):
        hardness = rng.choice([-0.9, 0.9], rows) if alike else np.zeros(rows)
        right = _answers(rng, np.array(skills), hardness)
        right = np.vstack([right, *[right[:1]] * copies]).astype(np.uint8)
        counts = board_counts(np.ones(rows, dtype=np.uint8), right)
        hits += _hold(rank_sets(pair_evidence(counts), draws=DRAWS), truth)
    return {RANKS: Hits(hits, repetitions)}


def _clusters(
    skills: tuple[float, ...], groups: int, sizes: str, alike: float, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    """Draw clusters in which every model has an accuracy of its own around its mean."""
    rng = stream(seed, "clustered ranks", str(skills), str(groups), sizes, str(alike))
    truth, scale = np.array(skills), 1 / alike - 1
    hits = 0
    for _ in range(repetitions):
        cluster = np.repeat(np.arange(groups), SIZES[sizes](rng, groups))
        own = rng.beta(scale * truth[:, None], scale * (1 - truth[:, None]), (len(truth), groups))
        right = (rng.random((len(truth), len(cluster))) < own[:, cluster]).astype(np.uint8)
        counts = board_counts(np.ones(len(cluster), dtype=np.uint8), right, cluster)
        hits += _hold(rank_sets(pair_evidence(counts), draws=DRAWS), truth)
    return {RANKS: Hits(hits, repetitions)}


def _failures(models: int, groups: int, stray: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Draw equal models: every second fails in whole clusters, and on few other rows; the others on single rows."""
    rng = stream(seed, "ranks of models that fail in whole clusters", str(models), str(groups), str(stray))
    cluster, rows = np.repeat(np.arange(groups), 10), 10 * groups
    in_clusters = np.arange(models)[:, None] % 2 == 0
    hits = 0
    for _ in range(repetitions):
        whole = (rng.random((models, groups)) < 0.1)[:, cluster] | (rng.random((models, rows)) < stray)
        single = rng.random((models, rows)) < 0.1 + 0.9 * stray
        right = (~np.where(in_clusters, whole, single)).astype(np.uint8)
        counts = board_counts(np.ones(rows, dtype=np.uint8), right, cluster)
        hits += _hold(rank_sets(pair_evidence(counts), draws=DRAWS), np.full(models, 0.9 * (1 - stray)))
    return {RANKS: Hits(hits, repetitions)}


def _tasks(
    sizes: tuple[int, ...], models: int, spread: float, clustered: bool, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    """Draw tasks that favour different models, all of the same mean over tasks; half of the models are worse by 0.1."""
    rng = stream(seed, "task means", str(sizes), str(models), str(spread), str(clustered))
    shift = spread * np.cos(2 * np.pi * (np.arange(len(sizes))[:, None] / len(sizes) + np.arange(models) / models))
    skills = 0.75 + shift - shift.mean(0) - 0.1 * (np.arange(models) >= (models + 1) // 2)
    truth = skills.mean(0)
    hits, intervals = 0, list[Interval | None]()
    for _ in range(repetitions):
        tasks = []
        for at, (size, own) in enumerate(zip(sizes, skills, strict=True)):
            cluster = np.repeat(np.arange(size), 5) + 10_000 * at if clustered else None
            rows = 5 * size if clustered else size
            chance = np.repeat(rng.beta(4 * own[:, None], 4 * (1 - own[:, None]), (models, size)), 5, axis=1)
            share = chance if clustered else own[:, None]
            right = (rng.random((models, rows)) < share).astype(np.uint8)
            tasks.append(board_counts(np.ones(rows, dtype=np.uint8), right, cluster))
        hits += _hold(rank_sets(task_mean_evidence(tasks), draws=DRAWS), truth)
        intervals += mean_ends(tasks, 0, 0.95).intervals()
    return {MEANS: Hits(hits, repetitions), MEAN: covered(intervals, float(truth[0]))}


def _steps(models: int, low: float, high: float) -> tuple[float, ...]:
    return tuple(np.linspace(low, high, models).round(6).tolist())


SETTINGS = (
    *(
        Setting(
            "ranks", name, rows, (Case(RANKS, instead="more rows"),), partial(_rows, skills, rows, copies, alike),
            chunk=250, draws=DRAWS,
        )
        for name, skills, rows, copies, alike in (
            ("five equal models, accuracy 0.8", (0.8,) * 5, 200, 0, False),
            (f"{ADVERSARIAL}ten equal models, accuracy 0.9", (0.9,) * 10, 30, 0, False),
            (f"{ADVERSARIAL}four equal models and three copies of one, hard rows shared", (0.85,) * 4, 100, 3, True),
            ("ten models, accuracy 0.6 to 0.9, hard rows shared", _steps(10, 0.6, 0.9), 300, 0, True),
            (f"{ADVERSARIAL}60 equal models, accuracy 0.7, hard rows shared", (0.7,) * 60, 200, 0, True),
            ("two groups of five equal models, accuracy 0.7 and 0.8", (0.7,) * 5 + (0.8,) * 5, 1000, 0, False),
        )
    ),
    *(
        Setting(
            "ranks", f"{ADVERSARIAL if groups < 20 or len(skills) > 20 else ''}{len(skills)} models, accuracy "
            f"{f'{min(skills):g}' if min(skills) == max(skills) else f'{min(skills):g} to {max(skills):g}'}, "
            f"{sizes}, intraclass correlation {alike:g}",
            groups, (Case(RANKS, instead="more clusters"),), partial(_clusters, skills, groups, sizes, alike),
            chunk=250, draws=DRAWS,
        )
        for skills, groups, sizes, alike in (
            ((0.8,) * 6, 12, EQUAL, 0.3),
            ((0.8,) * 6, 30, UNEQUAL, 0.3),
            (_steps(8, 0.6, 0.8), 100, UNEQUAL, 0.2),
            ((0.7,) * 30, 40, HEAVY, 0.2),
            ((0.7,) * 100, 40, HEAVY, 0.2),
            ((0.7,) * 30, 40, EQUAL, 0.2),
        )
    ),
    *(
        Setting(
            "ranks", f"{ADVERSARIAL}{models} equal models, accuracy 0.9: every second is wrong on whole clusters of ten rows"
            f"{f' and on {stray:g} of the other rows' if stray else ''}, the others on single rows",
            groups, (Case(RANKS, instead="more clusters"),), partial(_failures, models, groups, stray),
            chunk=250, draws=DRAWS,
        )
        for models, groups, stray in ((2, 20, 0.0), (4, 20, 0.0), (2, 40, 0.0), (2, 20, 0.01), (2, 80, 0.01))
    ),
    *(
        Setting(
            "ranks", f"{ADVERSARIAL if min(sizes) < 10 else ''}{models} models, {len(sizes)} tasks of {min(sizes)} to {max(sizes)} "
            f"{'clusters of five rows' if clustered else 'rows'}, scores vary by ±{spread:g} from task to task",
            sum(sizes), (Case(MEANS, instead="more rows"), Case(MEAN, about=(("interval:mover-wilson-cr2",) if clustered else ()),
            instead="more rows")), partial(_tasks, sizes, models, spread, clustered), chunk=250, draws=DRAWS,
        )
        for sizes, models, spread, clustered in (
            ((20, 50, 100, 200, 400), 6, 0.1, False),
            ((5, 5, 500), 6, 0.0, False),
            ((30, 60, 90), 5, 0.05, True),
            ((6, 8, 200), 5, 0.0, True),
            ((8,) * 30, 4, 0.0, True),
        )
    ),
)  # fmt: skip
