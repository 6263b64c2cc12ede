"""One model in training, and the states worth keeping as annotators (thesis 6.5.2, algorithm 1)."""

import math
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.annotators.depths import answers_by_depth
from justesse.annotators.pool import Recipe
from justesse.core.arrays import Array
from justesse.core.errors import OptionError

STEP = 0.05  # errors are told apart by the multiple of 5 % they are nearest to
EPOCHS = 20
PATIENCE = 5  # passes without a lower error, after which training stops
PIECES = 64  # the first pass is cut in pieces of 1/64, 1/64, 1/32, … 1/2, so that poor early states are seen too


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A state of a model: what it answers on every instance, and its resubstitution error."""

    name: str
    answers: NDArray[np.int16]
    error: float


def snapshots(
    recipe: Recipe,
    x: Any,
    labels: Array,
    size: int,
    generator: np.random.Generator,
    *,
    below: float,
    rate: float | None,
) -> list[Snapshot]:
    """Train one model on all the data and keep the states that can serve as annotators.

    Without `rate`: for each multiple of 5 % the *last* state whose error is nearest to it, if below `below`; a state
    that is never wrong is left out, as it has nothing to say. With `rate`: the one state whose error is nearest to it.
    A training that breaks off (its loss explodes) keeps the states reached.

    Parameters
    ----------
    recipe
        The model, and the stages of its training.
    x
        Features, one row per instance.
    labels
        Code of each instance's label.
    size
        Number of classes.
    generator
        Source of random numbers.
    below
        Error that a state must stay below to serve.
    rate
        Error to come close to; `None` keeps several states.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> recipe = Recipe("tree", DecisionTreeClassifier(random_state=0), stages=({"max_depth": 1}, {"max_depth": 2}))
    >>> x, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 1, 1, 1, 0, 1])
    >>> [(kept.name, kept.error) for kept in snapshots(recipe, x, y, 2, np.random.default_rng(0), below=0.4, rate=None)]
    [('tree, max_depth=2', 0.125)]
    """
    kept: dict[int, Snapshot] = {}
    begun = False
    with ExitStack() as stack:
        from threadpoolctl import threadpool_limits

        stack.enter_context(threadpool_limits(1))  # or the last digits would depend on how many run side by side
        if threading.current_thread() is threading.main_thread():  # filters of warnings are shared by all threads
            stack.enter_context(warnings.catch_warnings())
            warnings.simplefilter("ignore")
        try:
            for name, predicted in _states(recipe, x, labels, size, generator):
                answers = np.asarray(predicted)
                if answers.shape != labels.shape:
                    raise OptionError(f"{recipe.name} must predict one class per instance; got shape {answers.shape}.")
                begun, error = True, float(np.mean(answers != labels))
                state = Snapshot(f"{recipe.name}, {name}", answers.astype(np.int16), error)
                if rate is None and 0 < error < below:
                    kept[multiple(error)] = state
                elif rate is not None and (not kept or abs(error - rate) < abs(kept[0].error - rate)):
                    kept[0] = state
        except (ValueError, FloatingPointError):
            if not begun:
                raise
    return [kept[place] for place in sorted(kept)]


def multiple(error: float) -> int:
    """Give the multiple of 5 % an error is nearest to, as a number of steps.

    >>> [multiple(error) for error in (0.02, 0.03, 0.38)]
    [0, 1, 8]
    """
    return math.floor(error / STEP + 0.5)


def _states(
    recipe: Recipe, x: Any, labels: Array, size: int, generator: np.random.Generator
) -> Iterator[tuple[str, Array]]:
    """Train, and give the answers on all instances after each stage or pass."""
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    model = recipe.estimator
    if recipe.columns is not None:
        x = np.ascontiguousarray(x[:, recipe.columns])
    known = slice(None) if recipe.rows is None else recipe.rows
    if recipe.stages:
        for settings in recipe.stages:
            model = clone(recipe.estimator).set_params(**settings).fit(x[known], labels[known])
            (setting,) = settings.items()
            yield f"{setting[0]}={setting[1]:g}", model.predict(x)
    elif recipe.by_depth:
        for depth, answers in answers_by_depth(model.fit(x, labels), x):
            yield f"depth {depth}", answers
    elif hasattr(model, "staged_predict"):
        model.fit(x, labels)
        for stage, answers in enumerate(model.staged_predict(x), 1):
            yield f"stage {stage}", answers
    elif hasattr(model, "partial_fit"):
        order = generator.permutation(len(labels))
        cuts = [len(labels) // (PIECES >> power) for power in range(PIECES.bit_length())]
        passes = [order[a:b] for a, b in zip([0, *cuts], cuts, strict=False) if b > a] + [None] * (EPOCHS - 1)
        best, since = math.inf, 0
        for done, rows in enumerate(passes, 1):
            part, own = (x, labels) if rows is None else (_safe_indexing(x, rows), labels[rows])
            model.partial_fit(part, own, **({"classes": np.arange(size)} if done == 1 else {}))
            answers = np.asarray(model.predict(x))
            yield f"step {done}", answers
            error = float(np.mean(answers != labels))
            best, since = (error, 0) if error < best else (best, since + (rows is None))
            if since >= PATIENCE or not error:
                return
    else:
        yield "trained", model.fit(x, labels).predict(x)
