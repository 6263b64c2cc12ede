"""Error against training iterations, and when to stop: chosen on validation rows only."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.annotators.seeded import seeded
from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, check_level
from justesse.core.seeds import stream
from justesse.intervals import wilson
from justesse.intervals.student import student
from justesse.measures import error
from justesse.procedures.fitting import Data, one_thread, patiently
from justesse.procedures.run import checked_data
from justesse.procedures.three_sets import ThreeSets, three_sets

NEVER = "the test rows were used once, after the choice"


@dataclass(frozen=True)
class Iterations:
    """Training and validation error after each iteration, where to stop, and the test error there.

    `stop` counts iterations from 1. Only `test` is unbiased: the validation error at `stop` is the lowest of many.
    """

    train: tuple[float, ...]
    validation: tuple[float, ...]
    stop: int
    test: Estimate
    n: tuple[int, int, int]
    seed: int
    words: str
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "train": list(self.train),
            "validation": list(self.validation),
            "stop": self.stop,
            "test": self.test.to_dict(),
            "n": dict(zip(("train", "validation", "test"), self.n, strict=True)),
            "seed": self.seed,
            "words": self.words,
            "assumptions": list(self.assumptions),
        }


def iterations(
    model: Any,
    x: Any,
    y: ArrayLike,
    *,
    sets: ThreeSets | None = None,
    most: int = 100,
    patience: int | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Iterations:
    """Record the errors of a model during training and stop where the validation error is lowest.

    Parameters
    ----------
    model
        A model with `partial_fit`, or with `staged_predict` (boosting).
    x
        Features of each row.
    y
        Label of each row.
    sets
        Training, validation and test rows. Default: 60, 20 and 20 % of the rows.
    most
        Passes over the training rows, in a new order each time.
    patience
        Stop after so many iterations without a lower validation error. Default: never.
    level
        Confidence level.
    seed
        Seed of splits and models.

    Notes
    -----
    Not valid if the validation rows were used in training, or for a model with early stopping of its own. Lecture 003
    (2.2, 2.3); Prechelt (1998).

    >>> from sklearn.datasets import load_digits
    >>> from sklearn.linear_model import SGDClassifier
    >>> result = iterations(SGDClassifier(), *load_digits(return_X_y=True), most=5)
    >>> len(result.train), 1 <= result.stop <= 5, result.test.n
    (5, True, 360)
    """
    check_level(level)
    if most < 1 or (patience is not None and patience < 1):
        raise OptionError(f"most and patience must be at least 1; got most={most!r}, patience={patience!r}.")
    data = checked_data({"model": model}, x, y, None)
    cut = sets or three_sets(data.y, kind="plain" if data.classes is None else "stratified", seed=seed)
    train: list[float] = []
    validation: list[float] = []
    stop, kept = 0, np.empty(0)
    with patiently(), one_thread():
        for learnt, checked, tested in _stages(model, data, cut, most, seed):
            train.append(data.error(cut.train, learnt))
            validation.append(data.error(cut.validation, checked))
            if not stop or validation[-1] < validation[stop - 1]:
                stop, kept = len(validation), tested
            if len(validation) >= most or (patience is not None and len(validation) - stop >= patience):
                break
    losses = data.losses(cut.test, kept)
    if data.classes is None:
        test = student(losses.tolist(), level=level)
    else:
        test = Estimate.of(
            error, float(losses.mean()), len(losses), wilson(losses.sum(), len(losses), level=level).intervals()[0]
        )
    sizes = (len(cut.train), len(cut.validation), len(cut.test))
    words = _in_words(train, validation, stop)
    return Iterations(tuple(train), tuple(validation), stop, test, sizes, seed, words, (NEVER,))


def _stages(model: Any, data: Data, cut: ThreeSets, most: int, seed: int) -> Iterator[tuple[Array, Array, Array]]:
    """Return the answers on training, validation and test rows after each iteration."""
    from sklearn.utils import _safe_indexing

    fresh = seeded(model, stream(seed, "iterations"))
    parts = [_safe_indexing(data.x, rows) for rows in (cut.train, cut.validation, cut.test)]
    labels = data.y[cut.train]
    sizes = [len(rows) for rows in (cut.train, cut.validation, cut.test)]
    if hasattr(fresh, "partial_fit"):
        order = stream(seed, "order of rows")
        once = {} if data.classes is None else {"classes": np.unique(data.y)}
        for _ in range(most):
            rows = order.permutation(len(labels))
            fresh.partial_fit(_safe_indexing(parts[0], rows), labels[rows], **once)
            once = {}
            yield tuple(data.code(fresh.predict(part), size) for part, size in zip(parts, sizes, strict=True))  # type: ignore[misc]
    elif hasattr(fresh, "staged_predict"):
        fresh.fit(parts[0], labels)
        for answers in zip(*(fresh.staged_predict(part) for part in parts), strict=True):
            yield tuple(data.code(answer, size) for answer, size in zip(answers, sizes, strict=True))  # type: ignore[misc]
    else:
        raise OptionError(
            f"{type(fresh).__name__} does not show its iterations. Use a model with partial_fit or staged_predict."
        )


def _in_words(train: list[float], validation: list[float], stop: int) -> str:
    best, last = validation[stop - 1], validation[-1]
    first = f"The validation error is lowest, {best:.4g}, after {stop} of {len(validation)} iterations"
    if last > best and train[-1] <= train[stop - 1]:
        return f"{first}; then it rises to {last:.4g} while the training error falls: over-fitting."
    if stop == len(validation):
        return f"{first}; it may still be falling: train longer."
    return f"{first}; further training changes little."
