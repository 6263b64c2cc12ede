"""Two classifiers on the same rows, which come in clusters: tests, and intervals of the difference."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.special import ndtr

from justesse.core.arrays import Array
from justesse.core.case import Case as Rows
from justesse.core.seeds import stream
from justesse.core.tally import Tally
from justesse.intervals.clustered_areas import clustered_area
from justesse.measures import averaged, f1, mcc, precision
from justesse.measures.cost import cost
from justesse.significance.clustered_difference import clustered_difference
from justesse.significance.clustered_mcnemar import clustered_mcnemar
from justesse.significance.clustered_measure import clustered_delta, clustered_paired_bootstrap
from justesse.significance.clustered_t import clustered_t
from justesse.significance.clustered_two_areas import clustered_two_areas
from justesse.significance.mcnemar import mcnemar_pvalues
from justesse.significance.paired_measure import Compared, measured_difference
from studies.validity.case import ADVERSARIAL, Case, Hits, Setting, covered, rejected

AXES = ("label", "incumbent", "candidate", "cluster")
CLASSES = np.array([0.6, 0.3, 0.1])
COMPARED = {
    "macro F1": Compared(averaged(f1, "macro")),
    "MCC": Compared(mcc),
    "cost": Compared(cost(np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0], [8.0, 4.0, 0.0]]))),
    "precision of the commonest class": Compared(precision, 0),
}
BY = "rows in clusters: difference of "
MCNEMAR, T = "rows in clusters: cluster-robust McNemar test", "rows in clusters: cluster-robust t test of macro F1"
SINGLE = "rows in clusters: McNemar's test on single rows"
AREA, AREAS = "rows in clusters: ROC AUC", f"{BY}ROC AUC"
OBUCHOWSKI = "rows in clusters: equal ROC AUC"
DRAWS = 400


def _sizes(rng: np.random.Generator, groups: int, uneven: bool) -> Array:
    return rng.geometric(0.1, groups) if uneven else np.full(groups, 10)


def _counts(rng: np.random.Generator, sizes: Array, only: tuple[float, float], alike: float) -> tuple[Array, Array]:
    """Draw in each cluster the rows that only one of two classifiers gets right."""
    shares = (1 / alike - 1) * np.array([*only, 1 - sum(only)])
    drawn = rng.multinomial(sizes, rng.dirichlet(shares, len(sizes)))
    return drawn[:, 0], drawn[:, 1]


def _accuracy(
    groups: int, uneven: bool, only: tuple[float, float], alike: float, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    rng = stream(seed, "clustered pairs", str(groups), str(uneven), str(only), str(alike))

    def draw() -> tuple[Array, Array, Array]:
        sizes = _sizes(rng, groups, uneven)
        return *_counts(rng, sizes, only, alike), sizes

    return _compared(draw, only[1] - only[0], repetitions)


def _large(
    groups: int, large: float, sizes: tuple[int, int], apart: float, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    """Draw small and large clusters; the two differ on whole large clusters only, in favour of either equally often."""
    rng = stream(seed, "pairs in large clusters", str(groups), str(large), str(sizes), str(apart))

    def draw() -> tuple[Array, Array, Array]:
        is_large, first = rng.random(groups) < large, rng.random(groups) < 0.5
        differ = np.where(is_large & (rng.random(groups) < apart), sizes[1], 0)
        return differ * first, differ * ~first, np.where(is_large, sizes[1], sizes[0])

    return _compared(draw, 0.0, repetitions)


def _failures(groups: int, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Draw two equal classifiers: the incumbent fails in whole clusters of ten rows, the candidate on single rows."""
    rng = stream(seed, "pairs of which one fails in whole clusters", str(groups))

    def draw() -> tuple[Array, Array, Array, Array]:
        first, second = np.where(rng.random(groups) < 0.1, 0, 10), rng.binomial(10, 0.9, groups)
        both = np.where(first > 0, second, 0)
        return first - both, second - both, np.full(groups, 10), both

    return _compared(draw, 0.0, repetitions)


def _heavy(groups: int, spread: float, alike: float, repetitions: int, seed: int) -> Mapping[str, Hits]:
    """Draw two classifiers of accuracy 0.8 on log-normal clusters: one varies over clusters, the other does not."""
    rng = stream(seed, "pairs in log-normal clusters", str(groups), str(spread), str(alike))
    scale = 1 / alike - 1

    def draw() -> tuple[Array, Array, Array]:
        sizes = np.ceil(np.exp(rng.normal(2, spread, groups))).astype(int)
        first = rng.binomial(sizes, rng.beta(0.8 * scale, 0.2 * scale, groups))
        both = rng.binomial(first, 0.8)
        return first - both, rng.binomial(sizes - first, 0.8), sizes

    return _compared(draw, 0.0, repetitions)


def _compared(
    draw: Callable[[], tuple[Array, Array, Array] | tuple[Array, Array, Array, Array]],
    difference: float,
    repetitions: int,
) -> Mapping[str, Hits]:
    intervals, robust, single = [], [], []
    for _ in range(repetitions):
        b, c, sizes, *rest = draw()
        both = rest[0] if rest else None
        intervals.append(clustered_difference(b, c, sizes, both_right=both).intervals(bounds=(-1.0, 1.0))[0])
        robust.append(clustered_mcnemar(b, c, sizes, both_right=both).pvalue)
        single.append(float(mcnemar_pvalues(b.sum(), c.sum())))
    hits = {f"{BY}accuracy": covered(intervals, difference)}
    if not difference:
        hits |= {MCNEMAR: rejected(robust, "mcnemar-cr2"), SINGLE: rejected(single, "mcnemar-mid-p")}
    return hits


def _pairs(rng: np.random.Generator, groups: int, uneven: bool, right: tuple[float, float]) -> Tally:
    """Draw clusters that differ in their mix of classes and in how hard they are for each of two classifiers."""
    cluster = np.repeat(np.arange(groups), _sizes(rng, groups, uneven))
    mix = np.cumsum(rng.dirichlet(3 * CLASSES, groups), axis=1)
    label = (rng.random(len(cluster))[:, None] > mix[cluster]).sum(1).clip(max=2)
    answers = []
    for chance in right:
        own = rng.beta(4 * chance, 4 * (1 - chance), groups)
        wrong = (label + rng.integers(1, 3, len(cluster))) % 3
        answers.append(np.where(rng.random(len(cluster)) < own[cluster], label, wrong))
    codes, counts = np.unique(np.stack([label, *answers, cluster], -1), axis=0, return_counts=True)
    names = ((0, 1, 2),) * 3 + (tuple(range(groups)),)
    return Tally.canonical(AXES, names, codes.astype(np.int32), counts)


@cache
def _truth(right: tuple[float, float]) -> dict[str, float]:
    tables = []
    for chance in right:
        shares = np.outer(CLASSES, np.full(3, (1 - chance) / 2))
        shares[np.arange(3), np.arange(3)] = CLASSES * chance
        tables.append(shares / CLASSES[:, None])
    whole = np.rint(1e9 * CLASSES[:, None, None] * tables[0][:, :, None] * tables[1][:, None, :]).astype(np.int64)
    codes = np.stack(np.unravel_index(np.arange(27), (3, 3, 3)), -1).astype(np.int32)
    tally = Tally.canonical(AXES[:3], ((0, 1, 2),) * 3, codes, whole.ravel())
    return {name: float(measured_difference(compared)(tally)) for name, compared in COMPARED.items()}


def _measures(
    groups: int, uneven: bool, right: tuple[float, float], method: Any, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    rng = stream(seed, "clustered measures of pairs", str(groups), str(uneven), str(right))
    every: dict[str, list[Any]] = {name: [] for name in COMPARED}
    pvalues = []
    for at in range(repetitions):
        case = Rows(_pairs(rng, groups, uneven, right))
        for name, compared in COMPARED.items():
            every[name].append(
                clustered_delta(case, compared)
                if method == "none"
                else clustered_paired_bootstrap(case, compared, method=method, draws=DRAWS, seed=at)
            )
        if right[0] == right[1] and method == "none":
            pvalues.append(clustered_t(case, COMPARED["macro F1"]).pvalue)
    hits = {f"{BY}{name}": covered(intervals, _truth(right)[name]) for name, intervals in every.items()}
    return hits | ({T: rejected(pvalues, "clustered-t")} if pvalues else {})


def _areas(
    groups: int, uneven: bool, gains: tuple[float, float], shared: float, repetitions: int, seed: int
) -> Mapping[str, Hits]:
    """Draw scores that share a level in each cluster, and clusters with more or fewer positive rows."""
    rng = stream(seed, "clustered areas", str(groups), str(uneven), str(gains), str(shared))
    truth = [float(ndtr(gain / np.sqrt(2 * (1 + shared**2)))) for gain in gains]
    single, apart, pvalues = [], [], []
    for _ in range(repetitions):
        cluster = np.repeat(np.arange(groups), _sizes(rng, groups, uneven))
        positive = rng.random(len(cluster)) < rng.beta(2, 3, groups)[cluster]
        levels = rng.normal(0, shared, (2, groups))
        first, second = (
            gain * positive + level[cluster] + rng.normal(size=len(cluster))
            for gain, level in zip(gains, levels, strict=True)
        )
        single.append(clustered_area(positive, first, cluster).intervals()[0])
        result = clustered_two_areas(positive, first, second, cluster)
        apart.append(result.difference.interval if result.difference else None)
        pvalues.append(result.pvalue)
    hits = {AREA: covered(single, truth[0]), AREAS: covered(apart, truth[1] - truth[0])}
    return hits | ({OBUCHOWSKI: rejected(pvalues, "obuchowski")} if gains[0] == gains[1] else {})


def _of_areas(gains: tuple[float, float]) -> tuple[Case, ...]:
    instead = "more clusters"
    cases = [Case(AREA, about=("measure:roc_auc",), instead=instead), Case(AREAS, instead=instead)]
    return (*cases, Case(OBUCHOWSKI, "size", instead=instead)) if gains[0] == gains[1] else tuple(cases)


def _words(uneven: bool) -> str:
    return "very unequal clusters, ten rows on average" if uneven else "clusters of ten rows"


def _shares(uneven: bool, only: tuple[float, float], alike: float) -> str:
    rare = ADVERSARIAL if max(only) < 0.05 else ""
    return (
        f"{rare}only one is right on {only[0]:.3g} and {only[1]:.3g} of the rows, {_words(uneven)}, intraclass "
        f"correlation {alike:g}"
    )


def _of_accuracy(only: tuple[float, float]) -> tuple[Case, ...]:
    cases = [Case(f"{BY}accuracy", about=("measure:accuracy",), instead="more clusters")]
    if only[0] == only[1]:
        cases += [
            Case(MCNEMAR, "size", instead="more clusters"),
            Case(SINGLE, "size", instead="`compare --cluster`"),
        ]
    return tuple(cases)


def _of_measures(right: tuple[float, float], method: str) -> tuple[Case, ...]:
    instead = "more clusters" if method == "none" else "the default"
    cases = [
        Case(f"{BY}{name}", about=(f"measure:{compared.measure.name}",), instead=instead)
        for name, compared in COMPARED.items()
    ]
    if right[0] == right[1] and method == "none":
        cases.append(Case(T, "size", instead=instead))
    return tuple(cases)


SETTINGS = (
    *(
        Setting(
            "clusters", _shares(uneven, only, alike), groups, _of_accuracy(only),
            partial(_accuracy, groups, uneven, only, alike),
        )
        for groups, uneven, only, alike in (
            (8, False, (0.1, 0.1), 0.2),
            (8, False, (0.05, 0.12), 0.2),
            (15, True, (0.1, 0.1), 0.2),
            (15, True, (0.02, 0.04), 0.3),
            (50, True, (0.01, 0.03), 0.3),
            (50, True, (0.08, 0.08), 0.2),
            (200, False, (0.05, 0.1), 0.2),
        )
    ),
    *(
        Setting(
            "clusters", f"{ADVERSARIAL}cluster size goes with the outcome: {100 * large:g} % of the clusters have {sizes[1]} rows, and "
            f"only one is right on all rows of {100 * apart:g} % of these; the others have {sizes[0]}", groups,
            _of_accuracy((apart, apart)), partial(_large, groups, large, sizes, apart),
        )
        for groups, large, sizes, apart in (
            (300, 0.1, (2, 20), 0.3),
            (500, 0.03, (1, 30), 0.5),
            (1000, 0.02, (1, 50), 0.5),
        )
    ),
    *(
        Setting(
            "clusters", f"{ADVERSARIAL}two classifiers, accuracy 0.9: one is wrong on whole clusters of ten rows, the other "
            "on single rows", groups, _of_accuracy((0.1, 0.1)), partial(_failures, groups),
        )
        for groups in (20, 40)
    ),
    *(
        Setting(
            "clusters", f"{ADVERSARIAL}two classifiers, accuracy 0.8, log-normal cluster sizes (spread {spread:g}): one varies over "
            f"clusters (intraclass correlation {alike:g}), the other does not", groups, _of_accuracy((0.1, 0.1)),
            partial(_heavy, groups, spread, alike),
        )
        for groups, spread, alike in ((60, 1.2, 0.25), (60, 1.5, 0.5), (400, 1.2, 0.25))
    ),
    *(
        Setting(
            "clusters", f"{ADVERSARIAL if gains[0] > 2 else ''}scores of two classifiers, {_words(uneven)}, gains {gains[0]:g} "
            f"and {gains[1]:g}, spread of clusters {shared:g}", groups, _of_areas(gains),
            partial(_areas, groups, uneven, gains, shared),
        )
        for groups, uneven, gains, shared in (
            (8, False, (1.0, 1.0), 0.7),
            (15, True, (1.0, 1.0), 0.7),
            (50, True, (1.0, 1.5), 1.0),
            (15, True, (3.0, 3.0), 0.7),
            (200, False, (1.0, 1.2), 0.7),
        )
    ),
    *(
        Setting(
            "clusters", f"two classifiers, accuracy {right[0]:g} and {right[1]:g}, three classes, {_words(uneven)}"
            + ("" if method == "none" else f", `--bootstrap {method}`"), groups, _of_measures(right, method),
            partial(_measures, groups, uneven, right, method), draws=0 if method == "none" else DRAWS,
        )
        for groups, uneven, right, method in (
            (8, False, (0.8, 0.8), "none"),
            (15, True, (0.8, 0.8), "none"),
            (50, True, (0.9, 0.94), "none"),
            (100, False, (0.8, 0.85), "percentile"),
            (15, True, (0.8, 0.8), "bca"),
        )
    ),
)  # fmt: skip
