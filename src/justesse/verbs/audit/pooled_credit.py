"""Partial credit and samples in the data of an audit of several classifiers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import CostError, InputError, OptionError
from justesse.core.results import ClassName
from justesse.frames.answers import row_ids
from justesse.frames.columns import check_column
from justesse.frames.costs import cost_table
from justesse.frames.count import opened_once
from justesse.frames.entrant_codes import Entrants
from justesse.frames.rows import Rows
from justesse.frames.values import named
from justesse.judges.pool_plan import disputed_rows
from justesse.judges.pool_scores import NOTHING, check_credits
from justesse.report.writing import message
from justesse.verbs.log_input import LogInput

NO_TARGET = "(no target)"
NO_ANSWERS = (
    "These logs have scores but no answers, so an expert cannot judge them. Compare them with justesse tournament, or "
    "log the answers, too."
)


def column_texts(rows: Rows, column: str) -> list[str | None]:
    """Read a column as texts."""
    read = named(rows.arrays([column], []).keys[0], form=rows.form, column=column, as_text=True)
    names = [None if name is None else str(name) for name in read.names]
    return [names[code] for code in read.codes.tolist()]


@dataclass(frozen=True)
class Questions:
    """The places of the rows of each question, in the order of the data; without samples, each row is a question."""

    places: dict[str, list[int]]
    column: str | None

    def disputed(self, answers: Array) -> Iterator[tuple[str, list[int]]]:
        """List the questions on which some classifiers differ, by id, with the places of their samples."""
        # an engine may join in any order, and the same data must give the same questions
        for name in sorted(self.places):
            own = self.places[name]
            if disputed_rows(answers[:, None, own])[0]:
                yield name, own

    def check_same(self, name: str, column: str, values: Sequence[str | None]) -> None:
        """Refuse a question whose samples do not have the same label or true class."""
        if len(set(values)) > 1:
            raise InputError(
                f"The samples of question {name!r} have different values in column {column!r}: "
                f"{', '.join(map(repr, list(dict.fromkeys(values))[:3]))}. One answer serves all samples of a question "
                f"(--cluster {self.column}), so they need one label."
            )


def by_question(
    entrants: Entrants, ids: Sequence[str], questions: Sequence[str | None] | None, column: str | None
) -> Questions:
    """Gather the samples of each question; without a column of questions, each row is one."""
    places: dict[str, list[int]] = {}
    for at, place in enumerate(entrants.kept.tolist()):
        name = ids[place] if questions is None else questions[place]
        if name is None:
            raise InputError(
                f"Column {column!r} has no value for id {ids[place]!r}. Say which question each row is a sample of."
            )
        places.setdefault(name, []).append(at)
    return Questions(places, column)


def records_credit(logs: LogInput) -> bool:
    """Tell whether some score of the logs lies between 0 and 1."""
    scores = {score for table in logs.tables for score in table.columns.get("score", ())}
    return bool(scores - {0.0, 1.0, None})


def graded_tables(logs: LogInput) -> Iterator[dict[str, list[Any]]]:
    """Lay logs out as tables of answers with the scores they got."""
    if not any(answer for table in logs.tables for answer in table.columns["answer"]):
        raise InputError(NO_ANSWERS)
    for table in logs.tables:
        columns = table.columns
        yield {
            "id": list(columns["id"]),
            "question": list(columns["question"]),
            "label": [target or NO_TARGET for target in columns["targets"]],
            "prediction": [answer or None for answer in columns["answer"]],
            "score": [0.0 if score is None else float(score) for score in columns["score"]],
        }


def read_scores(
    tables: Mapping[str, Any], models: Sequence[str], column: str, on: str
) -> list[dict[str, float | None]]:
    """Read the score of each answer, by classifier and id.

    Parameters
    ----------
    tables
        Tables by classifier, or one table with all of them.
    models
        The classifiers.
    column
        Column with the scores; in one table, with * for the name of a classifier.
    on
        Column with the ids.
    """
    if len(tables) == 1 and "*" not in column:
        raise OptionError(
            f"One file has the scores of all classifiers. Write * for the name of a classifier, such as "
            f"score='score_*' (--score 'score_*'); got {column!r}."
        )
    result = []
    for at, model in enumerate(models):
        rows = opened_once([*tables.values()][at if len(tables) > 1 else 0])[0]
        own = column.replace("*", model)
        check_column(rows.columns, rows.name, "score", own)
        texts = column_texts(rows, own)
        numbers = [None if text is None else _number(text, own, rows.name) for text in texts]
        check_credits(
            [number for number in numbers if number is not None],
            str(message("A score of column {name:name}", name=own)),
        )
        result.append(dict(zip(map(str, row_ids(rows, on)), numbers, strict=True)))
    return result


def _number(text: str, column: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"Column {column!r} of {name} must hold scores from 0 to 1; got {text!r}. Name the column with score=… "
            "(--score)."
        ) from None


def credits_of(
    answers: Sequence[Sequence[ClassName]], scores: Sequence[Sequence[float | None]], question: str
) -> tuple[tuple[ClassName, float], ...]:
    """Return the credit of each different answer to a question: the mean of the scores it got.

    >>> credits_of([["a", "b"], ["a", None]], [[1.0, 0.5], [0.5, None]], "q7")
    (('a', 0.75), ('b', 0.5))
    """
    marks_of: dict[ClassName, list[float]] = {}
    for own, marks in zip(answers, scores, strict=True):
        for name, score in zip(own, marks, strict=True):
            if name is None:
                continue
            if score is None:
                raise InputError(f"The answer {name!r} to {question!r} has no score. Fill it in, or write 0.")
            marks_of.setdefault(name, []).append(score)
    return tuple((name, float(np.mean(marks))) for name, marks in marks_of.items())


def credit_table(credit: Any, classes: Sequence[ClassName]) -> Array:
    """Read a table of credits: rows right classes, columns answers, from 0 to 1 and 1 for the right class.

    >>> credit_table({"a": {"a": 1, "b": 0.5}, "b": {"a": 0, "b": 1}}, ["a", "b"]).tolist()
    [[1.0, 0.5], [0.0, 1.0]]
    """
    table = check_credits(cost_table(credit, classes, what="credit"), "A credit")
    if (np.diag(table) < 1).any():
        at = int(np.argmin(np.diag(table)))
        raise CostError(
            f"The credit of {classes[at]!r} is {table[at, at]:g} where it is the right class. A right answer has credit "
            "1; write costs into a cost table instead (--cost), for two classifiers."
        )
    return table


def padded_codes(samples: Sequence[Sequence[Sequence[int]]]) -> Array:
    """Lay out codes by classifier, question and sample; questions with fewer samples are filled up.

    Parameters
    ----------
    samples
        Codes by question, classifier and sample.
    """
    most = max((len(own) for question in samples for own in question), default=1)
    models = len(samples[0]) if samples else 0
    result = np.full((models, len(samples), most), NOTHING, dtype=np.int64)
    for at, question in enumerate(samples):
        for model, own in enumerate(question):
            result[model, at, : len(own)] = own
    return result
