"""Partial credit and samples in the data of an audit of several classifiers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import CostError, InputError
from justesse.core.results import ClassName
from justesse.frames.costs import cost_table
from justesse.frames.entrant_codes import Entrants
from justesse.frames.rows import Rows
from justesse.frames.values import named
from justesse.judges.pool_plan import disputed_rows
from justesse.judges.pool_scores import NOTHING, check_credits
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
