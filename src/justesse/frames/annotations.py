"""Answers of annotators from any data: a row for each answer, or a row for each item with a column per annotator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from justesse.core.annotations import Annotations, Codes
from justesse.core.arrays import FloatArray
from justesse.core.choices import Repeated
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError
from justesse.core.levels import identity, native, ordered
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.answer_cautions import (
    alike_words,
    column_words,
    decimal_words,
    missing_words,
    plain,
    unanswered_words,
)
from justesse.frames.answer_numbers import GOLD, NAMES, TIME, Detail, answer_numbers, usual_column
from justesse.frames.answer_tables import AnswerRows, long_answers, wide_answers, with_none
from justesse.frames.columns import guess_column, has_column
from justesse.frames.item_classes import ClassRole, Identity, item_classes, own_column
from justesse.frames.item_numbers import item_numbers
from justesse.frames.kinds import as_kind_of
from justesse.frames.rows import Rows
from justesse.frames.table import one_table, row_words
from justesse.frames.values import Named, named
from justesse.frames.wide_columns import wide_columns

MANY_NAMES = 100_000  # items and annotators whose names are compared


@dataclass(frozen=True)
class ReadAnnotations:
    """Answers as read, and what a report must say about it.

    `beside` has a class code for each item of further columns: -1 where there is none, the number of classes where
    it is a class that nobody answered. `features` are items × columns.
    """

    annotations: Annotations
    name: str
    warnings: tuple[str, ...] = ()
    beside: Mapping[ClassRole, Codes] = field(default_factory=dict)
    features: FloatArray | None = None


@remembering
def read_annotations(
    data: Any,
    *,
    item: str | None = None,
    annotator: str | None = None,
    answer: str | None = None,
    gold: Any = None,
    beside: Mapping[ClassRole, Any] | None = None,
    features: Sequence[str] = (),
    counts: Sequence[str] = (),
    time: str | None = None,
    annotators: Sequence[str] | None = None,
    classes: Sequence[ClassName] | None = None,
    repeated: Repeated = "last",
    as_text: bool = False,
    ignore_case: bool = False,
    details: Mapping[Detail, str | None] | None = None,
    guess: bool = False,
) -> ReadAnnotations:
    """Read who answered what.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays. Long: columns of item, annotator and answer. Wide: a column of items, and a
        column for each annotator.
    item
        Column with the items. Default: item, task or question.
    annotator
        Column with the annotators. Default: annotator, worker or rater; without one the table is wide.
    answer
        Column with the answers. Default: answer, label or class.
    gold
        Column with the true class of items, or another table with items and true classes. Default: none.
    beside
        Other classes of items that the model must not see, columns or tables: to check against, or predictions.
    features
        Columns with numeric features of the items. Default: none.
    counts
        Columns with counts as features of the items. Default: none.
    time
        Column with the time or position of an answer, numbers or dates. Default: none.
    annotators
        In a wide table, the columns of annotators, or patterns such as rater*. Default: all columns but those whose
        names are usual for something else.
    classes
        All classes, in order. Default: those answered.
    repeated
        If an annotator answers one item several times: take the last answer, the first, all, or refuse.
    as_text
        Read answers as text, so that 1 and 1.0 differ.
    ignore_case
        Treat answers that differ in case or spaces around them as one class.
    details
        Columns with the confidence and the duration of each answer, in a long table. Default: none.
    guess
        Whether columns with usual names are the time, the confidence, the duration and gold classes to check against.

    Returns
    -------
    ReadAnnotations
        Annotations, the name of the data and warnings.

    Examples
    --------
    >>> read_annotations({"item": [1, 1], "worker": ["ann", "bob"], "label": ["x", "y"]}).annotations
    Annotations(2 answers of 2 annotators to 1 items, 2 classes)
    >>> read_annotations({"item": [1, 2], "ann": ["x", "y"], "bob": ["x", None]}).annotations
    Annotations(3 answers of 2 annotators to 2 items, 2 classes)
    """
    table = one_table(data)
    items_column = guess_column("item", table.columns, table.name, item)
    warnings: list[str] = []
    sources: dict[ClassRole, Any] = {"gold": gold, **(beside or {})}
    truth_column = usual_column([name for name in table.columns if name != answer], GOLD)
    if guess and truth_column and gold is None and sources.get("check") is None:
        sources["check"] = truth_column
        warnings.append(
            f"Column {truth_column!r} checks the model, which does not see it. Give it to the model with "
            f"gold={truth_column!r} (--gold {truth_column})."
        )
    sources = {role: source for role, source in sources.items() if source is not None}
    own = {role: column for role, source in sources.items() if (column := own_column(source, table))}
    is_wide = annotators is not None or (
        annotator is None and answer is None and not has_column("annotator", table.columns, table.name)
    )
    if annotators is not None and (annotator is not None or answer is not None):
        raise InputError(
            "annotators (--annotators) names columns of a table with a row for each item; annotator and answer "
            "(--annotator, --answer) those of a table with a row for each answer. Leave one of them out."
        )
    if is_wide:
        if time is not None:
            raise InputError("A wide table has one row for each item, so answers have no time. Use a long table.")
        if named_detail := next((detail for detail, column in (details or {}).items() if column), None):
            raise InputError(
                f"A wide table has one row for each item, so answers have no {named_detail}. Use a long table, or "
                f"leave out {named_detail}=… (--{named_detail})."
            )
        taken = {items_column, *own.values(), *features, *counts}
        asked = [annotators] if isinstance(annotators, str) else annotators
        columns, words = wide_columns(table.columns, table.name, asked, taken)
        warnings += [words] if words else []
        answers = wide_answers(table, items_column, columns, as_text)
    else:
        who_column = guess_column("annotator", table.columns, table.name, annotator)
        what_column = guess_column("answer", table.columns, table.name, answer)
        if len({items_column, who_column, what_column}) < 3:
            raise ColumnError(
                f"Item, annotator and answer must be three columns of {table.name}; got {items_column!r}, "
                f"{who_column!r} and {what_column!r}."
            )
        if guess and time is None:
            time = _complete(table, usual_column(table.columns, TIME))
        answers = long_answers(table, items_column, who_column, what_column, time, as_text)
    warnings += _name_warnings(answers, columns if is_wide else None, ignore_case)
    beside_answers = {} if is_wide else _details(table, details or {}, guess)
    what = _without_case(answers.answer) if ignore_case else answers.answer
    missing = what.missing
    if missing.all():
        raise MissingValueError(f"No answers in {table.name}. Name the column of answers with answer=… (--answer).")
    if missing.any():
        warnings.append(f"{quantity(int(missing.sum()), 'empty answer')} left out.")
    names: dict[ClassRole, dict[Identity, ClassName]] = {}
    for role, source in sources.items():
        values = None
        if role in own:
            values = named(table.arrays([own[role]], []).keys[0], form=table.form, column=own[role], as_text=as_text)
        known = item_classes(
            source, table, answers.rows, what, role=role, as_text=as_text, values=values, item=items_column
        )
        names[role] = {key: plain(name) for key, name in known.classes.items()} if ignore_case else known.classes
        warnings += known.warnings
    truth = names.get("gold")
    class_names = _classes(classes, what, truth, table.name, by_rows=not is_wide)
    position = {identity(name): code for code, name in enumerate(class_names)}
    codes = {role: _codes(answers.rows.names, known, position) for role, known in names.items()}
    unanswered = unanswered_words(names["check"], codes["check"], position) if "check" in codes else None
    warnings = [unanswered, *warnings] if unanswered else warnings
    recoded = np.array([-1 if name is None else position[identity(name)] for name in what.names], dtype=np.int32)
    present = ~missing
    notes = Annotations.sorted(
        answers.rows.names,
        answers.annotators,
        class_names,
        answers.item[present],
        answers.annotator[present],
        recoded[what.codes[present]],
        gold=codes.pop("gold", None),
        time=None if answers.time is None else answers.time[present],
        details={name: values[present] for name, values in beside_answers.items()},
    )
    notes, message = _once_each(notes, repeated, table.name)
    if message:
        warnings.append(message)
    numbers = item_numbers(table, features, counts, answers.rows) if features or counts else None
    return ReadAnnotations(notes, table.name, tuple(warnings), codes, numbers)


def _details(table: Rows, asked: Mapping[Detail, str | None], guess: bool) -> dict[str, FloatArray]:
    """Read the numbers beside each answer: from the columns named, or from those with usual names."""
    columns = {
        detail: asked.get(detail) or (_numeric(table, usual_column(table.columns, usual)) if guess else None)
        for detail, usual in NAMES.items()
    }
    return {detail: answer_numbers(table, detail, column) for detail, column in columns.items() if column}


def _numeric(table: Rows, column: str | None) -> str | None:
    """Give the column back if all of it are numbers."""
    if column is None:
        return None
    try:
        answer_numbers(table, "duration", column)
    except InputError:
        return None
    return column


def _complete(table: Rows, column: str | None) -> str | None:
    """Give the column back if every row has a value."""
    if column is None:
        return None
    return None if any(value in (None, "") for value in with_none(table.arrays([column], []).keys[0])) else column


def _without_case(what: Named) -> Named:
    known: dict[ClassName, int] = {}
    merged = np.array([known.setdefault(plain(name), len(known)) for name in what.names], dtype=np.int64)
    return Named(merged[what.codes], tuple(known), what.had_gaps)


def _name_warnings(answers: AnswerRows, columns: Sequence[str] | None, ignore_case: bool) -> list[str]:
    """Say what looks odd about the columns of a wide table, and about the names of annotators and answers."""
    people = alike_words("Annotators", answers.annotators[:MANY_NAMES], "Write the names alike if they are one person.")
    advice = "If they mean the same, treat them as one class (ignore_case=True, --ignore-case)."
    classes = None if ignore_case else alike_words("Answers", answers.answer.names, advice)
    odd = None if columns is None else column_words(columns, answers.annotator, answers.answer)
    decimals = [
        decimal_words("Items", answers.rows.names[:MANY_NAMES]),
        decimal_words("Annotators", answers.annotators[:MANY_NAMES]),
    ]
    return [words for words in (odd, people, *decimals, classes, missing_words(answers.answer)) if words]


def _classes(
    classes: Sequence[ClassName] | None,
    what: Named,
    truth: dict[Identity, ClassName] | None,
    where: str,
    *,
    by_rows: bool,
) -> tuple[ClassName, ...]:
    """Give all classes, and refuse answers outside those asked for; `by_rows` if each answer is a row of its own."""
    used = [name for name in what.names if name is not None] + list((truth or {}).values())
    if classes is None:
        return ordered({identity(name): name for name in used}.values())
    asked = Named(np.zeros(0, dtype=np.int64), tuple(native(name) for name in classes))
    names = (as_kind_of(what, asked) or asked).names
    if strangers := {identity(name) for name in used} - {identity(name) for name in names}:
        stranger = min(strangers, key=lambda known: repr(known[1]))
        alike = np.array([identity(name) == stranger for name in what.names])
        rows = np.flatnonzero(alike[what.codes] & by_rows)
        place = f" ({row_words(rows)})" if len(rows) else ""
        raise ClassError(
            f"Answer {stranger[1]!r} in {where}{place} is not among the classes {list(names)!r}. Add it, or correct it."
        )
    return names


def _codes(items: Sequence[ClassName], known: dict[Identity, ClassName], position: Mapping[Identity, int]) -> Codes:
    beyond = len(position)
    codes = [position.get(identity(known[key]), beyond) if (key := identity(name)) in known else -1 for name in items]
    return np.array(codes, dtype=np.int32)


def _once_each(annotations: Annotations, repeated: Repeated, where: str) -> tuple[Annotations, str | None]:
    """Keep one answer of an annotator to an item; answers are sorted by both, then by appearance or time."""
    notes = annotations
    if notes.time is not None:
        order = np.lexsort((notes.time, notes.annotator, notes.item))
        notes = notes.where(order)
    same = (notes.item[1:] == notes.item[:-1]) & (notes.annotator[1:] == notes.annotator[:-1])
    number = int(same.sum())
    if not number:
        return notes, None
    at = int(np.flatnonzero(same)[0])
    example = f"{notes.annotators[notes.annotator[at]]!r} answered item {notes.items[notes.item[at]]!r} more than once"
    if repeated == "refuse":
        raise InputError(
            f"Annotator {example} in {where}. Remove the repetition, or use repeated='last' (--repeated last)."
        )
    if repeated == "all":
        return notes, f"{quantity(number, 'repeated answer')} counted like those of further annotators: {example}."
    kept = np.concatenate([~same, [True]]) if repeated == "last" else np.concatenate([[True], ~same])
    which = "the last" if repeated == "last" else "the first"
    return notes.where(kept), f"{quantity(number, 'repeated answer')} left out, {which} of each kept: {example}."
