"""Agreement of annotators, the accuracy of each by a model of them, and tests of who errs together."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from justesse.annotators.agreement import TITLES, Coefficient, agreement
from justesse.annotators.bayesian import bayesian
from justesse.annotators.best_care import best_care
from justesse.annotators.cards import annotator_cards
from justesse.annotators.confusions import confusions
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.dependence import dependence
from justesse.annotators.distances import alpha
from justesse.annotators.human_machine import human_against_machine
from justesse.annotators.pair_tests import dependent_pairs
from justesse.annotators.pairs import pair_tables, pairwise
from justesse.annotators.refits import refits
from justesse.core.annotations import Annotations
from justesse.core.results import Interval
from justesse.core.seeds import stream
from studies.validity.case import Case, Hits, Setting, covered, rejected

Run = Callable[[int, int], Mapping[str, Hits]]
LARGE, CLASSES, MORE_ITEMS = 200_000, (0.5, 0.3, 0.2), "more items"
COEFFICIENTS: tuple[Coefficient, ...] = ("percent", "fleiss", "ac1", "alpha")
FAMILY, OTHERS = "any two annotators err together", "any other two annotators err together"
CELL, CARE = "cell of an annotator's confusion table", "alpha if all were as careful as the best"
ORDINAL, KAPPA, ACCURACY, SHARE = "ordinal alpha", "Cohen's kappa", "accuracy of an annotator", "share of a class"
MACHINE, TOGETHER = "classifier minus the average annotator", "two annotators err together"
CHECKED = "true classes of some items (`--check`)"
MIXED = "other evidence before you accuse anyone: hard items make honest annotators err together"
RIGHT = (0.9, 0.8, 0.8, 0.7, 0.6)
THREE, TWO_CLASSES = (0.9, 0.8, 0.7), (0.6, 0.4)


def _drawn(
    rng: np.random.Generator,
    n: int,
    *,
    right: tuple[float, ...] = RIGHT,
    classes: tuple[float, ...] = CLASSES,
    missing: float = 0.0,
    timed: bool = False,
    hard: float = 0.0,
) -> tuple[Annotations, Any]:
    """Draw items and answers; a wrong answer is one of the other classes, a missing one leaves others to the item.

    On a share of `hard` items everybody's advantage over guessing is halved.
    """
    k, people = len(classes), len(right)
    truth = rng.choice(k, n, p=classes)
    wrong = (truth[:, None] + rng.integers(1, k, (n, people))) % k
    chance = np.tile(right, (n, 1))
    if hard:
        chance = np.where((rng.random(n) < hard)[:, None], (chance + 1 / k) / 2, chance)
    answers = np.where(rng.random((n, people)) < chance, truth[:, None], wrong)
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


def _fitted(n: int, method: str, right: tuple[float, ...], missing: float) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "annotators", str(n), method, *([] if right == RIGHT else [str(len(right))]))
        intervals: dict[str, list[Interval | None]] = {name: [] for name in (ACCURACY, SHARE, CELL, CARE)}
        truths: dict[str, list[float]] = {name: [] for name in (ACCURACY, CELL)}
        for at in range(repetitions):
            notes, _ = _drawn(rng, n, right=right, missing=missing)
            if method == "dawid-skene":
                fit = dawid_skene(notes)
                again = refits(fit, draws=100, seed=at)
                cards = annotator_cards(fit, again)
                tables = confusions(fit, again)
                intervals[SHARE].append(again.proportion_intervals(0.95)[0])
                best = best_care(fit, again)
                intervals[CARE].append(None if best is None else best[1].interval)
            else:
                fit = bayesian(notes, seed=at)
                cards = annotator_cards(fit, None)
                tables = confusions(fit, None)
                low, high = np.quantile(fit.extra["proportions"][:, 0], [0.025, 0.975])
                intervals[SHARE].append(Interval(float(low), float(high), 0.95, "posterior", (0.0, 1.0)))
            who = at % len(right)
            intervals[ACCURACY].append(cards[who].accuracy.interval)
            truths[ACCURACY].append(right[who])
            true, answer = divmod(at // len(right) % len(CLASSES) ** 2, len(CLASSES))
            assert tables is not None
            cells = {(row, column): cell for row, column, cell in tables.cells(who)}
            intervals[CELL].append(cells[true, answer].interval)
            truths[CELL].append(right[who] if true == answer else (1 - right[who]) / (len(CLASSES) - 1))
        hits = {name: covered(intervals[name], truths[name]) for name in truths}
        hits[SHARE] = covered(intervals[SHARE], CLASSES[0])
        return hits if method != "dawid-skene" else {**hits, CARE: covered(intervals[CARE], _care(right))}

    return run


@cache
def _care(right: tuple[float, ...]) -> float:
    """Compute alpha if all annotators were as good as the best."""
    notes, _ = _drawn(stream(0, "best care"), LARGE, right=(max(right),) * 3)
    return agreement(notes.votes(), "alpha").value


def _machine(
    n: int, right: tuple[float, ...], classes: tuple[float, ...], machine: float, hard: float = 0.0, checked: int = 0
) -> Run:
    """Compare a classifier with annotators who err together on a share of `hard` items, by `checked` true classes if any."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        key = (*right, *classes, machine, *((hard, checked) if hard else ()))
        rng = stream(seed, "human against machine", str(n), *map(str, key))
        intervals: list[Interval | None] = []
        for at in range(repetitions):
            notes, truth = _drawn(rng, n, right=right, classes=classes, hard=hard)
            wrong = (truth + rng.integers(1, len(classes), n)) % len(classes)
            prediction = np.where(rng.random(n) < machine, truth, wrong)
            gold = np.where(np.arange(n) < checked, truth, -1) if checked else None
            result = human_against_machine(notes, prediction, gold=gold, draws=200, seed=at)
            intervals.append(result.average.interval)
        easy = float(np.mean(right))
        people = easy - hard * (easy - 1 / len(classes)) / 2
        return {MACHINE: covered(intervals, machine - people)}

    return run


def _together(n: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "dependence", str(n))
        pvalues, families = [], []
        for at in range(repetitions):
            notes, _ = _drawn(rng, n, timed=True)
            fit = dawid_skene(notes, prior=0.1)
            pairs = {(pair.first, pair.second): pair.pvalue for pair in dependent_pairs(fit)}
            pvalues.append(pairs.get((at % 4, at % 4 + 1), float("nan")))
            families.append(min(pair.adjusted for pair in dependence(fit).pairs))
        return {
            TOGETHER: rejected(pvalues, "agreement beyond the model"),
            FAMILY: rejected(families, "pair after pair, Holm"),
        }

    return run


def _hard_items(n: int, right: tuple[float, ...], classes: tuple[float, ...], hard: float) -> Run:
    """Let independent annotators find some items harder: how often is any pair accused?"""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "hard items", str(n), str(hard), *map(str, (*right, *classes)))
        pvalues = []
        for _ in range(repetitions):
            notes, _ = _drawn(rng, n, right=right, classes=classes, hard=hard)
            pvalues.append(min(pair.adjusted for pair in dependence(dawid_skene(notes)).pairs))
        return {FAMILY: rejected(pvalues, "pair after pair, Holm")}

    return run


def _beside_copying(n: int, copied: float) -> Run:
    """Let the second annotator copy the first: how often is anybody else accused?"""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "beside copying", str(n), str(copied))
        pvalues = []
        for _ in range(repetitions):
            notes, _ = _drawn(rng, n, right=(0.7,) * 6)
            table = notes.answer.reshape(n, 6).copy()
            table[:, 1] = np.where(rng.random(n) < copied, table[:, 0], table[:, 1])
            fit = dawid_skene(replace(notes, answer=table.ravel()), prior=0.1)
            others = [pair.adjusted for pair in dependence(fit).pairs if (pair.first, pair.second) != (0, 1)]
            pvalues.append(min(others))
        return {OTHERS: rejected(pvalues, "pair after pair, Holm")}

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
            f"{method}, {people}",
            n,
            tuple(
                Case(name, instead=MORE_ITEMS)
                for name in (ACCURACY, SHARE, CELL, *((CARE,) if method == "dawid-skene" else ()))
            ),
            _fitted(n, method, right, missing),
            repetitions=400,
            chunk=100,
            models=True,
        )
        for people, right, missing in (
            ("5 annotators, 60 to 90 % right, 20 % of answers missing", RIGHT, 0.2),
            ("3 annotators, 70 to 90 % right", THREE, 0.0),
        )
        for n, method in ((200, "dawid-skene"), (200, "hierarchical"))
    ),
    *(
        Setting(
            "annotators",
            f"{people}, classifier {100 * machine:g} % right",
            200,
            (Case(MACHINE, instead=MORE_ITEMS),),
            _machine(200, right, classes, machine),
            repetitions=400,
            chunk=100,
            models=True,
        )
        for people, right, classes, machine in (
            ("5 annotators, 60 to 90 % right", RIGHT, CLASSES, 0.8),
            ("5 annotators, 60 to 90 % right, 2 classes", RIGHT, TWO_CLASSES, 0.8),
            ("5 annotators, 70 % right", (0.7,) * 5, CLASSES, 0.9),
            ("3 annotators, 70 to 90 % right", THREE, CLASSES, 0.8),
        )
    ),
    *(
        Setting(
            "annotators",
            f"adversarial: 5 annotators, 60 to 90 % right, half as far above guessing on 50 % of items, classifier 90 % right, {by}",
            200,
            (Case(MACHINE, instead=CHECKED),),
            _machine(200, RIGHT, TWO_CLASSES, 0.9, 0.5, checked),
            repetitions=400,
            chunk=100,
            models=True,
        )
        for by, checked in (("judged by the others", 0), ("by 100 true classes", 100))
    ),
    Setting(
        "annotators",
        "5 independent annotators, 60 to 90 % right",
        300,
        (
            Case(TOGETHER, "size", ("p-value:pair_tests",)),
            Case(FAMILY, "size", ("p-value:dependence", "p-value:likelier_copying")),
        ),
        _together(300),
        repetitions=400,
        chunk=100,
        models=True,
    ),
    *(
        Setting(
            "annotators",
            f"6 annotators, 70 % right, the second repeats {100 * copied:g} % of the first's answers",
            300,
            (Case(OTHERS, "size", ("p-value:dependence",)),),
            _beside_copying(300, copied),
            repetitions=400,
            chunk=100,
            models=True,
        )
        for copied in (0.5, 1.0)
    ),
    *(
        Setting(
            "annotators",
            f"adversarial: 6 independent annotators, 60 to 80 % right, half as far above guessing on {100 * hard:g} % of items"
            f", {len(classes)} classes",
            300,
            (Case(FAMILY, "size", ("p-value:dependence", "p-value:likelier_copying"), instead=MIXED),),
            _hard_items(300, (0.8, 0.8, 0.7, 0.7, 0.6, 0.6), classes, hard),
            repetitions=400,
            chunk=100,
            models=True,
        )
        for classes in (TWO_CLASSES, CLASSES)
        for hard in (0.3, 0.5)
    ),
)
