"""Annotators' answers instead of labels."""

from justesse.core.choices import AnswersMethod, Repeated
from justesse.core.option_group import option_group


@option_group
class AnnotatorAnswerOptions:
    """Annotators' answers instead of labels, and how the true classes are inferred from them.

    Parameters
    ----------
    answers
        File of annotators' answers instead of labels: a row for each answer, with item, annotator and answer. The id of
        the predictions (--on) is the item. Default: labels are read.
    answers_method
        Model of the annotators: hierarchical (one population of annotators), dawid-skene (each annotator alone), or
        majority (the vote counts as the truth). Default: hierarchical.
    answers_only
        Infer the true classes from the answers alone, for a classifier trained on these answers.
    item
        Column of the answers with the items. Default: the column named item, task or question.
    annotator
        Column of the answers with the annotators. Default: the column named annotator, worker or rater.
    answer
        Column of the answers with the classes. Default: the column named answer, label or class.
    repeated
        If an annotator answers an item more than once: keep the last answer, the first, all, or refuse. Default: last.
    """

    answers: str | None = None
    answers_method: AnswersMethod = "hierarchical"
    answers_only: bool = False
    item: str | None = None
    annotator: str | None = None
    answer: str | None = None
    repeated: Repeated = "last"
