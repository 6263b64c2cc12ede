"""Which model explains answers it has not seen: items are left out in turn, and their answers predicted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import log_expit, logsumexp

from justesse.annotators.bayesian import bayesian
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.glad import glad
from justesse.annotators.item_features import ItemLikelihood
from justesse.annotators.mace import mace
from justesse.annotators.one_coin import one_coin
from justesse.annotators.vote import weighted
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.results import Estimate
from justesse.core.seeds import stream
from justesse.intervals.student import student

PRIOR = 1.0  # counts added to a table so that unseen answers stay possible
MOST_CELLS = 20_000_000
MOST_DRAWN = 1_000_000_000  # answers × classes × draws that Bayesian models may take
CHAINS, DRAWS, BURN = 2, 150, 100
NODES = 15  # of the quadrature over the easiness of a new item


@dataclass(frozen=True)
class HeldOut:
    """Mean log probability of a held-out item's answers per answer; higher is better."""

    method: str
    score: Estimate
    below_best: Estimate | None


@dataclass(frozen=True, eq=False)
class _Fold:
    """All answers, the items a model is fitted to and those it predicts."""

    annotations: Annotations
    train: Array
    test: Array
    features: ItemLikelihood | None
    seed: int

    @property
    def training(self) -> Annotations:
        return self.annotations.of_items(self.train)

    @property
    def held_out(self) -> Annotations:
        return self.annotations.of_items(self.test)


def heldout(
    annotations: Annotations,
    methods: Sequence[str] = (),
    *,
    features: ItemLikelihood | None = None,
    folds: int = 5,
    level: float = 0.95,
    seed: int = 0,
) -> list[HeldOut]:
    """Score models by the probability they give to the answers of items left out, best first.

    Items are dealt to folds at random. A model is fitted to the other folds; then log p(answers of an item) = log sum
    over classes of proportion times the annotators' probabilities. Tables have a prior count, shared between
    annotators: a new one counts as a typical one. Votes are no model of answers: majority is scored as "all annotators
    are right equally often", weighted as "each is right as often as they agree with the weighted vote". GLAD integrates
    over the easiness of a new item. Item-response uses the features of the items left out, not their answers.

    Parameters
    ----------
    annotations
        Who answered what.
    methods
        Names of models. Default: all that the data allow.
    features
        Features of the items, for item-response. Default: none.
    folds
        Number of parts of the items.
    level
        Confidence level.
    seed
        Seed of the folds and of random draws.

    Returns
    -------
    list
        Scores; `below_best` is the mean difference to the best model with its interval over items.

    Examples
    --------
    >>> lines = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy", "xxy", "yyx"] * 4
    >>> notes = Annotations.of([(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)])
    >>> heldout(notes, ["majority", "one-coin", "dawid-skene"])[-1].method
    'majority'
    """
    names = tuple(methods) or scored_methods(annotations, features, folds)
    answered = np.flatnonzero(annotations.per_item > 0)
    if len(answered) < folds:
        raise InputError(f"Comparing models needs at least {folds} items with answers; there are {len(answered)}.")
    if annotations.n_annotators * annotations.n_classes**2 > MOST_CELLS:
        raise InputError("There are too many annotators and classes to compare models. Take a sample of annotators.")
    fold = stream(seed, "held-out").permutation(len(answered)) % folds
    scores = {name: np.zeros(len(answered)) for name in names}
    for part in range(folds):
        own = _Fold(annotations, answered[fold != part], answered[fold == part], features, seed)
        for name in names:
            scores[name][fold == part] = EVIDENCE[name](own)
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


def scored_methods(annotations: Annotations, features: ItemLikelihood | None, folds: int) -> tuple[str, ...]:
    """Name the models that the data allow: item-response needs features, Bayesian ones not too many answers."""
    steps = CHAINS * (DRAWS + BURN) * folds
    small = len(annotations) * annotations.n_classes * steps <= MOST_DRAWN
    left_out = set() if small else {"hierarchical", "item-response"}
    if features is None:
        left_out.add("item-response")
    return tuple(name for name in EVIDENCE if name not in left_out)


def _mean(name: str, values: FloatArray, sizes: Array, level: float) -> Estimate:
    """Divide the sum over items by the number of answers; items are the sample."""
    value = float(values.sum() / sizes.sum())
    each = value + (values - value * sizes) / sizes.mean()
    return Estimate(name, value, len(values), student(each.tolist(), level=level).interval)


def _by_tables(model: Callable[[Annotations], tuple[FloatArray, FloatArray]]) -> Callable[[_Fold], FloatArray]:
    """Predict with class proportions and tables of the annotators."""

    def evidence(fold: _Fold) -> FloatArray:
        proportions, chances = model(fold.training)
        return _evidence(fold.held_out, np.log(proportions), chances)

    return evidence


def _evidence(test: Annotations, logs: FloatArray, chances: FloatArray) -> FloatArray:
    """Sum over the classes, which have log probabilities before any answer; `chances` is annotator × class × answer."""
    each = np.log(chances)[test.annotator, :, test.answer]
    table = np.zeros((test.n_items, test.n_classes))
    np.add.at(table, test.item, each)
    return np.asarray(logsumexp(table + logs, axis=1))


def _tables(training: Annotations) -> tuple[FloatArray, FloatArray]:
    fit = dawid_skene(training, prior=0.01)
    counts = np.asarray(fit.support.tables.counts(fit.shares)).transpose(0, 2, 1)
    usual = counts.sum(axis=0) + 0.1
    usual /= usual.sum(axis=1, keepdims=True)
    smooth = counts + PRIOR * usual * training.n_classes
    return _safe(fit.proportions), smooth / smooth.sum(axis=2, keepdims=True)


def _coin(training: Annotations) -> tuple[FloatArray, FloatArray]:
    fit = one_coin(training)
    return _safe(fit.proportions), _coin_tables(_usual_if_new(fit.extra["right"], training), training.n_classes)


def _alike(training: Annotations) -> tuple[FloatArray, FloatArray]:
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


def _weighted(training: Annotations) -> tuple[FloatArray, FloatArray]:
    """Take an annotator's share of answers that agree with the weighted vote for the chance to be right."""
    fit = weighted(training)
    n = training.per_annotator
    right = (np.nan_to_num(fit.accuracies()) * n + PRIOR) / (n + 2 * PRIOR)
    return _safe(fit.proportions), _coin_tables(_usual_if_new(right, training), training.n_classes)


def _habits(training: Annotations) -> tuple[FloatArray, FloatArray]:
    fit = mace(training, starts=3)
    k = training.n_classes
    competence = _usual_if_new(fit.extra["competence"], training)
    tables = np.repeat(((1 - competence)[:, None] * fit.extra["habit"])[:, None, :], k, axis=1)
    tables[:, np.arange(k), np.arange(k)] += competence[:, None]
    return _safe(fit.proportions), np.maximum(tables, 1e-12)


def _glad(fold: _Fold) -> FloatArray:
    """Integrate over the easiness of a new item, whose logarithm is normal with mean and spread 1."""
    ability = glad(fold.training).extra["ability"]
    test = fold.held_out
    k = max(test.n_classes, 2)
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    parts = []
    for node, weight in zip(nodes, weights / weights.sum(), strict=True):
        product = ability[test.annotator] * np.exp(1 + node)
        off = log_expit(-product) - np.log(k - 1)
        table = np.zeros((test.n_items, test.n_classes))
        np.add.at(table, (test.item, test.answer), log_expit(product) - off)
        table += np.bincount(test.item, weights=off, minlength=test.n_items)[:, None]
        parts.append(logsumexp(table, axis=1) - np.log(test.n_classes) + np.log(weight))
    return np.asarray(logsumexp(np.array(parts), axis=0))


def _bayesian(fold: _Fold, features: ItemLikelihood | None) -> FloatArray:
    """Leave the answers out, not the items: their classes follow from the proportions, and the features if any."""
    notes = fold.annotations
    kept = np.zeros(notes.n_items, dtype=bool)
    kept[fold.train] = True
    silent = notes.where(kept[notes.item])
    fit = bayesian(silent, features=features, chains=CHAINS, draws=DRAWS, burn=BURN, seed=fold.seed)
    shares = fit.dense()[fold.test]
    shares = shares + 1e-3 / notes.n_classes
    chances = np.asarray(fit.tables).transpose(0, 2, 1)
    return _evidence(fold.held_out, np.log(shares / shares.sum(axis=1, keepdims=True)), np.maximum(chances, 1e-12))


def _hierarchical(fold: _Fold) -> FloatArray:
    return _bayesian(fold, None)


def _item_response(fold: _Fold) -> FloatArray:
    return _bayesian(fold, fold.features)


def _usual_if_new(right: FloatArray, training: Annotations) -> FloatArray:
    """Take an annotator without answers for a usual one."""
    unseen = training.per_annotator == 0
    return np.where(unseen, right[~unseen].mean(), right)


def _coin_tables(right: FloatArray, k: int) -> FloatArray:
    tables = np.repeat(np.repeat(((1 - right) / max(k - 1, 1))[:, None, None], k, axis=1), k, axis=2)
    tables[:, np.arange(k), np.arange(k)] = right[:, None]
    return tables


def _safe(proportions: FloatArray) -> FloatArray:
    smooth = proportions + 1e-3 / len(proportions)
    return np.asarray(smooth / smooth.sum())


EVIDENCE: dict[str, Callable[[_Fold], FloatArray]] = {
    "majority": _by_tables(_alike),
    "weighted": _by_tables(_weighted),
    "one-coin": _by_tables(_coin),
    "dawid-skene": _by_tables(_tables),
    "mace": _by_tables(_habits),
    "glad": _glad,
    "hierarchical": _hierarchical,
    "item-response": _item_response,
}
