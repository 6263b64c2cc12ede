"""Which model explains answers it has not seen: items are left out in turn, and their answers predicted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.mace import mace
from justesse.annotators.one_coin import one_coin
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.results import Estimate
from justesse.core.seeds import stream
from justesse.intervals.student import student

PRIOR = 1.0  # counts added to a table so that unseen answers stay possible
MOST_CELLS = 20_000_000


@dataclass(frozen=True)
class HeldOut:
    """Mean log probability of a held-out item's answers per answer; higher is better."""

    method: str
    score: Estimate
    below_best: Estimate | None


def heldout(
    annotations: Annotations, methods: Sequence[str] = (), *, folds: int = 5, level: float = 0.95, seed: int = 0
) -> list[HeldOut]:
    """Score models by the probability they give to the answers of items left out, best first.

    Items are dealt to folds at random. A model is fitted to the other folds; then log p(answers of an item) = log sum
    over classes of proportion times the annotators' probabilities. Tables have a prior count, shared between
    annotators: a new one is taken for a usual one. `pooled` takes all annotators for equal. `below_best` is the mean
    difference to the best model with its interval over items.

    >>> lines = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy", "xxy", "yyx"] * 4
    >>> notes = Annotations.of([(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)])
    >>> heldout(notes)[-1].method
    'pooled'
    """
    names = tuple(methods) or tuple(TABLES)
    answered = np.flatnonzero(annotations.per_item > 0)
    if len(answered) < folds:
        raise InputError(f"Comparing models needs at least {folds} items with answers; there are {len(answered)}.")
    if annotations.n_annotators * annotations.n_classes**2 > MOST_CELLS:
        raise InputError("There are too many annotators and classes to compare models. Take a sample of annotators.")
    fold = stream(seed, "held-out").permutation(len(answered)) % folds
    scores = {name: np.zeros(len(answered)) for name in names}
    for part in range(folds):
        training = annotations.of_items(answered[fold != part])
        test = annotations.of_items(answered[fold == part])
        for name in names:
            proportions, chances = TABLES[name](training)
            scores[name][fold == part] = _evidence(test, proportions, chances)
    sizes = annotations.per_item[answered]
    means = {name: float(values.sum() / sizes.sum()) for name, values in scores.items()}
    order = sorted(names, key=lambda name: -means[name])
    return [
        HeldOut(
            name,
            _mean("log probability per answer", scores[name], sizes, level),
            None if name == order[0] else _mean("difference", scores[name] - scores[order[0]], sizes, level),
        )
        for name in order
    ]


def _mean(name: str, values: FloatArray, sizes: Array, level: float) -> Estimate:
    """Divide the sum over items by the number of answers; items are the sample."""
    value = float(values.sum() / sizes.sum())
    each = value + (values - value * sizes) / sizes.mean()
    return Estimate(name, value, len(values), student(each.tolist(), level=level).interval)


def _evidence(test: Annotations, proportions: FloatArray, chances: FloatArray) -> FloatArray:
    """Sum over the classes; `chances` is annotator × class × answer."""
    logs = np.log(chances)[test.annotator, :, test.answer]
    table = np.zeros((test.n_items, test.n_classes))
    np.add.at(table, test.item, logs)
    return np.asarray(logsumexp(table + np.log(proportions), axis=1))


def _tables(training: Annotations) -> tuple[FloatArray, FloatArray]:
    fit = dawid_skene(training, prior=0.01)
    counts = np.asarray(fit.support.tables.counts(fit.shares)).transpose(0, 2, 1)
    usual = counts.sum(axis=0) + 0.1
    usual /= usual.sum(axis=1, keepdims=True)
    smooth = counts + PRIOR * usual * training.n_classes
    return _safe(fit.proportions), smooth / smooth.sum(axis=2, keepdims=True)


def _coin(training: Annotations) -> tuple[FloatArray, FloatArray]:
    fit = one_coin(training)
    right = fit.extra["right"]
    unseen = training.per_annotator == 0
    right = np.where(unseen, right[~unseen].mean(), right)
    return _safe(fit.proportions), _coin_tables(right, training.n_classes)


def _pooled(training: Annotations) -> tuple[FloatArray, FloatArray]:
    """Take all annotators for one, who is right with one chance."""
    same = Annotations(
        training.items,
        ["all"],
        training.classes,
        training.item,
        np.zeros_like(training.annotator),
        training.answer,
        training.gold,
    )
    fit = one_coin(same)
    right = np.full(training.n_annotators, float(fit.extra["right"][0]))
    return _safe(fit.proportions), _coin_tables(right, training.n_classes)


def _habits(training: Annotations) -> tuple[FloatArray, FloatArray]:
    fit = mace(training, starts=3)
    k = training.n_classes
    competence = fit.extra["competence"]
    unseen = training.per_annotator == 0
    competence = np.where(unseen, competence[~unseen].mean(), competence)
    habit = fit.extra["habit"]
    tables = np.repeat(((1 - competence)[:, None] * habit)[:, None, :], k, axis=1)
    tables[:, np.arange(k), np.arange(k)] += competence[:, None]
    return _safe(fit.proportions), np.maximum(tables, 1e-12)


def _coin_tables(right: FloatArray, k: int) -> FloatArray:
    tables = np.repeat(np.repeat(((1 - right) / max(k - 1, 1))[:, None, None], k, axis=1), k, axis=2)
    tables[:, np.arange(k), np.arange(k)] = right[:, None]
    return tables


def _safe(proportions: FloatArray) -> FloatArray:
    smooth = proportions + 1e-3 / len(proportions)
    return np.asarray(smooth / smooth.sum())


TABLES: dict[str, Callable[[Annotations], tuple[FloatArray, FloatArray]]] = {
    "pooled": _pooled,
    "one-coin": _coin,
    "dawid-skene": _tables,
    "mace": _habits,
}
