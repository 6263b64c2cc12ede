"""Nested: an inner search selects, and an outer procedure evaluates the selection."""

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
    """An honest figure of a selection, and how much the search's own figure flatters.

    `scored` is the error of the whole selection on rows that took no part in it. In the search's own score (more is
    better) `inner` is what it said of its winners and `outer` what they then scored, split by split; `optimism` is the
    mean of inner minus outer. `non_nested` is what the search says after seeing all rows, `model` its winner, refitted.
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
            "inner": [finite_or_none(one) for one in self.inner],
            "outer": [finite_or_none(one) for one in self.outer],
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
    """Evaluate searches: each selects anew within the training rows of every outer split, and is tested on the rest.

        optimism = mean over splits of (best inner score - score of the winner on the outer test rows)

    A search is anything whose `fit` selects and whose `predict` answers, as GridSearchCV. The optimism has two parts:
    the luck of the winner pushes it up, the smaller training sets of the inner folds pull it down; with few settings
    tried it can be below 0. Wrong to read as the figure of one setting: different splits may choose
    differently, and `chosen` says so. Varma and Simon (2006); Cawley and Talbot (2010).

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from justesse.procedures.folds import Folds
    >>> search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=Folds(3))
    >>> found = nested({"neighbours": search}, *load_iris(return_X_y=True), Folds(3))["neighbours"]
    >>> len(found.inner), found.optimism.name
    (3, 'optimism')
    """
    check_level(level)
    found = run(
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
    return {name: judged_search(name, search, found, measure, level=level) for name, search in searches.items()}


def looked_at(search: Any, x: Any, y: Any) -> dict[str, Any]:
    """Note what a fitted search chose, what it said of it, and what that scores on other rows."""
    inner = last_step(search)
    if not hasattr(inner, "best_score_"):
        return {}
    chosen = getattr(inner, "best_params_", {})
    return {"inner": float(inner.best_score_), "outer": float(search.score(x, y)), "chosen": _written(chosen)}


def last_step(model: Any) -> Any:
    """Give what learns at the end of a pipeline, or the model itself: a search may come after preparation."""
    return model.steps[-1][1] if hasattr(model, "steps") else model


def _written(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in sorted(settings.items()))


def judged_search(
    name: str, search: Any, found: OutOfSample, measure: AnyMeasure | None = None, *, level: float = 0.95
) -> Nested:
    """Judge one search of a run that looked at it with `looked_at`, as `nested` does."""
    scored = score(found, name, measure, level=level)
    fits = [fit for fit in found.answered(name) if "inner" in fit.notes]
    inner, outer = (tuple(fit.notes[side] for fit in fits) for side in ("inner", "outer"))
    gaps = np.subtract(inner, outer)
    if len(gaps) > 1:
        optimism = student(gaps.tolist(), level=level, test_over_train=overlap_ratio(found, fits))
    else:
        why = "one split: how much it varies is not known" if len(gaps) else NO_INNER
        optimism = Estimate("optimism", float(gaps.mean()) if len(gaps) else math.nan, len(gaps), undefined=why)
    model = refitted(search, found)
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
