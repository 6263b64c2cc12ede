"""`justesse.dossier_datasheet`: the data sheet of a test set: begun, checked, and shown as a checklist."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from justesse.core.errors import InputError
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import write_whole
from justesse.report.document import Column, Document, Section, Table
from justesse.report.result import Result
from justesse.report.writing import Message, message
from justesse.store.datasheet import UNANSWERED, Datasheet, template
from justesse.store.datasheet import datasheet as open_datasheet
from justesse.verbs.dossier.opened import opened_dossier
from justesse.verbs.dossier.sheet_questions import (
    ANSWERED,
    CHECKLIST,
    IMPACT,
    Practice,
    answered_text,
    section_questions,
    section_text,
)

SheetState = Literal["machine", "answered", "open"]
SIGNED = re.compile(r"(.+),\s*(\d{4}-\d{2}-\d{2})")


@dataclass(frozen=True)
class ChecklistLine:
    """A good practice: checked by a machine, answered by a person on a date, or open."""

    title: str
    state: SheetState
    words: Message
    failed: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"practice": self.title, "state": self.state, "finding": str(self.words), "failed": self.failed}


@dataclass(frozen=True, repr=False)
class SheetCheck(Result):
    """A data sheet, and the checklist of good practices by it."""

    sheet: Datasheet
    lines: tuple[ChecklistLine, ...]
    added: tuple[str, ...] = ()

    @property
    def open(self) -> list[str]:
        """The practices that nobody and nothing has answered."""
        return [line.title for line in self.lines if line.state == "open"]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "file": str(self.sheet.path),
            "started": self.sheet.started,
            "added": list(self.added),
            "complete": not self.open,
            "checklist": [line.to_dict() for line in self.lines],
            "answers": {section: dict(answers) for section, answers in self.sheet.answers.items()},
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the checklist out as columns, one row per practice."""
        return {
            "practice": [line.title for line in self.lines],
            "state": [line.state for line in self.lines],
            "finding": [str(line.words) for line in self.lines],
        }

    @property
    def headline(self) -> Message:
        """How many practices are checked, answered and open."""
        counts = {state: sum(line.state == state for line in self.lines) for state in ("machine", "answered", "open")}
        template = "{machine:count} of {n:count} practices checked by a machine, {answered:count} answered by people, {open:count} open."
        return message(template, n=len(self.lines), **counts)

    def document(self) -> Document:
        rows = [[line.title, line.words] for line in self.lines]
        checklist = Table("", [Column("good practice", "words"), Column("state", "sentence")], rows, most=40)
        sections = [Section("checklist", "Checklist", [checklist], "headline")]
        for name, (title, questions) in section_questions().items():
            answers = self.sheet.answers.get(name, {})
            listed = [[question, answers.get(key, "") or "open"] for key, question in questions.items()]
            table = Table("", [Column("question", "words"), Column("answer", "words")], listed)
            sections.append(Section(name, title, [table], "full"))
        return Document(
            "Data sheet of a test set",
            self.headline,
            sections,
            self.to_dict(),
            name="datasheet",
            next_step=message("Answer the open questions in {path}, then run this again.", path=self.sheet.path)
            if self.open
            else "",
            facts=[("file", str(self.sheet.path)), ("justesse", __version__)],
        )


def dossier_datasheet(
    file: str | os.PathLike[str], *, inspection: str | os.PathLike[str] | None = None, add: bool = False
) -> SheetCheck:
    """Begin a data sheet if the file does not exist, and say what in it is checked, answered or open.

    Parameters
    ----------
    file
        The data sheet, a .yaml file; `justesse inspect --datasheet` makes one, too.
    inspection
        Dossier of justesse inspect on the same test set: its checks count as checked by a machine. Default: none.
    add
        Append the sections that the file lacks, with their questions.

    Returns
    -------
    SheetCheck
        `lines` is the checklist, `open` what nobody has answered.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "test.yaml"
    >>> result = dossier_datasheet(path)
    >>> len(result.open) == len(result.lines), result.sheet.started
    (True, True)
    """
    path = Path(file)
    checks = _inspected(Path(inspection)) if inspection is not None else {}
    started = not path.exists()
    sheet = open_datasheet(path)
    added: list[str] = []
    if started or add:
        added = _append(path, sheet, started=started)
        sheet = Datasheet(path, open_datasheet(path).answers, started)
    return SheetCheck(sheet, tuple(_line(practice, sheet, checks) for practice in CHECKLIST), tuple(added))


def _append(path: Path, sheet: Datasheet, *, started: bool) -> list[str]:
    """Add the sections that are missing to the end of the file; nothing that is there is touched."""
    names = [name for name in section_questions() if name not in sheet.answers] if not started else list(IMPACT)
    texts = [section_text(name) for name in names]
    if ANSWERED not in sheet.answers:
        names, texts = [*names, ANSWERED], [*texts, answered_text()]
    before = template() if started else path.read_text(encoding="utf-8-sig")
    content = before.rstrip("\n") + "\n" + "".join(texts)
    write_whole(path, lambda temporary: Path(temporary).write_text(content, encoding="utf-8"))
    return names


def _inspected(path: Path) -> dict[str, Mapping[str, Any]]:
    """Read the checks of an inspection from its dossier, by code."""
    record = opened_dossier(path)
    if record["asked"]["verb"] != "inspect":
        raise InputError(f"{path} is the dossier of {record['asked']['verb']}. Name one that justesse inspect wrote.")
    return {check["code"]: check for check in record["results"]["checks"]}


def _line(practice: Practice, sheet: Datasheet, checks: Mapping[str, Mapping[str, Any]]) -> ChecklistLine:
    own = [
        check
        for code, check in checks.items()
        if code in practice.codes or (practice.condition is not None and check["condition"] == practice.condition)
    ]
    failed = [check["code"] for check in own if check["state"] == "failed"]
    passed = [check["code"] for check in own if check["state"] == "passed"]
    if failed:
        words = message("Checked by a machine: failed ({codes}).", codes=", ".join(failed))
        return ChecklistLine(practice.title, "machine", words, failed=True)
    if passed:
        return ChecklistLine(
            practice.title, "machine", message("Checked by a machine: passed ({codes}).", codes=", ".join(passed))
        )
    missing = [name for question in practice.questions for name in _missing(question, sheet)]
    if not practice.questions:
        return ChecklistLine(
            practice.title, "open", message("Open: inspect the test set, and name the dossier of that (--inspection).")
        )
    if missing:
        return ChecklistLine(practice.title, "open", message("Open: {names:names}.", names=missing))
    section = practice.questions[0].partition(".")[0]
    signed = SIGNED.fullmatch(sheet.answers.get(ANSWERED, {}).get(section, "").strip())
    if signed is None:
        template = 'Open: answered, but {section} has no "NAME, YYYY-MM-DD" under {answered}.'
        return ChecklistLine(practice.title, "open", message(template, section=section, answered=ANSWERED))
    return ChecklistLine(
        practice.title, "answered", message("Answered by {name} on {date}.", name=signed[1], date=signed[2])
    )


def _missing(question: str, sheet: Datasheet) -> list[str]:
    """List the keys without an answer: of a whole section, or of one question."""
    section, _, key = question.partition(".")
    keys = [key] if key else list(section_questions()[section][1])
    answers = sheet.answers.get(section, {})
    return [f"{section}.{name}" for name in keys if answers.get(name, "").strip().lower() in UNANSWERED]
