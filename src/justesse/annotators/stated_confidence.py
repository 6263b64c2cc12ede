"""Whether annotators know how sure they can be: the confidence they state against how often they are right."""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.refits import METHOD, Refits
from justesse.core.results import Estimate, Interval
from justesse.intervals.wilson import wilson


@dataclass(frozen=True)
class StatedConfidence:
    """An annotator, by code: mean confidence stated, and how often the answers with a stated confidence are right."""

    annotator: int
    stated: float
    right: Estimate


def stated_confidence(fit: Consensus, again: Refits | None = None, *, level: float = 0.95) -> list[StatedConfidence]:
    """Compare the mean confidence of each annotator with the expected share of right answers.

    An answer is right with the probability that the model gives to its class. Answers without a confidence are left
    out. With refits, or the posterior draws of a Bayesian model, the interval has the spread of the annotator's
    accuracy over them, times sqrt(N/n) if only n of the N answers have a confidence. Without, Wilson's interval treats
    the consensus as the truth: with three annotators it covers 80 % instead of 95 %.

    >>> from justesse.annotators.vote import majority
    >>> from justesse.core.annotations import Annotations
    >>> item, who = np.repeat(np.arange(2), 3), np.tile(np.arange(3), 2)
    >>> stated = {"confidence": np.array([0.9, 0.9, 0.9, 0.9, 0.9, 0.6])}
    >>> notes = Annotations.sorted(range(2), "abc", ("x", "y"), item, who, np.array([0, 0, 0, 1, 1, 0]), details=stated)
    >>> [(each.stated, round(each.right.value, 2)) for each in stated_confidence(majority(notes))]
    [(0.9, 0.83), (0.9, 0.83), (0.75, 0.67)]
    """
    notes = fit.support.annotations
    stated = notes.details.get("confidence")
    if stated is None:
        return []
    known = np.isfinite(stated)
    who, people = notes.annotator[known], notes.n_annotators
    n = np.bincount(who, minlength=people)
    total = np.bincount(who, weights=stated[known], minlength=people)
    hits = np.bincount(who, weights=fit.shares[fit.support.own][known], minlength=people)
    draws = fit.extra.get("accuracies") if again is None else again.accuracies
    if draws is None:
        ends = wilson(np.minimum(hits, n), np.maximum(n, 1), level=level)
        low, high, method = np.asarray(ends.low), np.asarray(ends.high), "wilson"
    else:
        tail, value = (1 - level) / 2, hits / np.maximum(n, 1)
        off = np.quantile(draws, [tail, 1 - tail], axis=0) - fit.accuracies()
        off *= np.sqrt(notes.per_annotator / np.maximum(n, 1))
        low, high = np.clip(value + np.fmin(off[0], 0), 0, 1), np.clip(value + np.fmax(off[1], 0), 0, 1)
        method = "posterior" if again is None else METHOD
    return [
        StatedConfidence(
            code,
            float(total[code] / n[code]),
            Estimate(
                "accuracy",
                float(hits[code] / n[code]),
                int(n[code]),
                Interval(float(low[code]), float(high[code]), level, method, (0.0, 1.0)),
            ),
        )
        for code in np.flatnonzero(n).tolist()
    ]
