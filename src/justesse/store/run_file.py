"""A run of a system that keeps learning, kept in a file: every step and every charge, added and never changed."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Float, Integer, MetaData, Table, Text, insert, select

from justesse.core.errors import FileError
from justesse.lifelong.journal import RunStep
from justesse.lifelong.ledger import Charge
from justesse.store.chain import Record, first_break, read_seals, seal
from justesse.store.database_file import DatabaseFile, FileKind, damaged, new_file, open_file
from justesse.store.tables import Json, seals
from justesse.store.tables import facts as settings

ENDING = ".run"
metadata = MetaData()
steps = Table(
    "steps",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("reply", Json),
    Column("charges", Json, nullable=False),
    Column("seconds", Float, nullable=False),
)
APPEND_ONLY = ("facts", "steps", "seals")


def convert(connection: Connection, format: int) -> None:
    """Convert a file of an earlier format: there is none yet."""
    raise AssertionError(f"runs have no format {format}")


RUN = FileKind(
    noun="run file",
    command="lifelong",
    creation="justesse lifelong run … --checkpoint",
    contents="steps",
    again="run again",
    application=0x6A75736C,  # "jusl"
    format=1,
    convert=convert,
    made_by="justesse lifelong run --checkpoint",
    status="run … --checkpoint",
)


class RunFile:
    """The journal of a run in a file; each step is on disk, with its charges, before the run goes on.

    Parameters
    ----------
    file
        The file.
    kept
        Steps that it holds.
    """

    def __init__(self, file: DatabaseFile, kept: Sequence[RunStep]) -> None:
        self._file, self._kept = file, tuple(kept)

    def read(self) -> Sequence[RunStep]:
        """Return the steps that the file held when it was opened."""
        return self._kept

    def append(self, step: RunStep) -> None:
        """Write a step; when this returns, it survives a crash of the program or of the machine."""
        charges = [list(astuple(charge)) for charge in step.charges]
        with self._file.writing() as connection:
            last = connection.scalar(select(steps.c.number).order_by(steps.c.number.desc()).limit(1)) or 0
            if last + 1 != step.number:
                raise FileError(
                    f"{self._file.path} is in use by another run. Wait for its end, or choose another file."
                )
            connection.execute(insert(steps).values(**{**vars(step), "charges": charges}))
            seal(connection, "steps", [_record(step)])


def opened_run(path: str | os.PathLike[str], about: Mapping[str, Any]) -> RunFile:
    """Open the file of a run, or make it; refuse the file of a run with other settings.

    Parameters
    ----------
    path
        The file.
    about
        Settings that the results depend on.
    """
    place = Path(os.path.expanduser(os.fspath(path)))
    if not place.exists():
        with new_file(place, RUN) as connection:
            settings.metadata.create_all(connection, tables=[settings, seals])
            metadata.create_all(connection)
            for trigger in _triggers():
                connection.exec_driver_sql(trigger)
            connection.execute(insert(settings), [{"name": name, "value": value} for name, value in about.items()])
            seal(connection, "start", [_start(about)])
    file = open_file(place, RUN)
    with file.reading() as connection:
        held = {row.name: row.value for row in connection.execute(select(settings))}
        try:
            kept = [_step(row) for row in connection.execute(select(steps).order_by(steps.c.number))]
            broken = first_break(
                read_seals(connection), {"start": [_start(held)], "steps": [_record(step) for step in kept]}
            )
        except (LookupError, TypeError, ValueError) as error:
            raise damaged(place, "its contents cannot be read") from error
    if broken is not None:
        raise damaged(place, f"{broken[0]} {broken[1]} was changed, removed or added")
    for name, value in about.items():
        if held.get(name) != value:
            raise FileError(
                f"{place} holds a run with other settings: {name} was {held.get(name)!r}, and is {value!r} now. Use "
                "the same settings, or choose another file."
            )
    return RunFile(file, kept)


def _triggers() -> list[str]:
    return [
        f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table}: entries are added, never changed'); END"
        for table in APPEND_ONLY
        for change in ("UPDATE", "DELETE")
    ]


def _start(about: Mapping[str, Any]) -> Record:
    return -1, [sorted(about.items())]


def _record(step: RunStep) -> Record:
    charges = [list(astuple(charge)) for charge in step.charges]
    return step.number, [step.number, step.name, step.request, step.reply, charges, step.seconds]


def _step(row: Any) -> RunStep:
    charges = tuple(Charge(*entry) for entry in row.charges)
    return RunStep(row.number, row.name, row.request, row.reply, charges, row.seconds)
