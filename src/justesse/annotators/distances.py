"""Agreement where some disagreements are worse than others: Krippendorff's alpha of ordered classes and of numbers."""

import numpy as np

from justesse.annotators.agreement import agreement, estimated
from justesse.core.annotations import Votes
from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import AnswerScale
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate


def alpha(
    votes: Votes, scale: AnswerScale = "nominal", *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Estimate:
    """Compute Krippendorff's alpha = 1 - D_o / D_e, observed over expected disagreement.

    On the `nominal` scale any two classes are equally far apart. The distance on the `ordinal` scale
    is based on the number of answers between two classes in their order. On the `interval` scale it is the squared
    difference of numbers, on the `ratio` scale the square of their difference over their sum (numbers from 0 up).

    Krippendorff, Content Analysis, 2019, chapter 12.

    >>> from justesse.core.annotations import Annotations
    >>> answers = Annotations.of([(1, "a", 1), (1, "b", 2), (2, "a", 4), (2, "b", 4), (3, "a", 2), (3, "b", 2)])
    >>> [round(alpha(answers.votes(), scale).value, 4) for scale in ("nominal", "ordinal", "interval", "ratio")]
    [0.5455, 0.7778, 0.8889, 0.677]
    """
    if scale == "nominal":
        return agreement(votes, "alpha", level=level, alternative=alternative)
    total = votes.per_item
    paired = total >= 2
    kept = paired[votes.item]
    item, answer, count = votes.item[kept], votes.answer[kept], votes.count[kept].astype(float)
    often = np.ones(int(paired.sum())) if votes.times is None else votes.times[paired].astype(float)
    counted = count if votes.times is None else count * votes.times[item]
    marginal = np.asarray(np.bincount(answer, weights=counted, minlength=len(votes.classes)), dtype=float)
    n = float(marginal.sum())
    if not n:
        return Estimate("alpha", np.nan, 0, undefined="no item has two answers")
    if scale == "ratio":
        observed, against = _of_ratios(item, answer, count, _numbers(votes, scale), marginal, votes.n_items)
    else:
        values = np.cumsum(marginal) - marginal / 2 if scale == "ordinal" else _numbers(votes, scale)
        values = values - values @ marginal / n  # the mean is taken off, so that nothing is lost to rounding
        sums = np.bincount(item, weights=count * values[answer], minlength=votes.n_items)
        squares = np.bincount(item, weights=count * values[answer] ** 2, minlength=votes.n_items)
        observed = np.asarray(2 * (total * squares - sums**2), dtype=float)
        against = n * squares + total * float(values**2 @ marginal)  # the sum over all answers is 0
    share = (observed[paired] / (total[paired] - 1)) / n
    disagreement = float(share @ often)
    expected = float(against[paired] @ often) / (n * (n - 1))
    units = int(often.sum())
    if expected <= 0:
        return Estimate(
            "alpha", np.nan, units, undefined="all answers are equal, so that chance alone agrees everywhere"
        )
    value = 1 - disagreement / expected
    size = total[paired] / n
    # the sums over items are D_o = A / n and D_e = B / n²; an item moves A, B and n
    moved = share - disagreement * size
    chance = 2 * (against[paired] / n**2 - expected * size)
    influence = value - units * (moved - (1 - value) * chance) / expected
    return estimated("alpha", influence, value, level=level, alternative=alternative, times=often)


def _numbers(votes: Votes, scale: AnswerScale) -> FloatArray:
    if not all(isinstance(name, (int, float)) and not isinstance(name, bool) for name in votes.classes):
        name = next(name for name in votes.classes if not isinstance(name, (int, float)) or isinstance(name, bool))
        raise OptionError(f"The {scale} scale needs numbers as answers; got {name!r}. Use ordinal or nominal.")
    values = np.array(votes.classes, dtype=float)
    if scale == "ratio" and (values < 0).any():
        raise OptionError(f"The ratio scale needs numbers from 0 up; got {values.min():g}. Use interval.")
    return values


def _of_ratios(
    item: Array, answer: Array, count: FloatArray, values: FloatArray, marginal: FloatArray, n_items: int
) -> tuple[FloatArray, FloatArray]:
    """Sum the squared ratios over the pairs of answers of each item, and against all answers."""
    starts = np.searchsorted(item, np.arange(n_items + 1))
    cells = np.diff(starts)[item]
    first = np.repeat(np.arange(len(item)), cells)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(cells) - cells, cells)
    second = starts[item[first]] + offset
    weight = count[first] * count[second] * _ratio(values[answer[first]], values[answer[second]])
    observed: FloatArray = np.asarray(np.bincount(item[first], weights=weight, minlength=n_items), dtype=float)
    against_class = np.array([float(marginal @ _ratio(values, value)) for value in values])
    against = np.bincount(item, weights=count * against_class[answer], minlength=n_items)
    return observed, np.asarray(against, dtype=float)


def _ratio(first: FloatArray, second: FloatArray | float) -> FloatArray:
    total = np.asarray(first + second)
    return np.divide(first - second, total, out=np.zeros(total.shape), where=total > 0) ** 2
