"""The part of docs/validity.md about procedures: bias and spread where the true error is known.

Two normal classes with known centres: the error of a nearest centroid is exact, that of one neighbour is measured on
many new rows, and on labels that have nothing to do with the features every error is one half.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
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
from justesse.significance.corrected_t import corrected_t
from justesse.significance.paired_t import paired_t
from studies.tables import table
from studies.validity.fold_sizes import ROWS, accuracies, data_set

Array = NDArray[Any]
N, FEATURES, NEW = 60, 5, 2000
DRAWS = 50
CURVE_KEYS = (
    "shared", "mean", "bayes", "doubled true", "doubled", "doubled covers", "tenfold true", "tenfold", "tenfold covers",
)  # fmt: skip
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


def bias_and_spread(problem: str, *, repetitions: int, n_jobs: int = 1) -> list[dict[str, Any]]:
    """Measure, for each procedure, how far off it is on average, how much it varies, and how often it covers."""
    jobs = (delayed(one_data_set)(problem, at) for at in range(repetitions))
    tried: list[Tried] = Parallel(n_jobs=n_jobs)(jobs)
    true = np.array([one.true for one in tried])
    rows = []
    for name in tried[0].said:
        found = [one.said[name] for one in tried]
        values = np.array([one.value for one in found])
        with_interval = [(one.interval, own) for one, own in zip(found, true, strict=True) if one.interval is not None]
        rows.append(
            {
                "procedure": name,
                "true": float(true.mean()),
                "bias": float((values - true).mean()),
                "spread": float(values.std(ddof=1)),
                "off": float(np.sqrt(((values - true) ** 2).mean())),
                "covers": float(np.mean([low.low <= own <= low.high for low, own in with_interval])),
            }
        )
    return rows


def false_positives(*, repetitions: int, seed: int = 0) -> dict[str, dict[str, float]]:
    """Measure how often naive and corrected t tests at 5 % find a difference between equally good learners."""
    rng = stream(seed, "repeated splits")
    counted: dict[str, dict[str, list[bool]]] = {}
    for _ in range(repetitions):
        features, labels = data_set(rng)
        for name, repeats in (("10-fold, once", 1), ("10-fold, 10 times", 10), ("10-fold, 30 times", 30)):
            turns = np.array([rng.permutation(np.arange(ROWS) % 10) for _ in range(repeats)])
            held = (turns[:, None, :] == np.arange(10)[:, None]).reshape(-1, ROWS)
            scores = accuracies(features, labels, held)
            pair = scores[:, 0].tolist(), scores[:, 1].tolist()
            own = counted.setdefault(name, {"naive": [], "corrected": []})
            own["naive"].append(paired_t(*pair).pvalue < 0.05)
            own["corrected"].append(corrected_t(*pair, test_over_train=1 / 9).pvalue < 0.05)
    return {name: {test: float(np.mean(hits)) for test, hits in own.items()} for name, own in counted.items()}


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


def bayes_errors(learner: str, rows: int, *, repetitions: int, n_jobs: int = 1) -> dict[str, float]:
    """Measure how often the limit of learning curves is called one of both errors, and how well forecasts hold."""
    found: list[LearningCurve] = Parallel(n_jobs=n_jobs)(
        delayed(one_curve)(learner, at, rows) for at in range(repetitions)
    )
    shared = [one for one in found if one.shared]

    def covered(estimates: list[Estimate], truth: float) -> float:
        ends = [one.interval for one in estimates if one.interval is not None]
        return float(np.mean([one.low <= truth <= one.high for one in ends])) if ends else math.nan

    last = found[0].points[-1].rows
    truths = {"doubled": true_error(learner, 2 * last), "tenfold": true_error(learner, 10 * last)}
    return {
        "shared": len(shared) / len(found),
        "mean": float(np.mean([one.limit.value for one in found])),
        "bayes": covered([one.limit for one in shared], BAYES_ERROR),
        **{f"{name} true": truth for name, truth in truths.items()},
        **{name: float(np.mean([getattr(one, name).value for one in found])) for name in truths},
        **{f"{name} covers": covered([getattr(one, name) for one in found], truth) for name, truth in truths.items()},
    }


def procedures() -> Iterator[str]:
    """Write the part."""
    repetitions = 50
    yield "## Procedures\n"
    yield (
        f"The error estimated by each procedure, on {repetitions} data sets of {N} rows from two normal classes in "
        f"{FEATURES} "
        "dimensions, against the true error of the model trained on all the rows. In points: `bias` is the mean "
        "difference, `spread` the standard deviation of the estimate, `off` the root mean square of the "
        "difference; `covers` is how often the 95 % interval contains that true error.\n"
    )
    heads = ["learner", "true error", "procedure", "bias", "spread", "off", "covers, %"]
    rows = []
    for problem in PROBLEMS:
        for one in bias_and_spread(problem, repetitions=repetitions, n_jobs=-1):
            figures = [f"{100 * one[key]:.1f}" for key in ("bias", "spread", "off", "covers")]
            rows.append([problem, f"{100 * one['true']:.1f}", one["procedure"], *figures])
    yield table(heads, rows, words=3)
    yield (
        "A single holdout varies most, more than twice as much as folds of the same rows. 5x2 and out-of-bag "
        "figures are "
        "pessimistic: their models are trained on fewer rows. The .632 figure is far too low for a model that "
        "memorises its rows; .632+ corrects most of that. Testing on a second draw is not a test, because it "
        "shares rows with training. With these few data sets two "
        "standard errors of a bias are up to two points (four for a holdout), and of a coverage about six.\n"
    )
    yield "### Naive and corrected tests over repeated folds\n"
    yield (
        "How often each t test at 5 % finds a difference between two learners that are equally good (the learners of "
        "*Comparing over folds*, 300 data sets). The more often the same rows are split again, the more often the "
        "naive test errs; the corrected one stays close to its level.\n"
    )
    found = false_positives(repetitions=300)
    body = [[name, *(f"{100 * own[test]:.1f}" for test in ("naive", "corrected"))] for name, own in found.items()]
    yield table(["splits", "naive t, %", "corrected t, %"], body)
    yield "### The Bayes error from learning curves\n"
    yield (
        f"Two normal classes whose Bayes error is {100 * BAYES_ERROR:.1f} %, 40 data sets each, in %. `shared` is "
        f"how often "
        "training and test errors were fitted with one limit, which is then an estimate of the Bayes error, and `Bayes "
        "covered` how often its 95 % interval covers; otherwise the limit is called the asymptote of this learner. The "
        "forecasts are of the error with two and ten times the training rows: the truth, the mean forecast, and how "
        "often the interval covers.\n"
    )
    body = []
    for learner in LEARNERS:
        for rows_there in (200, 600):
            one = bayes_errors(learner, rows_there, repetitions=40, n_jobs=-1)
            shown = ["–" if math.isnan(one[key]) else f"{100 * one[key]:.1f}" for key in CURVE_KEYS]
            body.append([learner, str(rows_there), *shown])
    heads = ["shared", "limit", "Bayes covered", "×2 true", "×2 forecast", "×2 covered"]
    yield table(["learner", "rows", *heads, "×10 true", "×10 forecast", "×10 covered"], body)
    yield (
        "For a learner whose training errors converge to the Bayes error the shared limit is within about a point "
        "of it. One nearest neighbour and full trees have training errors of 0, and their limit is never called "
        "the Bayes error. A tree of depth 3 has rising training errors: if the residual test misses that they "
        "converge elsewhere, the limit is wrong as a Bayes error and right as the tree's own.\n"
    )
