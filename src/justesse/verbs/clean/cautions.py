"""What may be misread about a cleaning, and what it assumes."""

from typing import TYPE_CHECKING

import numpy as np

from justesse.report.document import Text
from justesse.report.writing import message, paragraph

if TYPE_CHECKING:
    from justesse.verbs.clean.cleaning import Cleaning

MANY = 2.0  # so many times the share of all rows
RARE = 0.5  # a class with less than this part of an even share is rare
FEW = 5
BASES: dict[str, Text] = {
    "audited rows": "the people who re-checked rows are right; P(wrong) is fitted to their answers",
    "annotators' answers": "annotators err independently of each other; P(wrong) comes from a model of them",
    "confident joint": "the share of wrong labels of each class is that of the confident joint, so that P(wrong) rests on the model alone",
    "nothing": "nothing: there is no P(wrong) without re-checked rows or probabilities of classes",
}


def cautions(result: "Cleaning") -> tuple[Text, ...]:
    """Say what may be misread, most important first."""
    texts: list[Text] = []
    if result.altered.action != "flag":
        texts.append(_optimism(result))
    texts += result.read.warnings
    texts += result.suspicion.warnings
    texts += _one_class(result)
    if result.chances.basis == "confident joint" and result.quality is None:
        texts.append(
            "No row was re-checked, so nobody knows how often this filter is right. Its probabilities can be far too high: "
            "draw a list to re-check, and read the answers back."
        )
    texts += _unanswered(result)
    if (eaten := _eaten(result)) is not None:
        texts.append(eaten)
    texts += _never_predicted(result)
    if result.read.rounded is not None:
        texts.append(result.read.rounded.words)
    return tuple(texts)


def _optimism(result: "Cleaning") -> Text:
    made = result.optimism
    if np.isnan(made.optimism):
        return (
            "Figures on the cleaned rows are too high if they are test rows: rows that models get wrong were altered. By how much "
            "is not known, as this filter predicts no class."
        )
    warning = "Do not report figures on cleaned test rows: they are too high."
    if made.true is not None:
        return paragraph(
            warning,
            message(
                "The classifier that cleaned has accuracy {after:share} on them; it is {true:share} on the true classes. "
                "Optimism: {optimism:points}.",
                after=made.after,
                true=made.true,
                optimism=made.true_optimism,
            ),
        )
    expected = message(
        "The classifier that cleaned has accuracy {after:share} on them; {expected:share} is expected on the true classes. "
        "Optimism: {optimism:points}.",
        after=made.after,
        expected=made.expected,
        optimism=made.optimism,
    )
    if result.chances.basis == "audited rows":
        return paragraph(warning, expected)
    doubt = message(
        "This rests on the model's own probabilities: it is {most:points} if all flagged labels are right. Have rows "
        "re-checked to know.",
        most=max(made.after - made.before, made.optimism),
    )
    return paragraph(warning, expected, doubt)


def _unanswered(result: "Cleaning") -> list[Text]:
    if result.answers is None:
        return []
    missing = int((result.answers[1] < 0).sum())
    template = (
        "{n:count row} of the list {n:plural has|have} no answer. The figures assume that {n:plural it is|they are} like the "
        "answered rows."
    )
    return [message(template, n=missing)] if missing else []


def _eaten(result: "Cleaning") -> Text | None:
    """Name the rare classes of which far more is flagged than of the others; right labels only, if they are known."""
    whole, *classes = result.by_class if result.quality is None else result.quality.false_detection
    even = result.n / max(len(classes), 1)
    names = [
        str(item.class_name)
        for item in classes
        if item.n and item.n < RARE * even and item.value > MANY * whole.value and item.value * item.n >= FEW
    ]
    if not names:
        return None
    if result.quality is not None:
        return message(
            "The filter flags right labels of rare classes ({names:and}) much more often than those of the others. "
            "Re-check these rows before you remove them.",
            names=names,
        )
    return message(
        "Much more is flagged of rare classes ({names:and}) than of the others. Filters take right labels of rare classes for wrong: "
        "re-check these rows before you remove them.",
        names=names,
    )


def _one_class(result: "Cleaning") -> list[Text]:
    counts = result.read.evidence.counts
    if np.count_nonzero(counts) > 1:
        return []
    name = result.classes[int(counts.argmax())]
    return [
        message(
            "Every row has the label {name:text}. Filters learn from labels, so they find hardly anything here. Use rows of several "
            "classes, or the filter classification.",
            name=name,
        )
    ]


def _never_predicted(result: "Cleaning") -> list[Text]:
    shares = result.suspicion.shares
    if shares is None:
        return []
    predicted = np.bincount(shares.argmax(axis=1), minlength=len(result.classes))
    names = [
        str(name)
        for name, times, rows in zip(result.classes, predicted, result.read.evidence.counts, strict=True)
        if rows and not times
    ]
    if not names:
        return []
    return [message("The model never predicts {names:and}: every row of such a class looks wrong.", names=names)]


def assumptions(result: "Cleaning") -> tuple[Text, ...]:
    """Say what the result rests on."""
    texts: list[Text] = [BASES[result.chances.basis]]
    if "probabilities" in result.filter.needs and result.read.source == "columns of the file":
        texts.append("the probabilities come from a model that was not trained on these rows")
    return tuple(texts)
