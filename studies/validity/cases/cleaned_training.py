"""The difference that cleaning training labels makes, over random splits (`noise resist --filter`): fitted models."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from justesse.cleaning.row_filter import RowFilter
from justesse.cleaning.written_filter import written_filter
from justesse.core.seeds import stream
from justesse.noise.models import Uniform
from justesse.procedures.resist import resist
from studies.validity.case import Case, Hits, Setting, covered

Run = Callable[[int, int], Mapping[str, Hits]]
ROWS, SPLITS, MANY = 200, 5, 2000
WHAT = "accuracy after cleaning training labels, less accuracy without"


def _one(rate: float, seed: int, *, repeats: int) -> Any:
    """Draw two overlapping classes, make labels wrong, and give the difference that removing flagged rows makes."""
    rng = stream(seed, "cleaned training", str(rate))
    y = np.arange(ROWS) % 2
    x = rng.normal(size=(ROWS, 2)) + 1.5 * y[:, None]
    own = RowFilter(written_filter("edited-neighbours"), x, (0, 1), {}, StandardScaler())
    result = resist(
        x, y, learners={"tree": DecisionTreeClassifier()}, rates=[rate], noise=Uniform(0), repeats=repeats, seed=seed,
        filters={"edited-neighbours": own}, arms=("remove",),
    )  # fmt: skip
    return result.cleaned[0].difference


@cache
def _truth(rate: float) -> float:
    """Average the difference over many data sets, of other seeds than those whose intervals are counted."""
    return float(np.mean([_one(rate, 10_000_000 + at, repeats=1).value for at in range(MANY)]))


def _differences(rate: float) -> Run:
    def run(repetitions: int, seed: int) -> Mapping[str, Hits]:
        made = [_one(rate, 10_000 * seed + at, repeats=SPLITS) for at in range(repetitions)]
        return {WHAT: covered([item.interval for item in made], _truth(rate))}

    return run


SETTINGS = tuple(
    Setting(
        "cleaned-training",
        f"a tree, rows flagged by their neighbours removed, {100 * rate:g} % wrong labels, {SPLITS} random splits",
        ROWS,
        (Case(WHAT, instead="more splits"),),
        _differences(rate),
        repetitions=400,
        chunk=100,
        models=True,
    )
    for rate in (0.0, 0.2)
)
