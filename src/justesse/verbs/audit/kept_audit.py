"""What the figures of an audit follow from: its settings, disputed rows, drawn questions and answers, without its file."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from typing import Any

from justesse.store.answers import Entry
from justesse.store.disagreements import DisagreeingRow
from justesse.store.pooled_rows import PooledRow
from justesse.verbs.audit.base_audit import BaseAudit
from justesse.verbs.audit.words import StatusCommand


@dataclass(frozen=True)
class AuditPlace:
    """Where an audit was: words only, nothing is opened there."""

    text: str
    name: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class KeptAudit:
    """The contents of an audit, from which its evidence and verdict are computed again.

    Texts that experts see are left out: no figure depends on them.

    Parameters
    ----------
    place
        Where the audit was.
    about
        Settings, changes since the start included.
    disputes
        Disputed rows, one list each.
    drawn
        Questions in the order drawn: row, stratum, chances.
    entries
        Answers in the order given, corrected and withdrawn ones included.
    amendments
        Changes of the settings.
    notes
        Number and text of the notes on answers.
    broken
        What did not match its checksum in the audit file.
    format
        Format of the audit file.
    part
        Command that made the result.
    cautions
        Cautions about how the audit was started.
    """

    place: AuditPlace
    about: Mapping[str, Any]
    disputes: list[list[Any]]
    drawn: list[list[Any]]
    entries: list[list[Any]]
    amendments: list[list[Any]]
    notes: list[list[Any]]
    broken: str | None
    format: int
    part: StatusCommand
    cautions: list[str]

    @classmethod
    def of(cls, audit: BaseAudit, part: StatusCommand, cautions: tuple[str, ...]) -> "KeptAudit":
        """Take the contents of an audit."""
        return cls(
            AuditPlace(str(audit.path), audit.path.name),
            dict(audit.about),
            [_several(row) if isinstance(row, PooledRow) else _two(row) for row in audit.disputes],
            [[question.row, question.stratum, *question.weights] for question in audit.drawn],
            [_entry(entry) for entry in audit.diary],
            [list(astuple(change)) for change in audit.amendments],
            [[number, text] for number, text in audit.notes.items()],
            audit.broken,
            audit.format,
            part,
            list(cautions),
        )


def _two(row: DisagreeingRow) -> list[Any]:
    return [row.id, row.label, row.incumbent, row.candidate, row.suspicion]


def _several(row: PooledRow) -> list[Any]:
    """List a row; the credits that its answers got in the data come last, if there are any."""
    return [row.id, row.label, *row.answers, *([row.credits] if row.credits is not None else [])]


def _entry(entry: Entry) -> list[Any]:
    values = [getattr(entry, field.name) for field in fields(Entry)]
    return [list(value) if isinstance(value, tuple) else value for value in values]
