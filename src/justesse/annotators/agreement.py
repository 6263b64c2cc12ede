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
from justesse.core.arrays import Array, FloatArray
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
    times: FloatArray | None = None  # how many items have these values; `None`: one each


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
    return estimated(coefficient, values, value, level=level, alternative=alternative, times=shares.times)


def estimated(
    name: str,
    influences: FloatArray,
    value: float,
    *,
    level: float,
    alternative: Alternative = "two-sided",
    times: FloatArray | None = None,
) -> Estimate:
    """Make the estimate of a coefficient from its linearised value of each item, or of `times` items each.

    Parameters
    ----------
    name
        Name of the coefficient.
    influences
        Its linearised value of each item.
    value
        Its value.
    level
        Confidence level.
    alternative
        "two-sided" for an interval, "greater" or "less" for one bound.
    times
        How many items have each linearised value. Default: one.
    """
    n = len(influences) if times is None else int(times.sum())
    if n == 0:
        return Estimate(name, np.nan, 0, undefined="no item has two answers")
    if np.isnan(value):
        return Estimate(
            name, np.nan, n, undefined="all answers are of one class, so that chance alone agrees everywhere"
        )
    if n < 2:
        return Estimate(name, value, n, undefined="one item gives no interval")
    interval = item_interval(influences, value, level=level, alternative=alternative, times=times)
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
        binary = Votes(item, answer, cells[item, answer], votes.n_items, (True, False), votes.times)
        shares = _alpha(binary)
        values, value = _linearised(shares)
        estimate = estimated("alpha", values, value, level=level, times=shares.times)
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
    observed = _mean(shares.agreeing, shares.times)
    value = (observed - shares.expected) / rest
    values = (shares.agreeing - shares.expected) / rest - 2 * (1 - value) * (shares.chance - shares.expected) / rest
    return values, value


def _percent(votes: Votes) -> _Shares:
    share = agreeing_share(votes)
    pairs = ~np.isnan(share)
    return _Shares(share[pairs], np.zeros(int(pairs.sum())), 0.0, _times(votes, pairs))


def _times(votes: Votes, kept: Array) -> FloatArray | None:
    """Give how many items the kept ones stand for."""
    return None if votes.times is None else votes.times[kept].astype(float)


def _mean(values: FloatArray, times: FloatArray | None) -> float:
    return float(values.mean() if times is None else values @ times / times.sum())


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
    agreeing = agreeing_share(votes)[answered]
    pairs = ~np.isnan(agreeing)
    if not pairs.any():
        return _Shares(np.array([]), np.array([]), 0.0)
    times = _times(votes, answered)
    often = np.ones(len(agreeing)) if times is None else times
    n = float(often.sum())
    weight = votes.count / total[votes.item]
    counted = weight if votes.times is None else weight * votes.times[votes.item]
    share = np.bincount(votes.answer, weights=counted, minlength=len(votes.classes)) / n

    def own(value: FloatArray) -> FloatArray:
        sums = np.bincount(votes.item, weights=weight * value[votes.answer], minlength=votes.n_items)
        return np.asarray(sums[answered], dtype=float)

    chance, each = expected(share, own)
    observed = _mean(agreeing[pairs], None if times is None else times[pairs])
    values = observed + np.where(pairs, agreeing - observed, 0.0) * n / often[pairs].sum()
    return _Shares(values, each, chance, times)


def _alpha(votes: Votes) -> _Shares:
    """Krippendorff's: items with two answers or more, each weighing as many as it has."""
    total = votes.per_item
    paired = total >= 2
    if not paired.any():
        return _Shares(np.array([]), np.array([]), 0.0)
    times = _times(votes, paired)
    n = float(paired.sum() if times is None else times.sum())
    mean = _mean(total[paired], times)
    kept = paired[votes.item]
    count, item = votes.count[kept], votes.item[kept]
    counted = count if votes.times is None else count * votes.times[item]
    share = np.bincount(votes.answer[kept], weights=counted, minlength=len(votes.classes)) / (n * mean)
    with np.errstate(invalid="ignore"):
        agreeing = (agreeing_share(votes) * total / mean)[paired]
    small = 1 / (n * mean)
    chance = np.bincount(item, weights=count * share[votes.answer[kept]], minlength=votes.n_items)[paired] / mean
    expected = float(share @ share)
    # an item with more answers shifts the mean number of answers, too
    size = (total[paired] - mean) / mean
    observed = _mean(agreeing, times)
    return _Shares((1 - small) * (agreeing - observed * size) + small, chance - expected * size, expected, times)


_SHARES: dict[Coefficient, Callable[[Votes], _Shares]] = {
    "percent": _percent,
    "fleiss": _fleiss,
    "ac1": _ac1,
    "alpha": _alpha,
}
