"""One annotator at a glance: how often right, what is confused most, and how sure that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.refits import Refits
from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Estimate, Interval
from justesse.intervals.wilson import wilson

HALF = 0.5  # answers: fewer are no habit


@dataclass(frozen=True)
class AnnotatorCard:
    """What is known of an annotator, by code.

    `worst` is the most frequent confusion as (true class, answer, share of the answers to that class), by codes;
    `bias` the class answered too often and by how much of all answers; `duration` the median time of an answer.
    """

    annotator: int
    n: int
    accuracy: Estimate
    worst: tuple[int, int, float] | None
    bias: tuple[int, float] | None
    gold: Estimate | None
    duration: float | None = None


@dataclass(frozen=True, eq=False)
class Cards(Sequence[AnnotatorCard]):
    """The cards of many annotators, each made when it is looked at: a million of them would need gigabytes.

    All arrays are by annotator code; `codes` are the annotators in the order of the cards.
    """

    codes: Array
    sizes: Array
    accuracies: FloatArray
    low: FloatArray
    high: FloatArray
    level: float
    method: str
    worst: tuple[Array, Array, FloatArray] | None  # class, answer, share; NaN for none
    bias: tuple[Array, FloatArray] | None  # class, share; NaN for none
    gold: Callable[[int], Estimate] | None
    durations: Mapping[int, float]

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, at: int) -> AnnotatorCard: ...

    @overload
    def __getitem__(self, at: slice) -> "Cards": ...

    def __getitem__(self, at: int | slice) -> "AnnotatorCard | Cards":
        if isinstance(at, slice):
            return replace(self, codes=self.codes[at])
        code = int(self.codes[at])
        accuracy = Estimate("accuracy", np.nan, 0, undefined="no answers")
        if n := int(self.sizes[code]):
            ends = Interval(float(self.low[code]), float(self.high[code]), self.level, self.method, (0.0, 1.0))
            accuracy = Estimate("accuracy", float(self.accuracies[code]), n, ends)
        worst, bias = None, None
        if self.worst is not None and not np.isnan(self.worst[2][code]):
            worst = (int(self.worst[0][code]), int(self.worst[1][code]), float(self.worst[2][code]))
        if self.bias is not None and not np.isnan(self.bias[1][code]):
            bias = (int(self.bias[0][code]), float(self.bias[1][code]))
        gold = None if self.gold is None else self.gold(code)
        return AnnotatorCard(code, n, accuracy, worst, bias, gold, self.durations.get(code))

    def in_order(self, places: Array) -> "Cards":
        """Give the cards at these places, in this order."""
        return replace(self, codes=self.codes[places])

    def by_accuracy(self, few: int) -> "Cards":
        """Put the least accurate first, then those with few answers, and those without any last."""
        sizes = self.sizes[self.codes]
        values = np.where(sizes > 0, self.accuracies[self.codes], np.nan)
        return self.in_order(np.lexsort((values, sizes < few)))

    def most_answers(self, number: int) -> "Cards":
        """Keep the annotators with most answers, in the order in which they are."""
        if len(self) <= number:
            return self
        kept = np.argsort(-self.sizes[self.codes], kind="stable")[:number]
        return self.in_order(np.sort(kept))


def annotator_cards(fit: Consensus, again: Refits | None, *, level: float = 0.95) -> Cards:
    """Make the card of each annotator.

    Intervals are quantiles of the refits, of the posterior draws of a Bayesian model, or Wilson's with the expected
    number of right answers where there is neither; the last treats the consensus as the truth. The accuracy by a
    Bayesian model is its posterior mean. `gold` is the share of right answers to items whose true class is known.
    """
    sizes = fit.support.annotations.per_annotator
    expected = fit.accuracies()
    draws = fit.extra.get("accuracies") if again is None else again.accuracies
    if draws is None:
        ends = wilson(np.nan_to_num(expected) * sizes, np.maximum(sizes, 1), level=level)
        low, high, method = np.asarray(ends.low), np.asarray(ends.high), "wilson"
    else:
        tail = (1 - level) / 2
        low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
        # with few answers the draws stay off 0 and 1, where the value may be
        low, high = np.fmin(low, expected), np.fmax(high, expected)
        method = "posterior" if again is None else "bootstrap of items"
        if again is None:  # pooled as the interval is: few answers are drawn towards the usual annotator
            expected = draws.mean(axis=0)
    worst, bias = _habits(fit)
    codes = np.arange(len(sizes))
    checked, durations = _on_gold(fit, level), _median_durations(fit)
    return Cards(codes, sizes, expected, low, high, level, method, worst, bias, checked, durations)


def _median_durations(fit: Consensus) -> dict[int, float]:
    notes = fit.support.annotations
    taken = notes.details.get("duration")
    if taken is None:
        return {}
    known = np.isfinite(taken)
    who, values = notes.annotator[known], taken[known]
    order = np.lexsort((values, who))
    codes, starts, sizes = np.unique(who[order], return_index=True, return_counts=True)
    low, high = values[order][starts + (sizes - 1) // 2], values[order][starts + sizes // 2]
    return dict(zip(codes.tolist(), ((low + high) / 2).tolist(), strict=True))


def _habits(fit: Consensus) -> tuple[tuple[Array, Array, FloatArray] | None, tuple[Array, FloatArray] | None]:
    """Give each annotator's most frequent confusion and the class answered too often, where there is half an answer."""
    support = fit.support
    if not support.whole:
        return None, None
    counts = np.asarray(support.tables.counts(fit.shares)).transpose(0, 2, 1)  # annotator × class × answer
    people, k, _ = counts.shape
    wrong = counts.copy()
    wrong[:, np.arange(k), np.arange(k)] = 0
    place = wrong.reshape(people, -1).argmax(axis=1)
    true, answer = np.divmod(place, k)
    number = wrong[np.arange(people), true, answer]
    share = number / np.maximum(counts.sum(axis=2)[np.arange(people), true], 1e-300)
    surplus = counts.sum(axis=1) - counts.sum(axis=2)
    most = surplus.argmax(axis=1)
    excess = surplus[np.arange(people), most]
    part = excess / np.maximum(counts.sum(axis=(1, 2)), 1e-300)
    return (true, answer, np.where(number >= HALF, share, np.nan)), (most, np.where(excess >= HALF, part, np.nan))


def _on_gold(fit: Consensus, level: float) -> Callable[[int], Estimate] | None:
    notes = fit.support.annotations
    if notes.gold is None:
        return None
    truth = notes.gold[notes.item]
    known = truth >= 0
    people = notes.n_annotators
    n = np.bincount(notes.annotator[known], minlength=people)
    hits = np.bincount(notes.annotator[known], weights=(notes.answer == truth)[known], minlength=people)
    ends = wilson(hits, np.maximum(n, 1), level=level)
    low, high = np.asarray(ends.low), np.asarray(ends.high)

    def share(code: int) -> Estimate:
        if not n[code]:
            return Estimate("accuracy", np.nan, 0, undefined="answered no item with a gold class")
        interval = Interval(float(low[code]), float(high[code]), level, "wilson", (0.0, 1.0))
        return Estimate("accuracy", float(hits[code] / n[code]), int(n[code]), interval)

    return share
