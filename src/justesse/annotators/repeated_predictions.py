"""Which annotators repeat a classifier's predictions, or the other way round: both count as one opinion."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from justesse.annotators.copying import Corrected, corrected
from justesse.annotators.dawid_skene import dawid_skene
from justesse.annotators.support import WholeTables
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array

SMOOTHING = 0.1  # prior count of each cell of the tables
FEWEST, ALIKE, SUSPECTS = 20, 0.9, 3  # common items, share of equal answers, annotators with a model of their own
HALF = 0.5  # share of repeated answers from which an annotator and a classifier are one opinion
LARGEST = 20_000_000  # answers times classes, beyond which nobody is suspected


@dataclass(frozen=True)
class RepeatedPredictions:
    """An annotator, by code: common items, equal answers, the estimated share of repeated ones, and a p-value."""

    annotator: int
    n: int
    equal: int
    share: float
    pvalue: float


def repeated_predictions(notes: Annotations, code: Array) -> list[RepeatedPredictions]:
    """Estimate what share of the predictions repeats an annotator's answers, for the annotators who agree most.

    The classifier becomes one more annotator. In the model of `copying` it gives an annotator's answer with chance c
    and otherwise answers by a table of its own; with c = 0 it is independent. Both models start from four consensuses:
    of all, without the classifier, without the annotator, and without both. Twice the gain of the log likelihood is 0
    or chi-squared with 1 degree of freedom, each half the time (Self & Liang 1987). The p-value is multiplied by the
    number of annotators with at least 20 common items. Only those who agree on 90 % of them are looked at, three at
    most, and only shares of at least one half are given: a common difficulty of items looks like a small share.

    `code` is the predicted class of each item, -1 for none. Two others at least must answer, too.

    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(0, 3, 200)
    >>> answers = np.where(rng.random((200, 4)) < 0.7, truth[:, None], rng.integers(0, 3, (200, 4)))
    >>> rows = [(item, who, int(answers[item, who])) for item in range(200) for who in range(4)]
    >>> repeated = np.where(rng.random(200) < 0.97, answers[:, 2], truth)
    >>> [(each.annotator, each.n, each.pvalue < 0.001) for each in repeated_predictions(Annotations.of(rows), repeated)]
    [(2, 200, True)]
    >>> independent = np.where(rng.random(200) < 0.9, truth, 0)
    >>> repeated_predictions(Annotations.of(rows), independent)
    []
    """
    people = notes.n_annotators
    theirs = np.where(code < notes.n_classes, code, -1)[notes.item]
    n = np.bincount(notes.annotator[theirs >= 0], minlength=people)
    equal = np.bincount(notes.annotator[theirs == notes.answer], minlength=people)
    tested = n >= FEWEST
    rate = np.where(tested, equal / np.maximum(n, 1), 0.0)
    suspects = [int(at) for at in np.argsort(-rate, kind="stable")[:SUSPECTS] if rate[at] >= ALIKE]
    if not suspects or (notes.per_annotator > 0).sum() < 3 or len(notes) * notes.n_classes > LARGEST:
        return []
    both = _with_predictions(notes, code)
    fit = dawid_skene(both, prior=SMOOTHING)
    if not isinstance(fit.support.tables, WholeTables):
        return []
    results = []
    for who in suspects:
        left_out = ([people], [who], [who, people])
        starts = [fit.shares, *(dawid_skene(both.without(out), prior=SMOOTHING).shares for out in left_out)]
        alone = max(_likelihood(corrected(fit, [], initial=start, prior=SMOOTHING)) for start in starts)
        models = [corrected(fit, [(who, people)], initial=start, prior=SMOOTHING) for start in starts]
        best = max(models, key=_likelihood)
        gain = max(_likelihood(best) - alone, 0.0)
        pvalue = min(float(ndtr(-np.sqrt(2 * gain))) * int(tested.sum()), 1.0)
        if best.links and best.links[0].share >= HALF:
            results.append(RepeatedPredictions(who, int(n[who]), int(equal[who]), best.links[0].share, pvalue))
    return sorted(results, key=lambda each: each.pvalue)


def _with_predictions(notes: Annotations, code: Array) -> Annotations:
    """Make the classifier the last annotator."""
    known = np.flatnonzero((code >= 0) & (code < notes.n_classes) & (notes.per_item > 0))
    return Annotations.sorted(
        notes.items,
        [*notes.annotators, "classifier"],
        notes.classes,
        np.concatenate([notes.item, known]),
        np.concatenate([notes.annotator, np.full(len(known), notes.n_annotators)]),
        np.concatenate([notes.answer, code[known]]),
        gold=notes.gold,
    )


def _likelihood(model: Corrected) -> float:
    return -np.inf if model.fit.log_likelihood is None else model.fit.log_likelihood
