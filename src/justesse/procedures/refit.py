"""After the choice: train the chosen model on all the data."""

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
    "The score of the model chosen is the best of {many}, and the luck that made it best is in it: take an honest "
    "figure from rows that took no part in the choice, or from nested."
)


@dataclass(frozen=True, eq=False)
class Refitted:
    """The model chosen, trained on all rows, beside the scores it was chosen by."""

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
            "scored": [one.to_dict() for one in self.scored],
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

    Settings are chosen by their mean; keeping the model of the luckiest fold, as lecture 003 has it, throws rows away
    and chooses by luck (docs/errata.md, item 16). A model that failed in some split cannot be chosen. The refitted
    model saw more rows than those of the folds. Wrong to use for an honest figure of what
    was chosen: see `nested`. Lecture 002 (14.1).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> found = choose_and_refit({"naive": DummyClassifier(), "bayes": GaussianNB()}, *load_iris(return_X_y=True))
    >>> found.chosen, found.model.class_count_.tolist()
    ('bayes', [50.0, 50.0, 50.0])
    """
    found = run(
        models, x, y, procedure, groups=groups, seed=seed, n_jobs=n_jobs, checkpoint=checkpoint, progress=progress
    )
    scored = tuple(score(found, name, level=level) for name in models)
    whole = [one for one in scored if not one.failed]
    if not whole:
        raise OptionError("every model failed in some split, so that none can be chosen: see run(...).failures")
    chosen = min(whole, key=lambda one: one.estimate.value).model
    return Refitted(
        chosen,
        refitted(models[chosen], found),
        scored,
        found.n,
        seed,
        OPTIMISTIC.format(many=len(models)) if len(models) > 1 else None,
    )


def refitted(model: Any, found: OutOfSample) -> Any:
    """Train a model on all the rows of a run, with chance from the run's seed."""
    fresh = seeded(model, stream(found.seed, "refit"))
    with patiently(), one_thread():
        return fresh.fit(found.data.x, np.asarray(found.data.y))
