"""The questions of an audit, and what the audit was asked to find out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from justesse.core.results import ClassName
from justesse.store.tables import facts, questions


@dataclass(frozen=True)
class Question:
    """An instance on which the two classifiers disagree, when it is asked, and what the expert is shown of it."""

    row: int
    turn: int
    id: str
    label: ClassName
    incumbent: ClassName
    candidate: ClassName
    suspicion: float | None = None
    shown: str | None = None


def write_questions(connection: Connection, asked: Sequence[Question], about: Mapping[str, Any]) -> None:
    """Fill a new audit file."""
    connection.execute(insert(facts), [{"name": name, "value": value} for name, value in about.items()])
    if asked:
        connection.execute(insert(questions), [asdict(question) for question in asked])


def read_questions(connection: Connection) -> list[Question]:
    """Give all questions, in the order of the rows."""
    found = connection.execute(select(questions).order_by(questions.c.row)).mappings()
    return [Question(**row) for row in found]


def read_about(connection: Connection) -> dict[str, Any]:
    """Give what the audit was asked to find out."""
    return {row.name: row.value for row in connection.execute(select(facts))}
