"""Rare classes: weight or resample the training rows so that all classes count alike."""

from typing import Any, Literal, get_args

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import has_fit_parameter

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.seeds import stream

How = Literal["weights", "fewer", "more"]


class Balanced(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier trained as if all classes were equally frequent; test rows stay as they are.

        weights   each row has weight n/(K·n_k)
        fewer     rows of frequent classes are dropped at random until all are as rare as the rarest
        more      rows of rare classes are drawn again at random until all are as frequent as the most frequent

    Balancing happens in `fit`, so within each fold. Never balance a table before it is split: copies of a row would be
    in both training and test. Predictions then favour rare classes, which helps if their errors cost more and lowers
    plain accuracy; probabilities are those of balanced classes. Look at figures per class. Lecture 003 (2.1).

    >>> from sklearn.naive_bayes import GaussianNB
    >>> y = np.repeat([0, 1], [90, 10])
    >>> Balanced(GaussianNB(), how="fewer").fit(np.arange(100.0)[:, None], y).model_.class_count_.tolist()
    [10.0, 10.0]
    """

    def __init__(self, model: Any, how: How = "weights", random_state: int | None = None) -> None:
        self.model = model
        self.how = how
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "Balanced":  # noqa: N803
        """Balance these rows and train on them."""
        if self.how not in get_args(How):
            raise OptionError(f"how must be one of {', '.join(get_args(How))}; got {self.how!r}.")
        labels = np.asarray(y)
        self.model_ = clone(self.model)
        if self.how == "weights":
            if not has_fit_parameter(self.model_, "sample_weight"):
                raise OptionError(
                    f"{type(self.model_).__name__} takes no weights. Use how='fewer' or how='more', or set its "
                    "class_weight."
                )
            self.model_.fit(X, labels, sample_weight=compute_sample_weight("balanced", labels))
        else:
            rows = balanced_rows(labels, self.how, self.random_state or 0)
            self.model_.fit(_safe_indexing(X, rows), labels[rows])
        self.classes_ = np.unique(labels)
        return self

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Predict with the balanced model."""
        return self.model_.predict(X)

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        """Return the probabilities of balanced classes."""
        return self.model_.predict_proba(X)


def balanced_rows(labels: Array, how: Literal["fewer", "more"], seed: int = 0) -> Array:
    """Return rows in which all classes are equally frequent.

    >>> balanced_rows(np.array(["a", "a", "a", "b"]), "more").tolist()
    [0, 1, 2, 3, 3, 3]
    """
    names, counts = np.unique(labels, return_counts=True)
    size = counts.min() if how == "fewer" else counts.max()
    kept = []
    for name in names:
        own, chance = np.flatnonzero(labels == name), stream(seed, "balance", str(name))
        again = chance.choice(own, size - len(own)) if len(own) < size else own[:0]
        kept += [chance.choice(own, min(size, len(own)), replace=False), again]
    return np.sort(np.concatenate(kept))
