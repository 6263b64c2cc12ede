"""`justesse.audit_next`: the questions to answer now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from justesse.core.errors import OptionError
from justesse.core.levels import shown_name
from justesse.core.results import ClassName
from justesse.core.version import SCHEMA, __version__
from justesse.judges.audit_questions import Question
from justesse.report.document import Document
from justesse.report.result import Result
from justesse.report.writing import message
from justesse.store.audit_file import open_audit
from justesse.store.disagreements import DisagreeingRow, add_drawn
from justesse.store.pooled_rows import PooledRow
from justesse.verbs.audit.audit import loaded_to_write
from justesse.verbs.audit.base_audit import BaseAudit, PathLike
from justesse.verbs.audit.options import QuestionOptions
from justesse.verbs.audit.pooled_audit import PooledAudit
from justesse.verbs.audit.typed_answer import WORDS
from justesse.verbs.audit.words import STOPPED
from justesse.verbs.recorded import recorded


@dataclass(frozen=True)
class AskedQuestion:
    """What the expert sees: an id, the different answers in an order that hides who gave which, and the text or image path.

    `revealed` has who gave which answer and the label, by role or classifier, if they were asked for. `pooled` if more
    than two classifiers answered, `credits` if answers may get partial credit.
    """

    turn: int
    id: str
    answers: tuple[ClassName, ...]
    shown: str | None
    revealed: Mapping[str, ClassName] | None = None
    pooled: bool = False
    credits: bool = False

    @property
    def words(self) -> str:
        """The question on one line, without its text.

        >>> AskedQuestion(1, "img-7", ("cat", "dog"), None).words
        'img-7: cat or dog?'
        """
        different = list(dict.fromkeys(map(shown_name, self.answers)))
        template = "{id:text}: {others:text} or {last:text}?"
        if len(different) < 2:  # rows on which both agree count in precision and F1, or all others gave no answer
            template = "{id:text}: {last:text}, or another class?"
        words = message(template, id=self.id, others=", ".join(different[:-1]), last=different[-1] if different else "")
        if self.revealed is None:
            return str(words)
        shown = ", ".join(f"{part}: {shown_name(name)}" for part, name in self.revealed.items())
        return str(message("{words} ({shown:text})", words=words, shown=shown))

    def to_dict(self) -> dict[str, Any]:
        question = {"turn": self.turn, "id": self.id, "said": list(self.answers), "shown": self.shown}
        if self.revealed and self.pooled:
            answers = {name: answer for name, answer in self.revealed.items() if name != "label"}
            return question | {"models": answers, "label": self.revealed["label"]}
        return question | dict(self.revealed or {})


@dataclass(frozen=True, repr=False)
class AuditQuestions(Result):
    """The questions to answer now, and the classes to choose from; no questions if the audit has stopped."""

    audit: BaseAudit
    questions: tuple[AskedQuestion, ...]

    @property
    def title(self) -> str:
        """How many questions there are, or why there are none."""
        if self.questions:
            template = "{n:count question} to answer, of at most {most:count}."
            return str(message(template, n=len(self.questions), most=self.audit.state.most))
        return str(message("No question to answer: {why}.", why=STOPPED[self.audit.state.stop]))

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "version": __version__,
            "run": {},
            "audit": "next",
            "file": str(self.audit.path),
            "questions": [question.to_dict() for question in self.questions],
            "shows": self.audit.about["shows"],
            "classes": list(self.audit.classes),
            "separator": self.audit.separator,
            "words": list(dict.fromkeys(WORDS)),
            "stop": self.audit.state.stop or None,
        }

    def to_columns(self) -> dict[str, list[Any]]:
        """Lay the questions out as a table with an empty column `class` to fill in."""
        if isinstance(self.audit, PooledAudit):
            return {
                "id": [question.id for question in self.questions],
                "answers": [", ".join(map(shown_name, question.answers)) for question in self.questions],
                "shown": [question.shown or "" for question in self.questions],
                "class": ["" for _ in self.questions],
            }
        return {
            "id": [question.id for question in self.questions],
            "one": [shown_name(question.answers[0]) for question in self.questions],
            "other": [shown_name(question.answers[1]) for question in self.questions],
            "shown": [question.shown or "" for question in self.questions],
            "class": ["" for _ in self.questions],
        }

    def document(self) -> Document:
        from justesse.verbs.audit.answering_document import questions_document

        return questions_document(self)


@recorded
def audit_next(audit: PathLike, n: int = QuestionOptions.n, *, reveal: bool = False) -> AuditQuestions:
    """Return the questions to answer now: those still open, and new ones up to `n`.

    The file keeps which questions were drawn, so that asking twice gives the same ones. Answers to later questions wait
    until the earlier ones are answered, if only with "cannot say": nobody can pick the easy ones.

    Parameters
    ----------
    audit
        The audit file.
    n
        Number of questions, such as 20. Default: 10.
    reveal
        Show which classifier gave which answer, and the label. Experts should answer without knowing.

    Returns
    -------
    AuditQuestions
        The questions; `save` writes them as a table to fill in.

    Examples
    --------
    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     due = audit_next(f"{folder}/my.audit", 2)
    >>> [sorted(question.answers) for question in due.questions]
    [[0, 1], [0, 1]]
    """
    if n < 1:
        raise OptionError(f"n must be at least 1 question; got {n!r}.")
    file = open_audit(audit)
    with file.writing() as connection:
        opened = loaded_to_write(connection, file.path)
        top_up(connection, opened, n)
    due = [] if opened.state.stop else opened.open[:n]
    return AuditQuestions(opened, tuple(asked(opened, row, reveal=reveal) for row in due))


def top_up(connection: Connection, audit: BaseAudit, n: int) -> None:
    """Draw questions until `n` are open, unless the audit has stopped, and save them."""
    add_drawn(connection, draw_until(audit, n))


def draw_until(audit: BaseAudit, n: int) -> list[Question]:
    """Draw questions until `n` are open, unless the audit has stopped; return them to be saved."""
    new: list[Question] = []
    # a question that was answered before it was drawn is not open: draw on
    while (missing := n - len(audit.progress.open)) > 0 and not audit.progress.stop:
        drawn = audit.draw(missing)
        if not drawn:
            break
        new += drawn
    return new


def asked(audit: BaseAudit, row: DisagreeingRow | PooledRow, *, reveal: bool = False) -> AskedQuestion:
    """Make the question about a row that an expert should see."""
    if isinstance(row, PooledRow):
        samples = [own[0] if len(own) == 1 else ", ".join(map(shown_name, own)) for own in row.samples]
        revealed = dict(zip(audit.about["models"], samples, strict=True)) | {"label": row.label}
    else:
        revealed = {part: getattr(row, part) for part in ("incumbent", "candidate", "label")}
    return AskedQuestion(
        audit.turns[row.row], row.id, audit.blind(row), row.shown, revealed if reveal else None,
        pooled=isinstance(row, PooledRow), credits=isinstance(audit, PooledAudit) and audit.plan.graded,
    )  # fmt: skip
