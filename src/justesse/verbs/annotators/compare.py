"""`justesse.annotators_compare`: which model explains the answers best, and a classifier against the annotators."""

from collections.abc import Sequence
from typing import Any

from justesse.annotators.answer_fit import answer_fit
from justesse.annotators.heldout import heldout, scored_methods
from justesse.annotators.human_machine import HumanMachine, human_against_machine
from justesse.core.choices import Repeated
from justesse.core.errors import OptionError
from justesse.core.results import ClassName, check_level
from justesse.report.document import Text
from justesse.verbs.annotators.model_comparison import ModelComparison
from justesse.verbs.annotators.options import (
    AnswerColumnOptions,
    ModelComparisonIntervalOptions,
    ModelComparisonOptions,
)
from justesse.verbs.annotators.read import item_features, read_answers
from justesse.verbs.annotators.shared_mistakes import judged_by_others_warning
from justesse.verbs.recorded import recorded

NOT_INDEPENDENT = (
    "If the classifier was trained on these annotators' answers, it repeats some of their mistakes and looks better than "
    "it is. Compare it on items and annotators it has not seen."
)
TOO_MANY = "hierarchical and item-response are left out: they would take too long with so many answers."


@recorded
def annotators_compare(
    data: Any,
    *,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    annotators: Sequence[str] | None = None,
    time: str | None = None,
    classes: Sequence[ClassName] | None = None,
    as_text: bool = False,
    ignore_case: bool = False,
    repeated: Repeated = AnswerColumnOptions.repeated,
    prediction: Any = None,
    check: Any = None,
    features: Sequence[str] | None = None,
    counts: Sequence[str] | None = None,
    folds: int = ModelComparisonOptions.folds,
    level: float = ModelComparisonIntervalOptions.level,
    draws: int = ModelComparisonIntervalOptions.draws,
    seed: int = ModelComparisonIntervalOptions.seed,
) -> ModelComparison:
    """Compare models of annotators by held-out answers, and a classifier with the annotators.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays: a row for each answer, or a row for each item with a column for each
        annotator.
    item
        Column with the items. Default: the column named item, task or question.
    annotator
        Column with the annotators. Default: the column named annotator, worker or rater. Without one, every column but
        the items is an annotator.
    answer
        Column with the answers. Default: the column named answer, label or class.
    annotators
        In a table with a row for each item: the annotators' columns, such as ann,bob or 'rater*'. Default: all columns
        but the items and usual other names.
    time
        Column with the time or position of each answer. Default: answers have no order.
    classes
        All classes in order, such as ['low', 'mid', 'high']. Default: those answered.
    as_text
        Read all answers as text, so that 1 and 1.0 differ.
    ignore_case
        Treat answers that differ only in case or spaces as one class.
    repeated
        If an annotator answers an item more than once: keep the last answer, the first, all, or refuse. Default: last.
    prediction
        Column with a classifier's answers, or a table with items and predictions. Default: only models are compared.
    check
        Column with the true class where it is known, or a table with items and true classes, to judge classifier and
        annotators by. Default: they are judged by the other annotators.
    features
        List of columns with numeric features of the items, for item-response. Default: none.
    counts
        List of columns with counts, such as those of words, for item-response. Default: none.
    folds
        Number of parts that items are split into; each is predicted from the others. Default: 5.
    level
        Confidence level, such as 0.9. Default: 0.95.
    draws
        Number of resamples of items for intervals. Default: 500.
    seed
        Seed of the random draws. Default: 0.

    Examples
    --------
    >>> lines = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy", "xxy", "yyx"] * 4
    >>> answers = {"item": [at for at, line in enumerate(lines) for _ in line],
    ...            "annotator": list("abc") * len(lines), "answer": list("".join(lines))}
    >>> annotators_compare(answers).models[-1].method
    'majority'
    """
    check_level(level)
    if folds < 2:
        raise OptionError(f"folds must be 2 or more; got {folds!r}.")
    if draws < 100:
        raise OptionError(f"draws must be 100 or more; got {draws!r}.")
    read = read_answers(
        data, item=item, annotator=annotator, answer=answer, time=time, classes=classes, as_text=as_text,
        ignore_case=ignore_case, repeated=repeated, annotators=annotators, beside={"prediction": prediction, "check": check},
        features=features or [], counts=counts or [],
    )  # fmt: skip
    notes = read.annotations
    warnings: list[Text] = [*read.warnings]
    machine: HumanMachine | None = None
    if "prediction" in read.beside:
        gold = read.beside.get("check")
        machine = human_against_machine(
            notes, read.beside["prediction"], gold=gold, level=level, draws=draws, seed=seed
        )
        if gold is None:
            warnings = [judged_by_others_warning(answer_fit(notes, seed=seed)), NOT_INDEPENDENT, *warnings]
    elif check is not None:
        raise OptionError("True classes judge a classifier: name its predictions, too (prediction=…, --prediction).")
    values = item_features(read, features, counts)
    methods = scored_methods(notes, values, folds)
    if "hierarchical" not in methods:
        warnings.append(TOO_MANY)
    models = tuple(heldout(notes, methods, features=values, folds=folds, level=level, seed=seed))
    return ModelComparison(notes, models, machine, folds, level, seed, tuple(warnings), data)
