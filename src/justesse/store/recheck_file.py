"""A list of labels to re-check in a file that people answer: as safe as an audit file, and made of the same tables."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from sqlalchemy import Connection

from justesse.core.results import ClassName
from justesse.judges.audit_questions import Question
from justesse.store.answers import Diary, answer_records
from justesse.store.chain import Part, Record, first_break, read_seals
from justesse.store.database_file import DatabaseFile, FileKind, damaged, new_file, open_file
from justesse.store.disagreements import (
    DisagreeingRow,
    add_drawn,
    drawn_records,
    read_disagreements,
    read_drawn,
    read_facts,
    start_record,
    write_disagreements,
)
from justesse.store.settled import Settled, settle
from justesse.store.tables import TRIGGERS, metadata

ENDING = ".recheck"
RecheckAsks = Literal["labels", "predictions", "texts", "speech"]


def convert(connection: Connection, format: int) -> None:
    """Convert a file of an earlier format: there is none yet."""
    raise AssertionError(f"lists to re-check have no format {format}")


RECHECK = FileKind(
    noun="list of labels to re-check",
    command="recheck",
    creation="justesse clean … --recheck-to",
    contents="answers",
    again="answer again",
    application=0x6A757372,  # "jusr"
    format=1,
    convert=convert,
    made_by="justesse clean --recheck-to",
    status="next",
)


def open_recheck(path: str | os.PathLike[str]) -> DatabaseFile:
    """Open a list of labels to re-check, or raise an error that says why it is none."""
    return open_file(path, RECHECK)


@dataclass(frozen=True)
class EarlierAnswer:
    """The true class that people gave for a row of an earlier list, who gave it, and when, if that is known."""

    answer: ClassName
    by: str
    at: str | None = None


@dataclass(frozen=True)
class RecheckRow:
    """A row to re-check: its id, label, the class that the filter suggests, why, how it was drawn, and its answer."""

    id: str
    label: ClassName
    suggested: ClassName
    stratum: int
    chance: float
    reason: str
    answered: EarlierAnswer | None = None


@dataclass(frozen=True, eq=False)
class RecheckRecord:
    """The rows of a list in the order asked, the answers so far, and what rows are: labels, or answers of a system."""

    path: Path
    on: str
    classes: tuple[ClassName, ...]
    rows: tuple[RecheckRow, ...]
    diary: Diary
    asks: RecheckAsks = "labels"

    def settled(self, row: int) -> Settled | None:
        """Give the answer that counts, the one most people gave; `None` if nobody answered."""
        entries = self.diary.standing(row)
        return settle(row, entries) if entries else None

    @property
    def tied(self) -> list[int]:
        """Rows with different answers, none of them more frequent than the others, in order."""
        return [row for row in range(len(self.rows)) if (result := self.settled(row)) is not None and result.tied]

    @property
    def open(self) -> list[int]:
        """Rows that nobody has answered, in order."""
        return [row for row in range(len(self.rows)) if not self.diary.standing(row)]


def write_recheck(
    path: Path, rows: Sequence[RecheckRow], *, on: str, classes: Sequence[ClassName], asks: RecheckAsks = "labels"
) -> Path:
    """Make a file of labels to re-check: it appears, complete, or not at all. An existing file is never replaced."""
    about: dict[str, Any] = {"on": on, "classes": list(classes), "asks": asks}
    with new_file(path, RECHECK) as connection:
        metadata.create_all(connection)
        for triggers in TRIGGERS.values():
            for trigger in triggers:
                connection.exec_driver_sql(trigger)
        disputes = [
            DisagreeingRow(at, row.id, row.label, row.label, row.suggested, None, row.reason)
            for at, row in enumerate(rows)
        ]
        write_disagreements(connection, disputes, about)
        add_drawn(connection, [Question(at, row.stratum, (row.chance,)) for at, row in enumerate(rows)])
        diary = Diary()
        for at, row in enumerate(rows):
            if (earlier := row.answered) is not None:
                diary.add(at, "answer", earlier.answer, by=earlier.by, at=earlier.at)
        diary.save(connection)
    return path


def loaded_recheck(connection: Connection, path: Path) -> RecheckRecord:
    """Read a list from an open file; refuse one that was changed by another program."""
    about = read_facts(connection)
    try:
        disputes, drawn, diary = read_disagreements(connection), read_drawn(connection), Diary.read(connection)
        records: dict[Part, Sequence[Record]] = {
            "start": [start_record(about, disputes)],
            "asked": drawn_records(drawn),
            "answers": answer_records(diary.entries),
        }
        broken = first_break(read_seals(connection), records)
        rows = tuple(
            RecheckRow(row.id, row.label, row.candidate, question.stratum, float(question.weights[0]), row.shown or "")
            for row, question in zip(disputes, drawn, strict=True)
        )
        on, classes = str(about["on"]), tuple(about["classes"])
        asks: RecheckAsks = about["asks"] if about.get("asks") in get_args(RecheckAsks) else "labels"
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise damaged(path, "its contents cannot be read") from error
    if broken is not None:
        raise damaged(path, f"{broken[0]} {broken[1]} was changed, removed or added")
    return RecheckRecord(path, on, classes, rows, diary, asks)
