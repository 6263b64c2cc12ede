"""The disputed rows of an audit, which of them were drawn as questions, and what it was asked to find out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select

from justesse.core.results import ClassName
from justesse.judges.audit_plan import Question
from justesse.store.chain import Record, seal
from justesse.store.tables import amendments, asked, disputes, facts


@dataclass(frozen=True)
class DisagreeingRow:
    """An instance on which the two classifiers disagree, and what the expert is shown of it."""

    row: int
    id: str
    label: ClassName
    incumbent: ClassName
    candidate: ClassName
    suspicion: float | None = None
    shown: str | None = None


@dataclass(frozen=True)
class Amendment:
    """A fact that was changed after the start, by whom and when."""

    number: int
    name: str
    value: Any
    by: str
    at: str


def write_disagreements(connection: Connection, every: Sequence[DisagreeingRow], about: Mapping[str, Any]) -> None:
    """Fill a new audit file."""
    connection.execute(insert(facts), [{"name": name, "value": value} for name, value in about.items()])
    if every:
        connection.execute(insert(disputes), [asdict(one) for one in every])
    seal(connection, "start", [start_record(read_facts(connection), every)])


def start_record(about: Mapping[str, Any], every: Sequence[DisagreeingRow]) -> Record:
    """Give what the first checksum of an audit file is made from."""
    return -1, [sorted(about.items()), [astuple(one) for one in every]]


def read_disagreements(connection: Connection) -> list[DisagreeingRow]:
    """Give all disputed rows."""
    found = connection.execute(select(disputes).order_by(disputes.c.row))
    return [DisagreeingRow(*row) for row in found]


def read_facts(connection: Connection) -> dict[str, Any]:
    """Give what the audit was asked to find out at its start."""
    return {row.name: row.value for row in connection.execute(select(facts))}


def read_amendments(connection: Connection) -> list[Amendment]:
    """Give what was changed since the start, the oldest change first."""
    return [Amendment(*row) for row in connection.execute(select(amendments).order_by(amendments.c.number))]


def amend(connection: Connection, name: str, value: Any, *, by: str) -> Amendment:
    """Change a fact for the future; the old one, who changed it and when stay in the file."""
    number = connection.scalar(select(func.max(amendments.c.number))) or 0
    entry = Amendment(number + 1, name, value, by, datetime.now(UTC).isoformat(timespec="milliseconds"))
    connection.execute(insert(amendments).values(**asdict(entry)))
    seal(connection, "amendments", [(entry.number, astuple(entry))])
    return entry


def read_drawn(connection: Connection, after: int = 0) -> list[Question]:
    """Give the questions drawn so far, in the order in which they were, those after a turn only."""
    found = connection.execute(select(asked).where(asked.c.turn > after).order_by(asked.c.turn))
    return [Question(row.row, row.stratum, tuple(row.weights)) for row in found]


def add_drawn(connection: Connection, new: Sequence[Question]) -> None:
    """Add questions to those drawn."""
    if new:
        turns = connection.scalar(select(func.max(asked.c.turn))) or 0
        connection.execute(
            insert(asked), [{"turn": turn, **asdict(one)} for turn, one in enumerate(new, start=turns + 1)]
        )
        seal(connection, "asked", drawn_records(new, after=turns))


def drawn_records(drawn: Sequence[Question], after: int = 0) -> list[Record]:
    """Give what the checksums of questions are made from."""
    return [(turn, [turn, *astuple(one)]) for turn, one in enumerate(drawn, start=after + 1)]
