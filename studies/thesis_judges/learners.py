"""Classifiers to compare: nine families, each drawn with its own settings, features and training rows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.annotators.depths import answers_by_depth

Array = NDArray[Any]
FAMILIES = ("tree", "forest", "extra trees", "linear", "neighbours", "bayes", "discriminant", "network",
            "deep network")  # fmt: skip
PASSES = (1, 3, 8, 20)  # after so many passes over its rows a model's state is kept
DEPTHS = (4, 5, 6, 8, 11, 15)
STATES = 6


@dataclass(frozen=True, eq=False)
class Learner:
    """A model to train, and on what: some features, and some rows with some classes more often than others.

    Uneven classes make models that prefer some answers, so that precision and recall vary and not accuracy alone.
    """

    family: str
    estimator: Any
    columns: Array
    rows: Array
    settings: tuple[dict[str, Any], ...] = ()

    @property
    def name(self) -> str:
        return f"{self.family}, {len(self.columns)} features, {len(self.rows)} rows"


def draw_learner(generator: np.random.Generator, index: int, labels: Array, features: int) -> Learner:
    """Draw one; families take turns.

    >>> labels = np.repeat([0, 1], 500)
    >>> draw_learner(np.random.default_rng(0), 3, labels, 60).name
    'linear, 38 features, 495 rows'
    """
    family = FAMILIES[index % len(FAMILIES)]
    wanted = max(2, round(features ** generator.uniform(0.7, 1.0)))
    columns = np.sort(generator.choice(features, size=wanted, replace=False))
    estimator, most, settings = _drawn(family, generator)
    size = round(min(most, len(labels)) ** generator.uniform(0.85, 1.0))
    shares = 0.02 + generator.dirichlet(np.full(int(labels.max()) + 1, generator.choice([3.0, 20.0, 1000.0])))
    weights = shares[labels] / np.bincount(labels)[labels]
    rows = np.sort(generator.choice(len(labels), size=size, replace=False, p=weights / weights.sum()))
    return Learner(family, estimator, columns, rows, settings)


def states(learner: Learner, x: Array, labels: Array, asked: Array) -> Iterator[tuple[str, Array]]:
    """Train on the learner's rows and give what it answers to the rows asked, from rough states to fine ones.

    >>> x, labels = np.arange(8, dtype=np.float32)[:, None], np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> learner = Learner("tree", DecisionTreeClassifier(), np.array([0]), np.arange(8))
    >>> [(name, answers.tolist()) for name, answers in states(learner, x, labels, x[3:5])]
    [('depth 1', [0, 1])]
    """
    known, asked = x[np.ix_(learner.rows, learner.columns)], asked[:, learner.columns]
    model, own = learner.estimator, labels[learner.rows]
    if learner.settings:
        for settings in learner.settings:
            ((name, value),) = settings.items()
            yield f"{name}={value:g}", model.set_params(**settings).fit(known, own).predict(asked)
    elif learner.family in ("tree", "forest", "extra trees"):
        grown = list(answers_by_depth(model.fit(known, own), asked))
        kept = [state for state in grown[:-1] if state[0] in DEPTHS][1 - STATES :]
        yield from ((f"depth {depth}", answers) for depth, answers in [*kept, grown[-1]])
    elif hasattr(model, "partial_fit"):
        classes = np.unique(labels)
        for done in range(1, max(PASSES) + 1):
            model.partial_fit(known, own, classes=classes)
            if done in PASSES:
                yield f"pass {done}", model.predict(asked)
    else:
        yield "trained", model.fit(known, own).predict(asked)


def _drawn(family: str, generator: np.random.Generator) -> tuple[Any, int, tuple[dict[str, Any], ...]]:
    """Draw one model of a family, the most rows it can learn in a few seconds, and settings to go through."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.linear_model import SGDClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    seed, leaf = int(generator.integers(1 << 31)), int(generator.choice([1, 3, 10, 30]))
    many = 1 << 31
    strength = float(10 ** generator.uniform(-5, -1))
    grow: dict[str, Any] = {"min_samples_leaf": leaf, "random_state": seed}
    make: dict[str, Callable[[], tuple[Any, int, tuple[dict[str, Any], ...]]]] = {
        "tree": lambda: (DecisionTreeClassifier(max_features=0.3, **grow), many, ()),
        "forest": lambda: (RandomForestClassifier(int(generator.integers(5, 21)), **grow), many, ()),
        "extra trees": lambda: (ExtraTreesClassifier(int(generator.integers(5, 31)), **grow), many, ()),
        "linear": lambda: (
            SGDClassifier(loss=str(generator.choice(["log_loss", "hinge"])), alpha=strength, random_state=seed), many, ()
        ),
        "neighbours": lambda: (
            KNeighborsClassifier(algorithm="brute"), 6_000, tuple({"n_neighbors": k} for k in (1, 25))
        ),
        "bayes": lambda: (GaussianNB(), many, tuple({"var_smoothing": 10.0**power} for power in (0, -1, -9))),
        "discriminant": lambda: (
            LinearDiscriminantAnalysis(solver="lsqr"), many, tuple({"shrinkage": share} for share in (0.9, 0.1))
        ),
        "network": lambda: (_network(MLPClassifier, generator, seed, layers=1), many, ()),
        "deep network": lambda: (_network(MLPClassifier, generator, seed, layers=2), many, ()),
    }  # fmt: skip
    return make[family]()


def _network(kind: Any, generator: np.random.Generator, seed: int, *, layers: int) -> Any:
    width, pace = int(2 ** generator.integers(4, 8)), float(10 ** generator.uniform(-3.5, -2.3))
    return kind((width,) * layers, learning_rate_init=pace, random_state=seed)
