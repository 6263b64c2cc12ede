"""Bias and variance: the error that all training sets share, and the error that depends on the training set."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.core.errors import OptionError
from justesse.core.parallel_map import Progress
from justesse.core.results import finite_or_none
from justesse.core.seeds import stream
from justesse.procedures.holdout import Holdout
from justesse.procedures.kinds import Kind, rows_of
from justesse.procedures.run import run

UNKNOWN_NOISE = "without true values, noise cannot be separated from bias and is part of it"
DRAWS_FOR_SETS = "draws with replacement from one training set represent new training sets"


@dataclass(frozen=True)
class BiasVariance:
    """The parts of a mean error over training sets; they add up to `total`.

    Numbers: total = bias + variance + noise, where bias is squared. Classes: total = bias + variance + noise, where
    variance is that of rows whose main answer is right (`unbiased`) minus what it corrects on the others (`biased`),
    and noise is what wrong labels add or, where the learner errs too, subtract.
    """

    loss: str
    total: float
    bias: float
    variance: float
    noise: float
    unbiased: float
    biased: float
    sets: int
    n: int
    assumptions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            name: finite_or_none(value) if isinstance(value, float) else value for name, value in vars(self).items()
        } | {"assumptions": list(self.assumptions)}


def squared_parts(labels: ArrayLike, answers: ArrayLike, *, truth: ArrayLike | None = None) -> BiasVariance:
    """Split the mean squared error of answers (training sets × rows) into squared bias, variance and noise.

        E(y-f)² = (E f - t)² + Var f + E(y-t)²,   averaged over rows,   t the true value

    Without `truth`, the labels take its place and noise is part of the bias. What a finite number of training sets adds
    to the bias is subtracted, so it can be slightly below 0. The random deviation of these labels from the truth counts
    as noise. Geman, Bienenstock and Doursat (1992).

    >>> result = squared_parts([1.0, 2.0], [[1.0, 4.0], [3.0, 2.0]])
    >>> result.total, result.bias, result.variance
    (2.0, 0.0, 2.0)
    """
    y, f = np.asarray(labels, dtype=float), _table(answers, len(np.asarray(labels)))
    t = y if truth is None else _same(truth, y)
    sets = len(f)
    variance = float(f.var(axis=0, ddof=1).mean())
    bias = float(((f.mean(axis=0) - t) ** 2).mean()) - variance / sets
    total = float(((y - f) ** 2).mean())
    noise = total - bias - variance if truth is not None else 0.0
    rests = () if truth is not None else (UNKNOWN_NOISE,)
    return BiasVariance("squared", total, bias, variance, noise, variance, np.nan, sets, len(y), rests)


def zero_one_parts(labels: ArrayLike, answers: ArrayLike, *, truth: ArrayLike | None = None) -> BiasVariance:
    """Split the error of answers (training sets × rows) into bias, variance and noise, for classes.

        main answer m(x): the most frequent one;   bias B(x) = 1 if m(x) is wrong
        error = mean B + mean V of rows with B=0 - mean (V·P(f true | f ≠ m)) of rows with B=1 + noise,   V = P(f ≠ m)
        noise = mean over wrongly labelled rows of P(f true) - P(f = label)

    On rows where the main answer is wrong, variance helps. Without `truth`, the labels take its place and there is no
    noise. The parts add up exactly, for any number of classes. Not comparable with the squared parts: bias is 0 or 1 in
    each row. Ties of the main answer go to the first class. Domingos (2000).

    >>> result = zero_one_parts(["a", "b"], [["a", "a"], ["b", "a"], ["a", "b"]])
    >>> [round(part, 4) for part in (result.total, result.bias, result.unbiased, result.biased, result.variance)]
    [0.5, 0.5, 0.1667, 0.1667, 0.0]
    """
    table = np.asarray(answers)
    y = np.asarray(labels)
    f = _table(table, len(y), kind=table.dtype)
    codes, _ = coded(np.concatenate([np.ravel(f), y] + ([] if truth is None else [_same(truth, y)])))
    n, sets = len(y), len(f)
    f, y = codes[: n * sets].reshape(sets, n), codes[n * sets : n * (sets + 1)]
    t = y if truth is None else codes[n * (sets + 1) :]
    shares = np.stack([(f == code).mean(axis=0) for code in range(int(codes.max()) + 1)], axis=1)
    rows, main = np.arange(n), shares.argmax(axis=1)
    wrong, varies = main != t, 1 - shares[rows, main]
    unbiased = float(np.where(wrong, 0.0, varies).mean())
    biased = float(np.where(wrong, shares[rows, t], 0.0).mean())
    noise = float((shares[rows, t] - shares[rows, y]).mean())
    total = float((1 - shares[rows, y]).mean())
    bias, variance = float(wrong.mean()), unbiased - biased
    rests = () if truth is not None else (UNKNOWN_NOISE,)
    return BiasVariance("zero-one", total, bias, variance, noise, unbiased, biased, sets, n, rests)


def _table(answers: ArrayLike, rows: int, kind: Any = float) -> Array:
    table = np.asarray(answers, dtype=kind)
    if table.ndim != 2 or table.shape[1] != rows or len(table) < 2:
        raise OptionError(
            f"Answers need a row for each of two or more training sets, and {rows} columns; got shape {table.shape}."
        )
    return table


def _same(truth: ArrayLike, labels: Array) -> Array:
    values = np.asarray(truth)
    if values.shape != labels.shape:
        raise OptionError(
            f"truth must hold a true value for each of the {len(labels)} labels; got shape {values.shape}."
        )
    return values


@dataclass(frozen=True)
class _Redrawn:
    """Hold out once, and draw the training rows several times with replacement."""

    holdout: Holdout
    draws: int
    folds = 1

    @property
    def name(self) -> str:
        return f"{self.draws} draws of the training rows, {self.holdout.name}"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        return self.draws

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Array, Array]]:  # noqa: N803
        [(train, test)] = self.holdout.split(np.arange(rows_of(X)), y, groups)
        for draw in range(self.draws):
            yield stream(self.holdout.random_state, "redrawn", str(draw)).choice(train, len(train)), test


def bias_variance(
    model: Any,
    x: Any,
    y: ArrayLike,
    *,
    truth: ArrayLike | None = None,
    draws: int = 100,
    test_share: float = 0.2,
    kind: Kind | None = None,
    groups: ArrayLike | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> BiasVariance:
    """Train a model on many draws of the same training rows, and split its error on held-out rows into parts.

    Parameters
    ----------
    model
        Anything with `fit` and `predict`.
    x
        Features of each row.
    y
        Label of each row.
    truth
        True value of each row, which separates noise from bias.
    draws
        Number of draws of the training rows.
    test_share
        Share of rows held out.
    kind
        Kind of the holdout. Default: stratified for classes, plain for numbers.
    groups
        Group of each row, for `kind="grouped"`.
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
    Squared error for numbers (`squared_parts`), error rate for classes (`zero_one_parts`). A draw with replacement
    holds 63 % of the rows, so the variance is that of somewhat smaller training sets. Draws in which the model fails
    are left out.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> result = bias_variance(DecisionTreeClassifier(), *load_iris(return_X_y=True), draws=20)
    >>> result.loss, result.sets, round(result.bias + result.variance - result.total, 12)
    ('zero-one', 20, 0.0)
    """
    from sklearn.base import is_regressor

    usual: Kind = "plain" if is_regressor(model) else "stratified"
    procedure = _Redrawn(Holdout(test_share, kind=kind or usual, random_state=seed), draws)
    runs = run(
        {"model": model},
        x,
        y,
        procedure,
        groups=groups,
        seed=seed,
        n_jobs=n_jobs,
        checkpoint=checkpoint,
        progress=progress,
    )
    fits = runs.answered("model")
    test, answers = fits[0].test, np.array([fit.answers for fit in fits])
    own = None if truth is None else _same(truth, runs.data.y)[test]
    if runs.data.classes is None:
        made = squared_parts(runs.data.y[test], answers, truth=own)
    else:
        classes = runs.data.classes
        codes = None if own is None else coded(own, classes)[0]
        made = zero_one_parts(coded(runs.data.y[test], classes)[0], answers, truth=codes)
    return BiasVariance(**vars(made) | {"assumptions": (*made.assumptions, DRAWS_FOR_SETS)})
