"""Error against a setting: too simple on one side, learnt by heart on the other."""

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
    """Training and validation error for each value of one setting, and which value has the lowest.

    `simplest` is the first value, in the order given, whose error is within one standard error of the lowest.
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
            "scored": [one.to_dict() for one in self.scored],
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
    """Give training and validation error for each value of a setting (a parameter of scikit-learn's `set_params`).

    Give values from the simplest model to the richest. Wrong to use as the figure of the value chosen: it was chosen on
    these rows (see `nested`). The one-standard-error rule is Breiman's (1984); its standard error is the corrected one.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree, data = DecisionTreeClassifier(), load_iris(return_X_y=True)
    >>> found = validation_curve(tree, *data, "max_depth", [1, 2, 5])
    >>> found.values[found.best] in (2, 5), [round(one.train_error, 2) for one in found.scored]
    (True, [0.33, 0.04, 0.0])
    """
    if not values or setting not in model.get_params():
        known = ", ".join(sorted(model.get_params()))
        raise OptionError(f"one value or more of a setting the model has is needed; got {setting!r}, it has {known}")
    models = {
        f"{at}: {setting}={value}": clone(model).set_params(**{setting: value}) for at, value in enumerate(values)
    }
    found = run(
        models, x, y, procedure, groups=groups, seed=seed, n_jobs=n_jobs, checkpoint=checkpoint, progress=progress
    )
    scored = tuple(score(found, name, level=level) for name in models)
    errors = np.array([one.estimate.value if not one.failed else np.inf for one in scored])
    if not np.any(np.isfinite(errors)):
        raise OptionError(
            f"with every value of {setting} the model failed in some split: {found.failures[0]['failure']}"
        )
    best = int(errors.argmin())
    scores = np.array(scored[best].scores)
    ratio = overlap_ratio(found, found.answered(scored[best].model))
    slack = standard_error(scores, ratio) if len(scores) > 1 else 0.0
    simplest = int(np.flatnonzero(errors <= errors[best] + slack)[0])
    return ValidationCurve(
        setting, tuple(values), scored, best, simplest, _said(setting, values, scored, best, simplest)
    )


def _said(setting: str, values: Sequence[Any], scored: Sequence[ModelScore], best: int, simplest: int) -> str:
    one = scored[best]
    first = f"The error is lowest at {setting}={values[best]!r}: {one.estimate.value:.4g}"
    if simplest < best:
        first += f"; {setting}={values[simplest]!r} is simpler and within one standard error of it"
    last = scored[-1]
    over = last.test_error > one.test_error and last.train_error < one.train_error
    edge = best in (0, len(values) - 1) and len(values) > 1
    if edge:
        return f"{first}. It lies at the edge of the values tried: try further ones."
    tail = " Beyond it the training error still falls while the validation error rises: over-fitting." if over else ""
    return f"{first}.{tail}"
