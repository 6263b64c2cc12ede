"""Read the answers for a part of `annotators`."""

from collections.abc import Sequence
from typing import Any

from justesse.core.results import ClassName
from justesse.frames.annotations import ReadAnnotations, Repeated, read_annotations

FEW_ITEMS = 20


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
    gold: Any = None,
) -> ReadAnnotations:
    """Read them, and add what is odd about them to the warnings."""
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
        gold=gold,
    )
    notes = read.annotations
    warnings = list(read.warnings)
    if notes.n_annotators == 1:
        warnings.append("There is one annotator: nothing to agree with.")
    elif not (notes.per_item > 1).any():
        warnings.append("No item has two answers: agreement is undefined, and nobody can be checked against others.")
    if 0 < notes.n_items < FEW_ITEMS:
        warnings.append(f"There are only {notes.n_items} items: intervals are rough.")
    return ReadAnnotations(notes, read.name, tuple(warnings))
