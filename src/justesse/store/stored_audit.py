"""Audits in a store: many in one database, each addressed as URL#NAME."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from justesse.core.errors import FileError
from justesse.core.first_names import first_names
from justesse.core.version import __version__
from justesse.store.address import AuditAddress
from justesse.store.database import Store, explained_store, open_store
from justesse.store.hand_outs import ensure_hand_outs, has_notes
from justesse.store.migrations import migrate
from justesse.store.store_tables import audits
from justesse.store.tables import APPEND_ONLY, FORMAT, OF_AUDIT, STORE_TABLES, AuditRows


@dataclass(frozen=True)
class StoredAudit:
    """One audit of a store; it is read and written like an audit file.

    Those who write to one audit wait for each other, so that the numbers of answers have no gaps.
    """

    store: Store
    path: AuditAddress

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self.store.reading() as connection:
            self._choose(connection, lock=False)
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self.store.writing() as connection:
            version = self._choose(connection, lock=True)
            if version != FORMAT:
                migrate(connection, version)
            yield connection

    def _choose(self, connection: Connection, *, lock: bool) -> int:
        """Make the connection one of this audit; return the audit's format."""
        query = select(audits.c.number, audits.c.format).where(audits.c.name == self.path.name)
        row = connection.execute(query.with_for_update() if lock else query).first()
        if row is None:
            names = list(connection.scalars(select(audits.c.name).order_by(audits.c.number)))
            others = f"Audits: {first_names(names)}." if names else "It has no audits."
            raise FileError(
                f"There is no audit {self.path.name!r} in {self.path.store}. {others} Start one with justesse audit "
                f"start … --store {self.path.store} --to {self.path.name}."
            )
        if row.format > FORMAT:
            raise FileError(
                f"{self.path} was made by a newer version of justesse (format {row.format}; version {__version__} "
                f"reads up to {FORMAT}). Install a newer version."
            )
        connection.execution_options(**{OF_AUDIT: row.number})
        return int(row.format)


@dataclass(frozen=True)
class ListedAudit:
    """An audit of a store, and how many answers it has."""

    name: str
    made: str
    answers: int


def open_stored_audit(address: AuditAddress) -> StoredAudit:
    """Open an audit of a store, or raise an error that says why there is none."""
    audit = StoredAudit(open_store(address.store), address)
    with audit.reading():
        pass
    return audit


def check_new_audit(address: AuditAddress) -> None:
    """Refuse a store that cannot be used, or a name that an audit of it has."""
    if (file := address.store.file) is not None and not file.exists():
        if not file.parent.is_dir():
            raise FileError(f"Directory {str(file.parent)!r} not found. Create it first.")
        return
    with open_store(address.store, create=True).reading() as connection:
        if connection.scalar(select(audits.c.number).where(audits.c.name == address.name)) is not None:
            raise _taken(address)


def add_audit(address: AuditAddress, source: Connection) -> None:
    """Copy an audit into a store, all of it at once; an audit of the same name is never replaced."""
    store = open_store(address.store, create=True)
    with explained_store(address.store), store.writing() as connection:
        made = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            number = connection.scalar(
                insert(audits).values(name=address.name, format=FORMAT, made=made).returning(audits.c.number)
            )
        except IntegrityError as error:
            raise _taken(address) from error
        connection.execution_options(**{OF_AUDIT: number})
        copy_rows(source, connection)


def copy_rows(source: Connection, target: Connection) -> None:
    """Copy everything of an audit but whose screen shows which question."""
    ensure_hand_outs(target)
    for name in APPEND_ONLY:
        rows = AuditRows(source, name)
        if name == "notes" and not has_notes(source):
            continue
        keys = [column.key for column in rows.table.c if column.key != "audit"]  # names in the database may differ
        AuditRows(target, name).insert(dict(zip(keys, row, strict=True)) for row in source.execute(rows.select()))


def listed_audits(store: Store) -> list[ListedAudit]:
    """List the audits of a store, the newest first."""
    answers = STORE_TABLES["answers"]
    many = select(answers.c.audit, func.count().label("n")).group_by(answers.c.audit).subquery()
    query = select(audits.c.name, audits.c.made, func.coalesce(many.c.n, 0)).outerjoin(
        many, many.c.audit == audits.c.number
    )
    with store.reading() as connection:
        return [ListedAudit(*row) for row in connection.execute(query.order_by(audits.c.number.desc()))]


def has_audit(store: Store, name: str) -> bool:
    """Tell whether a store has an audit of this name."""
    with store.reading() as connection:
        return connection.scalar(select(audits.c.number).where(audits.c.name == name)) is not None


def _taken(address: AuditAddress) -> FileError:
    return FileError(
        f"{address} exists, and answers are never overwritten. Continue with it (justesse audit status '{address}'), "
        "or choose another name."
    )
