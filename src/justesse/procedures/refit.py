"""Choose a model and train it on all rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.annotators.seeded import seeded
from justesse.core.errors import OptionError
from justesse.core.parallel_map import Progress
from justesse.core.seeds import stream
from justesse.procedures.fitting import one_thread, patiently
from justesse.procedures.run import OutOfSample, run
from justesse.procedures.score import ModelScore, score

OPTIMISTIC = (
    "The score of the chosen model is the best of {many} and therefore optimistic. Evaluate it on rows that were not "
    "used for the choice, or with nested."
)


@dataclass(frozen=True, eq=False)
class Refitted:
    """The chosen model, trained on all rows, and the scores it was chosen by."""

    chosen: str
    model: Any
    scored: tuple[ModelScore, ...]
    n: int
    seed: int
    warning: str | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "chosen": self.chosen,
            "n": self.n,
            "seed": self.seed,
            "scored": [item.to_dict() for item in self.scored],
            "warning": self.warning,
        }


def choose_and_refit(
    models: Mapping[str, Any],
    x: Any,
    y: ArrayLike,
    procedure: Any = None,
    *,
    groups: ArrayLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Refitted:
    """Choose the model with the lowest mean error over the splits, and train it on all rows.

    Parameters
    ----------
    models
        Name → anything with `fit` and `predict`.
    x
        Features: an array, a sparse matrix or a data frame.
    y
        Label of each row.
    procedure
        `Folds`, `Holdout`, `Bootstrap`, or a splitter of scikit-learn. Default: ten folds, stratified for classes.
    groups
        Group of each row, or its time for a procedure by time.
    level
        Confidence level.
    seed
        Seed of splits and models.
    n_jobs
        Models to train in parallel. Default: 1.
    checkpoint
        Folder that keeps finished work, so that a stopped run can continue.
    progress
        Called with the fits done and the total after each fit.

    Notes
    -----
    Models are chosen by their mean error. Keeping the model of the luckiest fold, as in lecture 003, wastes rows and
    chooses by luck (docs/errata.md, item 16). A model that failed in some split cannot be chosen. The score of the
    chosen model is optimistic: see `nested`. Lecture 002 (14.1).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> result = choose_and_refit({"naive": DummyClassifier(), "bayes": GaussianNB()}, *load_iris(return_X_y=True))
    >>> result.chosen, result.model.class_count_.tolist()
    ('bayes', [50.0, 50.0, 50.0])
    """
    runs = run(
        models, x, y, procedure, groups=groups, seed=seed, n_jobs=n_jobs, checkpoint=checkpoint, progress=progress
    )
    scored = tuple(score(runs, name, level=level) for name in models)
    whole = [item for item in scored if not item.failed]
    if not whole:
        raise OptionError("Every model failed in some split, so none can be chosen. See run(...).failures.")
    chosen = min(whole, key=lambda scored_model: scored_model.estimate.value).model
    return Refitted(
        chosen,
        refitted(models[chosen], runs),
        scored,
        runs.n,
        seed,
        OPTIMISTIC.format(many=len(models)) if len(models) > 1 else None,
    )


def refitted(model: Any, runs: OutOfSample) -> Any:
    """Train a model on all rows of a run, seeded by the run."""
    fresh = seeded(model, stream(runs.seed, "refit"))
    with patiently(), one_thread():
        return fresh.fit(runs.data.x, np.asarray(runs.data.y))
