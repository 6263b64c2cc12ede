"""Figures judged by annotators, put right by a random sample of items whose true class was re-checked.

The most probable classes by the answers serve as labels. Whatever mistakes annotators share, the sample shows how far the
figures against these labels are off, so the intervals hold even if the model of the annotators does not.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.results import Estimate
from justesse.core.tally import Tally
from justesse.frames.checked_items import checked_items
from justesse.intervals.estimate import Confidence
from justesse.measures import MAIN_PER_CLASS, accuracy, averaged, error
from justesse.noise.recheck import recheck
from justesse.noise.recheck_difference import recheck_difference
from justesse.noise.rung import Rung
from justesse.report.document import Text
from justesse.report.writing import message
from justesse.verbs.answers.judged_items import JudgedItems

MEASURES = (accuracy, error, *(averaged(measure, "macro") for measure in MAIN_PER_CLASS), *MAIN_PER_CLASS)


def rechecked_codes(audited: Any, items: JudgedItems, on: str | None) -> tuple[Array, list[Text]]:
    """Give the true class of re-checked items, -1 for others, and a warning about those that no figure is about.

    Parameters
    ----------
    audited
        Path, data frame or dict of arrays with ids and true classes.
    items
        Answers and predictions.
    on
        Column with the ids.
    """
    read = checked_items(audited, items.annotations, "the answers", on=on, as_text=items.options.as_text)
    unused = (read.codes >= 0) & (items.joined.codes < 0).any(axis=0)
    if not (outside := read.outside + int(unused.sum())):
        return read.codes, []
    words = "{n:count re-checked item} without an answer or a prediction left out."
    return np.where(unused, -1, read.codes), [message(words, n=outside)]


def rechecked_measures(items: JudgedItems, label: Array, true: Array, confidence: Confidence) -> Rung[Estimate]:
    """Estimate the main measures of one classifier.

    Parameters
    ----------
    items
        Answers and predictions.
    label
        Most probable class of each item by the answers.
    true
        True class of re-checked items, -1 for others.
    confidence
        Level and alternative.
    """
    whole, sample = _tallies(items, ("prediction",), items.joined.codes, label, true)
    return recheck(whole, sample, MEASURES, **confidence.sides)


def rechecked_difference(
    items: JudgedItems, which: int, label: Array, true: Array, confidence: Confidence
) -> Rung[Estimate]:
    """Estimate the difference of accuracy of a candidate and the incumbent; the parameters are those of measures."""
    codes = items.joined.codes[[0, which]]
    whole, sample = _tallies(items, ("incumbent", "candidate"), codes, label, true)
    return recheck_difference(Case(whole), sample, **confidence.sides)


def _tallies(
    items: JudgedItems, axes: Sequence[str], predicted: Array, label: Array, true: Array
) -> tuple[Tally, Tally]:
    """Count all items by probable class and predictions, and the re-checked ones also by their true class."""
    names = (*items.classes, *items.others)
    judged = (predicted >= 0).all(axis=0)

    def counted(named: Sequence[str], codes: Array) -> Tally:
        cells, counts = np.unique(codes, axis=1, return_counts=True)
        rows = [(*(names[code] for code in cell), n) for cell, n in zip(cells.T.tolist(), counts.tolist(), strict=True)]
        return replace(Tally.of(named, rows, classes=names), others=items.others)

    whole = counted(("label", *axes), np.vstack([label, predicted])[:, judged])
    seen = judged & (true >= 0)
    return whole, counted(("true", "label", *axes), np.vstack([true, label, predicted])[:, seen])
