"""Read the answers of several classifiers for an audit: the rows or questions on which some of them disagree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.class_sets import SEPARATOR, split_classes
from justesse.core.errors import InputError, OptionError
from justesse.core.results import ClassName
from justesse.frames.answers import row_ids
from justesse.frames.columns import check_column, guess_column
from justesse.frames.count import opened_once
from justesse.frames.entrant_codes import Entrants
from justesse.frames.entrants import read_entrants
from justesse.frames.logs.log_choice import LogChoice
from justesse.frames.rows import Rows
from justesse.judges.pool_plan import FEWEST
from justesse.store.pooled_rows import PooledRow
from justesse.verbs.audit.pooled_credit import (
    by_question,
    column_texts,
    credit_table,
    graded_tables,
    records_credit,
)
from justesse.verbs.audit.recorded_scores import (
    RecordedScores,
    ScoredAnswer,
    check_scores,
    contradiction,
    credits_of,
    read_scores,
    scored_twice,
)
from justesse.verbs.log_input import LogInput, read_entered
from justesse.verbs.log_words import comparison_cautions
from justesse.verbs.tournament.tables import entrant_tables


@dataclass(frozen=True)
class PoolColumns:
    """Which columns of the data are read.

    Parameters
    ----------
    models
        Columns of the classifiers in a wide table, or models of one log. Default: all.
    on
        Column with the id of each row.
    label, prediction
        Columns with labels, and with predictions if there are several files.
    true
        Column that plays the expert, if there is one.
    shown
        Columns that the expert sees, of the first file.
    cluster
        Column that says which rows are samples of one question. Default: none; the question, for logs with epochs.
    score
        Column with the score that each answer got, from 0 to 1; in a wide table, with * for the name of a classifier.
    credit
        Table of credits of answers for right classes.
    """

    models: Sequence[str] | None = None
    on: str | None = None
    label: str | None = None
    prediction: str | None = None
    true: str | None = None
    shown: Sequence[str] = ()
    cluster: str | None = None
    score: str | None = None
    credit: Any = None


@dataclass(frozen=True)
class PoolRead:
    """The rows of a pooled audit as they were read.

    Parameters
    ----------
    names
        The classifiers.
    classes
        Classes of labels and answers.
    rows
        The rows, or questions, on which some classifiers disagree.
    true
        What the column that plays the expert says of each of them, if there is one.
    notes
        Cautions about how the data were read.
    label_sets
        Whether labels accept several classes.
    n
        Number of rows, or of questions, in all.
    table
        Credit of each class (columns) for each right class (rows); nothing without.
    on
        Column with the ids by which questions are answered.
    """

    names: tuple[str, ...]
    classes: tuple[ClassName, ...]
    rows: tuple[PooledRow, ...]
    true: tuple[str | None, ...] | None
    notes: tuple[str, ...]
    label_sets: bool
    n: int
    table: Array | None = None
    on: str = "id"


def pooled_rows(
    files: Sequence[Any],
    columns: PoolColumns,
    *,
    classes: Sequence[ClassName] | None,
    as_text: bool,
    policy: AnswerPolicy,
    log_choice: LogChoice,
) -> PoolRead:
    """Read the answers of several classifiers: one wide table, a file for each, or evaluation logs.

    Parameters
    ----------
    files
        The data.
    columns
        The columns to read.
    classes
        All classes in order. Default: those of the labels.
    as_text
        Whether to compare classes as text.
    policy
        What to do with missing answers, and with answers that are no class.
    log_choice
        What to read of logs.
    """
    logs = read_entered(files, replace(log_choice, graded=log_choice.right_from is None), columns.models)
    sources = logs.sources
    notes: tuple[str, ...] = ()
    if logs.tables:
        columns, policy, classes = _of_logs(logs, columns, policy, classes)
        notes = tuple(map(str, comparison_cautions(logs, clustered=True)))
        if columns.score is not None:
            sources = tuple(graded_tables(logs))
    elif columns.on is None:
        raise OptionError("Questions are answered by id. Name the column with the ids: on=… (--on id).")
    assert columns.on is not None
    tables = entrant_tables(logs.sources[0], logs.sources[1:])
    tables = dict(zip(tables, sources, strict=True))
    if columns.models is not None and len(tables) == 1:
        _check_enough(columns.models)
    first = opened_once(next(iter(tables.values())))
    label = guess_column("label", first[0].columns, first[0].name, columns.label)
    beside = [name for name in (columns.true, columns.cluster, *columns.shown) if name is not None]
    for role, name in (("on", columns.on), ("true", columns.true), ("cluster", columns.cluster), *(("show", each) for each in columns.shown)):  # fmt: skip
        if name is not None:
            check_column(first[0].columns, first[0].name, role, name)
    entrants = read_entrants(
        tables, true=label, label=[label], models=columns.models, on=columns.on, prediction=columns.prediction,
        classes=classes, as_text=as_text or columns.score is not None, policy=policy, beside=beside, needs_true=False,
        free=columns.score is not None,
    )  # fmt: skip
    _check_enough(entrants.names)
    if len(first) > 1:
        raise InputError("The first table must be one file. Name the files instead of a pattern.")
    scores = None if columns.score is None else read_scores(tables, entrants.names, columns.score, columns.on)
    return _disputed(
        entrants, first[0], replace(columns, label=label), scores, notes, policy, from_logs=bool(logs.tables)
    )


def _of_logs(
    logs: LogInput, columns: PoolColumns, policy: AnswerPolicy, classes: Sequence[ClassName] | None
) -> tuple[PoolColumns, AnswerPolicy, Sequence[ClassName] | None]:
    """Choose the columns of logs; those that are not about classes are read as answers with scores."""
    if columns.shown:
        raise OptionError(
            "Logs have no column to show. The expert finds a question by its id. Leave out show (--show)."
        )
    for name in ("score", "cluster", "label", "prediction"):
        if getattr(columns, name) is not None:
            raise OptionError(
                f"{name} (--{name}) is for tables. Scores, questions and samples of logs are read from the logs."
            )
    graded = not logs.by_class or records_credit(logs)
    missing = logs.missing(None if policy.missing == "refuse" else policy.missing, drop_missing=False)
    any_of = policy.any_of if graded else logs.any_of(policy.any_of)
    chosen = replace(
        columns, models=None, on=columns.on or "id", label="label", prediction="prediction",
        cluster="question" if logs.repeated else None, score="score" if graded else None,
    )  # fmt: skip
    return (
        chosen,
        AnswerPolicy.of(missing, policy.missing_labels, policy.others, any_of=any_of),
        (None if graded else logs.classes(classes)),
    )


def _check_enough(names: Sequence[str]) -> None:
    if len(names) < FEWEST:
        raise InputError(
            f"An audit of several needs {FEWEST} classifiers or more; got {len(names)}: {', '.join(names)}. Name more "
            "(--model a,b,c). For two, leave out goal and models (--goal, --model), and name --incumbent and "
            "--candidate if they are in one file."
        )


def _disputed(
    entrants: Entrants, first: Rows, columns: PoolColumns, scores: Sequence[RecordedScores] | None,
    notes: tuple[str, ...], policy: AnswerPolicy, *, from_logs: bool,
) -> PoolRead:  # fmt: skip
    """Gather the rows, or the samples of each question, on which some classifiers disagree."""
    label, true = str(columns.label), columns.true
    ids = [str(name) for name in row_ids(first, str(columns.on))]
    needed = (label, *(name for name in (true, columns.cluster, *columns.shown) if name is not None))
    texts = {name: column_texts(first, name) for name in needed}
    names: tuple[ClassName, ...] = (*entrants.coded, None)  # a missing answer has the code after the last
    several = policy.any_of is not None
    questions = by_question(entrants, ids, texts.get(columns.cluster or ""), columns.cluster)
    checked = [name for name in (label, true) if name is not None and columns.cluster is not None]
    rows, expert = [], []
    twice: list[str] = []
    for at, (name, places) in enumerate(questions.disputed(entrants.answers)):
        place = int(entrants.kept[places[0]])
        for column in checked:
            questions.check_same(name, column, [texts[column][int(entrants.kept[each])] for each in places])
        own = tuple(
            tuple(names[min(int(code), len(names) - 1)] for code in entrants.answers[model, places])
            for model in range(len(entrants.names))
        )
        written = texts[label][place] or ""
        is_set = several and len(split_classes(written, policy.any_of or SEPARATOR)) > 1
        is_text = is_set or scores is not None  # answers with scores are no classes, so the label is just shown
        credits = None
        if scores is not None:
            sampled = [ids[int(entrants.kept[each])] for each in places]
            answers_there = [
                ScoredAnswer(answer, recorded, sample)
                for recorded, answers in zip(scores, own, strict=True)
                for sample, answer in zip(sampled, answers, strict=True)
            ]
            if from_logs:  # a scorer may see more than the answer that it extracts
                twice += [name] if contradiction(answers_there) else []
            else:
                check_scores(answers_there)
            credits = credits_of(answers_there)
        rows.append(
            PooledRow(
                at, name, written if is_text else names[int(entrants.labels[label][places[0]])],
                own if columns.cluster is not None else tuple(each[0] for each in own),
                _shown({column: texts[column][place] for column in columns.shown}), credits,
            )
        )  # fmt: skip
        if true:
            expert.append(texts[true][place])
    notes = (*notes, str(scored_twice(twice))) if twice else notes
    table = None if columns.credit is None else credit_table(columns.credit, entrants.classes)
    return PoolRead(
        tuple(entrants.names), tuple(name for name in entrants.coded if name is not None), tuple(rows),
        tuple(expert) if true else None, notes, several, len(questions.places), table, columns.cluster or str(columns.on),
    )  # fmt: skip


def _shown(values: Mapping[str, str | None]) -> str | None:
    texts = {name: text for name, text in values.items() if text is not None}
    if len(values) == 1 or not texts:
        return next(iter(texts.values()), None)
    return "\n".join(f"{name}: {text}" for name, text in texts.items())
