"""Warn if class names seem to be switched: in the consensus, by gold classes, or by some of the annotators."""

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.dawid_skene import SWITCHED
from justesse.annotators.swapped_classes import FEWEST, SwappedClasses, swapped_classes
from justesse.core.arrays import Array
from justesse.report.document import Text
from justesse.report.writing import message

MOST_PEOPLE, MOST_CLASSES, SHOWN = 2_000, 50, 5
BY_GOLD = (
    "The consensus switches classes: it is right on {before:share} of the checked items, and on {after:share} if {names:and}. "
    "Check how the annotators read the class names, or give the model true classes (gold=…, --gold)."
)
BY_SOME = (
    "{people:and} {n:plural switches|switch} classes: {worst} is right in {before:share} of the answers, and in {after:share} if "
    "{names:and}. Either they or the others read the class names wrongly. Check some items whose true class is known "
    "(check=…, --check)."
)


def switched_names(fit: Consensus, check: Array | None) -> list[Text]:
    """Say who switches classes: the consensus against the gold classes, and single annotators against the consensus."""
    notes = fit.support.annotations
    k = notes.n_classes
    if not 2 <= k <= MOST_CLASSES:
        return []
    sentences: list[Text] = []
    if check is not None:
        label = fit.label
        known = (check >= 0) & (check < k) & (label >= 0)
        table = np.bincount(check[known].astype(np.int64) * k + label[known], minlength=k * k).reshape(k, k)
        if swapped := swapped_classes(table.astype(float)):
            sentences.append(message(BY_GOLD, before=swapped.before, after=swapped.after, names=_renamed(fit, swapped)))
    if not fit.support.whole or notes.n_annotators > MOST_PEOPLE or SWITCHED in fit.warnings:
        return sentences
    counts = np.asarray(fit.support.tables.counts(fit.shares)).transpose(0, 2, 1)  # annotator × class × answer
    enough = np.flatnonzero(notes.per_annotator >= FEWEST)
    switched = [(int(code), swapped) for code in enough if (swapped := swapped_classes(counts[code]))]
    if switched:
        switched.sort(key=lambda pair: pair[1].before - pair[1].after)
        names = [str(notes.annotators[code]) for code, _ in switched]
        if len(names) > SHOWN:
            names = [*names[:SHOWN], f"{len(names) - SHOWN:,} more"]
        worst, most = switched[0]
        sentences.append(
            message(
                BY_SOME,
                people=names,
                n=len(switched),
                worst=str(notes.annotators[worst]),
                before=most.before,
                after=most.after,
                names=_renamed(fit, most),
            )
        )
    return sentences


def _renamed(fit: Consensus, swapped: SwappedClasses) -> list[str]:
    """Say which answer would have to mean which class."""
    classes = fit.support.annotations.classes
    return [f"{classes[answer]} means {classes[true]}" for true, answer in enumerate(swapped.names) if true != answer]
