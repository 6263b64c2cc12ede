"""How far annotators agree beyond chance: percent, Fleiss' kappa, Gwet's AC1, Krippendorff's alpha, from vote counts.

Every coefficient is (p_a - p_e) / (1 - p_e): p_a, the chance that two answers to one item agree; p_e, what chance alone
would give. They differ in p_e. Standard errors take the items for the sample (linearised, Gwet 2008), so they need no
table of annotators, and any pattern of missing answers will do.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from justesse.annotators.item_spread import item_interval
from justesse.core.annotations import Votes
from justesse.core.arrays import FloatArray
from justesse.core.results import Alternative, Estimate

Coefficient = Literal["percent", "fleiss", "ac1", "alpha"]
TITLES: dict[Coefficient, str] = {
    "percent": "percent agreement",
    "fleiss": "Fleiss' kappa",
    "ac1": "Gwet's AC1",
    "alpha": "Krippendorff's alpha",
}


@dataclass(frozen=True)
class _Shares:
    """Per item with enough answers: the share of agreeing pairs, and what its answers add to the chance agreement."""

    agreeing: FloatArray
    chance: FloatArray
    expected: float
    n: int


def agreement(
    votes: Votes,
    coefficient: Coefficient = "alpha",
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Estimate:
    """Compute a coefficient of agreement on classes without order, and its interval.

    Parameters
    ----------
    votes
        Answers counted by item and class.
    coefficient
        "percent" (chance that two answers to one item agree), "fleiss", "ac1" or "alpha".
    level
        Confidence level.
    alternative
        "two-sided" for an interval, "greater" or "less" for one bound.

    Returns
    -------
    Estimate
        Value, its interval and the number of items with two answers or more.

    Examples
    --------
    >>> from justesse.core.annotations import Annotations
    >>> rows = [(1, "a", "x"), (1, "b", "x"), (2, "a", "x"), (2, "b", "y"), (3, "a", "y"), (3, "b", "y")]
    >>> answers = Annotations.of(rows)
    >>> round(agreement(answers.votes(), "alpha").value, 4), round(agreement(answers.votes(), "fleiss").value, 4)
    (0.4444, 0.3333)
    """
    shares = _SHARES[coefficient](votes)
    values, value = _linearised(shares)
    return estimated(coefficient, values, value, level=level, alternative=alternative)


def estimated(
    name: str, influences: FloatArray, value: float, *, level: float, alternative: Alternative = "two-sided"
) -> Estimate:
    """Make the estimate of a coefficient from its linearised value of each item."""
    n = len(influences)
    if n == 0:
        return Estimate(name, np.nan, 0, undefined="no item has two answers")
    if np.isnan(value):
        return Estimate(
            name, np.nan, n, undefined="all answers are of one class, so that chance alone agrees everywhere"
        )
    if n < 2:
        return Estimate(name, value, n, undefined="one item gives no interval")
    interval = item_interval(influences, value, level=level, alternative=alternative)
    if interval is None:
        return Estimate(name, value, n, undefined="all items agree alike, so there is no spread to compute it from")
    if name == "percent":
        interval = replace(interval, unclipped_low=interval.low, bounds=(0.0, 1.0))
    return Estimate(name, value, n, interval)


def by_class(votes: Votes, *, level: float = 0.95) -> list[Estimate]:
    """Compute alpha of each class against all others together.

    >>> from justesse.core.annotations import Annotations
    >>> rows = [(1, "a", "x"), (1, "b", "x"), (2, "a", "y"), (2, "b", "z"), (3, "a", "z"), (3, "b", "z")]
    >>> answers = Annotations.of(rows)
    >>> [round(each.value, 3) for each in by_class(answers.votes())]
    [1.0, 0.0, 0.444]
    """
    results = []
    for code, name in enumerate(votes.classes):
        inside = np.zeros(votes.n_items)
        at = votes.answer == code
        inside[votes.item[at]] = votes.count[at]
        total = votes.per_item
        cells = np.stack([inside, total - inside], axis=1)
        item, answer = np.nonzero(cells)
        binary = Votes(item, answer, cells[item, answer], votes.n_items, (True, False))
        values, value = _linearised(_alpha(binary))
        estimate = estimated("alpha", values, value, level=level)
        results.append(
            Estimate("alpha", estimate.value, estimate.n, estimate.interval, estimate.undefined, class_name=name)
        )
    return results


def agreeing_share(votes: Votes) -> FloatArray:
    """Give for each item the share of pairs of its answers that agree, NaN with fewer than two answers."""
    total = votes.per_item
    squares = np.bincount(votes.item, weights=np.square(votes.count, dtype=float), minlength=votes.n_items)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total >= 2, (squares - total) / (total * (total - 1)), np.nan)


def _linearised(shares: _Shares) -> tuple[FloatArray, float]:
    """Give the value of the coefficient, and per item the value whose mean it is to first order."""
    if not len(shares.agreeing):
        return np.array([]), np.nan
    if shares.expected >= 1 - 1e-12:
        return shares.agreeing, np.nan
    rest = 1 - shares.expected
    observed = float(shares.agreeing.mean())
    value = (observed - shares.expected) / rest
    values = (shares.agreeing - shares.expected) / rest - 2 * (1 - value) * (shares.chance - shares.expected) / rest
    return values, value


def _percent(votes: Votes) -> _Shares:
    share = agreeing_share(votes)
    share = share[~np.isnan(share)]
    return _Shares(share, np.zeros(len(share)), 0.0, len(share))


def _fleiss(votes: Votes) -> _Shares:
    return _with_marginals(votes, lambda p, own: (float(p @ p), own(p)))


def _ac1(votes: Votes) -> _Shares:
    k = max(len(votes.classes), 2)
    return _with_marginals(votes, lambda p, own: (float(p @ (1 - p)) / (k - 1), own(1 - p) / (k - 1)))


def _with_marginals(
    votes: Votes, expected: Callable[[FloatArray, Callable[[FloatArray], FloatArray]], tuple[float, FloatArray]]
) -> _Shares:
    """Take the class shares of all answered items, each item alike; p_a from those with two answers or more."""
    total = votes.per_item
    answered = total > 0
    n = int(answered.sum())
    agreeing = agreeing_share(votes)[answered]
    pairs = ~np.isnan(agreeing)
    if not pairs.any():
        return _Shares(np.array([]), np.array([]), 0.0, 0)
    weight = votes.count / total[votes.item]
    share = np.bincount(votes.answer, weights=weight, minlength=len(votes.classes)) / n

    def own(value: FloatArray) -> FloatArray:
        sums = np.bincount(votes.item, weights=weight * value[votes.answer], minlength=votes.n_items)
        return np.asarray(sums[answered], dtype=float)

    chance, each = expected(share, own)
    observed = float(agreeing[pairs].mean())
    return _Shares(observed + np.where(pairs, agreeing - observed, 0.0) * n / pairs.sum(), each, chance, n)


def _alpha(votes: Votes) -> _Shares:
    """Krippendorff's: items with two answers or more, each weighing as many as it has."""
    total = votes.per_item
    paired = total >= 2
    n = int(paired.sum())
    if not n:
        return _Shares(np.array([]), np.array([]), 0.0, 0)
    mean = float(total[paired].mean())
    kept = paired[votes.item]
    count, item = votes.count[kept], votes.item[kept]
    share = np.bincount(votes.answer[kept], weights=count, minlength=len(votes.classes)) / (n * mean)
    with np.errstate(invalid="ignore"):
        agreeing = (agreeing_share(votes) * total / mean)[paired]
    small = 1 / (n * mean)
    chance = np.bincount(item, weights=count * share[votes.answer[kept]], minlength=votes.n_items)[paired] / mean
    expected = float(share @ share)
    # an item with more answers shifts the mean number of answers, too
    size = (total[paired] - mean) / mean
    observed = float(agreeing.mean())
    return _Shares((1 - small) * (agreeing - observed * size) + small, chance - expected * size, expected, n)


_SHARES: dict[Coefficient, Callable[[Votes], _Shares]] = {
    "percent": _percent,
    "fleiss": _fleiss,
    "ac1": _ac1,
    "alpha": _alpha,
}
