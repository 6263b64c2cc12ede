"""`justesse.audit_start`: make an audit file of the rows on which two classifiers disagree."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection

from justesse.core.answer_policy import AnswerPolicy, Missing, MissingLabels, Others
from justesse.core.choice import check_choice
from justesse.core.choices import ExpertRule
from justesse.core.class_sets import SEPARATOR, joined_classes, split_classes
from justesse.core.errors import ClassError, InputError, OptionError
from justesse.core.levels import merged, ordered, spellings
from justesse.core.renamed import renamed
from justesse.core.results import Alternative, ClassName
from justesse.core.tally import Tally
from justesse.core.version import __version__
from justesse.frames.disagreeing_rows import DisagreeingRows, disagreeing_rows
from justesse.frames.watched import watched
from justesse.judges.audit_rule import METHOD, AuditRule, CostRule, check_method
from justesse.judges.audit_targets import About
from justesse.report.writing import message
from justesse.store.answers import Diary
from justesse.store.audit_file import AUDIT, new_audit
from justesse.store.database_file import check_free
from justesse.store.disagreements import DisagreeingRow, add_drawn, write_disagreements
from justesse.verbs.audit.audit import Audit, PathLike, counted_disputes, read_audit
from justesse.verbs.audit.measure import AuditMeasure, chosen_measure
from justesse.verbs.audit.options import AuditDecisionOptions, AuditQuestion, ExpertOptions
from justesse.verbs.audit.status import AuditStatus
from justesse.verbs.audit.typed_answer import TypedAnswers
from justesse.verbs.compare.paired_answers import counted_pair, put_together
from justesse.verbs.file_facts import file_facts
from justesse.verbs.options.answers import MissingOptions


def rows_to_ask(
    data: Any,
    candidates: Sequence[Any],
    *,
    incumbent: str | None,
    candidate: str | None,
    on: str | None,
    true: str | None,
    suspicion: str | None,
    shown: Sequence[str],
    classes: Sequence[ClassName] | None,
    policy: AnswerPolicy,
    as_text: bool,
    measure: str | None,
    cost: Any,
    counts_within: float | None,
    **columns: Any,
) -> tuple[tuple[str, str], Tally, DisagreeingRows, AuditMeasure]:
    """Name both classifiers, count all rows, and fetch those that can change the difference.

    Parameters
    ----------
    data
        The incumbent's answers, or one table with the answers of both: path or data frame.
    candidates
        The candidate's answers, if they are in another table.
    incumbent
        Column of the incumbent's answers, if all answers are in one table.
    candidate
        Column of the candidate's answers, if all answers are in one table.
    on
        Column with the id of each row.
    true
        Column that plays the expert, if there is one.
    suspicion
        Column of numbers, higher where the label is more likely wrong.
    shown
        Columns that the expert sees.
    classes
        All classes in order. Default: those of the labels.
    policy
        What to do with missing answers, and with answers that are no class.
    as_text
        Read all labels and predictions as text.
    measure
        Name of the measure. Default: accuracy; cost with costs.
    cost
        Table of costs.
    counts_within
        How far the number of rows of each class may be from that of the labels.
    **columns
        Columns of labels and predictions, and whether to keep only the ids that all tables have.

    Returns
    -------
    tuple
        The names of both, the counts of all rows, the rows that can change the difference, and the measure.
    """
    if on is None:
        raise OptionError("Questions are answered by id. Name the column with the ids: on=… (--on id).")
    if len(candidates) > 1:
        raise OptionError(f"An audit has one candidate; got {len(candidates)}. Start an audit for each.")
    extra = list(dict.fromkeys(name for name in (suspicion, *shown) if name is not None))
    answers = put_together(
        data, candidates, incumbent, candidate, None, None, None,
        on=on if candidates else None, true=true, by=extra, **columns,
    )  # fmt: skip
    if isinstance(answers, Tally):
        raise InputError("An audit asks about single rows, and a Tally has none. Pass files or data frames.")
    own_name, ((name, table),) = answers
    # a column that happens to be called true is no expert: only the one that was named is
    parts = {part: column for part, column in table.columns.items() if part != "true"}
    check = {"classes": classes, "policy": policy, "as_text": as_text}
    pair = counted_pair(name, replace(table, columns=parts, slices={}), check, None)
    tally = pair.tally
    known = {text for name in tally.classes if name is not None for text in spellings(name)}
    accepted = pair.gaps.accepted.get("label", {})  # an expert may choose any class that some label accepts
    place = {column: table.slices[f"by {column}"] for column in extra}
    chosen = chosen_measure(measure, cost, counts_within, tally, sets=policy.any_of is not None)
    every = merged(tally.classes, ordered(name for name in accepted if not spellings(name) & known))
    rows = disagreeing_rows(
        table,
        every,
        on=on,
        true=None if true is None else table.columns["true"],
        suspicion=place.get(suspicion or ""),
        shown={name: place[name] for name in shown},
        any_of=policy.any_of,
        chosen_pairs=chosen.chosen_pairs(every),
    )
    return (own_name, name), tally, rows, chosen


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


def begin_audit(
    place: Path,
    rule: AuditRule,
    rows: DisagreeingRows,
    tally: Tally,
    names: tuple[str, str],
    chosen: AuditMeasure,
    *,
    on: str,
    true: str | None,
    experts: ExpertRule,
    budget: int | None,
    shows: str | None,
    suspicion: str | None,
    files: Sequence[tuple[str, str]],
    separator: str = SEPARATOR,
    label_sets: bool = False,
    declared: bool = False,
    weights: Mapping[str, Any] | None = None,
) -> AuditStatus:
    """Make the audit file of these rows, and answer the questions if a column plays the expert.

    Parameters
    ----------
    place
        The file to make.
    rule
        What is decided, and when to stop.
    rows
        The rows that can change the difference.
    tally
        Counts of all rows.
    names
        Names of incumbent and candidate.
    chosen
        The measure.
    on
        Column with the id of each row.
    true
        Column that plays the expert, if there is one.
    experts
        Which answer counts if experts disagree.
    budget
        Number of questions as the user gave it.
    shows
        Whether the expert sees text or an image.
    suspicion
        Column of numbers, higher where the label is more likely wrong.
    files
        Names and fingerprints of the files.
    separator
        Separator of several right classes.
    label_sets
        Whether labels may accept several classes.
    declared
        Whether the user listed the classes.
    weights
        Policy that weighs the rows: its name, its words, and the weight of each row. Default: all rows count alike.
    """
    disputes = tuple(_disputes(rows, separator))
    notes: tuple[str, ...] = ()
    if budget is not None and budget > len(disputes):
        rule = replace(rule, budget=len(disputes))
        template = (
            "The budget of {budget:count question} is larger than the number of disputed rows, {n:count}: all of them can be "
            "asked about."
        )
        notes = (str(message(template, budget=budget, n=len(disputes))),)
    about = {
        **asdict(rule),
        "method": METHOD,
        "experts": experts,
        "n": tally.n,
        "on": on,
        "shows": shows,
        "incumbent": names[0],
        "candidate": names[1],
        "classes": [name for name in rows.classes if name is not None],
        "truth": true,
        "any_of": separator,
        "label_sets": label_sets,
        **chosen.facts,
        "suspicion": suspicion,
        "files": list(files),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "justesse": __version__,
        **({} if weights is None else {"weights": dict(weights)}),
    }
    expert = None if true is None else _expert(rows, str(true), separator, declared=declared)
    about["counts"] = counted_disputes(disputes) if label_sets else _cells(tally)
    with new_audit(place) as connection:
        write_disagreements(connection, disputes, about)
        if expert is not None:
            by = str(message("the column {column:name}", column=true))
            _simulate(connection, Audit(place, about, disputes, [], Diary()), expert, by=by)
    return AuditStatus(read_audit(place), "start", notes)


def _cells(tally: Tally) -> list[list[Any]]:
    return tally.marginal("label", "incumbent", "candidate").cells()


def _disputes(rows: DisagreeingRows, separator: str) -> Iterator[DisagreeingRow]:
    for at, name in enumerate(rows.ids):
        label, old, new = (rows.classes[codes[at]] for codes in (rows.label, rows.incumbent, rows.candidate))
        if at in rows.label_sets:
            label = joined_classes(rows.label_sets[at], separator)
        suspicion = None if rows.suspicion is None else float(rows.suspicion[at])
        yield DisagreeingRow(at, name, label, old, new, suspicion, rows.shown[at] if rows.shown else None)


def _expert(rows: DisagreeingRows, column: str, separator: str, *, declared: bool) -> list[str | None]:
    """Return the answers of the column that plays the expert, `None` where a cell is empty."""
    assert rows.true is not None
    known = {text for name in rows.classes if name is not None for text in spellings(name)}
    answers = [text for text in rows.true if text is not None]
    if (
        answers
        and not declared
        and not any(part in known for text in answers for part in (text, *split_classes(text, separator)))
    ):
        raise InputError(
            f"Column {column!r} has no class of the labels or answers in any disputed row. It has "
            f"{', '.join(map(repr, dict.fromkeys(answers[:3])))}; the classes are "
            f"{', '.join(repr(name) for name in rows.classes[:5] if name is not None)}. Write both in the same "
            "way, or name all classes (--classes)."
        )
    return list(rows.true)


def _simulate(connection: Connection, audit: Audit, expert: Sequence[str | None], *, by: str) -> None:
    """Ask and answer one question after the other until the audit stops."""
    typed = TypedAnswers(audit.classes, separator=audit.separator, new_class=True, capitals=True)
    while not audit.progress.stop and (new := audit.draw(1)):
        row = new[0].row
        text = expert[row]
        try:
            kind, classes = ("cannot_say", None) if text is None else typed.read(audit.disputes[row], text)
        except ClassError as error:
            raise ClassError(f"{by} has {text!r} for id {audit.disputes[row].id!r}. {error}") from error
        entry = audit.entries.add(row, kind, classes, by=by)
        audit.add_entries([entry] if entry else [])
    add_drawn(connection, audit.drawn)
    audit.entries.save(connection)
