"""`justesse.audit_start`: make an audit file of the rows on which two classifiers disagree."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others
from justesse.core.choice import check_choice
from justesse.core.choices import ExpertRule
from justesse.core.class_sets import SEPARATOR
from justesse.core.errors import OptionError
from justesse.core.renamed import renamed
from justesse.core.results import Alternative, ClassName
from justesse.frames.watched import watched
from justesse.judges.audit_rule import METHOD, AuditRule, CostRule, check_method
from justesse.judges.audit_targets import About
from justesse.store.audit_file import AUDIT
from justesse.store.database_file import check_free
from justesse.verbs.audit.audit import PathLike
from justesse.verbs.audit.begin import begin_audit
from justesse.verbs.audit.options import AuditDecisionOptions, AuditQuestion, ExpertOptions
from justesse.verbs.audit.rows_to_ask import rows_to_ask
from justesse.verbs.audit.status import AuditStatus
from justesse.verbs.file_facts import file_facts
from justesse.verbs.options.answers import MissingOptions


@renamed(truth="true")
def audit_start(
    data: Any,
    *candidates: Any,
    to: PathLike,
    on: str,
    incumbent: str | None = None,
    candidate: str | None = None,
    budget: int | None = None,
    show: str | Sequence[str] | None = None,
    image: str | None = None,
    true: str | None = None,
    any_of: str | None = None,
    suspicion: str | None = None,
    common: bool = False,
    label: str | None = None,
    prediction: str | None = None,
    classes: Sequence[ClassName] | None = None,
    measure: str | None = None,
    cost: Any = None,
    counts_within: float | None = None,
    question: About | Literal["test-set"] = AuditDecisionOptions.question,
    method: str = METHOD,
    level: float = AuditDecisionOptions.level,
    margin: float = AuditDecisionOptions.margin,
    alternative: Alternative = AuditDecisionOptions.alternative,
    expert_error: float = ExpertOptions.expert_error,
    experts: ExpertRule = ExpertOptions.experts,
    futility: bool = AuditDecisionOptions.futility,
    seed: int = AuditDecisionOptions.seed,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = MissingOptions.others,
) -> AuditStatus:
    """Start an audit: ask an expert about rows on which two classifiers disagree, until the verdict is sure.

    Give two tables joined by the column `on`, or one table with the columns `incumbent` and `candidate`, as for
    `compare`. Do not use it if the rows were picked for their answers, or if a classifier was trained on them.

    Parameters
    ----------
    data
        The incumbent's answers, or one table with the answers of both: path or data frame.
    candidates
        The candidate's answers, if they are in another table.
    to
        Audit file to make, such as my.audit. It must not exist.
    on
        Column with the id of each row, to join files and to answer questions.
    incumbent
        Column of the incumbent's answers, if all answers are in one file.
    candidate
        Column of the candidate's answers, if all answers are in one file.
    budget
        Number of questions at most. Default: 200, or all disputed rows if there are fewer.
    show
        Column with the text the expert sees, or a list of columns.
    image
        Column with the path of the image the expert sees.
    true
        Column whose values answer instead of an expert: the audit runs to its end at once. Several right classes: B|C.
    any_of
        Separator of several right classes, in the column `true` and in answers. Default: |. If given, labels such as
        cat|dog accept any of their classes, too.
    suspicion
        Column of numbers, higher where the label is more likely wrong. A good column saves questions, a bad one costs
        some.
    common
        Use only the ids that all files have, instead of refusing files that differ.
    label
        Column with the labels. Default: the column named label, y, y_true or target.
    prediction
        Column with the predictions. Default: the column named prediction, pred, y_pred, yhat, predicted or y_hat.
    classes
        All classes in order, also those that do not occur, such as ['low', 'high']. Default: those of the labels.
    measure
        Measure that decides: accuracy, error, cost, precision:CLASS, recall:CLASS, f1:CLASS, macro-precision,
        macro-recall or macro-f1. Default: accuracy; cost with `cost`.
    cost
        CSV table of the cost of each prediction (columns) for each true class (rows).
    counts_within
        For recall and F1: how far the number of rows of each class may be from that of the labels. 0.1 allows 10 %
        more, or 1.1 times fewer, and at least three rows; 0 allows none. Default: 0.1.
    question
        Is the candidate better on this test set, or in the population it was drawn from? Default: test-set.
    method
        Only "betting" is available.
    level
        Confidence level that holds at all looks together, such as 0.9. Default: 0.95.
    margin
        Smallest gain that matters, in the measure's unit, such as 0.01 for one point. Default: 0.
    alternative
        greater gives lower bounds only, less upper bounds only. Default: two-sided.
    expert_error
        Highest probability that an expert is wrong about a row, such as 0.02. Widens the interval. Default: 0.
    experts
        If experts disagree: unanimous (the worst of their answers counts), model (of their mistakes; the worst answer
        that it leaves possible) or majority (the most frequent answer; wrong more often). Default: unanimous.
    futility
        Stop if the remaining questions settle it with less than 3 % probability. Default: yes; `futility=False`
        continues up to the budget.
    seed
        Seed of the random numbers, a whole number from 0 up. Default: 0.
    drop_missing
        Old name of `missing="drop"`.
    as_text
        Read all labels and predictions as text, so that 1 and 1.0 differ.
    missing
        Rows without a prediction: refuse the data, count each as wrong, or drop the row. Default: refuse.
    missing_labels
        Rows without a label or true class: refuse the data, or drop the row. Default: refuse; drop with
        `missing="drop"`.
    others
        Predictions that no label has: wrong answers, classes of their own as in scikit-learn, or missing answers.
        Default: wrong.

    Returns
    -------
    AuditStatus
        The verdict so far, and how many questions are left.

    Notes
    -----
    With `any_of`, labels are sets of classes, too: a row whose label accepts both answers is still asked about. A class
    whose name contains the separator comes first. An audit that stopped for futility can go on with `audit_extend`.

    Examples
    --------
    >>> import tempfile
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90, "is": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     status = audit_start(rows, incumbent="old", candidate="new", on="id", true="is", to=f"{folder}/my.audit")
    >>> status.decision, status.audit.state.stop
    ('replace', 'replace')
    """
    place = Path(os.path.expanduser(os.fspath(to)))
    check_free(place, AUDIT)
    data, candidates = watched(data), tuple(map(watched, candidates))
    if show is not None and image is not None:
        raise OptionError("show (a column of text) and image (a column of paths) cannot be combined. Use one of them.")
    shown = [image] if image else [show] if isinstance(show, str) else list(show or ())
    check_method(method)
    separator = SEPARATOR if any_of is None else any_of
    asked = "test-set" if question == "test set" else question
    check_choice("question", asked, AuditQuestion)
    check_choice("experts", experts, ExpertRule)
    rule = (AuditRule if cost is None else CostRule)(
        question="test set" if question == "test-set" else question, level=level, margin=margin,
        alternative=alternative, expert_error=expert_error, futility=futility, seed=seed,
        budget=AuditRule.budget if budget is None else budget,
    )  # fmt: skip
    names, tally, rows, chosen = rows_to_ask(
        data, candidates, incumbent=incumbent, candidate=candidate, on=on, true=true, suspicion=suspicion,
        shown=shown, classes=classes, as_text=as_text,
        policy=AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of or None),
        common=common, label=label, prediction=prediction, measure=measure, cost=cost, counts_within=counts_within,
    )  # fmt: skip
    if experts == "model" and chosen.gains is not None:
        raise OptionError(
            "The rule model knows who of the two is right, which is not enough for other measures than accuracy. Use "
            "experts=unanimous (--experts unanimous)."
        )
    return begin_audit(
        place, rule, rows, tally, names, chosen, on=on, true=true, experts=experts, budget=budget,
        shows="text" if show else "image" if image else None, suspicion=suspicion,
        files=[fact for source in (data, *candidates) for fact in file_facts(source)], separator=separator,
        label_sets=bool(any_of), declared=classes is not None,
    )  # fmt: skip
