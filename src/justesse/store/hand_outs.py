"""What a server notes about an audit: who was given which question, which requests came, and notes on answers."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, inspect

from justesse.store.chain import Record, seal
from justesse.store.tables import HAND_OUTS, TRIGGERS, AuditRows

AT_ONCE = 5_000  # values in one query; databases take some tens of thousands at most


@dataclass(frozen=True)
class SentRequest:
    """A request that is saved once: whose it is, the key that tells it from the person's others, and what it asks for.

    Two people may use the same key. The same key with another content is another request, and must not pass for the
    first.
    """

    by: str
    key: str
    content: tuple[Any, ...]

    @cached_property
    def mark(self) -> str:
        """What the key of this person is kept as."""
        return _digest(self.by, self.key)

    @cached_property
    def whole(self) -> str:
        """What the key and the content are kept as."""
        return _digest(self.by, self.key, *self.content)


def _digest(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()


def has_notes(connection: Connection) -> bool:
    """Tell whether an audit has the tables; those of earlier versions do not."""
    return inspect(connection).has_table(AuditRows(connection, "notes").table.name)


def ensure_hand_outs(connection: Connection) -> None:
    """Make the tables where there are none; versions that do not know them ignore them."""
    if has_notes(connection):
        return
    tables = [AuditRows(connection, name).table for name in HAND_OUTS]
    tables[0].metadata.create_all(connection, tables=tables)
    if AuditRows(connection, "notes").audit is None:
        for trigger in TRIGGERS["notes"]:
            connection.exec_driver_sql(trigger)


def assign(connection: Connection, new: Iterable[tuple[int, str]]) -> None:
    """Note which questions were given to whom for the first time: row and person of each."""
    AuditRows(connection, "assigned").insert({"row": row, "by": by} for row, by in new)


def given_to(connection: Connection, by: str) -> set[int]:
    """Return all questions that were ever given to a person."""
    assigned = AuditRows(connection, "assigned")
    return set(connection.scalars(assigned.select(assigned.c.row).where(assigned.c.by == by)))


def known_requests(connection: Connection, requests: Iterable[SentRequest]) -> dict[str, int | None]:
    """Return the marks of those requests that were saved before, with the number of the answer each saved."""
    received = AuditRows(connection, "received")
    marks = [mark for request in requests for mark in (request.mark, request.whole)]
    known: dict[str, int | None] = {}
    for start in range(0, len(marks), AT_ONCE):
        kept = received.select(received.c.key, received.c.answer)
        lines = connection.execute(kept.where(received.c.key.in_(marks[start : start + AT_ONCE])))
        known |= {line.key: line.answer for line in lines}
    return known


def add_requests(connection: Connection, requests: Iterable[tuple[SentRequest, int | None]]) -> None:
    """Note that requests were saved, and the number of the answer of each, in the transaction that saves them."""
    AuditRows(connection, "received").insert(
        {"key": mark, "answer": number} for request, number in requests for mark in (request.mark, request.whole)
    )


def add_notes(connection: Connection, written: Mapping[int, str]) -> None:
    """Write notes beside answers, by the numbers of the answers."""
    AuditRows(connection, "notes").insert({"answer": number, "note": note} for number, note in written.items())
    seal(connection, "notes", note_records(written))


def read_notes(connection: Connection) -> dict[int, str]:
    """Read all notes, by the number of the answer."""
    if not has_notes(connection):
        return {}
    notes = AuditRows(connection, "notes")
    return {line.answer: line.note for line in connection.execute(notes.select().order_by(notes.c.answer))}


def note_records(written: Mapping[int, str]) -> list[Record]:
    """Return the contents that the checksums of notes are computed from."""
    return [(number, [number, note]) for number, note in sorted(written.items())]
