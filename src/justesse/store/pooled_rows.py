"""The disputed rows of an audit of several classifiers, in the tables of any audit."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from sqlalchemy import Connection

from justesse.core.results import ClassName
from justesse.store.chain import Record, seal
from justesse.store.disagreements import read_facts
from justesse.store.tables import AuditRows


@dataclass(frozen=True)
class PooledRow:
    """A row on which some classifiers disagree: the answer of each, and what the expert sees.

    If a row is a question with several samples, `answers` has a tuple of answers for each classifier. `credits` has the
    credit that each answer got in the data, if partial credit was recorded.
    """

    row: int
    id: str
    label: ClassName
    answers: tuple[Any, ...]
    shown: str | None = None
    credits: tuple[tuple[ClassName, float], ...] | None = None

    @property
    def samples(self) -> tuple[tuple[ClassName, ...], ...]:
        """The answers of each classifier, one or several."""
        return tuple(own if isinstance(own, tuple) else (own,) for own in self.answers)

    @property
    def every(self) -> tuple[ClassName, ...]:
        """The answers of all classifiers, one after the other."""
        return tuple(name for own in self.samples for name in own)

    @property
    def different(self) -> tuple[ClassName, ...]:
        """The different answers, without missing ones."""
        return tuple(dict.fromkeys(name for name in self.every if name is not None))


def write_pool(connection: Connection, rows: Sequence[PooledRow], about: Mapping[str, Any]) -> None:
    """Fill a new audit file; the incumbent's column has the answers of all, the candidate's their credits."""
    AuditRows(connection, "facts").insert([{"name": name, "value": value} for name, value in about.items()])
    columns = ("row", "id", "label", "incumbent", "candidate", "suspicion", "shown")
    values = [
        (item.row, item.id, item.label, _listed(item.answers), _listed(item.credits), None, item.shown) for item in rows
    ]
    AuditRows(connection, "disputes").insert(dict(zip(columns, value, strict=True)) for value in values)
    seal(connection, "start", [pool_record(read_facts(connection), rows)])


def pool_record(about: Mapping[str, Any], rows: Sequence[PooledRow]) -> Record:
    """Return the contents that the first checksum of the file is computed from."""
    # rows without credits are written as in files made before there were any
    return -1, [sorted(about.items()), [astuple(row)[: 5 + (row.credits is not None)] for row in rows]]


def read_pool(connection: Connection) -> list[PooledRow]:
    """Read all disputed rows."""
    disputes = AuditRows(connection, "disputes")
    rows = connection.execute(disputes.select().order_by(disputes.c.row))
    return [
        PooledRow(row.row, row.id, row.label, _tuples(row.incumbent), row.shown, _tuples(row.candidate)) for row in rows
    ]


def _listed(value: Any) -> Any:
    return [*map(_listed, value)] if isinstance(value, tuple) else value


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
