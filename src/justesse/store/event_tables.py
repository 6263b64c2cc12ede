"""The tables of a file of events: settings, a journal of events that only grows, and what each addition brought."""

from collections.abc import Iterator

from sqlalchemy import Column, Float, Integer, MetaData, Table, Text, UniqueConstraint

from justesse.store.tables import Json

APPLICATION = 0x6A757362  # "jusb": tells a file of events from other SQLite files
FORMAT = 2
MOST_TRACKED = 20

metadata = MetaData()

facts = Table(
    "facts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Json, nullable=False),
)

# one row for each addition; those who add wait for each other
additions = Table(
    "additions",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("rows", Integer, nullable=False),
    Column("events", Integer, nullable=False),
    Column("completed", Integer, nullable=False),
    Column("repeated", Integer, nullable=False),
)

# `late` is 0 for an event, and 1, 2, … for rows with values that came after it; numbers give the order of arrival
journal = Table(
    "journal",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("id", Text, nullable=False),
    Column("late", Integer, nullable=False),
    Column("variant", Text, nullable=False),
    Column("outcome", Float),
    *(Column(f"tracked{at}", Float) for at in range(MOST_TRACKED)),
    UniqueConstraint("id", "late"),
)


def triggers() -> Iterator[str]:
    """Give the SQL that refuses changes of what was written."""
    for table in metadata.tables:
        for change in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table}: entries are added, never changed'); END"
            )
