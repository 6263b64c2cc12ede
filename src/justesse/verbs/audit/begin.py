"""Make an audit file of the rows in dispute; a column may play the expert."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from justesse.core.choices import ExpertRule
from justesse.core.class_sets import SEPARATOR, joined_classes, split_classes
from justesse.core.errors import ClassError, InputError
from justesse.core.levels import spellings
from justesse.core.tally import Tally
from justesse.core.version import __version__
from justesse.frames.disagreeing_rows import DisagreeingRows
from justesse.judges.audit_rule import METHOD, AuditRule
from justesse.report.writing import message
from justesse.store.address import AuditAddress
from justesse.store.answers import Diary
from justesse.store.audit_file import new_audit
from justesse.store.disagreements import DisagreeingRow, add_drawn, write_disagreements
from justesse.verbs.audit.audit import Audit, counted_disputes, read_audit
from justesse.verbs.audit.measure import AuditMeasure
from justesse.verbs.audit.status_result import AuditStatus
from justesse.verbs.audit.typed_answer import TypedAnswers


def begin_audit(
    place: Path | AuditAddress,
    rule: AuditRule,
    rows: DisagreeingRows,
    tally: Tally,
    names: tuple[str, str],
    chosen: AuditMeasure,
    *,
    on: str,
    true: str | None,
    experts: ExpertRule,
    budget: int | None,
    shows: str | None,
    suspicion: str | None,
    files: Sequence[tuple[str, str]],
    separator: str = SEPARATOR,
    label_sets: bool = False,
    declared: bool = False,
    weights: Mapping[str, Any] | None = None,
    asking: Mapping[str, Any] | None = None,
) -> AuditStatus:
    """Make the audit file of these rows, and answer the questions if a column plays the expert.

    Parameters
    ----------
    place
        The file to make, or the address in a store.
    rule
        What is decided, and when to stop.
    rows
        The rows that can change the difference.
    tally
        Counts of all rows.
    names
        Names of incumbent and candidate.
    chosen
        The measure.
    on
        Column with the id of each row.
    true
        Column that plays the expert, if there is one.
    experts
        Which answer counts if experts disagree.
    budget
        Number of questions as the user gave it.
    shows
        Whether the expert sees text or an image.
    suspicion
        Column of numbers, higher where the label is more likely wrong.
    files
        Names and fingerprints of the files.
    separator
        Separator of several right classes.
    label_sets
        Whether labels may accept several classes.
    declared
        Whether the user listed the classes.
    weights
        Policy that weighs the rows: its name, its words, and the weight of each row. Default: all rows count alike.
    asking
        How people are asked: instructions, answers_each, third, and the columns shown.
    """
    disputes = tuple(_disputes(rows, separator))
    notes: tuple[str, ...] = ()
    if budget is not None and budget > len(disputes):
        rule = replace(rule, budget=len(disputes))
        template = (
            "The budget of {budget:count question} is larger than the number of disputed rows, {n:count}: all of them can be "
            "asked about."
        )
        notes = (str(message(template, budget=budget, n=len(disputes))),)
    about = {
        **asdict(rule),
        "method": METHOD,
        "experts": experts,
        "n": tally.n,
        "on": on,
        "shows": shows,
        "incumbent": names[0],
        "candidate": names[1],
        "classes": [name for name in rows.classes if name is not None],
        "truth": true,
        "any_of": separator,
        "label_sets": label_sets,
        **chosen.facts,
        "suspicion": suspicion,
        "files": list(files),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "justesse": __version__,
        **({} if weights is None else {"weights": dict(weights)}),
        **(asking or {}),
    }
    expert = None if true is None else _expert(rows, str(true), separator, declared=declared)
    about["counts"] = counted_disputes(disputes) if label_sets else _cells(tally)
    with new_audit(place) as connection:
        write_disagreements(connection, disputes, about)
        if expert is not None:
            by = str(message("the column {column:name}", column=true))
            _simulate(connection, Audit(place, about, disputes, [], Diary()), expert, by=by)
    started = read_audit(place)
    assert isinstance(started, Audit)
    return AuditStatus(started, "start", notes)


def _cells(tally: Tally) -> list[list[Any]]:
    return tally.marginal("label", "incumbent", "candidate").cells()


def _disputes(rows: DisagreeingRows, separator: str) -> Iterator[DisagreeingRow]:
    for at, name in enumerate(rows.ids):
        label, old, new = (rows.classes[codes[at]] for codes in (rows.label, rows.incumbent, rows.candidate))
        if at in rows.label_sets:
            label = joined_classes(rows.label_sets[at], separator)
        suspicion = None if rows.suspicion is None else float(rows.suspicion[at])
        yield DisagreeingRow(at, name, label, old, new, suspicion, rows.shown[at] if rows.shown else None)


def _expert(rows: DisagreeingRows, column: str, separator: str, *, declared: bool) -> list[str | None]:
    """Return the answers of the column that plays the expert, `None` where a cell is empty."""
    assert rows.true is not None
    known = {text for name in rows.classes if name is not None for text in spellings(name)}
    answers = [text for text in rows.true if text is not None]
    if (
        answers
        and not declared
        and not any(part in known for text in answers for part in (text, *split_classes(text, separator)))
    ):
        raise InputError(
            f"Column {column!r} has no class of the labels or answers in any disputed row. It has "
            f"{', '.join(map(repr, dict.fromkeys(answers[:3])))}; the classes are "
            f"{', '.join(repr(name) for name in rows.classes[:5] if name is not None)}. Write both in the same "
            "way, or name all classes (--classes)."
        )
    return list(rows.true)


def _simulate(connection: Connection, audit: Audit, expert: Sequence[str | None], *, by: str) -> None:
    """Ask and answer one question after the other until the audit stops."""
    typed = TypedAnswers(audit.classes, separator=audit.separator, new_class=True, capitals=True)
    while not audit.progress.stop and (new := audit.draw(1)):
        row = new[0].row
        text = expert[row]
        try:
            kind, classes = ("cannot_say", None) if text is None else typed.read(audit.disputes[row], text)
        except ClassError as error:
            raise ClassError(f"{by} has {text!r} for id {audit.disputes[row].id!r}. {error}") from error
        entry = audit.entries.add(row, kind, classes, by=by)
        audit.add_entries([entry] if entry else [])
    add_drawn(connection, audit.drawn)
    audit.entries.save(connection)
