"""The scores that answers got in the data of an audit of several classifiers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.errors import InputError, OptionError, ScoreError
from justesse.core.results import ClassName
from justesse.frames.answers import row_ids
from justesse.frames.columns import check_column
from justesse.frames.count import opened_once
from justesse.judges.pool_scores import SAME
from justesse.report.writing import Message, message
from justesse.verbs.audit.pooled_credit import column_texts

SCORED_TWICE = (
    "The logs give equal answers to a question different scores in {n:count question} ({ids:names}). Their mean says how soon "
    "it is asked about; the verdict does not depend on it."
)


@dataclass(frozen=True)
class RecordedScores:
    """The scores of one classifier: for each id its row, from 1, and the score there.

    Parameters
    ----------
    name
        What the table is called.
    column
        Column with the scores.
    by_id
        Row and score of each id.
    """

    name: str
    column: str
    by_id: Mapping[str, tuple[int, float | None]]

    def place(self, id: str) -> str:
        """Write where the score of an id is.

        >>> RecordedScores("a.csv", "f1", {"q7": (3, 0.5)}).place("q7")
        "a.csv, row 3 (id 'q7'), column 'f1'"
        """
        if id not in self.by_id:
            return f"{self.name}, id {id!r}"
        template = "{table}, row {row} (id {id}), column {column}"
        return str(message(template, table=self.name, row=self.by_id[id][0], id=repr(id), column=repr(self.column)))


def read_scores(tables: Mapping[str, Any], models: Sequence[str], column: str, on: str) -> list[RecordedScores]:
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
        numbers = [
            None if text is None else _score(text, f"{rows.name}, row {row}: column {own!r}")
            for row, text in enumerate(column_texts(rows, own), 1)
        ]
        ids = map(str, row_ids(rows, on))
        by_id = {id: (row, number) for row, (id, number) in enumerate(zip(ids, numbers, strict=True), 1)}
        result.append(RecordedScores(rows.name, own, by_id))
    return result


def _score(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ScoreError(
            f"{where} must hold scores from 0 to 1; got {text!r}. Name the column with score=… (--score)."
        ) from None
    if not 0 <= number <= 1:
        raise ScoreError(
            f"{where} must hold scores from 0 to 1; got {text}. Divide by the largest score that is possible."
        )
    return number


@dataclass(frozen=True)
class ScoredAnswer:
    """An answer to a question, the scores of the classifier that gave it, and the id of the row it stands in."""

    answer: ClassName
    scores: RecordedScores
    id: str

    @property
    def score(self) -> float:
        """The score of the answer; refuse an answer without one."""
        score = self.scores.by_id[self.id][1] if self.id in self.scores.by_id else None
        if score is None:
            raise InputError(
                f"{self.scores.place(self.id)}: the answer {self.answer!r} has no score. Fill it in, or write 0."
            )
        return score


def credits_of(answers: Sequence[ScoredAnswer]) -> tuple[tuple[ClassName, float], ...]:
    """Return the credit of each different answer to a question: the score it got, or the mean if it got several.

    >>> own = RecordedScores("a.csv", "f1", {"1": (1, 1.0), "2": (2, 0.5)})
    >>> credits_of([ScoredAnswer("a", own, "1"), ScoredAnswer("b", own, "2"), ScoredAnswer(None, own, "1")])
    (('a', 1.0), ('b', 0.5))
    """
    marks: dict[ClassName, list[float]] = {}
    for each in answers:
        if each.answer is not None:
            marks.setdefault(each.answer, []).append(each.score)
    return tuple((answer, float(np.mean(scores))) for answer, scores in marks.items())


def contradiction(answers: Sequence[ScoredAnswer]) -> tuple[ScoredAnswer, ScoredAnswer] | None:
    """Return the first two equal answers to a question that got different scores, if there are any."""
    first: dict[ClassName, ScoredAnswer] = {}
    for each in answers:
        if each.answer is not None and abs(each.score - first.setdefault(each.answer, each).score) > SAME:
            return first[each.answer], each
    return None


def check_scores(answers: Sequence[ScoredAnswer]) -> None:
    """Refuse equal answers to a question that got different scores."""
    if (pair := contradiction(answers)) is None:
        return
    first, other = pair
    raise ScoreError(
        f"{other.scores.place(other.id)}: the answer {other.answer!r} has score {other.score:g}, but {first.score:g} in "
        f"{first.scores.place(first.id)}. Give equal answers to a question equal scores, or write the answers out if they differ."
    )


def scored_twice(ids: Sequence[str]) -> Message:
    """Say in which questions of logs equal answers got different scores."""
    return message(SCORED_TWICE, n=len(ids), ids=ids)
