"""A database that holds a store and is shared by processes: SQLite with a write-ahead log, or PostgreSQL."""

import atexit
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, insert, inspect, select, text, update
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from justesse.core.errors import FileError, InputError
from justesse.core.version import __version__
from justesse.store.address import StoreAddress, check_driver
from justesse.store.database_file import WAIT, FileKind, damaged, explained, sqlite_uri
from justesse.store.store_migrations import migrate_store
from justesse.store.store_tables import APPLICATION, FORMAT, about, guards
from justesse.store.tables import store_metadata

STORE = FileKind(
    noun="store",
    command="audit",
    creation="justesse audit start … --store",
    contents="answers",
    again="try again",
    application=APPLICATION,
    format=FORMAT,
    convert=migrate_store,
    made_by="justesse audit start --store",
)
BEGIN = "justesse_begin"  # execution option: how SQLite begins a transaction
CREATION_LOCK = 0x6A757364
LOST = ("08", "57P", "58")  # states of PostgreSQL: the connection broke, the server stopped, its system failed

OPENED: "WeakKeyDictionary[Engine, int]" = WeakKeyDictionary()  # engines, with the process that made them


@dataclass(frozen=True)
class Store:
    """An open store.

    `reading()` sees one state of it from beginning to end. Changes made in `writing()` are durable when the block ends,
    or not made at all.
    """

    address: StoreAddress

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with explained_store(self.address), _transactions(self.address, "read").begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with explained_store(self.address), _transactions(self.address, "write").begin() as connection:
            if self.address.file is None:
                # a server may be set to acknowledge first and write later
                connection.execute(text(f"SET LOCAL lock_timeout = '{WAIT}s'"))
                connection.execute(text("SET LOCAL synchronous_commit = on"))
            yield connection


def open_store(address: StoreAddress, *, create: bool = False) -> Store:
    """Open a store, or raise an error that says why it is none.

    Parameters
    ----------
    address
        Where it is.
    create
        Make the tables if the database is empty, and the file if there is none.
    """
    check_driver(address)
    if (file := address.file) is not None:
        if file.is_dir():
            raise FileError(f"{file} is a directory. Name a file, such as {file / 'project.db'}.")
        if not file.exists():
            if not create:
                raise FileError(f"Store {str(file)!r} not found. Create it with {STORE.creation} {address}.")
            if not file.parent.is_dir():
                raise FileError(f"Directory {str(file.parent)!r} not found. Create it first.")
    store = Store(address)
    with explained_store(address):
        if create:
            _create(store)
        version = _checked(store)
    if version < FORMAT:
        with store.writing() as connection:
            _lock(connection)
            if (version := _format(connection)) < FORMAT:  # unless somebody else converted it meanwhile
                STORE.convert(connection, version)
                connection.execute(update(about).where(about.c.name == "format").values(value=FORMAT))
    return store


def is_store(file: Path) -> bool:
    """Say whether a file is a SQLite store."""
    try:
        if not file.is_file():
            return False
        with closing(sqlite3.connect(sqlite_uri(file, "ro"), uri=True, timeout=WAIT)) as connection:
            return bool(connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION)
    except (OSError, ValueError, sqlite3.Error):
        return False


def _create(store: Store) -> None:
    file = store.address.file
    if file is not None and not file.exists():
        # made before the engine, whose key has the file's number; two at once open the same file
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o644))
    with store.writing() as connection:
        _lock(connection)
        names = set(inspect(connection).get_table_names())
        if about.name in names:
            return
        if file is not None and names:
            raise FileError(f"{file} is a database, but not a store. Choose another name.")
        store_metadata.create_all(connection)
        for guard in guards(connection.dialect.name):
            connection.execute(text(guard))
        connection.execute(
            insert(about), [{"name": "format", "value": FORMAT}, {"name": "justesse", "value": __version__}]
        )
        if file is not None:
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")


def _lock(connection: Connection) -> None:
    """Let one process at a time make or convert a store; on SQLite, who writes is alone anyway."""
    if connection.dialect.name != "sqlite":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({CREATION_LOCK})"))


def _checked(store: Store) -> int:
    """Return the format of a store; refuse what is none, or newer."""
    with store.reading() as connection:
        if not inspect(connection).has_table(about.name):
            raise FileError(
                f"{store.address} is a database, but not a store. Create one with {STORE.creation} {store.address}."
            )
        version = _format(connection)
    if version > FORMAT:
        raise FileError(
            f"{store.address} was made by a newer version of justesse (format {version}; version {__version__} reads "
            f"up to {FORMAT}). Install a newer version."
        )
    return version


def _format(connection: Connection) -> int:
    value = connection.scalar(select(about.c.value).where(about.c.name == "format"))
    if type(value) is not int or value < 1:
        raise FileError("The store has no format: it was changed or is damaged. Restore it from a copy.")
    return value


def _transactions(address: StoreAddress, purpose: str) -> Engine:
    """Return the engine of a store; one for each process, and for each file of this name."""
    if (file := address.file) is None:
        key: tuple[Any, ...] = ()
    else:
        try:
            state = file.stat()
        except FileNotFoundError as error:
            raise FileError(f"Store {str(file)!r} not found. It was moved or deleted.") from error
        # a file that was replaced is another store: what is written to the old one would be lost
        key = (state.st_dev, state.st_ino)
    engine = _engine(address, os.getpid(), key)
    if file is not None:
        return engine.execution_options(**{BEGIN: "BEGIN" if purpose == "read" else "BEGIN IMMEDIATE"})
    if purpose == "read":
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return engine.execution_options(isolation_level="READ COMMITTED")


@lru_cache(maxsize=64)
def _engine(address: StoreAddress, process: int, key: tuple[Any, ...]) -> Engine:
    """Make the engine of a store; `process` and `key` tell engines apart that must not share connections."""
    if (file := address.file) is None:
        return create_engine(
            address.url, pool_pre_ping=True, pool_size=4, max_overflow=16, connect_args={"connect_timeout": 10}
        )

    def connect() -> sqlite3.Connection:
        made = sqlite3.connect(
            sqlite_uri(file, "rw"), uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False
        )
        marks = [made.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "application_id")]
        if marks[0] == 0 or marks[1] == APPLICATION:  # the file of another program stays as it is
            made.execute("PRAGMA journal_mode = WAL")
        made.execute("PRAGMA synchronous = FULL")  # an acknowledged answer survives a power failure
        made.execute("PRAGMA foreign_keys = ON")
        return made

    engine = create_engine("sqlite://", creator=connect, pool_size=4, max_overflow=60, poolclass=QueuePool)
    OPENED[engine] = process
    event.listen(engine, "begin", lambda opened: opened.exec_driver_sql(opened.get_execution_options()[BEGIN]))
    with explained_store(address), engine.execution_options(**{BEGIN: "BEGIN"}).begin() as connection:
        if (state := connection.exec_driver_sql("PRAGMA quick_check").scalar()) != "ok":
            raise damaged(file, str(state))
    return engine


def close_stores() -> None:
    """Close the connections of this process; a SQLite store that nobody else uses is then whole in its one file."""
    for engine, process in list(OPENED.items()):
        if process == os.getpid():
            engine.dispose()


atexit.register(close_stores)


@contextmanager
def explained_store(address: StoreAddress) -> Iterator[None]:
    """Turn errors of the database into a sentence that says what to do."""
    if (file := address.file) is not None:
        with explained(file, STORE):
            yield
        return
    try:
        yield
    except DBAPIError as error:
        raise _explained_postgres(address, error) from error


def _explained_postgres(address: StoreAddress, error: DBAPIError) -> Exception:
    state = str(getattr(error.orig, "sqlstate", None) or "")
    reason = (str(error.orig).strip() or "no reason given").splitlines()[0]
    if state == "55P03":
        return FileError(f"{address} was in use by another process for {WAIT} s. Try again.")
    if state == "53100":
        return FileError(f"{address} cannot be written: {reason}. Free some space on the server, and try again.")
    if state.startswith("28") or state in ("42501", "3D000"):
        return FileError(f"{address} cannot be used: {reason}. Check the user, the password and the database.")
    if state == "25006":
        return FileError(f"{address} cannot be written: the server is read-only. Use the primary server.")
    if "NUL" in reason:
        return InputError(
            f"{address} cannot hold a text with a NUL character. Remove it from the data, or use a SQLite store."
        )
    if state in ("42P01", "42703"):
        return FileError(f"{address} is a database, but not a whole store ({reason}). Restore it from a copy.")
    if state.startswith(LOST) or (not state and isinstance(error, (OperationalError, InterfaceError))):
        return FileError(
            f"The connection to {address} failed: {reason}. Check that the server runs, and try again: what was not "
            "confirmed may not be saved."
        )
    if state.startswith("53"):
        return FileError(f"{address} is overloaded: {reason}. Try again later.")
    return error
