"""The disputed rows of an audit, which of them were drawn as questions, and what it was asked to find out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, insert, select

from justesse.core.results import ClassName
from justesse.judges.audit_plan import Question
from justesse.store.tables import asked, disputes, facts


@dataclass(frozen=True)
class Dispute:
    """An instance on which the two classifiers disagree, and what the expert is shown of it."""

    row: int
    id: str
    label: ClassName
    incumbent: ClassName
    candidate: ClassName
    suspicion: float | None = None
    shown: str | None = None


def write_disputes(connection: Connection, every: Sequence[Dispute], about: Mapping[str, Any]) -> None:
    """Fill a new audit file."""
    connection.execute(insert(facts), [{"name": name, "value": value} for name, value in about.items()])
    if every:
        connection.execute(insert(disputes), [asdict(one) for one in every])


def read_disputes(connection: Connection) -> list[Dispute]:
    """Give all disputed rows."""
    found = connection.execute(select(disputes).order_by(disputes.c.row)).mappings()
    return [Dispute(**row) for row in found]


def read_about(connection: Connection) -> dict[str, Any]:
    """Give what the audit was asked to find out."""
    return {row.name: row.value for row in connection.execute(select(facts))}


def read_drawn(connection: Connection) -> list[Question]:
    """Give the questions drawn so far, in the order in which they were."""
    found = connection.execute(select(asked).order_by(asked.c.turn))
    return [Question(row.row, row.stratum, tuple(row.weights)) for row in found]


def add_drawn(connection: Connection, new: Sequence[Question]) -> None:
    """Add questions to those drawn."""
    if new:
        connection.execute(insert(asked), [asdict(one) for one in new])
