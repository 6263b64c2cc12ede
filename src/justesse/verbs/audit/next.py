"""`justesse.audit_next`: the questions that are due."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from justesse.core.errors import OptionError
from justesse.core.levels import shown_name
from justesse.core.printable import printable
from justesse.core.results import ClassName
from justesse.core.version import SCHEMA, __version__
from justesse.frames.native import native_frame, write_table
from justesse.judges.audit_plan import Question
from justesse.store.audit_file import open_audit
from justesse.store.disagreements import DisagreeingRow, add_drawn
from justesse.verbs.audit.audit import Audit, PathLike, loaded_to_write
from justesse.verbs.audit.typed_answer import WORDS


@dataclass(frozen=True)
class AskedQuestion:
    """What the expert sees: an id, two answers in an order that tells nothing, and the text or the image's path.

    Who gave which answer, and the label, are only there if asked for.
    """

    turn: int
    id: str
    said: tuple[ClassName, ClassName]
    shown: str | None
    revealed: DisagreeingRow | None = None

    def to_dict(self) -> dict[str, Any]:
        found = {"turn": self.turn, "id": self.id, "said": list(self.said), "shown": self.shown}
        names = ("incumbent", "candidate", "label")
        return found | ({name: getattr(self.revealed, name) for name in names} if self.revealed else {})


@dataclass(frozen=True)
class AuditQuestions:
    """The questions that are due, and the classes to choose from; no questions if the audit has stopped."""

    audit: Audit
    questions: tuple[AskedQuestion, ...]

    @property
    def title(self) -> str:
        """How many questions there are, or why there are none."""
        if self.questions:
            many = len(self.questions)
            return f"{many} question{'s' if many > 1 else ''} to answer, of at most {self.audit.state.most:,}."
        return f"No question is due: {STOPPED[self.audit.state.stop]}."

    def to_dict(self) -> dict[str, Any]:
        """Give exactly what `--json` prints."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "audit": "next",
            "file": str(self.audit.path),
            "questions": [one.to_dict() for one in self.questions],
            "shows": self.audit.about["shows"],
            "classes": list(self.audit.classes),
            "separator": self.audit.separator,
            "words": list(dict.fromkeys(WORDS)),
            "stop": self.audit.state.stop or None,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the questions out as a table whose column `class` is to be filled in."""
        return {
            "id": [one.id for one in self.questions],
            "one": [shown_name(one.said[0]) for one in self.questions],
            "other": [shown_name(one.said[1]) for one in self.questions],
            "shown": [one.shown or "" for one in self.questions],
            "class": ["" for _ in self.questions],
        }

    def to_frame(self) -> Any:
        """Give that table as an Arrow table."""
        return native_frame(self.to_columns(), like=None)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write that table, to be filled in: csv or parquet, by the ending."""
        return write_table(self.to_columns(), Path(path))

    def __repr__(self) -> str:
        lines = [
            printable(f"{one.id}: {one.said[0]} or {one.said[1]}?{f'  {one.shown}' if one.shown else ''}")
            for one in self.questions
        ]
        return "\n".join([self.title, "", *lines]).rstrip()


STOPPED = {
    "replace": "the candidate is shown to be better",
    "keep": "the candidate is shown not to be better, or not by the margin",
    "equivalent": "the two are shown to differ by less than the margin",
    "answered": "every row on which the two disagree is answered",
    "budget": "as many questions were asked as the budget allows",
    "futility": "the questions left will hardly settle it (chance below 3 %)",
    "": "all that were drawn are answered",
}


def audit_next(audit: PathLike, n: int = 10, *, reveal: bool = False) -> AuditQuestions:
    """Give the questions that are due: those still open, and new ones up to `n`.

    What is drawn is kept in the file, so that asking twice gives the same questions. The order of the two answers does
    not tell who gave which; with `reveal` it is said, with the label. It is wrong to answer only the easy ones: answers
    to later questions wait until the earlier ones are answered, or are said to be unanswerable.

    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     found = audit_next(f"{folder}/my.audit", 2)
    >>> [sorted(one.said) for one in found.questions]
    [[0, 1], [0, 1]]
    """
    if n < 1:
        raise OptionError(f"at least one question is asked for; got n={n!r}")
    file = open_audit(audit)
    with file.writing() as connection:
        found = loaded_to_write(connection, file.path)
        top_up(connection, found, n)
    due = [] if found.state.stop else found.open[:n]
    return AuditQuestions(found, tuple(asked(found, one, reveal=reveal) for one in due))


def top_up(connection: Connection, audit: Audit, n: int) -> None:
    """Draw questions until `n` are open, if the audit goes on."""
    new: list[Question] = []
    # one that somebody answered before it was drawn is not open: draw on
    while (missing := n - len(audit.progress.open)) > 0 and not audit.progress.stop:
        drawn = audit.draw(missing)
        if not drawn:
            break
        new += drawn
    add_drawn(connection, new)


def asked(audit: Audit, dispute: DisagreeingRow, *, reveal: bool = False) -> AskedQuestion:
    """Show a question the way an expert should see it."""
    said = audit.blind(dispute)
    return AskedQuestion(audit.turns[dispute.row], dispute.id, said, dispute.shown, dispute if reveal else None)
