"""The tables of audits: settings, disputed rows, questions, and a diary of answers that only grows.

An audit file has them for its one audit. A store has them for many: each row then has the number of its audit, too.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Dialect,
    Float,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    delete,
    insert,
    select,
)

APPLICATION = 0x6A757374  # "just": tells an audit file from other SQLite files
FORMAT = 2
OF_AUDIT = "justesse_audit"  # execution option of a connection to a store: the number of its audit


@lru_cache(maxsize=4096)
def _scalar(value: str) -> Any:
    """Read a single value; an audit repeats its classes thousands of times."""
    return json.loads(value)


class Json(TypeDecorator[Any]):
    """A value written as JSON in a column of text: SQLite's own JSON columns turn 2.0 into 2."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        if value is None:
            return None
        return json.loads(value) if value[:1] in "[{" else _scalar(value)  # a list may be changed by whoever reads it


def audit_tables(holder: MetaData, *, prefix: str = "", many: bool = False) -> dict[str, Table]:
    """Make the tables of an audit, or of many.

    Parameters
    ----------
    holder
        Where the tables are registered.
    prefix
        Beginning of their names, so that they fit into a database with other tables.
    many
        Whether the tables hold many audits.
    """
    own = ["audit"] if many else []

    def table(name: str, *parts: Any, **options: Any) -> Table:
        key = [Column("audit", Integer, primary_key=True)] if many else []
        return Table(f"{prefix}{name}", holder, *key, *parts, **options)

    def refers(column: str, other: str, to: str) -> ForeignKeyConstraint:
        return ForeignKeyConstraint([*own, column], [f"{prefix}{other}.{part}" for part in (*own, to)])

    return {
        "facts": table("facts", Column("name", Text, primary_key=True), Column("value", Json, nullable=False)),
        # one row for each row of the data on which the two classifiers disagree; PostgreSQL has no index of long ids
        "disputes": table(
            "disputes",
            Column("row", Integer, primary_key=True, autoincrement=False),
            Column("id", Text, unique=not many, nullable=False),
            Column("label", Json, nullable=False),
            Column("incumbent", Json, nullable=False),
            Column("candidate", Json, nullable=False),
            Column("suspicion", Float),
            Column("shown", Text),
        ),
        # the questions in the order drawn, with the probabilities of each draw: they weight the answers
        "asked": table(
            "asked",
            Column("turn", Integer, primary_key=True, autoincrement=False),
            Column("row", Integer, nullable=False),
            Column("stratum", Integer, nullable=False),
            Column("weights", Json, nullable=False),
            refers("row", "disputes", "row"),
            UniqueConstraint(*own, "row"),
        ),
        # which question is on whose screen, so that two people do not get the same one; expires after ten minutes
        "held": table(
            "held",
            Column("row", Integer, primary_key=True, autoincrement=False),
            Column("by", Text, nullable=False),
            Column("until", Float, nullable=False),
            refers("row", "disputes", "row"),
        ),
        # `corrects` is the entry that this one replaces; that entry stays
        "answers": table(
            "answers",
            Column("number", Integer, primary_key=True, autoincrement=False if many else "auto"),
            Column("row", Integer, nullable=False, index=not many),
            Column("kind", Text, nullable=False),
            Column("said", Json, key="answer"),
            Column("by", Text, nullable=False),
            Column("at", Text, nullable=False),
            Column("corrects", Integer),
            refers("row", "disputes", "row"),
            refers("corrects", "answers", "number"),
            UniqueConstraint(*own, "corrects"),
            sqlite_autoincrement=not many,
        ),
        # changes after the start, such as a larger budget or a newer format; `value` replaces the setting of that name
        "amendments": table(
            "amendments",
            Column("number", Integer, primary_key=True, autoincrement=False),
            Column("name", Text, nullable=False),
            Column("value", Json, nullable=False),
            Column("by", Text, nullable=False),
            Column("at", Text, nullable=False),
        ),
        # checksums of everything above except `held`, each computed from the one before
        "seals": table(
            "seals",
            Column("part", Text, primary_key=True),
            Column("number", Integer, primary_key=True, autoincrement=False),
            Column("digest", Text, nullable=False),
        ),
        # every question that was given to a person: the person may answer it, also after the reservation has expired
        "assigned": table(
            "assigned",
            Column("row", Integer, primary_key=True, autoincrement=False),
            Column("by", Text, primary_key=True),
            refers("row", "disputes", "row"),
        ),
        # the keys of requests that were saved, so that a request that is sent again is not saved again
        "received": table("received", Column("key", Text, primary_key=True), Column("answer", Integer)),
        # what a person wrote beside an answer
        "notes": table(
            "notes",
            Column("answer", Integer, primary_key=True, autoincrement=False),
            Column("note", Text, nullable=False),
            refers("answer", "answers", "number"),
        ),
    }


metadata = MetaData()
FILE_TABLES = audit_tables(metadata)
facts, seals = FILE_TABLES["facts"], FILE_TABLES["seals"]
store_metadata = MetaData()
PREFIX = "justesse_"
STORE_TABLES = audit_tables(store_metadata, prefix=PREFIX, many=True)

SINCE_FORMAT_2 = (FILE_TABLES["amendments"], seals)
HAND_OUTS = ("assigned", "received", "notes")  # audits of earlier versions get them when they are first served
APPEND_ONLY = ("facts", "disputes", "asked", "answers", "amendments", "seals", "notes")
TRIGGERS = {
    table: tuple(
        f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table}: entries are added, never changed'); END"
        for change in ("UPDATE", "DELETE")
    )
    for table in APPEND_ONLY
}


@dataclass(frozen=True)
class AuditRows:
    """The rows of one table that belong to the audit of a connection."""

    connection: Connection
    name: str

    @property
    def audit(self) -> int | None:
        """The number of the audit in its store; `None` if the database is the file of one audit."""
        number: int | None = self.connection.get_execution_options().get(OF_AUDIT)
        return number

    @property
    def table(self) -> Table:
        return FILE_TABLES[self.name] if self.audit is None else STORE_TABLES[self.name]

    @property
    def c(self) -> Any:
        """The columns of the table."""
        return self.table.c

    def select(self, *columns: Any) -> Select[Any]:
        """Select columns of this audit's rows, by default all but the number of the audit."""
        chosen = select(*(columns or [column for column in self.table.c if column.key != "audit"]))
        return chosen if self.audit is None else chosen.select_from(self.table).where(self.table.c.audit == self.audit)

    def insert(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows to this audit."""
        own = {} if self.audit is None else {"audit": self.audit}
        if values := [{**own, **row} for row in rows]:
            self.connection.execute(insert(self.table), values)

    def delete(self, *conditions: Any) -> None:
        """Delete rows of this audit."""
        own = [] if self.audit is None else [self.table.c.audit == self.audit]
        self.connection.execute(delete(self.table).where(*own, *conditions))
