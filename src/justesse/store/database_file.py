"""A SQLite file of justesse: written completely or not at all, checked when opened, safe for several processes."""

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, select, update
from sqlalchemy.exc import DBAPIError

from justesse.core.errors import FileError
from justesse.core.version import __version__
from justesse.frames.batch import refused
from justesse.store.address import AuditAddress
from justesse.store.store_tables import audits
from justesse.store.tables import OF_AUDIT

DAMAGE = ("malformed", "no such table", "no such column", "decode to UTF-8", "wrong type", "unsupported file format")
WAIT = 30  # seconds another process may hold the file


@dataclass(frozen=True)
class FileKind:
    """What files of one kind are called, and how they are told from others.

    Parameters
    ----------
    noun
        What a file is called, such as "audit file".
    command
        The command with parts that makes and reads it, such as "audit".
    creation
        How a file is made, such as "justesse audit start … --to".
    contents
        What it holds, such as "answers".
    again
        What to do once there is space on the disk again.
    application
        Number that tells files of this kind from other SQLite files.
    format
        Number of the present format.
    convert
        Converts a file of an earlier format, within the open transaction.
    made_by
        The command that makes a file, if it is not `command` start.
    status
        The part of `command` that shows how far a file is.
    """

    noun: str
    command: str
    creation: str
    contents: str
    again: str
    application: int
    format: int
    convert: Callable[[Connection, int], None]
    made_by: str = ""
    status: str = "status"

    @property
    def article(self) -> str:
        return f"{'an' if self.noun[0] in 'aeiou' else 'a'} {self.noun}"

    @property
    def maker(self) -> str:
        return self.made_by or f"justesse {self.command} start"

    @property
    def advice(self) -> str:
        return f"Name {self.article} made by {self.maker}."


@dataclass(frozen=True)
class DatabaseFile:
    """A file of one kind.

    `reading()` sees one state of it from beginning to end. Changes made in `writing()` are on disk when the block ends,
    or not made at all. Writers wait for each other and for readers, so keep the block short. The first writer converts
    a file of an earlier format.
    """

    path: Path
    kind: FileKind

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with (
            explained(self.path, self.kind),
            _engine(self.path, "BEGIN", **_mode(self.path)).begin() as connection,
        ):
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with (
            explained(self.path, self.kind),
            _engine(self.path, "BEGIN IMMEDIATE", journal="DELETE").begin() as connection,
        ):
            version = file_format(connection)
            if version != self.kind.format:
                self.kind.convert(connection, version)
            yield connection


def file_format(connection: Connection) -> int:
    """Read the number of the format of a file, or of the audit of a store."""
    number = connection.get_execution_options().get(OF_AUDIT)
    if number is None:
        return int(_pragma(connection, "user_version"))
    return int(connection.execute(select(audits.c.format).where(audits.c.number == number)).scalar_one())


def set_format(connection: Connection, format: int) -> None:
    """Write the number of the format of a file, or of the audit of a store."""
    number = connection.get_execution_options().get(OF_AUDIT)
    if number is None:
        connection.exec_driver_sql(f"PRAGMA user_version = {format}")
    else:
        connection.execute(update(audits).where(audits.c.number == number).values(format=format))


def open_file(path: str | os.PathLike[str], kind: FileKind) -> DatabaseFile:
    """Open a file of one kind, or raise an error that says why it is none.

    Only SQLite may open the file: closing any other handle would drop this process's locks, and with them what another
    process writes at the same moment.
    """
    place = Path(os.path.expanduser(os.fspath(path)))
    if place.is_dir():
        raise FileError(f"{place} is a directory. {kind.advice}")
    if not place.exists():
        raise FileError(f"File {str(place)!r} not found. Create {kind.article} with {kind.creation} {place}.")
    if not place.is_file():
        raise FileError(f"{place} is a pipe or a device, not a file. {kind.advice}")
    if not os.access(place, os.R_OK):
        raise FileError(f"{place} cannot be read. Check its permissions.")
    if not _size(place):
        raise FileError(f"File {str(place)!r} is empty. {kind.advice}")
    if _size(beside(place, "-wal")):
        _check_own_log(place, kind)
    file = DatabaseFile(place, kind)
    with file.reading() as connection:
        _check_format(connection, place, kind)
        if (state := _pragma(connection, "quick_check")) != "ok":
            raise damaged(place, str(state))
    return file


def _check_format(connection: Connection, place: Path, kind: FileKind) -> None:
    if int(_pragma(connection, "application_id")) != kind.application:
        raise FileError(f"{place} is a database, but not {kind.article}. {kind.advice.replace(kind.article, 'a file')}")
    version = file_format(connection)
    if version > kind.format:
        raise FileError(
            f"{place} was made by a newer version of justesse (format {version}; version {__version__} reads "
            f"up to {kind.format}). Install a newer version."
        )
    if version < 1:
        raise FileError(
            f"{place} has format {version}, but {kind.noun}s have format 1 to {kind.format}. It was changed or is "
            "damaged. Restore it from a copy."
        )


def _check_own_log(place: Path, kind: FileKind) -> None:
    """Refuse a write-ahead log next to a file that has none: SQLite would read its contents into the file."""
    # an immutable file is read without its log; SQLite opens it, so no lock is dropped
    with explained(place, kind), _engine(place, "BEGIN", mode="ro", immutable=True).begin() as connection:
        _check_format(connection, place, kind)
        if file_format(connection) > 1 or kind.format == 1:
            raise FileError(
                f"{beside(place, '-wal')} belongs to another {kind.noun.removesuffix(' file')}: files of format "
                f"{kind.format} have no such log. Move it away, then open {place} again."
            )


@contextmanager
def new_file(path: str | os.PathLike[str], kind: FileKind) -> Iterator[Connection]:
    """Make a file: it appears, complete, when the block ends without an error; an existing file is never replaced."""
    with (
        draft_of(path, kind) as (place, draft),
        explained(place, kind),
        _engine(draft, "BEGIN IMMEDIATE", mode="rwc").begin() as connection,
    ):
        yield connection
        connection.exec_driver_sql(f"PRAGMA application_id = {kind.application}")
        connection.exec_driver_sql(f"PRAGMA user_version = {kind.format}")


@contextmanager
def draft_of(path: str | os.PathLike[str], kind: FileKind) -> Iterator[tuple[Path, Path]]:
    """Yield the path of a new file and a draft to write; the draft moves there when the block ends without an error."""
    place = Path(os.path.expanduser(os.fspath(path)))
    check_free(place, kind)
    with ExitStack() as stack:
        with refused(place):
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=place.parent, prefix=".justesse-"))
        draft = Path(folder) / "draft"
        yield place, draft
        check_free(place, kind)
        try:
            os.link(draft, place)  # unlike a rename, it fails if somebody made the file meanwhile
        except FileExistsError:
            check_free(place, kind)
        except OSError:  # a file system without links
            check_free(place, kind)
            draft.rename(place)
        _sync(place.parent)


def check_free(place: Path, kind: FileKind) -> None:
    """Refuse a path that exists or cannot be written."""
    if place.is_dir():
        raise FileError(f"{place} is a directory. Name a file in it.")
    if place.exists() or place.is_symlink():
        raise FileError(
            f"{place} exists, and {kind.contents} are never overwritten. Continue with it (justesse {kind.command} "
            f"{kind.status} {place}), or choose another name."
        )
    if not place.parent.is_dir():
        raise FileError(
            f"Directory {str(place.parent)!r} not found, so {place.name} cannot be written. Create it first."
        )
    if not os.access(place.parent, os.W_OK):
        raise FileError(f"{place} cannot be written: {place.parent} is read-only. Choose another directory.")
    for ending in ("-wal", "-shm", "-journal"):
        if (left := beside(place, ending)).exists() or left.is_symlink():
            raise FileError(
                f"{left} is left over from another {kind.noun.removesuffix(' file')} of this name, and its "
                f"{kind.contents} would get into the new one. Move it away, or choose another name."
            )


def beside(place: Path, ending: str) -> Path:
    """Return the path of a file that SQLite keeps next to another."""
    return place.with_name(place.name + ending)


def _size(place: Path) -> int:
    try:
        return place.stat().st_size
    except OSError:
        return 0


def _mode(path: Path) -> dict[str, Any]:
    """Choose how to open a file for reading: reading needs no permission to write."""
    folder = path.resolve().parent
    if os.access(path, os.W_OK) and os.access(folder, os.W_OK):
        return {"mode": "rw"}  # a transaction interrupted by a crash must be rolled back before reading
    try:
        with closing(sqlite3.connect(sqlite_uri(path, "ro"), uri=True, timeout=WAIT)) as trial:
            trial.execute("PRAGMA user_version")
    except sqlite3.OperationalError:
        # a file with a log needs it even for reading; without one nobody uses it, and it cannot change
        return {"mode": "ro", "immutable": not _size(beside(path, "-wal"))}
    return {"mode": "ro"}


def sqlite_uri(path: Path, mode: str, *, immutable: bool = False) -> str:
    """Return the address by which SQLite opens a file."""
    return f"file:{quote(str(path.resolve()))}?mode={mode}{'&immutable=1' if immutable else ''}"


@lru_cache(maxsize=64)
def _engine(path: Path, begin: str, *, mode: str = "rw", immutable: bool = False, journal: str | None = None) -> Engine:
    """Return what opens a file anew for every transaction; kept, because it knows the SQL of earlier statements."""

    def connect() -> sqlite3.Connection:
        # no transactions but those begun below: Python's own would begin too late to keep writers apart
        address = sqlite_uri(path, mode, immutable=immutable)
        made = sqlite3.connect(address, uri=True, timeout=WAIT, isolation_level=None)
        if journal:
            # audits of format 1 have a write-ahead log, whose answers a copy of the file alone would lack
            made.execute(f"PRAGMA journal_mode = {journal}")
        made.execute("PRAGMA synchronous = EXTRA")  # also sync the folder: a journal that came back would undo changes
        made.execute("PRAGMA foreign_keys = ON")
        return made

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _pragma(connection: Connection, name: str) -> Any:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@contextmanager
def explained(path: Path, kind: FileKind) -> Iterator[None]:
    """Turn errors of SQLite into a sentence that says what to do."""
    try:
        yield
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise damaged(path, "its text cannot be read") from error
    except (DBAPIError, sqlite3.Error) as error:
        text = str(error.orig if isinstance(error, DBAPIError) else error)
        if "not a database" in text:
            raise FileError(f"{path} is not {kind.article}. {kind.advice.replace(kind.article, 'a file')}") from error
        if "locked" in text or "busy" in text:
            raise FileError(f"{path} was in use by another process for {WAIT} s. Try again.") from error
        if "readonly" in text or "unable to open" in text:
            raise FileError(
                f"{path} cannot be written: it or its directory is read-only. Copy it elsewhere."
            ) from error
        if any(sign in text for sign in DAMAGE):
            raise damaged(path, text) from error
        if "disk" in text:
            raise FileError(f"{path} cannot be written: {text}. Free some space, and {kind.again}.") from error
        raise


def damaged(path: Path | AuditAddress, reason: str) -> FileError:
    """Return the error about a file that was changed or damaged."""
    return FileError(f"{path} is damaged ({reason.splitlines()[0]}). Restore it from a copy.")


def _sync(folder: Path) -> None:
    """Make the name of the file as durable as its contents."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
