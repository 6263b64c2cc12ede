"""`justesse.audit_start`: make an audit file of the rows on which two classifiers disagree."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others
from justesse.core.choice import check_choice
from justesse.core.choices import ExpertRule
from justesse.core.class_sets import SEPARATOR
from justesse.core.errors import InputError, OptionError
from justesse.core.renamed import renamed
from justesse.core.results import Alternative, ClassName
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.watched import check_unchanged, watched
from justesse.judges.audit_rule import METHOD, AuditRule, CostRule, check_method
from justesse.judges.audit_targets import About
from justesse.judges.pool_plan import FEWEST
from justesse.store.address import AuditAddress, within
from justesse.store.audit_file import check_new
from justesse.verbs.audit.base_audit import PathLike
from justesse.verbs.audit.begin import begin_audit
from justesse.verbs.audit.options import AuditDecisionOptions, AuditQuestion, ExpertOptions
from justesse.verbs.audit.pooled_reading import PoolColumns, pooled_rows
from justesse.verbs.audit.pooled_start import RIGHT_OR_WRONG, begin_pool
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.rows_to_ask import rows_to_ask
from justesse.verbs.audit.status_result import AuditStatus
from justesse.verbs.file_facts import file_facts
from justesse.verbs.log_input import models_of, read_models
from justesse.verbs.options.answers import MissingOptions
from justesse.verbs.recorded import recorded


@recorded
@renamed(truth="true")
def audit_start(
    data: Any,
    *candidates: Any,
    to: PathLike | AuditAddress,
    store: PathLike | None = None,
    on: str | None = None,
    incumbent: str | None = None,
    candidate: str | None = None,
    models: Sequence[str] | None = None,
    cluster: str | None = None,
    score: str | None = None,
    credit: Any = None,
    goal: str | None = None,
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
    instructions: str | None = None,
    answers_each: int = ExpertOptions.answers_each,
    third: bool = ExpertOptions.third,
    futility: bool = AuditDecisionOptions.futility,
    seed: int = AuditDecisionOptions.seed,
    drop_missing: bool = False,
    as_text: bool = False,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = MissingOptions.others,
    metric: str | None = None,
    log_filter: str | None = None,
    task: str | None = None,
    log_model: str | None = None,
    right_from: float | None = None,
) -> AuditStatus | PooledStatus:
    """Start an audit: ask an expert about rows on which classifiers disagree, until the verdict is sure.

    Give two tables joined by the column `on`, or one table with the columns `incumbent` and `candidate`, as for
    `compare`. For several classifiers, give a table or log of each, or one table with their columns (`models`): one
    pool of answers serves all pairs. Do not use it if the rows were picked for their answers, or if a classifier was
    trained on them.

    Parameters
    ----------
    data
        The incumbent's answers, or one table with the answers of both: path or data frame.
    candidates
        The candidate's answers, if they are in another table; or the answers of several other classifiers.
    to
        Audit file to make, such as my.audit; with a store, the name of the audit in it. It must not exist.
    store
        Store that the audit goes into, such as project.db or postgresql://host/database. Default: a file of its own.
    on
        Column with the id of each row, to join files and to answer questions. Default: required; id for logs.
    incumbent
        Column of the incumbent's answers, if all answers are in one file; with `goal` incumbent, its name.
    candidate
        Column of the candidate's answers, if all answers are in one file.
    models
        For several classifiers in one file: their columns, such as net_a,net_b,net_c. Default: every other column that
        holds classes.
    cluster
        For several classifiers: column that says which rows are samples of one question. Their pass rates are compared,
        and one answer serves all samples. Default: none; for logs with epochs, the question.
    score
        For several classifiers: column with the score that each answer got, from 0 to 1 (partial credit). In one file,
        write * for the name of a classifier, as in score_*. Experts then give answers credits, such as B=1|C=0.5.
    credit
        For several classifiers: CSV table of the credit of each answer (columns) for each true class (rows), 0 to 1.
    goal
        For several classifiers: what to settle. winner, top:K (such as top:3), pairs (all of them) or incumbent (each
        against it, by default the first). Default: pairs.
    budget
        Number of questions at most. Default: 200, or all disputed rows if there are fewer.
    show
        Column with the text the expert sees, or a list of columns.
    image
        Column with the path of the image or sound that the expert gets.
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
    instructions
        What experts read before the first question, such as "Name the main object." The audit file keeps it.
    answers_each
        Number of experts who answer each question on the page of justesse serve. A question counts once all of them
        have answered. Default: 1.
    third
        If the experts of a question disagree, ask a third. Default: yes; `third=False` lists the question for
        discussion.
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
    metric
        For evaluation logs: metric or scorer that says what is right, such as exact_match. Default: the first that
        scores with 0 and 1 only.
    log_filter
        For evaluation logs: how answers were extracted, such as strict-match; of HELM the split, such as valid.
        Default: the first in the log, of HELM test.
    task
        For evaluation logs: task to read, such as gsm8k. Default: all tasks.
    log_model
        For evaluation logs with several models: the model to read.
    right_from
        For evaluation logs: smallest score that counts as right, such as 0.5. Default: 1, and other scores than 0 and 1
        are refused.

    Returns
    -------
    AuditStatus or PooledStatus
        The verdict so far, and how many questions are left; of several classifiers, the order so far.

    Notes
    -----
    With `any_of`, labels are sets of classes, too: a row whose label accepts both answers is still asked about. A class
    whose name contains the separator comes first. An audit that stopped for futility can go on with `audit_extend`.

    An audit of several classifiers is about accuracy on this test set, or about pass rates (`cluster`) or scores with
    partial credit (`score`, `credit`). All its claims hold together at the level. An answer gives every possible reply
    a credit c from 0 to 1: 1 for right classes, what `credit` says for others, or what the expert says. The score of a
    classifier on a row is the mean of c over its samples there.

    Examples
    --------
    >>> import tempfile
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90, "is": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     status = audit_start(rows, incumbent="old", candidate="new", on="id", true="is", to=f"{folder}/my.audit")
    >>> status.decision, status.audit.state.stop
    ('replace', 'replace')
    """
    options = {name: value for name, value in locals().items() if name not in ("data", "candidates")}
    place = check_new(within(store, to))
    data, candidates = watched(data), tuple(map(watched, candidates))
    if show is not None and image is not None:
        raise OptionError("show (a column of text) and image (a column of paths) cannot be combined. Use one of them.")
    shown = [image] if image else [show] if isinstance(show, str) else list(show or ())
    check_method(method)
    if answers_each < 1 or (answers_each > 1 and true is not None):
        raise OptionError(
            f"answers_each (--answers-each) must be at least 1, and 1 if a column answers instead of experts; got "
            f"{answers_each!r}."
        )
    asking = {"instructions": instructions, "answers_each": answers_each, "third": third, "columns": shown}
    separator = SEPARATOR if any_of is None else any_of
    sources = (data, *candidates)
    log_choice = LogChoice(metric, log_filter, task, log_model, right_from)
    if goal is not None or models is not None or len(candidates) > 1 or _many_models(sources, options):
        _check_pooled(options)
        read = pooled_rows(
            sources, PoolColumns(models, on, label, prediction, true, shown, cluster, score, watched(credit)),
            classes=classes, as_text=as_text, log_choice=log_choice,
            policy=AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of or None),
        )  # fmt: skip
        check_unchanged(*sources)
        return begin_pool(
            place, read, files=sources, goal=goal or "pairs", incumbent=incumbent, level=level,
            expert_error=expert_error, experts=experts, budget=budget, seed=seed, true=true,
            shows="text" if show else "image" if image else None, separator=separator, asking=asking,
        )  # fmt: skip
    for name in ("cluster", "score", "credit"):
        if options[name] is not None:
            raise OptionError(
                f"{name} (--{name}) is for audits of three classifiers or more. Leave it out; for two, costs of answers "
                "can be counted with cost (--cost)."
            )
    logs = read_models(sources, log_choice, incumbent, candidate)
    if logs.paired:
        if not logs.by_class:
            raise InputError(RIGHT_OR_WRONG)
        data, candidates = logs.sources[0], logs.sources[1:]
        on, classes, any_of = on or "id", logs.classes(classes), logs.any_of(any_of)
        separator = any_of or separator
        missing = logs.missing(missing, drop_missing=drop_missing)
        incumbent = candidate = None
    asked = "test-set" if question == "test set" else question
    check_choice("question", asked, AuditQuestion)
    check_choice("experts", experts, ExpertRule)
    rule = (AuditRule if cost is None else CostRule)(
        question="test set" if question == "test-set" else question, level=level, margin=margin,
        alternative=alternative, expert_error=expert_error, futility=futility, seed=seed,
        budget=AuditRule.budget if budget is None else budget,
    )  # fmt: skip
    if on is None:
        raise OptionError("Questions are answered by id. Name the column with the ids: on=… (--on id).")
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
        files=[fact for source in sources for fact in file_facts(source)], separator=separator,
        label_sets=bool(any_of), declared=classes is not None,
        asking=asking,
    )  # fmt: skip


def _many_models(sources: Sequence[Any], options: Mapping[str, Any]) -> bool:
    """Whether one log has answers of three models or more, and none of them is chosen."""
    chosen = (options["incumbent"], options["candidate"], options["log_model"])
    return len(sources) == 1 and all(name is None for name in chosen) and len(models_of(sources[0])) >= FEWEST


def _check_pooled(options: Mapping[str, Any]) -> None:
    """Refuse what an audit of several classifiers cannot do."""
    only_two = {
        "candidate": None,
        "measure": None,
        "cost": None,
        "counts_within": None,
        "suspicion": None,
        "margin": AuditDecisionOptions.margin,
        "alternative": AuditDecisionOptions.alternative,
        "futility": AuditDecisionOptions.futility,
        "common": False,
    }
    for name, default in only_two.items():
        if options[name] != default and not (name == "measure" and options[name] == "accuracy"):
            raise OptionError(
                f"{name} (--{name.replace('_', '-')}) is for audits of two classifiers. An audit of several compares accuracy, "
                "pass rates or credits on this test set. Leave it out, or audit two of them."
            )
    if options["question"] == "population":
        raise OptionError(
            "An audit of several classifiers is about this test set. Leave out question (--question), or audit two of them."
        )
    if options["experts"] == "model":
        raise OptionError(
            "The rule model knows who of two is right, which is not enough for several classifiers. Use "
            "experts=unanimous (--experts unanimous)."
        )
