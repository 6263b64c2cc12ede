"""An audit as it stands: what its file holds, put together with the judge that reads it."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection

from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.core.seeds import stream
from justesse.judges.audit_plan import AuditPlan, Question, plan_audit
from justesse.judges.audit_rule import AuditRule
from justesse.judges.audit_state import AuditState, audit_state
from justesse.store.answers import Entry, answer_records, read_entries, standing
from justesse.store.audit_file import damaged, file_format, open_audit
from justesse.store.chain import first_break, read_seals
from justesse.store.disputes import (
    Amendment,
    Dispute,
    drawn_records,
    read_amendments,
    read_disputes,
    read_drawn,
    read_facts,
    start_record,
)
from justesse.store.settled import Settled, settled
from justesse.store.tables import FORMAT

PathLike = str | os.PathLike[str]
LATER = {"futility"}  # options that the first files do not have
NO_ANSWER = -2


def class_codes(classes: Iterable[ClassName]) -> dict[tuple[type, ClassName], int]:
    """Give each class a code; a missing answer has one that no true class can have.

    >>> class_codes(["a", "b"])[identity(None)]
    -2
    """
    return {identity(None): NO_ANSWER, **{identity(name): code for code, name in enumerate(classes)}}


@dataclass(frozen=True)
class Audit:
    """What was asked for, the disputed rows, the questions drawn so far, and the diary of answers.

    `about` holds the facts as they are now, `amendments` what was changed since the start; `broken` says what does not
    fit its checksum, and is `None` if everything does. A file of format 1 that nobody has written to has no checksums.
    """

    path: Path
    about: Mapping[str, Any]
    disputes: tuple[Dispute, ...]
    drawn: tuple[Question, ...]
    diary: tuple[Entry, ...]
    amendments: tuple[Amendment, ...] = ()
    broken: str | None = None
    format: int = FORMAT

    @cached_property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes of labels and answers, then those that only experts know."""
        found = {identity(name): name for name in self.about["classes"]}
        for entry in self.diary:
            if entry.kind == "answer":
                found.setdefault(identity(entry.said), entry.said)
        return tuple(found.values())

    @cached_property
    def codes(self) -> dict[tuple[type, ClassName], int]:
        return class_codes(self.classes)

    @cached_property
    def plan(self) -> AuditPlan:
        """The rule by which questions are drawn and answers judged."""
        return planned(self.disputes, self.codes, self.about)

    @cached_property
    def settled(self) -> dict[int, Settled]:
        return settled(standing(self.diary))

    @cached_property
    def answers(self) -> dict[int, int | None]:
        """The class that counts for each question answered; `None` where it cannot be said."""
        return {row: None if one.said is None else self.codes[identity(one.said)] for row, one in self.settled.items()}

    @cached_property
    def state(self) -> AuditState:
        return audit_state(self.plan, self.drawn, self.answers)

    def with_drawn(self, new: Sequence[Question]) -> "Audit":
        """Add questions that were drawn; as long as nobody has answered them, nothing need be worked out again."""
        found = replace(self, drawn=(*self.drawn, *new))
        if not any(one.row in self.settled for one in new):
            known = {"plan": self.plan, "state": replace(self.state, asked=len(found.drawn))}
            found.__dict__.update(known)  # where cached properties are kept
        return found

    @cached_property
    def turns(self) -> dict[int, int]:
        """When each question was drawn, from 1."""
        return {one.row: turn for turn, one in enumerate(self.drawn, start=1)}

    @cached_property
    def by_id(self) -> dict[str, Dispute]:
        return {one.id: one for one in self.disputes}

    @property
    def open(self) -> list[Dispute]:
        """The questions that were drawn and that nobody has answered."""
        return [self.disputes[one.row] for one in self.drawn if one.row not in self.settled]

    def blind(self, dispute: Dispute) -> tuple[ClassName, ClassName]:
        """Give both answers in an order that says nothing about who gave which."""
        both = (dispute.incumbent, dispute.candidate)
        coin = stream(self.about["seed"], "audit", "order shown", dispute.id).random()
        return both if coin < 0.5 else both[::-1]


def planned(
    disputes: tuple[Dispute, ...], codes: Mapping[tuple[type, ClassName], int], about: Mapping[str, Any]
) -> AuditPlan:
    """Plan the audit of these disputed rows."""
    columns = [
        np.array([codes[identity(getattr(one, part))] for one in disputes], dtype=np.int64)
        for part in ("label", "incumbent", "candidate")
    ]
    suspicion = np.array([one.suspicion for one in disputes], dtype=float) if about["suspicion"] else None
    rule = {field.name: about.get(field.name, field.default) for field in fields(AuditRule)}
    return plan_audit(*columns, n=about["n"], suspicion=suspicion, **rule)


def read_audit(path: PathLike) -> Audit:
    """Read an audit file, all of it as it is at one moment."""
    file = open_audit(path)
    with file.reading() as connection:
        return loaded(connection, file.path)


def loaded(connection: Connection, path: Path) -> Audit:
    """Put together what an open audit file holds; refuse questions that are not those it was made with."""
    facts, disputes = read_facts(connection), tuple(read_disputes(connection))
    drawn, diary = tuple(read_drawn(connection)), tuple(read_entries(connection))
    version = file_format(connection)
    chained = version > 1
    amendments = tuple(read_amendments(connection)) if chained else ()
    found = Audit(
        path, facts | {one.name: one.value for one in amendments}, disputes, drawn, diary, amendments, format=version
    )
    if chained:
        broken = first_break(
            read_seals(connection),
            {
                "start": [start_record(facts, disputes)],
                "amendments": [(one.number, astuple(one)) for one in amendments],
                "asked": drawn_records(drawn),
                "answers": answer_records(diary),
            },
        )
        found = replace(found, broken=None if broken is None else _broken(found, *broken))
    if not _whole(found):
        raise damaged(path, found.broken or "its questions are not those it was made with")
    return found


def loaded_to_write(connection: Connection, path: Path) -> Audit:
    """Put together what an audit file holds, to add to it; refuse a file that was changed by something else."""
    found = loaded(connection, path)
    if found.broken:
        raise damaged(path, found.broken)
    return found


def _broken(audit: Audit, part: str, number: int) -> str:
    """Say which part of an audit does not fit its checksum."""
    if part == "start":
        return "the settings or the disputed rows were changed"
    if part == "amendments":
        return f"change {number} of the settings was changed, removed or added"
    if part == "asked":
        return f"question {number} was changed, removed or added"
    entry = next((one for one in audit.diary if one.number == number), None)
    if entry is None or not 0 <= entry.row < len(audit.disputes):
        return f"answer {number} was changed or removed"
    return f"answer {number} ({audit.disputes[entry.row].id!r}, by {entry.by} at {entry.at}) was changed or added"


def _whole(audit: Audit) -> bool:
    """Say whether the disputed rows are as many, of the same classes, as were counted when the audit was started."""
    names = {field.name for field in fields(AuditRule)} - LATER | {"n", "on", "shows", "suspicion", "classes", "counts"}
    if not names <= audit.about.keys() or [one.row for one in audit.disputes] != list(range(len(audit.disputes))):
        return False
    said = Counter(tuple(map(identity, (one.label, one.incumbent, one.candidate))) for one in audit.disputes)
    counted = {
        tuple(map(identity, cell)): size
        for *cell, size in audit.about["counts"]
        if identity(cell[1]) != identity(cell[2])
    }
    return said == counted
