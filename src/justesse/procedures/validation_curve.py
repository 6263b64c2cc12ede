"""Error against a setting: under-fitting on one side, over-fitting on the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from justesse.core.errors import OptionError
from justesse.core.parallel_map import Progress
from justesse.procedures.run import run
from justesse.procedures.score import ModelScore, overlap_ratio, score
from justesse.significance.folds import standard_error


@dataclass(frozen=True)
class ValidationCurve:
    """Training and validation error for each value of one setting, and the position of the best value.

    `simplest` is the position of the first value whose error is within one standard error of the lowest.
    """

    setting: str
    values: tuple[Any, ...]
    scored: tuple[ModelScore, ...]
    best: int
    simplest: int
    words: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "setting": self.setting,
            "values": [value if isinstance(value, (bool, int, float, str)) else repr(value) for value in self.values],
            "scored": [item.to_dict() for item in self.scored],
            "best": self.best,
            "simplest": self.simplest,
            "words": self.words,
        }


def validation_curve(
    model: Any,
    x: Any,
    y: ArrayLike,
    setting: str,
    values: Sequence[Any],
    procedure: Any = None,
    *,
    groups: ArrayLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> ValidationCurve:
    """Compute training and validation error for each value of a setting.

    Parameters
    ----------
    model
        A scikit-learn estimator.
    x
        Features of each row.
    y
        Label of each row.
    setting
        Name of a parameter of the estimator, as for `set_params`.
    values
        Its values, from the simplest model to the richest.
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
    The error of the best value is optimistic, because it was chosen on these rows: see `nested`. The one-standard-error
    rule is Breiman's (1984), with the corrected standard error.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree, data = DecisionTreeClassifier(), load_iris(return_X_y=True)
    >>> result = validation_curve(tree, *data, "max_depth", [1, 2, 5])
    >>> result.values[result.best] in (2, 5), [round(score.train_error, 2) for score in result.scored]
    (True, [0.33, 0.04, 0.0])
    """
    if not values or setting not in model.get_params():
        known = ", ".join(sorted(model.get_params()))
        raise OptionError(f"Name a setting of the model and at least one value; got {setting!r}. Settings: {known}.")
    models = {
        f"{at}: {setting}={value}": clone(model).set_params(**{setting: value}) for at, value in enumerate(values)
    }
    runs = run(
        models, x, y, procedure, groups=groups, seed=seed, n_jobs=n_jobs, checkpoint=checkpoint, progress=progress
    )
    scored = tuple(score(runs, name, level=level) for name in models)
    errors = np.array([item.estimate.value if not item.failed else np.inf for item in scored])
    if not np.any(np.isfinite(errors)):
        raise OptionError(
            f"Every value of {setting} made the model fail in some split ({runs.failures[0]['failure']}). Try "
            "other values."
        )
    best = int(errors.argmin())
    scores = np.array(scored[best].scores)
    ratio = overlap_ratio(runs, runs.answered(scored[best].model))
    slack = standard_error(scores, ratio) if len(scores) > 1 else 0.0
    simplest = int(np.flatnonzero(errors <= errors[best] + slack)[0])
    return ValidationCurve(
        setting, tuple(values), scored, best, simplest, _in_words(setting, values, scored, best, simplest)
    )


def _in_words(setting: str, values: Sequence[Any], scored: Sequence[ModelScore], best: int, simplest: int) -> str:
    item = scored[best]
    first = f"The error is lowest at {setting}={values[best]!r}: {item.estimate.value:.4g}"
    if simplest < best:
        first += f"; {setting}={values[simplest]!r} is simpler and within one standard error of it"
    last = scored[-1]
    over = last.test_error > item.test_error and last.train_error < item.train_error
    edge = best in (0, len(values) - 1) and len(values) > 1
    if edge:
        return f"{first}. This is at the edge of the values tried: try further values."
    tail = " Beyond it the training error falls but the validation error rises: over-fitting." if over else ""
    return f"{first}.{tail}"
