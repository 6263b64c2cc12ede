"""Agreement of annotators, the accuracy of each by a model of them, and tests of who errs together or changes over time."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from justesse.annotators.agreement import TITLES, Coefficient, agreement
from justesse.annotators.bayesian import bayesian
from justesse.annotators.cards import annotator_cards
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.dependence import dependent_pairs
from justesse.annotators.distances import alpha
from justesse.annotators.drift import drifts
from justesse.annotators.human_machine import human_against_machine
from justesse.annotators.pairs import pair_tables, pairwise
from justesse.annotators.refits import refits
from justesse.core.annotations import Annotations
from justesse.core.results import Interval
from justesse.core.seeds import stream
from studies.validity.case import Case, Hits, Setting, covered, rejected

Run = Callable[[int, int], Mapping[str, Hits]]
LARGE, CLASSES, MORE_ITEMS = 200_000, (0.5, 0.3, 0.2), "more items"
COEFFICIENTS: tuple[Coefficient, ...] = ("percent", "fleiss", "ac1", "alpha")
ORDINAL, KAPPA, ACCURACY, SHARE = "ordinal alpha", "Cohen's kappa", "accuracy of an annotator", "share of a class"
MACHINE, TOGETHER, CHANGES = (
    "classifier minus the average annotator",
    "two annotators err together",
    "accuracy changes over time",
)
RIGHT = (0.9, 0.8, 0.8, 0.7, 0.6)
MACHINE_RIGHT = 0.8


def _drawn(
    rng: np.random.Generator, n: int, *, right: tuple[float, ...] = RIGHT, missing: float = 0.0, timed: bool = False
) -> tuple[Annotations, Any]:
    """Draw items and answers; a wrong answer is one of the other classes, a missing one leaves others to the item."""
    k, people = len(CLASSES), len(right)
    truth = rng.choice(k, n, p=CLASSES)
    wrong = (truth[:, None] + rng.integers(1, k, (n, people))) % k
    answers = np.where(rng.random((n, people)) < right, truth[:, None], wrong)
    given = rng.random((n, people)) >= missing
    item, annotator = np.nonzero(given)
    time = rng.random(len(item)) if timed else None
    notes = Annotations.sorted(range(n), range(people), tuple(range(k)), item, annotator, answers[given], time=time)
    return notes, truth


@cache
def _true_agreement(missing: float) -> dict[str, float]:
    notes, _ = _drawn(stream(0, "true agreement"), LARGE, missing=missing)
    votes = notes.votes()
    values = {TITLES[name]: agreement(votes, name).value for name in COEFFICIENTS}
    return {**values, ORDINAL: alpha(votes, "ordinal").value, KAPPA: pairwise(pair_tables(notes))[0].kappa.value}


def _agreeing(n: int, missing: float) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "agreement", str(n), str(missing))
        intervals: dict[str, list[Interval | None]] = {name: [] for name in _true_agreement(missing)}
        for _ in range(repetitions):
            notes, _ = _drawn(rng, n, missing=missing)
            votes = notes.votes()
            for name in COEFFICIENTS:
                intervals[TITLES[name]].append(agreement(votes, name).interval)
            intervals[ORDINAL].append(alpha(votes, "ordinal").interval)
            intervals[KAPPA].append(pairwise(pair_tables(notes))[0].kappa.interval)
        return {name: covered(ends, _true_agreement(missing)[name]) for name, ends in intervals.items()}

    return run


def _fitted(n: int, method: str) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "annotators", str(n), method)
        people: list[Interval | None] = []
        shares: list[Interval | None] = []
        for at in range(repetitions):
            notes, _ = _drawn(rng, n, missing=0.2)
            if method == "dawid-skene":
                fit = dawid_skene(notes)
                again = refits(fit, draws=100, seed=at)
                cards = annotator_cards(fit, again)
                shares.append(again.interval(again.proportions[:, 0], 0.95))
            else:
                fit = bayesian(notes, chains=2, draws=150, burn=100, seed=at)
                cards = annotator_cards(fit, None)
                low, high = np.quantile(fit.extra["proportions"][:, 0], [0.025, 0.975])
                shares.append(Interval(float(low), float(high), 0.95, "posterior", (0.0, 1.0)))
            people.append(cards[at % len(RIGHT)].accuracy.interval)
        truths = [RIGHT[at % len(RIGHT)] for at in range(repetitions)]
        return {ACCURACY: covered(people, truths), SHARE: covered(shares, CLASSES[0])}

    return run


def _machine(n: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "human against machine", str(n))
        intervals: list[Interval | None] = []
        for at in range(repetitions):
            notes, truth = _drawn(rng, n)
            wrong = (truth + rng.integers(1, len(CLASSES), n)) % len(CLASSES)
            prediction = np.where(rng.random(n) < MACHINE_RIGHT, truth, wrong)
            intervals.append(human_against_machine(notes, prediction, draws=200, seed=at).average.interval)
        return {MACHINE: covered(intervals, MACHINE_RIGHT - float(np.mean(RIGHT)))}

    return run


def _together(n: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "dependence", str(n))
        pvalues, changes = [], []
        for at in range(repetitions):
            notes, _ = _drawn(rng, n, timed=True)
            fit = dawid_skene(notes, prior=0.1)
            pairs = {(pair.first, pair.second): pair.pvalue for pair in dependent_pairs(fit)}
            pvalues.append(pairs.get((at % 4, at % 4 + 1), float("nan")))
            changes.append(drifts(fit)[at % len(RIGHT)].pvalue)
        return {
            TOGETHER: rejected(pvalues, "agreement beyond the model"),
            CHANGES: rejected(changes, "trend over time"),
        }

    return run


SETTINGS = (
    *(
        Setting(
            "annotators",
            f"5 annotators, 60 to 90 % right, {100 * missing:g} % of answers missing",
            n,
            tuple(Case(name, instead=MORE_ITEMS) for name in (*(TITLES[c] for c in COEFFICIENTS), ORDINAL, KAPPA)),
            _agreeing(n, missing),
        )
        for n, missing in ((30, 0.0), (30, 0.4), (200, 0.4))
    ),
    *(
        Setting(
            "annotators",
            f"{method}, 5 annotators, 60 to 90 % right, 20 % of answers missing",
            n,
            (Case(ACCURACY, instead=MORE_ITEMS), Case(SHARE, instead=MORE_ITEMS)),
            _fitted(n, method),
            repetitions=400,
            chunk=100,
            models=True,
        )
        for n, method in ((200, "dawid-skene"), (200, "hierarchical"))
    ),
    Setting(
        "annotators",
        "5 annotators, 60 to 90 % right, classifier 80 % right",
        200,
        (Case(MACHINE, instead=MORE_ITEMS),),
        _machine(200),
        repetitions=400,
        chunk=100,
        models=True,
    ),
    Setting(
        "annotators",
        "5 independent annotators, 60 to 90 % right",
        300,
        (
            Case(TOGETHER, "size", ("p-value:dependence",)),
            Case(CHANGES, "size", ("p-value:drift",)),
        ),
        _together(300),
        repetitions=400,
        chunk=100,
        models=True,
    ),
)
