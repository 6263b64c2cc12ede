"""An audit file: made whole or not at all, opened with care, safe for several processes at once."""

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from justesse.core.errors import FileError
from justesse.core.version import __version__
from justesse.store.tables import APPLICATION, FORMAT, TRIGGERS, metadata

DAMAGE = ("malformed", "no such table", "no such column", "decode to UTF-8", "wrong type")
WAIT = 30  # seconds another process may hold the file


@dataclass(frozen=True)
class AuditFile:
    """A file of questions and answers.

    `reading()` sees one state of it from beginning to end; what is done in `writing()` is on disk when the block
    ends, or was never done. Writers wait for one another.
    """

    path: Path

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with _told(self.path), _engine(self.path, "BEGIN").begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with _told(self.path), _engine(self.path, "BEGIN IMMEDIATE").begin() as connection:
            yield connection


def open_audit(path: str | os.PathLike[str]) -> AuditFile:
    """Open an audit file, or say why it cannot be one.

    Only SQLite may open the file: closing any other handle of it would drop this process's locks on it, and with them
    the answers that another process writes at the same moment.
    """
    place = Path(os.path.expanduser(os.fspath(path)))
    if place.is_dir():
        raise FileError(f"{place} is a directory; name an audit file, made by justesse audit start")
    if not place.exists():
        raise FileError(f"there is no file {str(place)!r}; make an audit with justesse audit start … --to {place}")
    if not place.is_file():
        raise FileError(f"{place} is not a regular file (a pipe or a device); name a file made by justesse audit start")
    if not os.access(place, os.R_OK):
        raise FileError(f"{place} cannot be read; check its permissions")
    found = AuditFile(place)
    with found.reading() as connection:
        mark, version = (int(_pragma(connection, name)) for name in ("application_id", "user_version"))
        if mark != APPLICATION:
            raise FileError(
                f"{place} is a database, but not an audit file; give one that justesse audit start has made"
            )
        if version > FORMAT:
            raise FileError(
                f"{place} was made by a newer justesse (format {version}; {__version__} reads up to {FORMAT}): "
                "install a newer one to go on with it"
            )
        if (state := _pragma(connection, "quick_check")) != "ok":
            raise damaged(place, str(state))
    return found


@contextmanager
def new_audit(path: str | os.PathLike[str]) -> Iterator[Connection]:
    """Make an audit file: it appears at its place, complete, once the block has ended well.

    A file that is there already is never replaced.
    """
    place = Path(os.path.expanduser(os.fspath(path)))
    check_free(place)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".justesse-") as folder:
        draft = Path(folder) / "draft"
        with _told(place):
            with _engine(draft, "BEGIN IMMEDIATE", mode="rwc").begin() as connection:
                metadata.create_all(connection)
                for trigger in TRIGGERS:
                    connection.exec_driver_sql(trigger)
                yield connection
                connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
                connection.exec_driver_sql(f"PRAGMA user_version = {FORMAT}")
            with sqlite3.connect(draft) as plain:
                plain.execute("PRAGMA journal_mode = WAL")
            plain.close()
        try:
            os.link(draft, place)  # unlike a rename, it fails if somebody made the file meanwhile
        except FileExistsError:
            check_free(place)
        except OSError:  # a file system without links
            check_free(place)
            draft.rename(place)
        _sync(place.parent)


def check_free(place: Path) -> None:
    """Refuse a place where there is something, or where nothing can be."""
    if place.exists() or place.is_symlink():
        raise FileError(
            f"{place} exists already, and answers are never overwritten: go on with it (justesse audit status "
            f"{place}), or choose another name"
        )
    if not place.parent.is_dir():
        raise FileError(f"there is no directory {str(place.parent)!r} to write {place.name} in; make it first")
    if not os.access(place.parent, os.W_OK):
        raise FileError(f"{place} cannot be written: {place.parent} is read-only; choose another place")


def _engine(path: Path, begin: str, *, mode: str = "rw") -> Engine:
    def connect() -> sqlite3.Connection:
        uri = f"file:{quote(str(path.resolve()))}?mode={mode}"
        # no transactions but those begun below: Python's own would begin too late to keep writers apart
        made = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None)
        made.execute("PRAGMA synchronous = FULL")
        made.execute("PRAGMA foreign_keys = ON")
        return made

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _pragma(connection: Connection, name: str) -> Any:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what SQLite says into a sentence that says what to do."""
    try:
        yield
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise damaged(path, "its text cannot be read") from error
    except (DBAPIError, sqlite3.Error) as error:
        said = str(error.orig if isinstance(error, DBAPIError) else error)
        if "not a database" in said:
            raise FileError(f"{path} is not an audit file; give one that justesse audit start has made") from error
        if "locked" in said or "busy" in said:
            raise FileError(f"{path} has been in use by another process for {WAIT} s; try again") from error
        if "readonly" in said or "unable to open" in said:
            raise FileError(f"{path} cannot be written: it or its directory is read-only; copy it elsewhere") from error
        if any(sign in said for sign in DAMAGE):
            raise damaged(path, said) from error
        if "disk" in said:
            raise FileError(f"{path} cannot be written: {said}; make room, and answer again from there") from error
        raise


def damaged(path: Path, said: str) -> FileError:
    """Say that a file is not as it was written."""
    return FileError(f"{path} is damaged ({said.splitlines()[0]}): take a copy of it that is whole")


def _sync(folder: Path) -> None:
    """Make the file's name as durable as its content."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
