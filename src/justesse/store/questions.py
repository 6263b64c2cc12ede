"""The questions of an audit, and what the audit was asked to find out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from justesse.core.results import ClassName
from justesse.store.tables import asked, facts, questions


@dataclass(frozen=True)
class Question:
    """An instance on which the two classifiers disagree, and what the expert is shown of it."""

    row: int
    id: str
    label: ClassName
    incumbent: ClassName
    candidate: ClassName
    suspicion: float | None = None
    shown: str | None = None


@dataclass(frozen=True)
class Drawn:
    """A question that was drawn: its stratum, and the chances with which each stratum was to be drawn."""

    row: int
    stratum: int
    weights: tuple[float, ...]


def write_questions(connection: Connection, every: Sequence[Question], about: Mapping[str, Any]) -> None:
    """Fill a new audit file."""
    connection.execute(insert(facts), [{"name": name, "value": value} for name, value in about.items()])
    if every:
        connection.execute(insert(questions), [asdict(question) for question in every])


def read_questions(connection: Connection) -> list[Question]:
    """Give all questions, in the order of the rows."""
    found = connection.execute(select(questions).order_by(questions.c.row)).mappings()
    return [Question(**row) for row in found]


def read_about(connection: Connection) -> dict[str, Any]:
    """Give what the audit was asked to find out."""
    return {row.name: row.value for row in connection.execute(select(facts))}


def read_drawn(connection: Connection) -> list[Drawn]:
    """Give the questions drawn so far, in the order in which they were."""
    found = connection.execute(select(asked).order_by(asked.c.turn))
    return [Drawn(row.row, row.stratum, tuple(row.weights)) for row in found]


def add_drawn(connection: Connection, new: Sequence[Drawn]) -> None:
    """Add questions to those drawn."""
    if new:
        connection.execute(insert(asked), [asdict(one) for one in new])
