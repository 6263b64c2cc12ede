"""One annotator at a glance: how often right, what is confused most, and how sure that is."""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.refits import Refits
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


def annotator_cards(fit: Consensus, again: Refits | None, *, level: float = 0.95) -> list[AnnotatorCard]:
    """Make the card of each annotator.

    Intervals are quantiles of the refits, of the posterior draws of a Bayesian model, or Wilson's with the expected
    number of right answers where there is neither; the last treats the consensus as the truth. The accuracy by a
    Bayesian model is its posterior mean. `gold` is the share of right answers to items whose true class is known.
    """
    notes = fit.support.annotations
    sizes = notes.per_annotator
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
        if again is None:
            expected = draws.mean(
                axis=0
            )  # pooled as the interval is: few answers are drawn towards the usual annotator
    worst, bias = _habits(fit)
    checked = _on_gold(fit, level)
    durations = _median_durations(fit)
    results = []
    for code, n in enumerate(sizes.tolist()):
        interval = Interval(float(low[code]), float(high[code]), level, method, (0.0, 1.0))
        accuracy = Estimate("accuracy", np.nan, 0, undefined="no answers")
        if n:
            accuracy = Estimate("accuracy", float(expected[code]), n, interval)
        results.append(
            AnnotatorCard(
                code,
                n,
                accuracy,
                worst.get(code),
                bias.get(code),
                None if checked is None else checked[code],
                durations.get(code),
            )
        )
    return results


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


def _habits(fit: Consensus) -> tuple[dict[int, tuple[int, int, float]], dict[int, tuple[int, float]]]:
    """Give each annotator's most frequent confusion and the class answered too often, where there is half an answer."""
    support = fit.support
    if not support.whole:
        return {}, {}
    counts = np.asarray(support.tables.counts(fit.shares)).transpose(0, 2, 1)  # annotator × class × answer
    people, k, _ = counts.shape
    wrong = counts.copy()
    wrong[:, np.arange(k), np.arange(k)] = 0
    place = wrong.reshape(people, -1).argmax(axis=1)
    true, answer = np.divmod(place, k)
    number = wrong[np.arange(people), true, answer]
    share = number / np.maximum(counts.sum(axis=2)[np.arange(people), true], 1e-300)
    worst = {
        int(code): (int(true[code]), int(answer[code]), float(share[code])) for code in np.flatnonzero(number >= HALF)
    }
    surplus = counts.sum(axis=1) - counts.sum(axis=2)
    most = surplus.argmax(axis=1)
    excess = surplus[np.arange(people), most]
    part = excess / np.maximum(counts.sum(axis=(1, 2)), 1e-300)
    bias = {int(code): (int(most[code]), float(part[code])) for code in np.flatnonzero(excess >= HALF)}
    return worst, bias


def _on_gold(fit: Consensus, level: float) -> list[Estimate] | None:
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
    nothing = Estimate("accuracy", np.nan, 0, undefined="answered no item with a gold class")
    return [
        Estimate(
            "accuracy",
            float(hits[code] / n[code]),
            int(n[code]),
            Interval(float(low[code]), float(high[code]), level, "wilson", (0.0, 1.0)),
        )
        if n[code]
        else nothing
        for code in range(people)
    ]
