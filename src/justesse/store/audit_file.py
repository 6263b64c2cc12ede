"""An audit file: questions and answers."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection

from justesse.store.database_file import DatabaseFile, FileKind, draft_of, explained, new_file, open_file
from justesse.store.migrations import migrate
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


def open_audit(path: str | os.PathLike[str]) -> DatabaseFile:
    """Open an audit file, or raise an error that says why it is none."""
    return open_file(path, AUDIT)


@contextmanager
def new_audit(path: str | os.PathLike[str]) -> Iterator[Connection]:
    """Make an audit file: it appears, complete, when the block ends without an error.

    An existing file is never replaced.
    """
    with new_file(path, AUDIT) as connection:
        metadata.create_all(connection)
        for triggers in TRIGGERS.values():
            for trigger in triggers:
                connection.exec_driver_sql(trigger)
        yield connection


def export_audit(path: str | os.PathLike[str], to: str | os.PathLike[str]) -> Path:
    """Copy an audit with every answer, also while others answer; return the path of the copy.

    The copy has the present format, whatever the original has. An existing file is never replaced.
    """
    file = open_audit(path)
    with draft_of(to, AUDIT) as (place, draft), explained(place, AUDIT):
        with explained(file.path, AUDIT), file.reading() as connection, closing(sqlite3.connect(draft)) as copy:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            source.backup(copy)
        with DatabaseFile(draft, AUDIT).writing():
            pass
    return place
