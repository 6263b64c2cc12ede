"""The answers of an audit as data: for JSON and for tables."""

from collections.abc import Iterable
from typing import Any

from justesse.core.class_sets import joined_classes
from justesse.store.answers import Entry
from justesse.verbs.audit.base_audit import BaseAudit


def entry_dict(audit: BaseAudit, entry: Entry) -> dict[str, Any]:
    """Write an answer for JSON."""
    return {
        "number": entry.number,
        "id": audit.disputes[entry.row].id,
        "turn": audit.turns.get(entry.row),
        "kind": entry.kind,
        "class": _listed(entry.answer),
        "by": entry.by,
        "corrects": entry.corrects,
        **({"note": audit.notes[entry.number]} if entry.number in audit.notes else {}),
    }


def _listed(value: Any) -> Any:
    return [*map(_listed, value)] if isinstance(value, tuple) else value


def _cell(entry: Entry) -> str | None:
    if entry.kind == "credit":
        return joined_classes(f"{name}={credit:g}" for name, credit in entry.credits)
    return joined_classes(entry.classes) if entry.classes else None


def answered_at(entries: Iterable[Entry]) -> dict[str, str]:
    """Map the number of each answer to when it was given (UTC), which differs from run to run."""
    return {str(entry.number): entry.at for entry in entries}


def diary_columns(audit: BaseAudit, entries: Iterable[Entry]) -> dict[str, list[Any]]:
    """Lay answers out as columns; several right classes stand in one cell, as `B|C`."""
    answers = tuple(entries)
    return {
        "number": [entry.number for entry in answers],
        "id": [audit.disputes[entry.row].id for entry in answers],
        "turn": [audit.turns.get(entry.row) for entry in answers],
        "kind": [entry.kind for entry in answers],
        "class": [_cell(entry) for entry in answers],
        "by": [entry.by for entry in answers],
        "at": [entry.at for entry in answers],
        "corrects": [entry.corrects for entry in answers],
        **({"note": [audit.notes.get(entry.number) for entry in answers]} if audit.notes else {}),
    }
