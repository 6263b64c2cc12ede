"""One annotator at a glance: how often right, what is confused most, and how sure that is."""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.refits import Refits
from justesse.core.arrays import FloatArray
from justesse.core.results import Estimate, Interval
from justesse.intervals.wilson import wilson


@dataclass(frozen=True)
class AnnotatorCard:
    """What is known of an annotator, by code.

    `worst` is the most frequent confusion as (true class, answer, share of the answers to that class), by codes;
    `bias` the class answered too often and by how much of all answers.
    """

    annotator: int
    n: int
    accuracy: Estimate
    worst: tuple[int, int, float] | None
    bias: tuple[int, float] | None
    gold: Estimate | None


def annotator_cards(fit: Consensus, again: Refits | None, *, level: float = 0.95) -> list[AnnotatorCard]:
    """Make the card of each annotator.

    Intervals are quantiles of the refits, of the posterior draws of a Bayesian model, or Wilson's with the expected
    number of right answers where there is neither; the last takes the consensus for the truth. `gold` is the share of
    right answers to items whose true class is known.
    """
    notes = fit.support.annotations
    expected = fit.accuracies()
    draws = fit.extra.get("accuracies") if again is None else again.accuracies
    taken = wilson(np.nan_to_num(expected) * notes.per_annotator, np.maximum(notes.per_annotator, 1), level=level)
    tables = _expected_tables(fit)
    answered = np.zeros((notes.n_annotators, notes.n_classes)) if notes.n_annotators * notes.n_classes < 2e7 else None
    results = []
    for code in range(notes.n_annotators):
        n = int(notes.per_annotator[code])
        if draws is not None and n:
            tail = (1 - level) / 2
            low, high = np.nanquantile(draws[:, code], [tail, 1 - tail])
            method = "bootstrap of items" if again is not None else "posterior"
            interval = Interval(float(low), float(high), level, method, (0.0, 1.0))
        else:
            interval = Interval(float(taken.low[code]), float(taken.high[code]), level, "wilson", (0.0, 1.0))
        value = float(expected[code]) if n else np.nan
        accuracy = Estimate("accuracy", value, n, interval if n else None, None if n else "no answers")
        worst, bias = (None, None) if tables is None or answered is None else _habits(tables[code])
        results.append(AnnotatorCard(code, n, accuracy, worst, bias, _on_gold(fit, code, level)))
    return results


def _expected_tables(fit: Consensus) -> FloatArray | None:
    """Count the answers by annotator, probable class and answer."""
    support = fit.support
    if not support.whole:
        return None
    return np.asarray(support.tables.counts(fit.shares)).transpose(0, 2, 1)


def _habits(counts: FloatArray) -> tuple[tuple[int, int, float] | None, tuple[int, float] | None]:
    total = counts.sum()
    if total <= 0:
        return None, None
    wrong = counts - np.diag(np.diag(counts))
    true, answer = np.unravel_index(int(wrong.argmax()), wrong.shape)
    row = counts[true].sum()
    worst = (int(true), int(answer), float(wrong[true, answer] / row)) if wrong[true, answer] >= 0.5 else None
    surplus = (counts.sum(axis=0) - counts.sum(axis=1)) / total
    most = int(surplus.argmax())
    return worst, ((most, float(surplus[most])) if surplus[most] * total >= 0.5 else None)


def _on_gold(fit: Consensus, code: int, level: float) -> Estimate | None:
    notes = fit.support.annotations
    if notes.gold is None:
        return None
    mine = np.flatnonzero(notes.annotator == code)
    truth = notes.gold[notes.item[mine]]
    known = truth >= 0
    n = int(known.sum())
    if not n:
        return Estimate("accuracy", np.nan, 0, undefined="answered no item with a gold class")
    right = int((notes.answer[mine][known] == truth[known]).sum())
    ends = wilson(right, n, level=level)
    return Estimate("accuracy", right / n, n, Interval(float(ends.low), float(ends.high), level, "wilson", (0.0, 1.0)))
