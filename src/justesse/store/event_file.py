"""A file of events: an on-line comparison that outlives a process, to which several may add at once."""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Integer, case, func, insert, select

from justesse.core.errors import InputError
from justesse.store.database_file import DatabaseFile, FileKind, new_file, open_file
from justesse.store.event_tables import APPLICATION, FORMAT, additions, facts, journal, metadata, triggers

Event = tuple[str, str, float | None, tuple[float | None, ...]]
PAGE = 50_000  # rows read at a time


def convert(connection: Connection, format: int) -> None:
    """Convert a file of format 1, which has at most one later row of an event: only the number differs."""
    connection.exec_driver_sql(f"PRAGMA user_version = {FORMAT}")


EVENTS = FileKind(
    noun="event file",
    command="ab",
    creation="justesse ab start",
    contents="events",
    again="add the events again",
    application=APPLICATION,
    format=FORMAT,
    convert=convert,
)


@dataclass(frozen=True)
class Addition:
    """What an addition brought: rows read, new events, values of earlier events, and repetitions left out."""

    rows: int
    events: int
    completed: int
    repeated: int


def open_events(path: str | os.PathLike[str]) -> DatabaseFile:
    """Open a file of events, or raise an error that says why it is none."""
    return open_file(path, EVENTS)


@contextmanager
def new_events(path: str | os.PathLike[str], about: Mapping[str, Any]) -> Iterator[Connection]:
    """Make a file of events with its settings: it appears, complete, when the block ends without an error."""
    with new_file(path, EVENTS) as connection:
        metadata.create_all(connection)
        for trigger in triggers():
            connection.exec_driver_sql(trigger)
        connection.execute(insert(facts), [{"name": name, "value": value} for name, value in about.items()])
        yield connection


def is_event_file(path: str | os.PathLike[str]) -> bool:
    """Say whether a path is a file of events, without reading more than its header."""
    place = Path(os.path.expanduser(os.fspath(path)))
    if not place.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"file:{quote(str(place.resolve()))}?mode=ro", uri=True)) as connection:
            return bool(connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION)
    except sqlite3.Error:
        return False


def read_settings(connection: Connection) -> dict[str, Any]:
    """Read the settings with which the comparison was started."""
    return {row.name: row.value for row in connection.execute(select(facts))}


def add_setting(connection: Connection, name: str, value: Any) -> None:
    """Write a setting that was left open at the start."""
    connection.execute(insert(facts).values(name=name, value=value))


def add_events(connection: Connection, rows: Sequence[Event], source: str, *, tracked: Sequence[str] = ()) -> Addition:
    """Append events in order: new ones, and values that were open; repetitions are left out and counted.

    Parameters
    ----------
    connection
        A connection that writes.
    rows
        The id, variant, outcome (`None` if open) and tracked numbers of each row.
    source
        What they come from, for errors.
    tracked
        Names of the tracked numbers, for errors.
    """
    _receive(connection, rows)
    values = ["outcome", *(f"tracked{at}" for at in range(len(rows[0][3]) if rows else 0))]
    _refuse_clash(connection, source, dict(zip(values, ["outcome", *map(repr, tracked)], strict=False)))
    _find_news(connection, values)
    names = ", ".join(column.name for column in journal.c if column.name not in ("number", "late"))
    connection.exec_driver_sql(
        f"INSERT INTO journal (late, {names}) SELECT n.late, {names} FROM news n "
        "JOIN incoming i ON i.number = n.number ORDER BY n.number"
    )
    events, completed = connection.exec_driver_sql("SELECT total(late = 0), total(late > 0) FROM news").one()
    for table in ("news", "incoming"):
        connection.exec_driver_sql(f"DROP TABLE temp.{table}")
    added = Addition(len(rows), int(events), int(completed), len(rows) - int(events) - int(completed))
    connection.execute(
        insert(additions).values(at=datetime.now(UTC).isoformat(timespec="milliseconds"), source=source, **vars(added))
    )
    return added


def _find_news(connection: Connection, values: Sequence[str]) -> None:
    """List the rows that are the first of their event, or the first with one of its values, and number them from 0."""
    firsts = "".join(f", min(CASE WHEN {name} IS NOT NULL THEN number END) AS first_{name}" for name in values)
    known = "".join(f", max({name} IS NOT NULL) AS has_{name}" for name in values)
    brings = "".join(f" OR (i.number = f.first_{name} AND NOT coalesce(j.has_{name}, 0))" for name in values)
    connection.exec_driver_sql(
        "CREATE TEMP TABLE news AS SELECT i.number, "
        "coalesce(j.rows, 0) + row_number() OVER (PARTITION BY i.id ORDER BY i.number) - 1 AS late FROM incoming i "
        f"JOIN (SELECT id, min(number) AS first{firsts} FROM incoming GROUP BY id) f ON f.id = i.id "
        f"LEFT JOIN (SELECT id, count(*) AS rows{known} FROM journal WHERE id IN (SELECT id FROM incoming) GROUP BY id)"
        f" j ON j.id = i.id WHERE (j.id IS NULL AND i.number = f.first){brings}"
    ).close()


def _receive(connection: Connection, rows: Sequence[Event]) -> None:
    """Put the rows where SQL can compare them with the journal."""
    columns = [column.name for column in journal.c if column.name not in ("number", "late")]
    connection.exec_driver_sql(f"CREATE TEMP TABLE incoming (number INTEGER PRIMARY KEY, {', '.join(columns)})")
    if rows:
        width = 3 + len(rows[0][3])
        connection.exec_driver_sql(
            f"INSERT INTO incoming ({', '.join(['number', *columns[:width]])}) VALUES ({', '.join('?' * (width + 1))})",
            [(at, id, variant, outcome, *tracked) for at, (id, variant, outcome, tracked) in enumerate(rows, start=1)],
        )
    connection.exec_driver_sql("CREATE INDEX temp.incoming_id ON incoming (id)")


def _refuse_clash(connection: Connection, source: str, values: Mapping[str, str]) -> None:
    """Refuse rows that contradict each other or the journal in the variant or in one of the values."""
    compared = {"variant": "variant", **values}
    differs = f"WHERE {' OR '.join(f'i.{name} != e.{name}' for name in compared)} ORDER BY i.number LIMIT 1"
    shown = f"SELECT i.number, i.id, {', '.join(f'i.{name} != e.{name}' for name in compared)} FROM incoming i"
    clash = (
        connection.exec_driver_sql(f"{shown} JOIN journal e ON e.id = i.id {differs}").first()
        or connection.exec_driver_sql(
            f"{shown} JOIN (SELECT id FROM incoming GROUP BY id HAVING count(*) > 1) d ON d.id = i.id "
            f"JOIN incoming e ON e.id = i.id AND e.number < i.number {differs}"
        ).first()
    )
    if clash is not None:
        row, id, *other = clash
        what = next(words for words, is_other in zip(compared.values(), other, strict=True) if is_other)
        raise InputError(
            f"{source}, row {row}: event {id!r} came before with another {what}. Nothing was added. Keep the right row."
        )


def read_events(connection: Connection, tracked: int, *, by_outcome: bool) -> Iterator[list[Any]]:
    """Read the events, many at a time, in order: variant, outcome, tracked numbers.

    Parameters
    ----------
    connection
        A connection that reads.
    tracked
        How many numbers are tracked beside the outcome.
    by_outcome
        Whether an event is placed where its outcome came, or where the event came.
    """
    names = ("outcome", *(f"tracked{at}" for at in range(tracked)))
    came = func.min(case((journal.c.outcome.is_not(None), journal.c.number)))
    late = (
        select(journal.c.id, came.label("number"), *(func.max(journal.c[name]).label(name) for name in names))
        .where(journal.c.late > 0)
        .group_by(journal.c.id)
        .subquery("late")
    )
    numbers = [func.coalesce(journal.c[name], late.c[name]).label(name) for name in names]
    known_later = case((journal.c.outcome.is_(None), late.c.number))
    place = func.coalesce(known_later, journal.c.number, type_=Integer) if by_outcome else journal.c.number
    joined = journal.outerjoin(late, late.c.id == journal.c.id)
    query = select(journal.c.variant, *numbers).select_from(joined).where(journal.c.late == 0).order_by(place)
    result = connection.execution_options(stream_results=True, yield_per=PAGE).execute(query)
    for page in result.partitions(PAGE):
        yield list(page)


def count_additions(connection: Connection) -> tuple[int, int, int]:
    """Return how many additions there were, how many events they brought, and how many repetitions."""
    sums = select(func.count(), func.total(additions.c.events), func.total(additions.c.repeated))
    many, events, repeated = connection.execute(sums).one()
    return int(many), int(events), int(repeated)
