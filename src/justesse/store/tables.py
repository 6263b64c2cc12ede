"""The tables of an audit file: settings, disputed rows, questions, and a diary of answers that only grows."""

import json
from typing import Any

from sqlalchemy import Column, Dialect, Float, ForeignKey, Integer, MetaData, Table, Text, TypeDecorator

APPLICATION = 0x6A757374  # "just": tells an audit file from other SQLite files
FORMAT = 2

metadata = MetaData()


class Json(TypeDecorator[Any]):
    """A value written as JSON in a column of text: SQLite's own JSON columns turn 2.0 into 2."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


facts = Table(
    "facts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Json, nullable=False),
)

# one row for each row of the data on which the two classifiers disagree
disputes = Table(
    "disputes",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("id", Text, unique=True, nullable=False),
    Column("label", Json, nullable=False),
    Column("incumbent", Json, nullable=False),
    Column("candidate", Json, nullable=False),
    Column("suspicion", Float),
    Column("shown", Text),
)

# the questions in the order drawn, with the probabilities of each draw: they weight the answers
asked = Table(
    "asked",
    metadata,
    Column("turn", Integer, primary_key=True),
    Column("row", ForeignKey("disputes.row"), unique=True, nullable=False),
    Column("stratum", Integer, nullable=False),
    Column("weights", Json, nullable=False),
)

# which question is on whose screen, so that two people do not get the same one; expires after ten minutes
held = Table(
    "held",
    metadata,
    Column("row", ForeignKey("disputes.row"), primary_key=True),
    Column("by", Text, nullable=False),
    Column("until", Float, nullable=False),
)

# `corrects` is the entry that this one replaces; that entry stays
answers = Table(
    "answers",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("row", ForeignKey("disputes.row"), nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("said", Json, key="answer"),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("corrects", ForeignKey("answers.number"), unique=True),
    sqlite_autoincrement=True,
)

# changes after the start, such as a larger budget or a newer format; `value` replaces the setting of that name
amendments = Table(
    "amendments",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("value", Json, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
)

# checksums of everything above except `held`, each computed from the one before
seals = Table(
    "seals",
    metadata,
    Column("part", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("digest", Text, nullable=False),
)

SINCE_FORMAT_2 = (amendments, seals)
TRIGGERS = {
    table: tuple(
        f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table}: entries are added, never changed'); END"
        for change in ("UPDATE", "DELETE")
    )
    for table in ("facts", "disputes", "asked", "answers", "amendments", "seals")
}
