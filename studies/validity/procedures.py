"""Procedures and learning curves where the true error is known.

Two normal classes with known centres: the error of a nearest centroid is exact, that of one neighbour is measured on
many new rows, and on labels that have nothing to do with the features every error is one half.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from justesse.core.results import Estimate
from justesse.core.seeds import stream
from justesse.procedures.bootstrap import Bootstrap
from justesse.procedures.bootstrap_error import bootstrap_errors
from justesse.procedures.folds import Folds, LeaveOneOut, five_by_two
from justesse.procedures.holdout import Holdout
from justesse.procedures.learning_curve import LearningCurve, learning_curve
from justesse.procedures.run import run
from justesse.procedures.score import score
from studies.validity.case import FRESH

Array = NDArray[Any]
N, FEATURES, NEW = 60, 5, 2000
DRAWS = 50
BAYES_DISTANCE, BAYES_ERROR = 1.8, 0.18406  # half the distance is 0.9, and Φ(-0.9) is the error


class Centre(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Nearest centroid."""

    def fit(self, x: Array, y: Array) -> "Centre":
        self.classes_ = np.unique(y)
        self.centres_ = np.array([x[y == name].mean(axis=0) for name in self.classes_])
        return self

    def predict(self, x: Array) -> Array:
        far = ((x[:, None] - self.centres_) ** 2).sum(axis=2)
        return np.asarray(self.classes_[far.argmin(axis=1)])


class Nearest(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """One nearest neighbour, which remembers every row."""

    def fit(self, x: Array, y: Array) -> "Nearest":
        self.classes_, self.x_, self.y_ = np.unique(y), x, y
        return self

    def predict(self, x: Array) -> Array:
        far = (x**2).sum(axis=1)[:, None] - 2 * x @ self.x_.T + (self.x_**2).sum(axis=1)
        return np.asarray(self.y_[far.argmin(axis=1)])


PROBLEMS: dict[str, tuple[Any, float]] = {
    "nearest centroid": (Centre(), 1.5),
    "one neighbour": (Nearest(), 1.5),
    "one neighbour, pure noise": (Nearest(), 0.0),
    f"{FRESH}tree of depth 3": (DecisionTreeClassifier(max_depth=3, random_state=0), 1.2),
}


@dataclass(frozen=True)
class Tried:
    """What a procedure said of one data set, and the true error of the model trained on all of it."""

    said: dict[str, Estimate]
    true: float


def draw(rng: np.random.Generator, n: int, distance: float, features: int = FEATURES) -> tuple[Array, Array]:
    """Draw rows of two balanced normal classes whose centres are so far apart."""
    y = rng.permutation(np.arange(n) % 2)
    return rng.normal(size=(n, features)) + distance / math.sqrt(features) * y[:, None], y


def one_data_set(problem: str, at: int, seed: int = 0) -> Tried:
    """Ask every procedure about one data set."""
    model, distance = PROBLEMS[problem]
    x, y = draw(stream(seed, problem, str(at)), N, distance)
    new, truth = draw(stream(seed, "new rows", problem, str(at)), NEW, distance)
    said = {name: score(run({"model": model}, x, y, make(at)), "model").estimate for name, make in PROCEDURES.items()}
    by_draws = bootstrap_errors({"model": model}, x, y, draws=DRAWS, seed=at)["model"]
    said |= {
        "bootstrap, out of bag": by_draws.out_of_bag,
        "bootstrap, .632": by_draws.e632,
        "bootstrap, .632+": by_draws.e632_plus,
    }
    return Tried(said, float(np.mean(model.fit(x, y).predict(new) != truth)))


PROCEDURES: dict[str, Callable[[int], Any]] = {
    "holdout of a fifth": lambda at: Holdout(0.2, random_state=at),
    "10 holdouts of a fifth": lambda at: Holdout(0.2, repeats=10, random_state=at),
    "10-fold": lambda at: Folds(10, random_state=at),
    "10-fold, 3 times": lambda at: Folds(10, repeats=3, random_state=at),
    "5x2": lambda at: five_by_two(random_state=at),
    "leave-one-out": lambda at: LeaveOneOut(),
    "bootstrap, second draw": lambda at: Bootstrap(10, random_state=at, second_draw=True),
}


LEARNERS: dict[str, Any] = {
    "nearest centroid": Centre(),
    "one neighbour": Nearest(),
    "tree": DecisionTreeClassifier(random_state=0),
    "tree of depth 3": DecisionTreeClassifier(max_depth=3, random_state=0),
}


def one_curve(learner: str, at: int, rows: int) -> LearningCurve:
    """Make the learning curve of one data set."""
    x, y = draw(stream(0, "learning curves", str(rows), str(at)), rows, BAYES_DISTANCE, features=20)
    sizes = np.geomspace(20, 0.75 * rows, 6).astype(int).tolist()
    procedure = Holdout(0.25, repeats=12, random_state=at)
    return learning_curve(LEARNERS[learner], x, y, procedure, sizes=sizes, seed=at)


def true_error(learner: str, rows: int) -> float:
    """Measure the error with so many training rows on new ones, mean of four data sets."""
    errors = []
    for at in range(4):
        rng = stream(0, "true learning curve", learner, str(rows), str(at))
        (x, y), (new, truth) = (draw(rng, n, BAYES_DISTANCE, features=20) for n in (rows, 2 * NEW))
        errors.append(np.mean(LEARNERS[learner].fit(x, y).predict(new) != truth))
    return float(np.mean(errors))
