"""Read the answers for a part of `annotators`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from justesse.annotators.item_features import ItemFeatures, ItemLikelihood, JointFeatures
from justesse.core.annotations import Annotations
from justesse.core.choice import check_choice
from justesse.core.choices import Repeated
from justesse.core.errors import OptionError
from justesse.core.results import ClassName
from justesse.frames.annotations import ReadAnnotations, read_annotations
from justesse.frames.answer_numbers import Detail
from justesse.frames.item_classes import ClassRole
from justesse.report.writing import message

FEW_ITEMS = 20
ALONE = "There is one annotator: the answers alone show nothing about right and wrong. Add the answers of others."


def item_features(
    read: ReadAnnotations, features: Sequence[str] | None, counts: Sequence[str] | None
) -> ItemLikelihood | None:
    """Give the features of the items that the options name, numbers first, if any."""
    if read.features is None or not (features or counts):
        return None
    both = set(features or ()) & set(counts or ())
    if both:
        raise OptionError(f"Column {sorted(both)[0]!r} cannot be both a number and a count. Name it in one of the two.")
    numbers = len(features or ())
    if not counts:
        return ItemFeatures(read.features, "numbers")
    occurrences = ItemFeatures(read.features[:, numbers:], "counts")
    return JointFeatures((ItemFeatures(read.features[:, :numbers], "numbers"), occurrences)) if numbers else occurrences


def read_answers(
    data: Any,
    *,
    item: str | None,
    annotator: str | None,
    answer: str | None,
    time: str | None,
    classes: Sequence[ClassName] | None,
    as_text: bool,
    ignore_case: bool,
    repeated: Repeated,
    annotators: Sequence[str] | None = None,
    gold: Any = None,
    beside: Mapping[ClassRole, Any] | None = None,
    features: Sequence[str] = (),
    counts: Sequence[str] = (),
    details: Mapping[Detail, str | None] | None = None,
    guess: bool = False,
) -> ReadAnnotations:
    """Read them, and add what is odd about them to the warnings.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays.
    item
        Column with the items.
    annotator
        Column with the annotators.
    answer
        Column with the answers.
    time
        Column with the time of each answer.
    classes
        All classes, in order.
    as_text
        Read all answers as text.
    ignore_case
        Treat answers that differ only in case or spaces as one class.
    repeated
        What to do with several answers of an annotator to an item.
    annotators
        Columns of annotators in a wide table.
    gold
        Column or table with true classes.
    beside
        Other tables with classes of the items, by what they are.
    features
        Columns with features of the items.
    counts
        Columns with counts as features of the items.
    details
        Columns with the confidence and the duration of each answer.
    guess
        Whether columns with usual names are the time, the confidence, the duration and gold classes to check against.
    """
    check_choice("repeated", repeated, Repeated)
    read = read_annotations(
        data,
        item=item,
        annotator=annotator,
        answer=answer,
        time=time,
        classes=classes,
        as_text=as_text,
        ignore_case=ignore_case,
        repeated=repeated,
        annotators=annotators,
        gold=gold,
        beside=beside,
        features=features,
        counts=counts,
        details=details,
        guess=guess,
    )
    notes = read.annotations
    warnings = list(read.warnings)
    if notes.n_annotators == 1 and notes.gold is not None:
        warnings.append("There is one annotator: only the gold classes show how often they are right.")
    elif notes.n_annotators == 1:
        warnings.insert(0, ALONE)
    elif not (notes.per_item > 1).any():
        warnings.append("No item has two answers: agreement is undefined, and nobody can be checked against others.")
    elif _all_agree(notes):
        warnings.append("All annotators agree on every item: nothing shows how often they are wrong together.")
    if 0 < notes.n_items < FEW_ITEMS:
        few = message("There {n:plural is|are} only {n:count item}: intervals are rough.", n=notes.n_items)
        warnings.append(str(few))
    return replace(read, warnings=tuple(warnings))


def _all_agree(notes: Annotations) -> bool:
    same = notes.item[1:] == notes.item[:-1]
    return bool((notes.answer[1:] == notes.answer[:-1])[same].all())
