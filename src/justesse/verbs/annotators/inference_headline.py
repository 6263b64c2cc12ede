"""The first sentences of `annotators infer`."""

from typing import TYPE_CHECKING, Any

from justesse.report.writing import Message, message, paragraph
from justesse.verbs.annotators.inference_tables import CERTAIN

if TYPE_CHECKING:
    from justesse.verbs.annotators.inference import Inference


def inference_headline(result: "Inference") -> Message:
    """Say how certain the classes are, how many are right as far as that is known, and what ties become."""
    notes = result.fit.support.annotations
    _, probability, equal = result.best
    ties = int((equal > 1).sum())
    parts: dict[str, Any] = {
        "certain": int((probability >= CERTAIN).sum()),
        "items": notes.n_items,
        "method": result.fit.method,
        "answers": len(notes),
        "people": notes.n_annotators,
    }
    if not result.comparable:
        first = message("{answers:count answer} of {people:count annotator}, at most one to each item.", **parts)
    elif result.by_votes:
        first = message(
            "{certain:count} of {items:count item} {certain:plural has|have} a class with at least 95 % of the votes, from "
            "{answers:count answer} of {people:count annotator} ({method}).",
            **parts,
        )
    else:
        first = message(
            "{certain:count} of {items:count item} {certain:plural has|have} a class with a probability of at least 95 %, "
            "from {answers:count answer} of {people:count annotator} ({method}).",
            **parts,
        )
    tied = message(
        "{n:count tied item} {n:plural takes|take} the first of the tied classes in class order.", n=ties
    )  # fmt: skip
    return paragraph(first, _right_words(result), tied if ties else None)


def _right_words(result: "Inference") -> Message:
    """Say how many classes are right: by the gold classes, by the model, or how many votes they have."""
    checked = result.calibration
    if checked is None:
        if not result.comparable:
            return message("Nothing shows how often they are right.")
        if result.by_votes:
            return message(
                "The class of an item has {share:share} of its votes on average.", share=round(result.expected, 3)
            )
        return message(
            "The model expects the classes of {right:share} of items to be right.", right=round(result.expected, 3)
        )
    accuracy = message(
        "By the gold classes {right:share} are right ({interval:level_name} {interval:share_interval}, n = {n:count})",
        right=checked.accuracy,
        interval=checked.accuracy.interval,
        n=checked.accuracy.n,
    )
    if not result.comparable:
        return message("{accuracy}.", accuracy=accuracy)
    if result.by_votes:
        return message(
            "{accuracy}; they have {share:share} of the votes on average.",
            accuracy=accuracy,
            share=round(checked.expected, 3),
        )
    return message("{accuracy}; the model expects {share:share}.", accuracy=accuracy, share=round(checked.expected, 3))
