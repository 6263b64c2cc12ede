"""An audit: the contents of its file, and the judge that follows the answers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection

from justesse.core.class_sets import split_classes
from justesse.core.errors import InputError
from justesse.core.levels import identity, spellings
from justesse.core.results import ClassName
from justesse.judges.audit_class_sizes import ClassSize, contradicted_size, without_sizes
from justesse.judges.audit_plan import Answer, AuditPlan, GainRange, plan_audit
from justesse.judges.audit_progress import AuditProgress
from justesse.judges.audit_rule import AuditRule
from justesse.judges.audit_state import AuditState
from justesse.judges.measured_audit import plan_measured_audit
from justesse.judges.quantity import COST
from justesse.report.writing import message
from justesse.store.address import AuditAddress
from justesse.store.answers import Diary, Entry, answer_records
from justesse.store.audit_file import open_audit
from justesse.store.chain import Part, Record, first_break, read_seals
from justesse.store.database_file import damaged, file_format
from justesse.store.disagreements import (
    DisagreeingRow,
    drawn_records,
    read_amendments,
    read_disagreements,
    read_drawn,
    read_facts,
    start_record,
)
from justesse.store.hand_outs import note_records, read_notes
from justesse.store.pooled_rows import pool_record, read_pool
from justesse.store.settled import Settled
from justesse.verbs.audit.base_audit import NO_WINNER, BaseAudit, PathLike
from justesse.verbs.audit.expert_fit import ExpertFit, fit_experts
from justesse.verbs.audit.facts import checked_facts
from justesse.verbs.audit.measure import asked_about, kept_payoffs
from justesse.verbs.audit.pooled_audit import PooledAudit


class Audit(BaseAudit):
    """An audit of an incumbent and a candidate."""

    expert_fit: ExpertFit | None = None

    @property
    def compares_costs(self) -> bool:
        """Whether the measure is a cost, which is no share."""
        return bool(self.about.get("measure") == COST)

    @cached_property
    def plan(self) -> AuditPlan:
        """The rule by which questions are drawn and answers judged, made at the start: answers do not change it."""
        return planned(self.disputes, self.codes, self.about)

    @property
    def progress(self) -> AuditProgress:
        """The judge that follows the answers."""
        if self._progress is None:
            self._progress = AuditProgress(self.plan, self._drawn, self.answers)
        progress: AuditProgress = self._progress
        return progress

    @property
    def state(self) -> AuditState:
        """The state of the audit: verdict, intervals, counts."""
        if self._state is None:
            now = self.progress.state()
            self._state = without_sizes(self.plan, now) if self.contradicted_size else now
        state: AuditState = self._state
        return state

    @property
    def contradicted_size(self) -> ClassSize | None:
        """The class whose number of rows by the answers is outside what the audit allows for, if there is one."""
        return contradicted_size(self.plan, self.answers)

    def _answer(self, settled: Settled) -> Answer:
        """Return the codes of the right classes: none if neither classifier is right, or the question is flawed."""
        if settled.counts is not None:
            return frozenset(self.codes[identity(name)] for name in settled.counts.classes)
        if settled.tied and self.experts != "majority":
            return GainRange.of(end for entry in settled.possible for end in self._ends(entry))
        return None

    def _ends(self, entry: Entry) -> tuple[float, float]:
        """Return the least and the largest gain of a row if this answer is right."""
        right = frozenset(self.codes[identity(name)] for name in entry.classes)
        gain = self.plan.gain(entry.row, right)
        if gain is None:
            return self.plan.span(entry.row)
        return (gain.low, gain.high) if isinstance(gain, GainRange) else (gain, gain)

    def gain(self, entry: Entry) -> int:
        """Return who gains if this answer is right: 1 the candidate, -1 the incumbent, 0 both or neither."""
        row, right = self.disputes[entry.row], {identity(name) for name in entry.classes}
        return int(identity(row.candidate) in right) - int(identity(row.incumbent) in right)

    def _depends_on_all(self) -> bool:
        return self.expert_fit is not None

    def _settle_all(self) -> None:
        """Let a model of the experts' mistakes say which gains are possible, if that is the rule."""
        if self.experts != "model":
            return
        self.expert_fit = fit_experts(self.opinions())
        if self.expert_fit is not None:
            self.answers.update({row: gains for row, gains in self.expert_fit.ranges.items() if row in self.answers})

    def counting(self) -> dict[int, int]:
        """Return the gain of each row by the answer that counts, where one does."""
        return {row: self.gain(each.counts) for row, each in self.settled.items() if each.counts is not None}

    def opinions(self) -> list[tuple[int, str, int]]:
        """List row, person and gain of every answer that stands."""
        return [(row, entry.by, self.gain(entry)) for row, each in self.settled.items() for entry in each.possible]

    def blind(self, row: DisagreeingRow) -> tuple[ClassName, ClassName]:
        """Return both answers in an order that hides who gave which, always the same for the same two classes."""
        both = (row.incumbent, row.candidate)
        return both if self.order[identity(both[0])] < self.order[identity(both[1])] else both[::-1]

    def is_whole(self) -> bool:
        """Tell whether the disputed rows are those counted when the audit was started."""
        if not self.has_rows_of_its_answers():
            return False
        present = Counter(tuple(map(identity, (row.label, row.incumbent, row.candidate))) for row in self.disputes)
        gains, classes = kept_payoffs(self.about), self.about["classes"]
        counts = {
            tuple(map(identity, cell)): size
            for *cell, size in self.about["counts"]
            if asked_about(gains, classes, cell)
        }
        return present == counts


def planned(
    disputes: tuple[DisagreeingRow, ...], codes: Mapping[tuple[type, ClassName], int], about: Mapping[str, Any]
) -> AuditPlan:
    """Plan the audit of these disputed rows."""
    answers = [
        np.array([codes[identity(getattr(row, part))] for row in disputes], dtype=np.int64)
        for part in ("incumbent", "candidate")
    ]
    separator = str(about["any_of"]) if about.get("label_sets") else ""
    labels = np.array([_label_code(row, codes, separator) for row in disputes], dtype=np.int64)
    suspicion = np.array([row.suspicion for row in disputes], dtype=float) if about["suspicion"] else None
    rule = {field.name: about.get(field.name, field.default) for field in fields(AuditRule)}
    if (gains := kept_payoffs(about)) is not None:
        weights = None
        if about.get("weights"):  # of a sum over rows that counts each 1/n
            weights = np.array(about["weights"]["rows"]) * sum(cell[3] for cell in about["counts"])
        return plan_measured_audit(gains, labels, *answers, n=about["n"], suspicion=suspicion, weights=weights, **rule)
    return plan_audit(labels, *answers, n=about["n"], suspicion=suspicion, **rule)


def _label_code(row: DisagreeingRow, codes: Mapping[tuple[type, ClassName], int], separator: str) -> int:
    """Return the code of the label; of a set, that of the one answer it accepts, or none if it accepts both or neither.

    >>> from justesse.verbs.audit.base_audit import class_codes
    >>> codes = class_codes(["a", "b", "c"])
    >>> [_label_code(DisagreeingRow(0, "7", label, "a", "b"), codes, "|") for label in ("c", "b|c", "a|b", "c|d")]
    [2, 1, -3, -3]
    """
    parts = split_classes(row.label, separator) if isinstance(row.label, str) else []
    if len(parts) < 2:
        return codes[identity(row.label)]
    answers = (row.incumbent, row.candidate)
    accepted = [name for name in answers if name is not None and spellings(name) & set(parts)]
    return codes[identity(accepted[0])] if len(accepted) == 1 else NO_WINNER


def counted_disputes(disputes: Iterable[DisagreeingRow]) -> list[list[Any]]:
    """Count disputed rows by label and both answers, to detect a file whose rows were changed."""
    keys = [(row.label, row.incumbent, row.candidate) for row in disputes]
    sizes = Counter(tuple(map(identity, key)) for key in keys)
    return [[*(name for _, name in cell), size] for cell, size in sizes.items()]


def read_audit(path: PathLike | AuditAddress) -> BaseAudit:
    """Read an audit file, all of it at one moment."""
    file = open_audit(path)
    with file.reading() as connection:
        return loaded(connection, file.path)


def loaded(connection: Connection, path: Path | AuditAddress) -> BaseAudit:
    """Read an audit from an open file; refuse questions that are not those it was made with."""
    version = file_format(connection)
    chained = version > 1
    facts = read_facts(connection)
    amendments = tuple(read_amendments(connection)) if chained else ()
    about = checked_facts(facts | {change.name: change.value for change in amendments}, path)
    broken: str | None = None
    trusted = False
    try:
        pooled = "models" in about
        disputes: tuple[Any, ...] = tuple((read_pool if pooled else read_disagreements)(connection))
        drawn, diary, notes = read_drawn(connection), Diary.read(connection), read_notes(connection)
        if chained:
            records: dict[Part, Sequence[Record]] = {
                "start": [(pool_record if pooled else start_record)(facts, disputes)],
                "amendments": [(change.number, astuple(change)) for change in amendments],
                "asked": drawn_records(drawn),
                "answers": answer_records(diary.entries),
                "notes": note_records(notes),
            }
            place = first_break(read_seals(connection), records)
            broken = None if place is None else _broken(disputes, diary, *place)
            migrated = any(change.name == "migrated" for change in amendments)  # checksums came later than the contents
            trusted = place is None and not migrated
        audit = (PooledAudit if pooled else Audit)(
            path, about, disputes, drawn, diary, amendments, notes=notes, broken=broken, format=version
        )
        whole = audit.is_whole()
        if whole and not trusted:
            audit.state  # noqa: B018 - values without a checksum may make no sense
    except (ArithmeticError, LookupError, TypeError, ValueError, InputError) as error:
        if trusted:
            raise
        raise damaged(path, broken or "its contents cannot be read") from error
    if not whole:
        raise damaged(path, broken or "its questions are not those it was made with")
    return audit


def loaded_to_write(connection: Connection, path: Path | AuditAddress) -> BaseAudit:
    """Read an audit to add to it; refuse a file that another program has changed."""
    audit = loaded(connection, path)
    if audit.broken:
        raise damaged(path, audit.broken)
    return audit


def _broken(disputes: Sequence[Any], diary: Diary, part: str, number: int) -> str:
    """Say which part of an audit does not match its checksum."""
    if part == "start":
        return "the settings or the disputed rows were changed"
    if part == "amendments":
        return str(message("change {number} of the settings was changed, removed or added", number=number))
    if part == "notes":
        return str(message("the note on answer {number} was changed, removed or added", number=number))
    if part == "asked":
        return str(message("question {number} was changed, removed or added", number=number))
    entry = next((entry for entry in diary.entries if entry.number == number), None)
    if entry is None or not 0 <= entry.row < len(disputes):
        return str(message("answer {number} was changed or removed", number=number))
    template = "answer {number} ({id:name}, by {by} at {at}) was changed or added"
    return str(message(template, number=number, id=disputes[entry.row].id, by=entry.by, at=entry.at))
