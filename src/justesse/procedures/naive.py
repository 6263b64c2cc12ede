"""Baseline models that ignore the features, to run beside the others."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor

from justesse.core.arrays import Array
from justesse.core.seeds import stream
from justesse.procedures.kinds import rows_of

NUMBERS = ("median", "mean", "random draw")


class RandomDraw(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Predict a label drawn at random from the training rows.

    >>> model = RandomDraw().fit([[0], [0]], [1.0, 3.0])
    >>> set(model.predict([[0]] * 20).tolist()) == {1.0, 3.0}
    True
    """

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "RandomDraw":  # noqa: N803
        """Remember the labels."""
        self.labels_ = np.asarray(y, dtype=float)
        return self

    def predict(self, X: Any) -> Array:  # noqa: N803
        """Draw a label for each row."""
        return stream(self.random_state or 0, "random draw").choice(self.labels_, rows_of(X))


def naive_models(*, regression: bool = False) -> dict[str, Any]:
    """Return the baseline models by name, to run beside yours.

    Classes: `majority` predicts the most frequent class of the training rows, with the share of each class as its
    score; `frequency` draws a class by its frequency, `uniform` draws all classes alike. Numbers: `median` and `mean`
    of the training labels, and a `random draw` of one. Unlike `baselines`, which are exact for the labels at hand, they
    are fitted on training rows and can do slightly worse. Lecture 001.

    >>> list(naive_models()), list(naive_models(regression=True))
    (['majority', 'frequency', 'uniform'], ['median', 'mean', 'random draw'])
    """
    if regression:
        return dict(zip(NUMBERS, (DummyRegressor(strategy="median"), DummyRegressor(), RandomDraw()), strict=True))
    return {
        "majority": DummyClassifier(strategy="prior"),
        "frequency": DummyClassifier(strategy="stratified"),
        "uniform": DummyClassifier(strategy="uniform"),
    }
