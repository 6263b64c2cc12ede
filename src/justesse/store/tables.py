"""The tables of an audit file: what was asked for, the questions, and a diary of answers that only grows."""

import json
from typing import Any

from sqlalchemy import Column, Dialect, Float, ForeignKey, Integer, MetaData, Table, Text, TypeDecorator

APPLICATION = 0x6A757374  # "just": tells an audit file from other SQLite files
FORMAT = 1

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

# one row for each instance on which the two classifiers disagree; `turn` is when it is asked, from 1
questions = Table(
    "questions",
    metadata,
    Column("row", Integer, primary_key=True),
    Column("turn", Integer, unique=True, nullable=False),
    Column("id", Text, unique=True, nullable=False),
    Column("label", Json, nullable=False),
    Column("incumbent", Json, nullable=False),
    Column("candidate", Json, nullable=False),
    Column("suspicion", Float),
    Column("shown", Text),
)

# `corrects` is the entry that this one takes the place of; that entry stays
answers = Table(
    "answers",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("row", ForeignKey("questions.row"), nullable=False, index=True),
    Column("kind", Text, nullable=False),
    Column("said", Json),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("corrects", ForeignKey("answers.number"), unique=True),
    sqlite_autoincrement=True,
)

TRIGGERS = tuple(
    f"CREATE TRIGGER answers_no_{change.lower()} BEFORE {change} ON answers "
    "BEGIN SELECT RAISE(ABORT, 'answers are corrected by new entries, never changed'); END"
    for change in ("UPDATE", "DELETE")
)
