"""Audits: each in a file of its own, or several in a store."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection

from justesse.core.errors import FileError, OptionError
from justesse.core.first_names import first_names
from justesse.store.address import AuditAddress, StoreAddress, checked_name, place_of
from justesse.store.database import is_store, open_store
from justesse.store.database_file import DatabaseFile, FileKind, check_free, draft_of, explained, new_file, open_file
from justesse.store.migrations import migrate
from justesse.store.stored_audit import (
    StoredAudit,
    add_audit,
    check_new_audit,
    copy_rows,
    listed_audits,
    open_stored_audit,
)
from justesse.store.tables import APPLICATION, FORMAT, TRIGGERS, metadata

AUDIT = FileKind(
    noun="audit file",
    command="audit",
    creation="justesse audit start … --to",
    contents="answers",
    again="answer again",
    application=APPLICATION,
    format=FORMAT,
    convert=migrate,
)
AUDIT_SUFFIX = ".audit"
PlaceLike = str | os.PathLike[str] | AuditAddress


def open_audit(path: PlaceLike) -> DatabaseFile | StoredAudit:
    """Open an audit file or an audit of a store (URL#NAME), or raise an error that says why it is none."""
    place = audit_place(path)
    if isinstance(place, Path) and is_store(place):
        raise _names_no_audit(place)
    return open_stored_audit(place) if isinstance(place, AuditAddress) else open_file(place, AUDIT)


def audit_place(path: PlaceLike) -> Path | AuditAddress:
    """Read where an audit is; PATH#NAME is an audit of the store PATH, if there is one."""
    place = path if isinstance(path, AuditAddress) else place_of(path)
    if isinstance(place, Path) and "#" in place.name and not place.exists():
        file, _, name = str(place).rpartition("#")
        if is_store(Path(file)):
            return AuditAddress(StoreAddress.read(file), checked_name(name))
    return place


def _names_no_audit(file: Path) -> FileError:
    names = [each.name for each in listed_audits(open_store(StoreAddress.read(file)))]
    if not names:
        return FileError(f"{file} is a store without audits. Start one with justesse audit start … --store {file}.")
    return FileError(f"{file} is a store. Name one of its audits, such as {file}#{names[0]}: {first_names(names)}.")


def check_new(path: PlaceLike) -> Path | AuditAddress:
    """Refuse, before any work, a place at which no audit can be made; return the place."""
    place = audit_place(path)
    if isinstance(place, AuditAddress):
        check_new_audit(place)
    elif "#" in place.name and place.suffix != AUDIT_SUFFIX:
        file, _, name = str(place).rpartition("#")
        raise OptionError(
            f"The name of the audit file {str(place)!r} has a #, which parts a store from an audit in it. For an audit "
            f"in a store, give both: --store {file or 'project.db'} --to {name or 'my-audit'}. For a file, choose a "
            f"name without #, or one that ends with {AUDIT_SUFFIX}."
        )
    else:
        check_free(place, AUDIT)
    return place


@contextmanager
def new_audit(path: PlaceLike) -> Iterator[Connection]:
    """Make an audit: it appears, complete, when the block ends without an error.

    An existing audit is never replaced.
    """
    place = audit_place(path)
    if isinstance(place, AuditAddress):
        check_new_audit(place)
        # made in a file first: others can write to the store meanwhile
        with tempfile.TemporaryDirectory(prefix="justesse-") as folder:
            draft = Path(folder) / "draft"
            with new_audit(draft) as connection:
                yield connection
            with DatabaseFile(draft, AUDIT).reading() as source:
                add_audit(place, source)
        return
    with new_file(place, AUDIT) as connection:
        metadata.create_all(connection)
        for triggers in TRIGGERS.values():
            for trigger in triggers:
                connection.exec_driver_sql(trigger)
        yield connection


def export_audit(path: PlaceLike, to: PlaceLike) -> Path | AuditAddress:
    """Copy an audit with every answer, also while others answer; return the place of the copy.

    The copy has the present format, whatever the original has. An existing audit is never replaced.
    """
    source, place = open_audit(path), check_new(to)
    if isinstance(place, AuditAddress):
        with tempfile.TemporaryDirectory(prefix="justesse-") as folder:
            draft = export_audit(path, Path(folder) / "draft")
            assert isinstance(draft, Path)
            with DatabaseFile(draft, AUDIT).reading() as connection:
                add_audit(place, connection)
    elif isinstance(source, StoredAudit):
        with source.writing():  # converts an earlier format
            pass
        with source.reading() as connection, new_audit(place) as copy:
            copy_rows(connection, copy)
    else:
        _copy_file(source, place)
    return place


def _copy_file(file: DatabaseFile, place: Path) -> None:
    with draft_of(place, AUDIT) as (_, draft), explained(place, AUDIT):
        with explained(file.path, AUDIT), file.reading() as connection, closing(sqlite3.connect(draft)) as copy:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            source.backup(copy)
        with DatabaseFile(draft, AUDIT).writing():
            pass
