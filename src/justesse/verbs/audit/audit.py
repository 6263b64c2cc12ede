"""An audit as it stands: what its file holds, put together with the judge that reads it."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection

from justesse.core.class_sets import SEPARATOR, split_classes
from justesse.core.errors import InputError
from justesse.core.levels import identity, spellings
from justesse.core.results import ClassName
from justesse.core.seeds import stream
from justesse.judges.audit_plan import Answer, AuditPlan, Question, plan_audit
from justesse.judges.audit_progress import AuditProgress
from justesse.judges.audit_rule import AuditRule
from justesse.judges.audit_state import AuditState
from justesse.store.answers import Diary, Entry, answer_records
from justesse.store.audit_file import damaged, file_format, open_audit
from justesse.store.chain import Part, Record, first_break, read_seals
from justesse.store.disagreements import (
    Amendment,
    DisagreeingRow,
    drawn_records,
    read_amendments,
    read_disagreements,
    read_drawn,
    read_facts,
    start_record,
)
from justesse.store.settled import Settled, settle
from justesse.store.tables import FORMAT
from justesse.verbs.audit.facts import checked_facts

PathLike = str | os.PathLike[str]
NO_ANSWER = -2
NO_WINNER = -3  # a label that accepts both answers, or neither


def class_codes(classes: Iterable[ClassName]) -> dict[tuple[type, ClassName], int]:
    """Give each class a code; a missing answer has one that no true class can have.

    >>> class_codes(["a", "b"])[identity(None)]
    -2
    """
    return {identity(None): NO_ANSWER, **{identity(name): code for code, name in enumerate(classes)}}


class Audit:
    """What was asked for, the disputed rows, the questions drawn so far, and the diary of answers.

    `about` holds the facts as they are now, `amendments` what was changed since the start; `broken` says what does not
    fit its checksum, and is `None` if everything does. A file of format 1 that nobody has written to has no checksums.
    New questions and answers are taken in with `add_drawn` and `add_entries`: only what follows from them is worked out.
    """

    def __init__(
        self,
        path: Path,
        about: Mapping[str, Any],
        disputes: Sequence[DisagreeingRow],
        drawn: Sequence[Question],
        entries: Diary,
        amendments: Sequence[Amendment] = (),
        *,
        broken: str | None = None,
        format: int = FORMAT,
    ) -> None:
        self.path, self.about, self.disputes = path, about, tuple(disputes)
        self.entries, self.amendments, self.broken, self.format = entries, tuple(amendments), broken, format
        self.codes = class_codes(about.get("classes", ()))
        self.settled: dict[int, Settled] = {}
        self.answers: dict[int, Answer] = {}
        self._drawn = list(drawn)
        self._progress: AuditProgress | None = None
        self._state: AuditState | None = None
        self._settle(entries.entries)

    @property
    def diary(self) -> tuple[Entry, ...]:
        """All entries, the oldest first."""
        return tuple(self.entries.entries)

    @property
    def drawn(self) -> tuple[Question, ...]:
        """The questions in the order in which they were drawn."""
        return tuple(self._drawn)

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes of labels and answers, then those that only experts know."""
        return tuple(name for _, name in self.codes if name is not None)

    @property
    def separator(self) -> str:
        """What stands between several right classes."""
        return str(self.about.get("any_of", SEPARATOR))

    @cached_property
    def plan(self) -> AuditPlan:
        """The rule by which questions are drawn and answers judged."""
        return planned(self.disputes, self.codes, self.about)

    @property
    def progress(self) -> AuditProgress:
        """The judge that follows the answers."""
        if self._progress is None:
            self._progress = AuditProgress(self.plan, self._drawn, self.answers)
        return self._progress

    @property
    def state(self) -> AuditState:
        """Where the audit stands."""
        if self._state is None:
            self._state = self.progress.state()
        return self._state

    @property
    def counted(self) -> int:
        """How many answers count: those before the first open question."""
        return next((at for at, one in enumerate(self._drawn) if one.row not in self.answers), len(self._drawn))

    @cached_property
    def turns(self) -> dict[int, int]:
        """When each question was drawn, from 1."""
        return {one.row: turn for turn, one in enumerate(self._drawn, start=1)}

    @cached_property
    def by_id(self) -> dict[str, DisagreeingRow]:
        return {one.id: one for one in self.disputes}

    @property
    def open(self) -> list[DisagreeingRow]:
        """The questions that were drawn and that nobody has answered."""
        return [self.disputes[row] for row in self.progress.open]

    def add_drawn(self, new: Sequence[Question]) -> None:
        """Take in questions that were drawn."""
        if not new:
            return
        self.turns.update({one.row: turn for turn, one in enumerate(new, start=len(self._drawn) + 1)})
        self._drawn += new
        self._state = None
        if self._progress is not None:
            self._progress.add(new)

    def draw(self, count: int) -> list[Question]:
        """Draw up to so many questions more."""
        new = self.progress.drawing.next(count)
        self.add_drawn(new)
        return new

    def add_entries(self, new: Iterable[Entry]) -> None:
        """Take in entries that the diary has already."""
        for row in self._settle(new):
            if self._progress is not None and row in self.answers:
                self._progress.answer(row, self.answers[row])
            elif self._progress is not None:
                self._progress.forget(row)
        self._state = None

    def _settle(self, new: Iterable[Entry]) -> Iterable[int]:
        """Work out what counts for the rows of these entries; give the rows."""
        rows: dict[int, None] = {}
        for entry in new:
            rows[entry.row] = None
            for name in entry.classes:
                self.codes.setdefault(identity(name), len(self.codes) - 1)  # a missing answer has none of them
        for row in rows:
            if standing := self.entries.standing(row):
                self.settled[row] = settle(row, standing)
                self.answers[row] = self._answer(self.settled[row].counts)
            else:
                self.settled.pop(row, None)
                self.answers.pop(row, None)
        return rows

    def _answer(self, counts: Entry | None) -> Answer:
        """Give the codes of the classes that are right: none if neither classifier is, or the question is flawed."""
        return None if counts is None else frozenset(self.codes[identity(name)] for name in counts.classes)

    @cached_property
    def order(self) -> dict[tuple[type, ClassName], int]:
        """One order of all classes, shuffled once by the seed, in which two answers are shown."""
        names = [identity(name) for name in (*self.about["classes"], None)]  # one of the two may give no answer
        shuffled = stream(self.about["seed"], "audit", "order of classes").permutation(len(names)).tolist()
        return dict(zip(names, shuffled, strict=True))

    def blind(self, dispute: DisagreeingRow) -> tuple[ClassName, ClassName]:
        """Give both answers in an order that says nothing about who gave which: the same for the same two classes."""
        both = (dispute.incumbent, dispute.candidate)
        return both if self.order[identity(both[0])] < self.order[identity(both[1])] else both[::-1]


def planned(
    disputes: tuple[DisagreeingRow, ...], codes: Mapping[tuple[type, ClassName], int], about: Mapping[str, Any]
) -> AuditPlan:
    """Plan the audit of these disputed rows."""
    answers = [
        np.array([codes[identity(getattr(one, part))] for one in disputes], dtype=np.int64)
        for part in ("incumbent", "candidate")
    ]
    separator = str(about["any_of"]) if about.get("label_sets") else ""
    labels = np.array([_label_code(one, codes, separator) for one in disputes], dtype=np.int64)
    suspicion = np.array([one.suspicion for one in disputes], dtype=float) if about["suspicion"] else None
    rule = {field.name: about.get(field.name, field.default) for field in fields(AuditRule)}
    return plan_audit(labels, *answers, n=about["n"], suspicion=suspicion, **rule)


def _label_code(dispute: DisagreeingRow, codes: Mapping[tuple[type, ClassName], int], separator: str) -> int:
    """Give the code of the label; of a set, that of the one answer it accepts, or none if it accepts both or neither.

    >>> codes = class_codes(["a", "b", "c"])
    >>> [_label_code(DisagreeingRow(0, "7", label, "a", "b"), codes, "|") for label in ("c", "b|c", "a|b", "c|d")]
    [2, 1, -3, -3]
    """
    parts = split_classes(dispute.label, separator) if isinstance(dispute.label, str) else []
    if len(parts) < 2:
        return codes[identity(dispute.label)]
    answers = (dispute.incumbent, dispute.candidate)
    accepted = [name for name in answers if name is not None and spellings(name) & set(parts)]
    return codes[identity(accepted[0])] if len(accepted) == 1 else NO_WINNER


def counted_disputes(disputes: Iterable[DisagreeingRow]) -> list[list[Any]]:
    """Count disputed rows by label and both answers: by this a file with other rows is noticed."""
    keys = [(one.label, one.incumbent, one.candidate) for one in disputes]
    sizes = Counter(tuple(map(identity, key)) for key in keys)
    return [[*(name for _, name in cell), size] for cell, size in sizes.items()]


def read_audit(path: PathLike) -> Audit:
    """Read an audit file, all of it as it is at one moment."""
    file = open_audit(path)
    with file.reading() as connection:
        return loaded(connection, file.path)


def loaded(connection: Connection, path: Path) -> Audit:
    """Put together what an open audit file holds; refuse questions that are not those it was made with."""
    version = file_format(connection)
    chained = version > 1
    facts = read_facts(connection)
    amendments = tuple(read_amendments(connection)) if chained else ()
    about = checked_facts(facts | {one.name: one.value for one in amendments}, path)
    broken: str | None = None
    trusted = False
    try:
        disputes, drawn, diary = tuple(read_disagreements(connection)), read_drawn(connection), Diary.read(connection)
        if chained:
            records: dict[Part, Sequence[Record]] = {
                "start": [start_record(facts, disputes)],
                "amendments": [(one.number, astuple(one)) for one in amendments],
                "asked": drawn_records(drawn),
                "answers": answer_records(diary.entries),
            }
            place = first_break(read_seals(connection), records)
            broken = None if place is None else _broken(disputes, diary, *place)
            trusted = place is None
        found = Audit(path, about, disputes, drawn, diary, amendments, broken=broken, format=version)
        whole = _whole(found)
        if whole and not trusted:
            found.state  # noqa: B018 - what no checksum vouches for may not make sense
    except (ArithmeticError, LookupError, TypeError, ValueError, InputError) as error:
        if trusted:
            raise
        raise damaged(path, broken or "what it holds cannot be read") from error
    if not whole:
        raise damaged(path, broken or "its questions are not those it was made with")
    return found


def loaded_to_write(connection: Connection, path: Path) -> Audit:
    """Put together what an audit file holds, to add to it; refuse a file that was changed by something else."""
    found = loaded(connection, path)
    if found.broken:
        raise damaged(path, found.broken)
    return found


def _broken(disputes: Sequence[DisagreeingRow], diary: Diary, part: str, number: int) -> str:
    """Say which part of an audit does not fit its checksum."""
    if part == "start":
        return "the settings or the disputed rows were changed"
    if part == "amendments":
        return f"change {number} of the settings was changed, removed or added"
    if part == "asked":
        return f"question {number} was changed, removed or added"
    entry = next((one for one in diary.entries if one.number == number), None)
    if entry is None or not 0 <= entry.row < len(disputes):
        return f"answer {number} was changed or removed"
    return f"answer {number} ({disputes[entry.row].id!r}, by {entry.by} at {entry.at}) was changed or added"


def _whole(audit: Audit) -> bool:
    """Say whether the disputed rows are as many, of the same classes, as were counted when the audit was started."""
    if [one.row for one in audit.disputes] != list(range(len(audit.disputes))):
        return False
    if not all(0 <= row < len(audit.disputes) for row in (*audit.settled, *audit.turns)):
        return False
    said = Counter(tuple(map(identity, (one.label, one.incumbent, one.candidate))) for one in audit.disputes)
    counted = {
        tuple(map(identity, cell)): size
        for *cell, size in audit.about["counts"]
        if identity(cell[1]) != identity(cell[2])
    }
    return said == counted
