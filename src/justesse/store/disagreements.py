"""The disputed rows of an audit, those that were drawn as questions, and its settings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, func

from justesse.core.results import ClassName
from justesse.judges.audit_questions import Question
from justesse.store.chain import Record, seal
from justesse.store.tables import AuditRows


@dataclass(frozen=True)
class DisagreeingRow:
    """A row on which the two classifiers disagree, and what the expert sees of it."""

    row: int
    id: str
    label: ClassName
    incumbent: ClassName
    candidate: ClassName
    suspicion: float | None = None
    shown: str | None = None


_VALUES = attrgetter(*(field.name for field in fields(DisagreeingRow)))  # many times as fast as `astuple`, which copies


@dataclass(frozen=True)
class Amendment:
    """A setting that was changed after the start, by whom and when."""

    number: int
    name: str
    value: Any
    by: str
    at: str


def write_disagreements(connection: Connection, rows: Sequence[DisagreeingRow], about: Mapping[str, Any]) -> None:
    """Fill a new audit file."""
    AuditRows(connection, "facts").insert([{"name": name, "value": value} for name, value in about.items()])
    AuditRows(connection, "disputes").insert(map(asdict, rows))
    seal(connection, "start", [start_record(read_facts(connection), rows)])


def start_record(about: Mapping[str, Any], rows: Sequence[DisagreeingRow]) -> Record:
    """Return the contents that the first checksum of an audit file is computed from."""
    return -1, [sorted(about.items()), [_VALUES(row) for row in rows]]


def read_disagreements(connection: Connection) -> list[DisagreeingRow]:
    """Read all disputed rows."""
    disputes = AuditRows(connection, "disputes")
    return [DisagreeingRow(*row) for row in connection.execute(disputes.select().order_by(disputes.c.row))]


def read_facts(connection: Connection) -> dict[str, Any]:
    """Read the settings with which the audit was started."""
    return {row.name: row.value for row in connection.execute(AuditRows(connection, "facts").select())}


def read_amendments(connection: Connection) -> list[Amendment]:
    """Read the changes since the start, the oldest first."""
    amendments = AuditRows(connection, "amendments")
    return [Amendment(*row) for row in connection.execute(amendments.select().order_by(amendments.c.number))]


def count_amendments(connection: Connection) -> int:
    """Count the changes since the start."""
    amendments = AuditRows(connection, "amendments")
    return int(connection.scalar(amendments.select(func.count(amendments.c.number))) or 0)


def amend(connection: Connection, name: str, value: Any, *, by: str) -> Amendment:
    """Change a setting from now on; the file keeps the old one, who changed it and when."""
    amendments = AuditRows(connection, "amendments")
    number = connection.scalar(amendments.select(func.max(amendments.c.number))) or 0
    entry = Amendment(number + 1, name, value, by, datetime.now(UTC).isoformat(timespec="milliseconds"))
    amendments.insert([asdict(entry)])
    seal(connection, "amendments", [(entry.number, astuple(entry))])
    return entry


def read_drawn(connection: Connection, after: int = 0) -> list[Question]:
    """Read the questions drawn after a turn, in the order drawn."""
    asked = AuditRows(connection, "asked")
    rows = connection.execute(asked.select().where(asked.c.turn > after).order_by(asked.c.turn))
    return [Question(row.row, row.stratum, tuple(row.weights)) for row in rows]


def add_drawn(connection: Connection, new: Sequence[Question]) -> None:
    """Add questions to those drawn."""
    if new:
        asked = AuditRows(connection, "asked")
        turns = connection.scalar(asked.select(func.max(asked.c.turn))) or 0
        asked.insert({"turn": turn, **asdict(question)} for turn, question in enumerate(new, start=turns + 1))
        seal(connection, "asked", drawn_records(new, after=turns))


def drawn_records(drawn: Sequence[Question], after: int = 0) -> list[Record]:
    """Return the contents that the checksums of questions are computed from."""
    return [(turn, [turn, *astuple(question)]) for turn, question in enumerate(drawn, start=after + 1)]
