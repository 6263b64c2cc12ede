"""Whether an annotator gets better or worse over time: the expected share of right answers against position."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from justesse.annotators.consensus import Consensus
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.intervals.wilson import wilson
from justesse.significance.multiplicity import adjusted

BLOCKS, FEWEST = 5, 20
VOTES = ("majority", "weighted")  # their shares are no probabilities


@dataclass(frozen=True)
class Drift:
    """An annotator's expected accuracy in consecutive blocks of answers, and the test of a trend."""

    annotator: int
    n: int
    accuracy: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    slope: float
    pvalue: float
    adjusted: float


def drifts(fit: Consensus, *, blocks: int = BLOCKS, level: float = 0.95) -> list[Drift]:
    """Split each annotator's answers, in the order of their times, into blocks, and test for a trend.

    A model's answer is right with the probability that the model gives its class. That probability counts the answer
    itself and, if the model holds, is right on average, whatever the number of other answers. A vote's share is not: an
    own answer has the more weight the fewer others there are. So with votes an answer is judged by the share of the
    other answers to the item that agree, all counted alike, and answers to items that nobody else answered are left
    out. If the true class of every answered item is known, it judges. A trend also appears if the others change.
    The band is Wilson's for the expected number of right answers. The trend is the regression of being right on
    position, from -1/2 to 1/2: `slope` is the change of accuracy from the first to the last answer. Its variance is
    that without a trend, as in the test of Cochran (1954) and Armitage (1955): a variance around the fitted line is too
    small where annotators are mostly right. Two-sided normal p-values, adjusted by Holm's method. Annotators with fewer
    than 20 judged answers are left out.
    """
    notes = fit.support.annotations
    if notes.time is None:
        raise InputError("Drift needs the time or position of each answer. Name its column with time=… (--time).")
    right = _others_agree(fit) if judged_by_others(fit) else fit.shares[fit.support.own]
    order = np.lexsort((notes.time, notes.annotator))
    ends = np.cumsum(notes.per_annotator)
    rows = []
    for annotator, end in enumerate(ends):
        places = order[end - notes.per_annotator[annotator] : end]
        places = places[np.isfinite(right[places])]
        if len(places) >= FEWEST:
            rows.append((annotator, *_one(right[places], notes.time[places], blocks, level)))
    pvalues = adjusted([row[-1] for row in rows]) if rows else np.array([])
    return [Drift(*row, adjusted=float(pvalue)) for row, pvalue in zip(rows, pvalues, strict=True)]


def judged_by_others(fit: Consensus) -> bool:
    """Say whether an answer is judged by the others' answers: with votes, unless every true class is known."""
    notes = fit.support.annotations
    known = notes.gold is not None and bool((notes.gold[notes.item] >= 0).all())
    return fit.method in VOTES and not known


def _others_agree(fit: Consensus) -> FloatArray:
    """Give the share of the other answers to the item that agree with each answer, NaN where there is no other."""
    notes, own = fit.support.annotations, fit.support.own
    agree, others = np.bincount(own)[own] - 1, notes.per_item[notes.item] - 1
    return np.where(others > 0, agree / np.maximum(others, 1), np.nan)


def _one(
    right: FloatArray, time: Array, blocks: int, level: float
) -> tuple[int, tuple[float, ...], tuple[float, ...], tuple[float, ...], float, float]:
    n = len(right)
    block = np.arange(n) * blocks // n
    size = np.bincount(block, minlength=blocks)
    hits = np.bincount(block, weights=right, minlength=blocks)
    band = wilson(hits, size, level=level)
    position = np.argsort(np.argsort(time, kind="stable"), kind="stable") / max(n - 1, 1) - 0.5
    slope = float(position @ (right - right.mean()) / (position @ position))
    error = float(np.sqrt(right.var(ddof=1) / (position @ position)))  # as if there were no trend
    pvalue = float(2 * ndtr(-abs(slope) / error)) if error > 1e-12 else 1.0
    return n, tuple(hits / size), tuple(np.asarray(band.low)), tuple(np.asarray(band.high)), slope, pvalue
