"""Varied models to play the artificial annotators: six families, each drawn with its own settings and features."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.arrays import Array
from justesse.core.errors import OptionError

FAMILIES = ("tree", "forest", "linear", "neighbours", "bayes", "network")
NEIGHBOURS_KNOWN = 2_000  # nearest neighbours remember at most so many instances, or large data would take days


@dataclass(frozen=True, eq=False)
class Recipe:
    """A model to train: on which features (all if `None`) and from which instances.

    Its states are its depths (`by_depth`, trees and forests), the settings in `stages` one after the other or, without
    either, the passes or stages it has itself.
    """

    name: str
    estimator: Any
    columns: Array | None = None
    rows: Array | None = None
    stages: tuple[dict[str, Any], ...] = ()
    by_depth: bool = False


def standardised(x: ArrayLike) -> NDArray[np.float32]:
    """Bring every feature to mean 0 and spread 1, which suits all families; a constant one becomes 0.

    >>> standardised([[1, 5], [3, 5]]).tolist()
    [[-1.0, 0.0], [1.0, 0.0]]
    """
    try:
        values = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.full((0, 0), np.nan)
    if values.ndim != 2 or not values.size or not np.all(np.isfinite(values)):
        raise OptionError(
            "The ready-made annotators need a table of finite numbers, instances × features; got "
            f"{type(x).__name__} of shape {np.shape(x)}. Encode it, or pass your own estimators."
        )
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0), dtype=np.float32)


def draw_recipe(generator: np.random.Generator, index: int, shape: tuple[int, int]) -> Recipe:
    """Draw the settings of one annotator; families take turns, and features are a random subset, often a small one.

    >>> [draw_recipe(np.random.default_rng(0), index, (150, 64)).name for index in (0, 3)]
    ['tree on 30 features', 'neighbours on 30 features']
    """
    rows, features = shape
    size = max(1, round(features ** generator.uniform(0.5, 1.0)))
    columns = np.sort(generator.choice(features, size=size, replace=False))
    family = FAMILIES[index % len(FAMILIES)]
    estimator, stages = _drawn(family, generator, rows)
    known = None
    if family == "neighbours" and rows > NEIGHBOURS_KNOWN:
        known = np.sort(generator.choice(rows, size=NEIGHBOURS_KNOWN, replace=False))
    return Recipe(f"{family} on {size} features", estimator, columns, known, stages, family in ("tree", "forest"))


def _drawn(family: str, generator: np.random.Generator, rows: int) -> tuple[Any, tuple[dict[str, Any], ...]]:
    """Draw one model of a family, and the settings it goes through from rough to fine."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import SGDClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.neural_network import MLPClassifier
    from sklearn.tree import DecisionTreeClassifier

    seed, leaf = int(generator.integers(1 << 31)), int(generator.choice([1, 3, 10]))
    if family == "tree":
        share = [None, "sqrt", 0.5][generator.integers(3)]
        return DecisionTreeClassifier(min_samples_leaf=leaf, max_features=share, random_state=seed), ()
    if family == "forest":
        trees = int(generator.integers(3, 12))
        return RandomForestClassifier(n_estimators=trees, min_samples_leaf=leaf, random_state=seed), ()
    if family == "linear":
        loss = ("log_loss", "hinge", "modified_huber")[generator.integers(3)]
        return SGDClassifier(loss=loss, alpha=float(10 ** generator.uniform(-5, -1)), random_state=seed), ()
    if family == "neighbours":
        counts = [k for k in (301, 101, 51, 25, 13, 7, 3) if k <= min(rows, NEIGHBOURS_KNOWN) / 2]
        return KNeighborsClassifier(algorithm="brute"), tuple({"n_neighbors": k} for k in counts or [1])
    if family == "bayes":
        return GaussianNB(), tuple({"var_smoothing": float(10.0**power)} for power in (2, 1, 0, -1, -3, -9))
    width, pace = int(2 ** generator.integers(2, 8)), float(10 ** generator.uniform(-3.5, -1.5))
    return MLPClassifier((width,), learning_rate_init=pace, random_state=seed), ()
