"""Comparisons and searches of fitted models, and whether a model learns the annotator: `make validity-models`."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from justesse.core.results import Interval
from justesse.core.seeds import stream
from justesse.measures import accuracy
from justesse.procedures.annotator_bias import annotator_bias
from justesse.procedures.folds import Folds, five_by_two
from justesse.procedures.holdout import Holdout
from justesse.procedures.model_pairs import model_pairs
from justesse.procedures.nested import nested
from justesse.procedures.run import run as run_models
from studies.validity.case import Case, Hits, Setting, covered, rejected
from studies.validity.procedures import Centre

Array = NDArray[Any]
Run = Callable[[int, int], Mapping[str, Hits]]
ANY, ALL_COVER = "any of 3 pairs of models", "differences of 3 pairs of models, together"
OPTIMISM = "optimism of nested cross-validation"
WITH_NAME, PREDICTABLE, LOST = "annotator's name helps (JU008)", "annotator is predictable (JU009)", "new annotators cost accuracy (JU010)"  # fmt: skip
ONE_SIDE = 0.025  # the checks fail if a 95 % interval lies above 0
FEATURES, TRIED = 3, 12


class OwnColumns(Centre):
    """Nearest centroid that sees only its own columns."""

    def __init__(self, first: int = 0) -> None:
        self.first = first

    def fit(self, x: Array, y: Array) -> "OwnColumns":
        super().fit(x[:, self.first : self.first + FEATURES], y)
        return self

    def predict(self, x: Array) -> Array:
        return super().predict(x[:, self.first : self.first + FEATURES])


class BestColumn(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A search: the column whose threshold at its median does best on a third of the rows, three times."""

    def fit(self, x: Array, y: Array) -> "BestColumn":
        self.classes_ = np.unique(y)
        part = np.arange(len(y)) % 3
        right = np.array([_right(x[part != own], y[part != own], x[part == own], y[part == own]) for own in range(3)])
        means = right.mean(axis=0)
        column = int(means.argmax())
        self.best_score_, self.best_params_ = float(means.max()), {"column": column}
        self.rule_ = column, *_rule(x[:, column], y)
        return self

    def predict(self, x: Array) -> Array:
        column, middle, above = self.rule_
        return np.where(x[:, column] > middle, above, 1 - above)


def _rule(values: Array, y: Array) -> tuple[float, int]:
    middle = float(np.median(values))
    return middle, int(((values > middle) == y).mean() >= 0.5)


def _right(x: Array, y: Array, new: Array, truth: Array) -> list[float]:
    rules = [_rule(x[:, at], y) for at in range(x.shape[1])]
    return [float((((new[:, at] > middle) == (above == 1)) == truth).mean()) for at, (middle, above) in enumerate(rules)]  # fmt: skip


def _data(rng: np.random.Generator, n: int, distance: float, features: int) -> tuple[Array, Array]:
    y = rng.permutation(np.arange(n) % 2)
    return rng.normal(size=(n, features)) + distance / np.sqrt(FEATURES) * y[:, None], y


def _pairs(n: int, make: Callable[[int], Any]) -> Run:
    """Compare three learners that are equally good: each sees its own three of nine equally useful columns."""
    models = {f"columns from {first}": OwnColumns(first) for first in (0, FEATURES, 2 * FEATURES)}

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "pairs of models", str(n))
        lowest: list[float] = []
        inside = absent = 0
        methods: set[str] = set()
        for at in range(repetitions):
            x, y = _data(rng, n, 1.5, 3 * FEATURES)
            pairs = model_pairs(run_models(models, x, y, make(at), seed=at), list(models), accuracy)
            lowest.append(min(pair.adjusted_pvalue for pair in pairs))
            ends = [pair.difference.interval for pair in pairs]
            methods |= {interval.method for interval in ends if interval}
            absent += None in ends
            inside += all(interval is not None and interval.low <= 0 <= interval.high for interval in ends)
        tests = pairs[0].outcome.test
        return {
            ANY: rejected(lowest, f"{tests} with Holm"),
            ALL_COVER: Hits(inside, repetitions, absent, tuple(sorted(methods))),
        }

    return run


@cache
def _true_optimism(n: int, distance: float) -> float:
    """Measure, on many data sets, the score of the search minus the accuracy of its winner on new rows."""
    rng, gaps = stream(0, "true optimism", str(n), str(distance)), []
    for _ in range(3000):
        x, y = _data(rng, n, distance, TRIED)
        new, truth = _data(rng, 1000, distance, TRIED)
        search = BestColumn().fit(x, y)
        gaps.append(search.best_score_ - float((search.predict(new) == truth).mean()))
    return float(np.mean(gaps))


def _optimism(n: int, distance: float, folds: int) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        rng = stream(seed, "optimism", str(n), str(distance))
        truth = _true_optimism(n - n // folds, distance)
        ends: list[Interval | None] = []
        for at in range(repetitions):
            found = nested({"search": BestColumn()}, *_data(rng, n, distance, TRIED), Folds(folds, random_state=at))
            ends.append(found["search"].optimism.interval)
        return {OPTIMISM: covered(ends, truth)}

    return run


def _annotators(n: int, annotators: int, text: bool) -> Run:
    """Give annotators rows at random and let all label alike: the name can neither help nor be predicted."""

    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        from scipy.sparse import csr_matrix

        rng = stream(seed, "annotators", str(n), str(annotators), str(text))
        failed = {WITH_NAME: 0, PREDICTABLE: 0, LOST: 0}
        for at in range(repetitions):
            x = rng.normal(size=(n, 4))
            y = (x[:, 0] + rng.normal(size=n) > 0).astype(np.int64)
            who = rng.permutation(np.arange(n) % annotators).astype(np.int64)
            bias = annotator_bias(csr_matrix(x) if text else x, y, who, text=text, seed=at)
            for what, test in ((WITH_NAME, bias.with_name), (PREDICTABLE, bias.predictable), (LOST, bias.lost)):
                assert test is not None
                ends = test.difference.interval if test.difference else None
                failed[what] += ends is not None and ends.low > 0
        return {what: Hits(many, repetitions, 0, ("corrected-t",)) for what, many in failed.items()}

    return run


PROCEDURES: dict[str, Callable[[int], Any]] = {
    "10-fold": lambda at: Folds(10, random_state=at),
    "5 times 2 folds": lambda at: five_by_two(random_state=at),
    "one holdout of a third": lambda at: Holdout(1 / 3, random_state=at),
}
SETTINGS = (
    *(
        Setting("searches", f"three equally good learners, {words}", n, (Case(ANY, "size", ("p-value:model_pairs",)), Case(ALL_COVER)), _pairs(n, make), repetitions=400, chunk=50, models=True)
        for words, make in PROCEDURES.items()
        for n in (100,)
    ),
    *(
        Setting("searches", f"best of {TRIED} columns, {words}, {folds} folds", n, (Case(OPTIMISM, instead="more rows"),), _optimism(n, distance, folds), repetitions=400, chunk=50, models=True)
        for n, distance, folds, words in ((60, 0.0, 10, "pure noise"), (200, 1.0, 10, "some signal"))
    ),
    *(
        Setting("searches", f"annotators label alike, {annotators} annotators, {'linear model of texts' if text else 'trees'}", n, tuple(Case(what, "size", ("p-value:annotator_bias",), ONE_SIDE) for what in (WITH_NAME, PREDICTABLE, LOST)), _annotators(n, annotators, text), repetitions=400, chunk=25, models=True)
        for n, annotators, text in ((100, 4, True), (100, 4, False))
    ),
)  # fmt: skip
