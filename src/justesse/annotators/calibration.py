"""Whether the probabilities of a consensus can be believed: compared with gold classes that the model did not see."""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.core.annotations import Codes
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.results import Estimate, Interval
from justesse.core.seeds import stream
from justesse.intervals.wilson import wilson

BINS, FOLDS, FEWEST = 10, 10, 20
LOWEST = 1e-12  # no probability counts as less


@dataclass(frozen=True)
class ReliabilityBin:
    """Items with similar probabilities: their mean probability, and the share whose class is right."""

    probability: float
    right: Estimate


@dataclass(frozen=True, eq=False)
class Calibration:
    """The probable classes against gold classes the model did not see.

    `temperature` above 1 means that the model is too sure. `probability` has the calibrated probability of each item:
    for an item with a gold class, from the other gold items. `log_loss` and `calibrated_log_loss` are means over the
    gold items. Without enough gold items there is no temperature.
    """

    accuracy: Estimate
    expected: float
    bins: tuple[ReliabilityBin, ...]
    log_loss: float
    temperature: float | None = None
    probability: FloatArray | None = None
    calibrated_log_loss: float | None = None
    calibrated_expected: float | None = None
    calibrated_bins: tuple[ReliabilityBin, ...] = ()


def calibration(fit: Consensus, truth: Codes, *, level: float = 0.95, seed: int = 0) -> Calibration:
    """Compare the probabilities of a consensus with the share that is right.

    Calibrated probabilities are p^(1/T), normalised over the classes of an item. T minimises the log loss of gold
    items; those of an item with a gold class use the T of the other folds (10, dealt at random). Guo, Pleiss, Sun &
    Weinberger, On calibration of modern neural networks, ICML 2017.

    Parameters
    ----------
    fit
        Consensus of a model that did not see these gold classes.
    truth
        Code of the true class of each item, -1 where it is unknown.
    level
        Confidence level.
    seed
        Seed of the folds.

    Returns
    -------
    Calibration
        Accuracy of the probable classes, reliability in bins, temperature and calibrated probabilities.

    Examples
    --------
    >>> from justesse.annotators.dawid_skene import dawid_skene
    >>> from justesse.core.annotations import Annotations
    >>> lines = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy"] * 5
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)]
    >>> truth = np.array([0, 1, 1, 1, 0, 1] * 5, dtype=np.int32)
    >>> checked = calibration(dawid_skene(Annotations.of(rows)), truth)
    >>> round(checked.accuracy.value, 3), bool(checked.temperature > 1)
    (0.833, True)
    """
    notes = fit.support.annotations
    known = truth >= 0
    if notes.gold is not None:
        known = known & (notes.gold < 0)
    items = np.flatnonzero(known & (notes.per_item > 0))
    if not len(items):
        raise InputError("No item with answers has a gold class to check against.")
    label, probability, _ = fit.support.best(fit.shares)
    right = label[items] == truth[items]
    own = _own_places(fit, truth)
    before = _log_loss(fit.shares, own, items)
    checked = Calibration(
        _share(right, level), float(probability[items].mean()), _bins(probability[items], right, level), before
    )
    if len(items) < FEWEST or right.all():
        return checked
    logs = np.log(np.maximum(fit.shares, 1e-300))
    fold = stream(seed, "calibration").permutation(len(items)) % FOLDS
    temperature = _temperature(fit, logs, own, items)
    shares = _tempered(fit, logs, temperature)
    for part in range(FOLDS):
        mine = np.isin(fit.support.item, items[fold == part])
        shares[mine] = _tempered(fit, logs, _temperature(fit, logs, own, items[fold != part]))[mine]
    after = np.zeros(notes.n_items)
    places = fit.support.label == label[fit.support.item]
    after[fit.support.item[places]] = shares[places]
    return Calibration(
        checked.accuracy,
        checked.expected,
        checked.bins,
        before,
        temperature,
        after,
        _log_loss(shares, own, items),
        float(after[items].mean()),
        _bins(after[items], right, level),
    )


def _share(right: Array, level: float) -> Estimate:
    n, hits = len(right), int(right.sum())
    ends = wilson(hits, n, level=level)
    return Estimate("accuracy", hits / n, n, Interval(float(ends.low), float(ends.high), level, "wilson", (0.0, 1.0)))


def _bins(probability: FloatArray, right: Array, level: float) -> tuple[ReliabilityBin, ...]:
    """Put the items in up to 10 bins of similar size; items of one probability, to 0.1 points, stay together."""
    rounded = np.round(probability, 3)
    edges = np.unique(np.quantile(rounded, np.linspace(0, 1, BINS + 1)[1:-1]))
    place = np.searchsorted(edges, rounded, side="right")
    parts = (np.flatnonzero(place == code) for code in np.unique(place))
    return tuple(ReliabilityBin(float(probability[part].mean()), _share(right[part], level)) for part in parts)


def _own_places(fit: Consensus, truth: Codes) -> Array:
    """Give the place of each item's true class in the support, -1 if it is not possible there."""
    k = fit.support.annotations.n_classes
    keys = fit.support.item.astype(np.int64) * k + fit.support.label
    items = np.arange(len(truth), dtype=np.int64)
    asked = items * k + truth
    at = np.minimum(np.searchsorted(keys, asked), max(len(keys) - 1, 0))
    return np.where((truth >= 0) & (truth < k) & (keys[at] == asked), at, -1)


def _log_loss(shares: FloatArray, own: Array, items: Array) -> float:
    chosen = own[items]
    chance = np.where(chosen >= 0, shares[np.maximum(chosen, 0)], 0.0)
    return float(-np.log(np.maximum(chance, LOWEST)).mean())


def _tempered(fit: Consensus, logs: FloatArray, temperature: float) -> FloatArray:
    return fit.support.normalised(logs / temperature)[0]


def _temperature(fit: Consensus, logs: FloatArray, own: Array, items: Array) -> float:
    from scipy.optimize import minimize_scalar

    mine = np.isin(fit.support.item, items)
    place = np.cumsum(mine) - 1
    row = np.searchsorted(items_sorted := np.sort(items), fit.support.item[mine])
    local = np.where(own[items_sorted] >= 0, place[np.maximum(own[items_sorted], 0)], -1)
    values = logs[mine]
    starts = np.searchsorted(row, np.arange(len(items_sorted)))

    def loss(log_temperature: float) -> float:
        scaled = values / np.exp(log_temperature)
        top = np.maximum.reduceat(scaled, starts)
        total = top + np.log(np.add.reduceat(np.exp(scaled - top[row]), starts))
        gained = np.where(local >= 0, scaled[np.maximum(local, 0)] - total, np.log(LOWEST))
        return -float(np.maximum(gained, np.log(LOWEST)).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-2.0, 6.0), method="bounded").x))
