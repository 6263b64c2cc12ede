"""The tables of a store: its format, its audits and evaluations, and what the rows of audits refer to."""

from collections.abc import Iterator

from sqlalchemy import Column, Float, ForeignKeyConstraint, Integer, LargeBinary, Table, Text

from justesse.store.tables import APPEND_ONLY, PREFIX, STORE_TABLES, Json, store_metadata

APPLICATION = 0x6A757364  # "jusd": tells a store from other SQLite files
FORMAT = 2

about = Table(
    f"{PREFIX}store",
    store_metadata,
    Column("name", Text, primary_key=True),
    Column("value", Json, nullable=False),
)

audits = Table(
    f"{PREFIX}audits",
    store_metadata,
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("format", Integer, nullable=False),
    Column("made", Text, nullable=False),
    sqlite_autoincrement=True,
)

# `result` is exactly the --json of a command, `page` its --report, compressed
evaluations = Table(
    f"{PREFIX}evaluations",
    store_metadata,
    Column("number", Integer, primary_key=True),
    Column("title", Text, nullable=False),
    Column("command", Text, nullable=False),
    Column("made", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("headline", Text, nullable=False),
    Column("n", Float),
    Column("result", LargeBinary, nullable=False),
    Column("page", LargeBinary, nullable=False),
    Column("digest", Text, nullable=False),
    sqlite_autoincrement=True,
)

for _table in STORE_TABLES.values():
    _table.append_constraint(ForeignKeyConstraint(["audit"], [audits.c.number]))

KEPT = (*(f"{PREFIX}{name}" for name in APPEND_ONLY), evaluations.name)


def guards(dialect: str) -> Iterator[str]:
    """Give the SQL that refuses changes of what was written."""
    if dialect == "sqlite":
        for table in KEPT:
            for change in ("UPDATE", "DELETE"):
                yield (
                    f"CREATE TRIGGER IF NOT EXISTS {table}_no_{change.lower()} BEFORE {change} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table}: entries are added, never changed'); END"
                )
        return
    yield (
        f"CREATE OR REPLACE FUNCTION {PREFIX}only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION '%: entries are added, never changed', TG_TABLE_NAME USING ERRCODE = 'check_violation'; "
        "END $$"
    )
    for table in KEPT:
        yield (
            f"CREATE OR REPLACE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}only_grows()"
        )
