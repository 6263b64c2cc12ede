"""Nested cross-validation: an inner search selects, an outer procedure evaluates the selection."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.parallel_map import Progress
from justesse.core.results import Estimate, check_level, finite_or_none
from justesse.intervals.student import student
from justesse.procedures.refit import refitted
from justesse.procedures.run import OutOfSample, run
from justesse.procedures.score import AnyMeasure, ModelScore, overlap_ratio, score

NO_INNER = "the search has no best_score_, so its own score is unknown"


@dataclass(frozen=True, eq=False)
class Nested:
    """The score of a selection on unseen rows, and how optimistic the search's own score is.

    `scored` is the error of the whole selection on rows it did not see. In the search's own score (higher is better),
    `inner` is what it reports for its winners and `outer` what they score on unseen rows, split by split; `optimism` is
    the mean of inner minus outer. `non_nested` is what the search reports on all rows, `model` its winner, refitted.
    """

    name: str
    scored: ModelScore
    inner: tuple[float, ...]
    outer: tuple[float, ...]
    optimism: Estimate
    non_nested: float
    chosen: tuple[str, ...]
    model: Any
    words: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "scored": self.scored.to_dict(),
            "inner": [finite_or_none(item) for item in self.inner],
            "outer": [finite_or_none(item) for item in self.outer],
            "optimism": self.optimism.to_dict(),
            "non_nested": finite_or_none(self.non_nested),
            "chosen": list(self.chosen),
            "words": self.words,
        }


def nested(
    searches: Mapping[str, Any],
    x: Any,
    y: ArrayLike,
    procedure: Any = None,
    *,
    measure: AnyMeasure | None = None,
    groups: ArrayLike | None = None,
    level: float = 0.95,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> dict[str, Nested]:
    """Evaluate searches: each selects within the training rows of every outer split, and is tested on the rest.

        optimism = mean over splits of (best inner score - score of the winner on the outer test rows)

    Parameters
    ----------
    searches
        Name → search: anything whose `fit` selects and whose `predict` answers, such as GridSearchCV.
    x
        Features: an array, a sparse matrix or a data frame.
    y
        Label of each row.
    procedure
        `Folds`, `Holdout`, `Bootstrap`, or a splitter of scikit-learn. Default: ten folds, stratified for classes.
    measure
        Measure of `scored`. Default: the error.
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
    Two effects add up in the optimism: the luck of the winner raises it, the smaller training sets of the inner folds
    lower it. With few settings it can be below 0. The result is not the score of one setting: splits may choose
    different settings, listed in `chosen`. Varma and Simon (2006); Cawley and Talbot (2010).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from justesse.procedures.folds import Folds
    >>> search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=Folds(3))
    >>> result = nested({"neighbours": search}, *load_iris(return_X_y=True), Folds(3))["neighbours"]
    >>> len(result.inner), result.optimism.name
    (3, 'optimism')
    """
    check_level(level)
    runs = run(
        searches,
        x,
        y,
        procedure,
        groups=groups,
        look=looked_at,
        seed=seed,
        n_jobs=n_jobs,
        checkpoint=checkpoint,
        progress=progress,
    )
    return {name: judged_search(name, search, runs, measure, level=level) for name, search in searches.items()}


def looked_at(search: Any, x: Any, y: Any) -> dict[str, Any]:
    """Note what a fitted search chose, the score it reports, and the score on test rows."""
    inner = last_step(search)
    if not hasattr(inner, "best_score_"):
        return {}
    chosen = getattr(inner, "best_params_", {})
    return {"inner": float(inner.best_score_), "outer": float(search.score(x, y)), "chosen": _written(chosen)}


def last_step(model: Any) -> Any:
    """Return the last step of a pipeline, or the model itself: a search may follow preprocessing."""
    return model.steps[-1][1] if hasattr(model, "steps") else model


def _written(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(settings.items()))


def judged_search(
    name: str, search: Any, runs: OutOfSample, measure: AnyMeasure | None = None, *, level: float = 0.95
) -> Nested:
    """Evaluate one search of a run made with `look=looked_at`, as `nested` does."""
    scored = score(runs, name, measure, level=level)
    fits = [fit for fit in runs.answered(name) if "inner" in fit.notes]
    inner, outer = (tuple(fit.notes[side] for fit in fits) for side in ("inner", "outer"))
    gaps = np.subtract(inner, outer)
    if len(gaps) > 1:
        optimism = student(gaps.tolist(), level=level, test_over_train=overlap_ratio(runs, fits))
    else:
        why = "no interval: one split does not show how much it varies" if len(gaps) else NO_INNER
        optimism = Estimate("optimism", float(gaps.mean()) if len(gaps) else math.nan, len(gaps), undefined=why)
    model = refitted(search, runs)
    return Nested(
        name,
        scored,
        inner,
        outer,
        Estimate("optimism", optimism.value, optimism.n, optimism.interval, optimism.undefined),
        float(getattr(last_step(model), "best_score_", math.nan)),
        tuple(fit.notes["chosen"] for fit in fits),
        model,
        _in_words(optimism, inner, outer, [fit.notes["chosen"] for fit in fits]),
    )


def _in_words(optimism: Estimate, inner: tuple[float, ...], outer: tuple[float, ...], chosen: list[str]) -> str:
    if not inner:
        return f"{NO_INNER[0].upper()}{NO_INNER[1:]}; only the score on unseen rows is available."
    scores = (
        f"The search reports a score of {np.mean(inner):.4f}; its winners score {np.mean(outer):.4f} on unseen rows"
    )
    many = len(set(chosen))
    which = "the same settings in every split" if many == 1 else f"{many} different settings in {len(chosen)} splits"
    flatters = optimism.interval is not None and optimism.interval.low > 0
    verdict = "its own score is too optimistic" if flatters else "no clear optimism"
    return f"{scores}: {verdict}. It chose {which}."
