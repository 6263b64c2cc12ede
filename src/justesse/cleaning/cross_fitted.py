"""Probabilities and votes for each row by models that were not trained on it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.cleaning.suspicion import NO_CLASS
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError, OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import ClassName
from justesse.core.seeds import stream
from justesse.procedures.folds import Folds
from justesse.procedures.run import OutOfSample, run


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """Mean probabilities of the models (`None` if one gives none), and their votes, rows × models."""

    probabilities: FloatArray | None
    votes: Array
    models: tuple[str, ...]
    failures: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class DealtFolds:
    """Folds to which the rows of each class are dealt in turn, in random order; scikit-learn takes it as a splitter.

    >>> [test.tolist() for _, test in DealtFolds(np.array([0, 0, 0, 1]), 2, 0).split(None)]
    [[0, 1], [2, 3]]
    """

    labels: Array
    folds: int
    seed: int

    def get_n_splits(self, x: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.folds

    def split(self, x: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:
        """Give training and test rows of each fold."""
        order = stream(self.seed, "dealt folds").permutation(len(self.labels))
        order = order[np.argsort(self.labels[order], kind="stable")]
        fold = np.empty(len(order), dtype=np.int64)
        fold[order] = np.arange(len(order)) % self.folds
        for at in range(self.folds):
            yield np.flatnonzero(fold != at), np.flatnonzero(fold == at)


def cross_fitted(
    models: Mapping[str, Any],
    features: Any,
    labels: Array,
    classes: tuple[ClassName, ...],
    *,
    folds: int = 5,
    seed: int = 0,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> CrossFitted:
    """Train each model on all folds but one, and let it answer the rows of that fold.

    Parameters
    ----------
    models
        Name → anything with `fit` and `predict`; those with `predict_proba` give probabilities.
    features
        Features of each row: an array, a sparse matrix or a data frame.
    labels
        Code of each row's label.
    classes
        Names behind the codes.
    folds
        Number of folds.
    seed
        Seed of folds and models.
    jobs
        Models to train in parallel.
    progress
        Called with the fits done and the total.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> x = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]])
    >>> fitted = cross_fitted({"bayes": GaussianNB()}, x, np.array([0, 0, 0, 1, 1, 1]), ("a", "b"), folds=3)
    >>> fitted.votes.ravel().tolist()
    [0, 0, 0, 1, 1, 1]
    """
    if folds < 2:
        raise OptionError(f"k (--k), the number of folds, must be 2 or more; got {folds!r}.")
    if len(labels) < folds:
        raise InputError(f"{len(labels)} rows cannot be cut into {folds} folds. Use at most {len(labels)} folds.")
    # stratified folds need as many rows of each class as folds; rarer classes are dealt out, and some folds lack them
    rare = int(np.bincount(labels)[np.unique(labels)].min()) < folds
    splits: Any = DealtFolds(labels, folds, seed) if rare else Folds(folds, random_state=seed)
    runs = run(
        models, features, labels, splits, want=["probabilities"], regression=False, seed=seed,
        n_jobs=jobs, progress=progress,
    )  # fmt: skip
    return collected(runs, len(classes))


def collected(runs: OutOfSample, classes: int) -> CrossFitted:
    """Put the answers of all splits together; a row that several splits test has the mean of their probabilities.

    Labels must have been trained as codes. A model that failed for some rows gives these no vote.
    """
    own: tuple[Any, ...] = runs.data.classes or ()
    codes = np.asarray(own, dtype=np.int64)
    votes = np.full((runs.n, len(runs.models)), NO_CLASS, dtype=np.int64)
    total, number = np.zeros((runs.n, classes)), np.zeros(runs.n)
    complete = True
    for at, model in enumerate(runs.models):
        for fit in runs.answered(model):
            assert fit.answers is not None
            votes[fit.test, at] = codes[fit.answers]
            if fit.probabilities is None:
                complete = False
                continue
            spread = np.zeros((len(fit.test), classes))
            spread[:, codes] = fit.probabilities
            np.add.at(total, fit.test, spread)
            np.add.at(number, fit.test, 1.0)
    failures = tuple(f"{item['model']}: {item['failure']}" for item in runs.failures)
    if not complete or not number.all():
        return CrossFitted(None, votes, runs.models, failures)
    return CrossFitted(total / number[:, None], votes, runs.models, failures)
