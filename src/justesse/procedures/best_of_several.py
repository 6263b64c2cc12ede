"""A grid search over several models and their usual settings, for nested evaluation."""

import math
import warnings
from collections.abc import Mapping
from typing import Any

from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from justesse.annotators.seeded import seeded
from justesse.core.errors import InputError
from justesse.core.seeds import stream
from justesse.procedures.nested import looked_at

# the settings people try first, for the classes of the ready-made learners
SETTINGS: dict[str, dict[str, list[Any]]] = {
    "DecisionTreeClassifier": {"max_depth": [None, 3, 6], "min_samples_leaf": [1, 5]},
    "RandomForestClassifier": {"min_samples_leaf": [1, 3], "max_features": ["sqrt", 0.5]},
    "LogisticRegression": {"C": [0.01, 0.1, 1.0, 10.0]},
    "KNeighborsClassifier": {"n_neighbors": [1, 5, 15], "weights": ["uniform", "distance"]},
    "HistGradientBoostingClassifier": {"learning_rate": [0.03, 0.1], "max_leaf_nodes": [7, 31]},
    "MLPClassifier": {"alpha": [0.0001, 0.01, 1.0]},
    "SVC": {"C": [0.1, 1.0, 10.0], "gamma": ["scale", 0.01, 0.1]},
}


class BestOfSeveral(GridSearchCV):  # type: ignore[misc]
    """A grid search that silently skips settings that fail in its folds.

    >>> BestOfSeveral(None, {}).error_score
    nan
    """

    def fit(self, X: Any, y: Any = None, **options: Any) -> "BestOfSeveral":  # noqa: N803
        """Try all settings; raise an error if none works."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FitFailedWarning)
            warnings.filterwarnings("ignore", "(Scoring failed|One or more of the test scores)", UserWarning)
            super().fit(X, y, **options)
        if not math.isfinite(self.best_score_):
            raise InputError("No setting worked in every inner fold. Use more rows or fewer folds.")
        return self


def best_of_several(pipelines: Mapping[str, Any], cv: Any, *, seed: int = 0) -> Any:
    """Return a grid search that chooses one of several pipelines, each with a last step `model`, and its settings.

    Models of well-known classes are tried with a few usual settings, except for settings already set; other models as
    they are. Settings that fail in some inner fold are not chosen. The search chooses by accuracy in the inner folds
    `cv` and is refitted on all its rows. Its own score is too optimistic: evaluate it with `nested`. Varma and Simon
    (2006).

    >>> from sklearn.pipeline import Pipeline
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> result = best_of_several({"tree": Pipeline([("model", DecisionTreeClassifier(max_depth=2))])}, cv=3)
    >>> [key for key in result.param_grid[0]]
    ['chosen', 'chosen__model__min_samples_leaf']
    """
    grid = []
    for name, pipeline in pipelines.items():
        # seeded here, because a search copies what its grid holds without a seed
        own = seeded(pipeline, stream(seed, "select", name))
        grid.append({"chosen": [own]} | {f"chosen__model__{key}": tried for key, tried in _tried(own["model"]).items()})
    return BestOfSeveral(Pipeline([("chosen", grid[0]["chosen"][0])]), grid, cv=cv)


def looked_at_choice(search: Any, x: Any, y: Any) -> dict[str, Any]:
    """Note what a fitted search chose, as `looked_at` does, with a chosen model in one line."""
    notes = looked_at(search, x, y)
    if "chosen" not in getattr(search, "best_params_", {}):
        return notes
    model = clone_without_seed(search.best_estimator_["chosen"]["model"])
    return notes | {"chosen": " ".join(repr(model).split())}


def clone_without_seed(model: Any) -> Any:
    """Copy a model without its seed: two models that differ only by their seed are the same choice."""
    copy = clone(model, safe=False)
    return copy.set_params(random_state=None) if "random_state" in copy.get_params() else copy


def _tried(model: Any) -> dict[str, list[Any]]:
    usual = SETTINGS.get(type(model).__name__)
    if usual is None:
        return {}
    untouched = type(model)().get_params()
    return {key: values for key, values in usual.items() if model.get_params()[key] == untouched[key]}
