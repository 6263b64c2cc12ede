"""One person's session with an audit: one question after the other, none that another person is answering."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection

from justesse.core.errors import FileError, InputError
from justesse.store.answers import Kind
from justesse.store.audit_file import open_audit
from justesse.store.disagreements import read_amendments, read_drawn
from justesse.store.held import held_by_others, hold, release
from justesse.verbs.audit.answer import answer_one, user
from justesse.verbs.audit.audit import loaded, loaded_to_write
from justesse.verbs.audit.base_audit import BaseAudit, PathLike
from justesse.verbs.audit.next import AskedQuestion, asked, top_up
from justesse.verbs.audit.pooled_status import PooledStatus
from justesse.verbs.audit.status_result import AuditStatus, status_of
from justesse.verbs.audit.typed_answer import TypedAnswers, UnknownClassError


@dataclass(frozen=True)
class Due:
    """A question for one person, how many are answered so far, and how many there can be."""

    question: AskedQuestion
    answered: int
    most: int


class Sitting:
    """A session: the audit is read once, then only what others have added, so that each answer takes the same time.

    Every answer is on disk when `answer` returns.

    >>> import tempfile
    >>> from justesse.verbs.audit.start import audit_start
    >>> rows = {"id": list(range(90)), "label": [0] * 90, "old": [1] * 30 + [0] * 60, "new": [0] * 90}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     started = audit_start(rows, incumbent="old", candidate="new", on="id", to=f"{folder}/my.audit")
    ...     sitting = Sitting(f"{folder}/my.audit", by="Ann")
    ...     while due := sitting.next():
    ...         sitting.answer(due.question.id, 0)
    ...     print(len(sitting.done), sitting.status().decision)
    6 replace
    """

    def __init__(self, audit: PathLike, *, by: str | None = None, reveal: bool = False) -> None:
        self.file = open_audit(audit)
        self.by, self.reveal = (by or "").strip() or user(), reveal
        self.done: list[str] = []
        self._skipped: set[str] = set()
        self._audit: BaseAudit | None = None

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, BaseAudit]]:
        try:
            with self.file.writing() as connection:
                yield connection, self._up_to_date(connection)
        except FileError:
            self._audit = None  # it holds what did not reach the disk
            raise
        except InputError:
            raise
        except BaseException:
            self._audit = None  # it may hold what did not reach the disk
            raise

    def _up_to_date(self, connection: Connection) -> BaseAudit:
        audit = self._audit
        if audit is None or len(read_amendments(connection)) != len(audit.amendments):
            audit = self._audit = loaded_to_write(connection, self.file.path)
        else:
            audit.add_drawn(read_drawn(connection, after=len(audit.turns)))
            audit.add_entries(audit.entries.update(connection))
        return audit

    def next(self) -> Due | None:
        """Return the next question for this person; `None` if there is none.

        Questions that this person has skipped, or that others are answering, are left out; a new one is drawn if no
        other is left.
        """
        with self._writing() as (connection, audit):
            if audit.progress.stop:
                return None
            others = held_by_others(connection, by=self.by)
            left_out = {row.row for row in audit.open if row.row in others or row.id in self._skipped}
            top_up(connection, audit, len(left_out) + 1)
            free = next((row for row in audit.open if row.row not in left_out), None)
            if free is None:
                return None
            hold(connection, free.row, by=self.by)
        most = min(audit.plan.budget, audit.plan.disputed)
        return Due(asked(audit, free, reveal=self.reveal), len(audit.turns) - len(audit.progress.open), most)

    def answer(
        self, id: str, class_name: object = None, *kinds: Kind, new_class: bool = False, correct: bool = False
    ) -> None:
        """Save an answer: a class, what was typed, or a kind of answer without a class."""
        with self._writing() as (connection, audit):
            typed = TypedAnswers(audit.classes, separator=audit.separator, new_class=new_class)
            entry = answer_one(audit, typed, id, class_name, kinds, by=self.by, correct=correct)
            audit.entries.save(connection)
            audit.add_entries([entry] if entry else [])
        if kinds == ("withdrawn",):
            self.done.remove(id)
        else:
            self.done.append(id)

    def skip(self, id: str) -> None:
        """Leave a question open, for others or for later."""
        self._skipped.add(id)

    def unknown(self, typed: str) -> UnknownClassError | None:
        """Return what is wrong with a class that was typed, if neither labels nor classifiers use it."""
        audit = self._audit
        assert audit is not None
        if "#" in typed or "=" in typed:
            return None  # a number or a credit, which the answer itself explains if it is wrong
        try:
            TypedAnswers(audit.classes, separator=audit.separator).read(audit.disputes[0], typed)
        except UnknownClassError as error:
            return error
        return None

    def leave(self) -> None:
        """Release the question on this person's screen for others."""
        with self.file.writing() as connection:
            release(connection, by=self.by)

    def status(self) -> AuditStatus | PooledStatus:
        """Return the status of the audit."""
        if self._audit is None:
            with self.file.reading() as connection:
                self._audit = loaded(connection, self.file.path)
        return status_of(self._audit)
