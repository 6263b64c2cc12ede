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
NEVER = -8.0  # logit of a lapse rate that counts as none
LOWEST = 1e-12  # no probability counts as less
STARTS = ((0.0, -2.0), (2.0, -5.0))  # logarithm of the temperature, logit of the lapse rate


@dataclass(frozen=True)
class ReliabilityBin:
    """Items with similar probabilities: their mean probability, and the share whose class is right."""

    probability: float
    right: Estimate


@dataclass(frozen=True, eq=False)
class Calibration:
    """The probable classes against gold classes the model did not see.

    `temperature` above 1 means that the model is too sure. `lapse` is the share of items whose class the model does not
    tell at all, however sure it is: annotators were wrong together. `probability` has the calibrated probability of
    each item: for an item with a gold class, from the other gold items. `log_loss` and `calibrated_log_loss` are means
    over the gold items. Without enough gold items there is no temperature.
    """

    accuracy: Estimate
    expected: float
    bins: tuple[ReliabilityBin, ...]
    log_loss: float
    temperature: float | None = None
    lapse: float | None = None
    probability: FloatArray | None = None
    calibrated_log_loss: float | None = None
    calibrated_expected: float | None = None
    calibrated_bins: tuple[ReliabilityBin, ...] = ()


def calibration(fit: Consensus, truth: Codes, *, level: float = 0.95, seed: int = 0) -> Calibration:
    """Compare the probabilities of a consensus with the share that is right.

    Calibrated probabilities are (1 - λ)·p^(1/T), normalised over the classes of an item, plus λ times the proportion of
    the class. T alone cannot express that even items with a probability of 1 are wrong at times: it would flatten all
    others, too. T and λ minimise the log loss of "the probable class is right" over the gold items; those of an item
    with a gold class use the T and λ of the other folds (10, dealt at random). Guo, Pleiss, Sun & Weinberger, On
    calibration of modern neural networks, ICML 2017; λ is the lapse rate of psychometrics.

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
        Accuracy of the probable classes, reliability in bins, temperature, lapse rate and calibrated probabilities.

    Examples
    --------
    >>> from justesse.annotators.dawid_skene import dawid_skene
    >>> from justesse.core.annotations import Annotations
    >>> lines = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy"] * 5
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)]
    >>> truth = np.array([0, 1, 1, 1, 0, 1] * 5, dtype=np.int32)
    >>> checked = calibration(dawid_skene(Annotations.of(rows)), truth)
    >>> round(checked.accuracy.value, 3), bool(checked.temperature > 1 or checked.lapse > 0.1)
    (0.833, True)
    """
    notes = fit.support.annotations
    known = truth >= 0
    if notes.gold is not None:
        known = known & (notes.gold < 0)
    by_features = fit.method == "item-response"  # features give a class to items without answers, too
    items = np.flatnonzero(known & ((notes.per_item > 0) | by_features))
    if not len(items):
        raise InputError("No item with answers has a gold class to check against.")
    label, probability, _ = fit.support.best(fit.shares)
    correct = label == truth
    right = correct[items]
    own = _own_places(fit, truth)
    before = _log_loss(fit.shares, own, items)
    checked = Calibration(
        _share(right, level), float(probability[items].mean()), _bins(probability[items], right, level), before
    )
    if len(items) < FEWEST or right.all():
        return checked
    logs = np.log(np.maximum(fit.shares, 1e-300))
    fold = stream(seed, "calibration").permutation(len(items)) % FOLDS
    flattening = _flattening(fit, logs, label, correct, items)
    shares = _flattened(fit, logs, flattening)
    for part in range(FOLDS):
        mine = np.isin(fit.support.item, items[fold == part])
        shares[mine] = _flattened(fit, logs, _flattening(fit, logs, label, correct, items[fold != part]))[mine]
    after = np.zeros(notes.n_items)
    places = fit.support.label == label[fit.support.item]
    after[fit.support.item[places]] = shares[places]
    return Calibration(
        checked.accuracy,
        checked.expected,
        checked.bins,
        before,
        flattening.temperature,
        flattening.lapse,
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


@dataclass(frozen=True)
class _Flattening:
    """How much flatter calibrated probabilities are than the model's."""

    temperature: float
    lapse: float


def _flattened(fit: Consensus, logs: FloatArray, by: _Flattening) -> FloatArray:
    shares = fit.support.normalised(logs / by.temperature)[0]
    return np.asarray((1 - by.lapse) * shares + by.lapse * fit.proportions[fit.support.label])


def _flattening(fit: Consensus, logs: FloatArray, label: Array, right: Array, items: Array) -> _Flattening:
    """Find the temperature and the lapse rate of least log loss of "the probable class is right"."""
    from scipy.optimize import minimize

    mine = np.isin(fit.support.item, items)
    row = np.searchsorted(items_sorted := np.sort(items), fit.support.item[mine])
    starts = np.searchsorted(row, np.arange(len(items_sorted)))
    top = np.flatnonzero(fit.support.label[mine] == label[fit.support.item[mine]])
    values, usual, hit = logs[mine], fit.proportions[label[items_sorted]], right[items_sorted]

    def loss(at: FloatArray) -> float:
        by = _at(at)
        scaled = values / by.temperature
        highest = np.maximum.reduceat(scaled, starts)
        total = highest + np.log(np.add.reduceat(np.exp(scaled - highest[row]), starts))
        chance = (1 - by.lapse) * np.exp(scaled[top] - total) + by.lapse * usual
        return -float(np.log(np.maximum(np.where(hit, chance, 1 - chance), LOWEST)).mean())

    tried = [minimize(loss, start, method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-7}) for start in STARTS]
    return _at(min(tried, key=lambda each: float(each.fun)).x)


def _at(point: FloatArray) -> _Flattening:
    """Read the temperature, between 0.1 and 400, and the lapse rate, between 0 and 1, from any two numbers."""
    temperature, odds = np.exp(np.clip(point[0], -2.0, 6.0)), np.exp(np.clip(point[1], NEVER, 20.0))
    return _Flattening(float(temperature), float(odds / (1 + odds)) if point[1] > NEVER else 0.0)
