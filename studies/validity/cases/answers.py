"""Evaluation against annotators instead of labels: measures of a classifier, and the difference of two."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from justesse.annotators.repeated_predictions import repeated_predictions
from justesse.annotators.truth_draws import PredictedItems, truth_draws
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array
from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.intervals.estimate import Confidence
from justesse.intervals.posterior_estimates import (
    confusion_of,
    difference_estimate,
    posterior_difference,
    posterior_estimates,
)
from justesse.intervals.posterior_mixture import imagined_pairs, imagined_rows
from justesse.measures import accuracy, averaged, f1, recall
from studies.validity.case import Case, Hits, Setting, covered, rejected

Run = Callable[[int, int], Mapping[str, Hits]]
ACCURACY, RECALL, F1, MACRO, DIFFERENCE = (
    "accuracy",
    "recall of a class",
    "F1 of a class",
    "macro F1",
    "difference of two accuracies",
)
RIGHT, WORSE, TOGETHER = 0.85, 0.75, 0.6  # classifiers, and how often the worse one repeats an error of the better one
METHODS = {
    ACCURACY: "posterior-jeffreys",
    MACRO: "posterior-dirichlet",
    RECALL: "posterior-jeffreys",
    F1: "posterior-jaccard",
    DIFFERENCE: "posterior-dirichlet",
}
MISFIT, COPIES = "answers do not fit the model", "an annotator repeats predictions"
MEASURES = (accuracy, averaged(f1, "macro"), recall, f1)
CONFIDENCE = Confidence(draws=1000)
MORE_ANSWERS = "more answers per item"
FIVE = (0.9, 0.8, 0.8, 0.7, 0.6)


@dataclass(frozen=True)
class Crowd:
    """Annotators, each right with an own chance, and how many answer an item."""

    right: tuple[float, ...]
    per_item: int
    classes: tuple[float, ...] = (0.6, 0.4)
    copied: float = 0.0  # share of items where the classifier repeats the majority vote
    hard: float = 0.0  # share of items where all annotators are right half as often

    def draw(self, rng: np.random.Generator, n: int) -> tuple[Annotations, Array, Array, Array]:
        """Draw answers, the truth, and the predictions of the better and the worse classifier."""
        k, people = len(self.classes), len(self.right)
        truth = rng.choice(k, n, p=self.classes)
        chance = np.asarray(self.right)[None] * np.where(rng.random(n) < self.hard, 0.5, 1.0)[:, None]
        wrong = (truth[:, None] + rng.integers(1, k, (n, people))) % k
        answers = np.where(rng.random((n, people)) < chance, truth[:, None], wrong)
        asked = np.argsort(rng.random((n, people)), axis=1) < self.per_item
        item, annotator = np.nonzero(asked)
        notes = Annotations.sorted(range(n), range(people), tuple(range(k)), item, annotator, answers[asked])
        better = np.where(rng.random(n) < RIGHT, truth, (truth + rng.integers(1, k, n)) % k)
        if self.copied:
            votes = np.stack([((answers == code) & asked).sum(axis=1) for code in range(k)], axis=1)
            better = np.where(rng.random(n) < self.copied, votes.argmax(axis=1), better)
        alone = (1 - WORSE - (1 - RIGHT) * TOGETHER) / RIGHT
        errs = rng.random(n) < np.where(better == truth, alone, TOGETHER)
        worse = np.where(errs, np.where(better == truth, (truth + rng.integers(1, k, n)) % k, better), truth)
        return notes, truth, better, worse


@cache
def _truths(classes: tuple[float, ...], right: float) -> dict[str, float]:
    k = len(classes)
    table = np.full((k, k), (1 - right) / (k - 1)) + np.eye(k) * (right - (1 - right) / (k - 1))
    values = confusion_of((table * np.asarray(classes)[:, None])[None])
    return {
        ACCURACY: right,
        RECALL: right,
        F1: float(f1.value(values)[0, 0]),
        MACRO: float(averaged(f1, "macro").value(values)[0]),
        DIFFERENCE: RIGHT - WORSE,
    }


def _drawn(notes: Annotations, predicted: PredictedItems, seed: int, *, answers_only: bool = False) -> Array:
    return truth_draws(
        notes, predicted, chains=2, draws=200, burn=100, longest=1, seed=seed, answers_only=answers_only
    ).tables


def _copying(crowd: Crowd, n: int, name: str, *, answers_only: bool) -> Run:
    """Judge a classifier that repeats the majority vote on a share of items."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "copying", name, str(n))
        k = len(crowd.classes)
        intervals: list[Interval | None] = []
        for at in range(repetitions):
            notes, _, better, _ = crowd.draw(rng, n)
            tables = _drawn(notes, PredictedItems(better, k, np.arange(k)), at, answers_only=answers_only)
            rows = imagined_rows(k, np.arange(k), k)
            whole = posterior_estimates(tables, rows, range(k), [accuracy], CONFIDENCE)[0]
            intervals.append(whole.estimate.interval)
        return {ACCURACY: covered(intervals, _copied_accuracy(crowd))}

    return run


@cache
def _copied_accuracy(crowd: Crowd) -> float:
    _, truth, better, _ = crowd.draw(stream(0, "copied accuracy"), 200_000)
    return float((truth == better).mean())


def _run(crowd: Crowd, n: int, name: str) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "answers", name, str(n))
        intervals: dict[str, list[Interval | None]] = {case: [] for case in METHODS}
        k = len(crowd.classes)
        first, second = np.divmod(np.arange(k * k), k)
        for at in range(repetitions):
            notes, _, better, worse = crowd.draw(rng, n)
            alone = _drawn(notes, PredictedItems(better, k, np.arange(k)), at)
            rows = imagined_rows(k, np.arange(k), k)
            whole, macro, *parts = posterior_estimates(alone, rows, range(k), MEASURES, CONFIDENCE)
            shown = (whole, macro, parts[0], parts[k])
            for case, each in zip((ACCURACY, MACRO, RECALL, F1), shown, strict=True):
                intervals[case].append(each.estimate.interval)
            both = _drawn(notes, PredictedItems(worse * k + better, k * k, np.arange(k) * (k + 1)), at)
            mixture, _ = posterior_difference(
                both,
                imagined_pairs(k, first, second),
                (np.eye(k)[first], np.eye(k)[second]),
                lambda batch: accuracy.value(confusion_of(batch)),
                sign=1,
                confidence=CONFIDENCE,
            )
            difference = difference_estimate("difference", mixture, n, CONFIDENCE, reason="")
            intervals[DIFFERENCE].append(difference.estimate.interval)
        truths = _truths(crowd.classes, RIGHT)
        return {case: covered(ends, truths[case]) for case, ends in intervals.items()}

    return run


def _independent(crowd: Crowd, n: int, right: float, name: str) -> Run:
    """Let all err independently: how often do answers not fit the model, and how often is anybody accused of copying?"""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "independent", name, str(n))
        k = len(crowd.classes)
        fits, copies = [], []
        for at in range(repetitions):
            notes, truth, _, _ = crowd.draw(rng, n)
            code = np.where(rng.random(n) < right, truth, (truth + rng.integers(1, k, n)) % k)
            suspects = repeated_predictions(notes, code)
            copies.append(min((each.pvalue for each in suspects), default=1.0))
            predicted = PredictedItems(code, k, np.arange(k))
            fit = truth_draws(notes, predicted, chains=2, draws=200, burn=100, longest=1, seed=at).fit
            fits.append(float("nan") if fit is None else fit.pvalue)
        return {MISFIT: rejected(fits, "posterior predictive"), COPIES: rejected(copies, "repeated predictions")}

    return run


def _setting(name: str, n: int, crowd: Crowd, *, instead: str = MORE_ANSWERS) -> Setting:
    return Setting(
        "answers",
        name,
        n,
        tuple(Case(what, about=(f"interval:{method}",), instead=instead) for what, method in METHODS.items()),
        _run(crowd, n, name),
        repetitions=400,
        chunk=50,
        models=True,
        draws=1000,
    )


SETTINGS = (
    _setting("3 annotators, 80 to 90 % right, all answer", 200, Crowd((0.9, 0.85, 0.8), 3)),
    _setting("5 annotators, 60 to 90 % right, 4 answer each item", 200, Crowd(FIVE, 4)),
    _setting(
        "12 annotators, 60 to 95 % right, 4 answer each item, 3 classes",
        300,
        Crowd((0.95, 0.9, 0.9, 0.85, 0.85, 0.8, 0.8, 0.75, 0.7, 0.7, 0.65, 0.6), 4, (0.5, 0.3, 0.2)),
    ),
    _setting(
        "8 weak annotators, 55 to 75 % right, 3 answer each item",
        200,
        Crowd((0.75, 0.7, 0.7, 0.65, 0.65, 0.6, 0.6, 0.55), 3),
    ),
    _setting(
        "adversarial: 5 annotators, 60 to 90 % right, half as often on 15 % of items",
        200,
        Crowd(FIVE, 4, hard=0.15),
        instead="a re-checked sample",
    ),
    *(
        Setting(
            "answers",
            f"{people}, classifier {100 * right:g} % right, all independent",
            200,
            (Case(MISFIT, "size", ("p-value:answer_fit",)), Case(COPIES, "size", ("p-value:repeated_predictions",))),
            _independent(crowd, 200, right, people),
            repetitions=400,
            chunk=50,
            models=True,
        )
        for people, crowd, right in (
            ("5 annotators, 60 to 90 % right, 4 answer each item", Crowd(FIVE, 4), 0.85),
            ("4 annotators, 80 to 97 % right, all answer", Crowd((0.97, 0.95, 0.9, 0.8), 4, (0.5, 0.3, 0.2)), 0.97),
        )
    ),
    *(
        Setting(
            "answers",
            f"adversarial: classifier repeats the majority vote on 80 % of items, {how}",
            200,
            (Case(ACCURACY, instead=instead),),
            _copying(Crowd(FIVE, 4, copied=0.8), 200, how, answers_only=answers_only),
            repetitions=400,
            chunk=50,
            models=True,
            draws=1000,
        )
        for how, answers_only, instead in (
            ("default", False, "answers_only"),
            ("answers_only", True, "a re-checked sample"),
        )
    ),
)
