"""What every audit has: the contents of its file, and the answers that count. Subclasses say how they are judged."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from justesse.core.choices import ExpertRule
from justesse.core.class_sets import SEPARATOR
from justesse.core.errors import ClassError
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.core.seeds import stream
from justesse.judges.audit_questions import Question
from justesse.store.address import AuditAddress
from justesse.store.answers import Diary, Entry, Kind
from justesse.store.disagreements import Amendment
from justesse.store.settled import Settled, settle
from justesse.store.tables import FORMAT

PathLike = str | os.PathLike[str]
NO_ANSWER = -2
NO_WINNER = -3  # a label that accepts both answers, or neither


def class_codes(classes: Iterable[ClassName]) -> dict[tuple[type, ClassName], int]:
    """Give each class a code; a missing answer has one that no true class can have.

    >>> class_codes(["a", "b"])[identity(None)]
    -2
    """
    return {identity(None): NO_ANSWER, **{identity(name): code for code, name in enumerate(classes)}}


class BaseAudit(ABC):
    """The settings, the disputed rows, the questions drawn so far, and the diary of answers.

    `about` has the settings as they are now, `amendments` the changes since the start. `broken` says what does not
    match its checksum, and is `None` if everything does; a file of format 1 that nobody has written to has no
    checksums. `add_drawn` and `add_entries` add new questions and answers and compute only what depends on them.
    """

    def __init__(
        self,
        path: Path | AuditAddress,
        about: Mapping[str, Any],
        disputes: Sequence[Any],
        drawn: Sequence[Question],
        entries: Diary,
        amendments: Sequence[Amendment] = (),
        *,
        notes: Mapping[int, str] | None = None,
        broken: str | None = None,
        format: int = FORMAT,
    ) -> None:
        self.path, self.about = path, about
        self.disputes: tuple[Any, ...] = tuple(disputes)
        self.entries, self.amendments, self.broken, self.format = entries, tuple(amendments), broken, format
        self.notes = dict(notes or {})
        self.codes = class_codes(about.get("classes", ()))
        self.settled: dict[int, Settled] = {}
        self.answers: dict[int, Any] = {}
        self._drawn = list(drawn)
        self._progress: Any = None
        self._state: Any = None
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
        """The separator between several right classes."""
        return str(self.about.get("any_of", SEPARATOR))

    @property
    def experts(self) -> ExpertRule:
        """Which answer counts if experts disagree; files made before there was a choice have the majority."""
        rule: ExpertRule = self.about.get("experts", "majority")
        return rule

    @property
    def answers_each(self) -> int:
        """How many people answer each question; it counts once all of them have."""
        return int(self.about.get("answers_each", 1))

    @property
    def paused(self) -> bool:
        """Whether no further question is given to anybody."""
        return bool(self.about.get("paused", False))

    @property
    def instructions(self) -> str:
        """What annotators are to read first."""
        return str(self.about.get("instructions") or "")

    def missing_answers(self, row: int) -> int:
        """Return how many more people must answer a row: one more if those who did disagree and a third decides."""
        settled = self.settled.get(row)
        if settled is None:
            return self.answers_each
        third = settled.differ and self.answers_each > 1 and bool(self.about.get("third", True))
        return max(self.answers_each + third - len(settled.people), 0)

    @property
    @abstractmethod
    def plan(self) -> Any:
        """The rule by which questions are drawn and answers judged, made at the start: answers do not change it."""

    @property
    @abstractmethod
    def progress(self) -> Any:
        """The judge that follows the answers."""

    @property
    @abstractmethod
    def state(self) -> Any:
        """The state of the audit: how far it is, and what it shows."""

    @abstractmethod
    def blind(self, row: Any) -> tuple[ClassName, ...]:
        """Return the answers to choose from, in an order that hides who gave which."""

    @abstractmethod
    def is_whole(self) -> bool:
        """Tell whether the disputed rows are those of the start."""

    @abstractmethod
    def _answer(self, settled: Settled) -> Any:
        """Return what an answer means to the judge."""

    def check_kind(self, kind: Kind) -> None:
        """Refuse a kind of answer that this audit cannot count."""
        if kind == "credit":
            raise ClassError(
                f"{self.path.name} counts answers as right or wrong, without partial credit. Name the right classes, "
                "such as B|C."
            )

    def has_rows_of_its_answers(self) -> bool:
        """Tell whether rows are numbered from 0 and every question and answer is about one of them."""
        if [row.row for row in self.disputes] != list(range(len(self.disputes))):
            return False
        return all(0 <= row < len(self.disputes) for row in (*self.settled, *self.turns))

    @property
    def counted(self) -> int:
        """How many answers count: those before the first open question."""
        rows = (question.row for question in self._drawn)
        return next((at for at, row in enumerate(rows) if row not in self.answers), len(self._drawn))

    @cached_property
    def turns(self) -> dict[int, int]:
        """The number of each question, from 1, in the order drawn."""
        return {question.row: turn for turn, question in enumerate(self._drawn, start=1)}

    @cached_property
    def by_id(self) -> dict[str, Any]:
        """The disputed rows by id."""
        return {row.id: row for row in self.disputes}

    @property
    def open(self) -> list[Any]:
        """The questions that are drawn and not answered."""
        return [self.disputes[row] for row in self.progress.open]

    def add_drawn(self, new: Sequence[Question]) -> None:
        """Add questions that were drawn."""
        if not new:
            return
        self.turns.update({question.row: turn for turn, question in enumerate(new, start=len(self._drawn) + 1)})
        self._drawn += new
        self._state = None
        if self._progress is not None:
            self._progress.add(new)

    def draw(self, count: int) -> list[Question]:
        """Draw up to `count` more questions."""
        new: list[Question] = self.progress.next(count)
        self.add_drawn(new)
        return new

    def add_entries(self, new: Iterable[Entry]) -> None:
        """Add entries that are already in the diary."""
        rows = self._settle(new)
        if self._depends_on_all():
            self._progress = None  # an answer may change how certain all others are
        for row in rows:
            if self._progress is not None and row in self.answers:
                self._progress.answer(row, self.answers[row])
            elif self._progress is not None:
                self._progress.forget(row)
        self._state = None

    def _settle(self, new: Iterable[Entry]) -> Iterable[int]:
        """Find out what counts for the rows of these entries; return the rows."""
        rows: dict[int, None] = {}
        for entry in new:
            rows[entry.row] = None
            for name in entry.classes:
                self.codes.setdefault(identity(name), len(self.codes) - 1)  # a missing answer has none of them
        for row in rows:
            if standing := self.entries.standing(row):
                self.settled[row] = settle(row, standing, self.experts)
            else:
                self.settled.pop(row, None)
            if row in self.settled and not self.missing_answers(row):
                self.answers[row] = self._answer(self.settled[row])
            else:
                self.answers.pop(row, None)
        if rows:
            self._settle_all()
        return rows

    def _depends_on_all(self) -> bool:
        """Whether what counts as an answer depends on the answers to other rows."""
        return False

    def _settle_all(self) -> None:  # noqa: B027 - most audits have nothing to add
        """Work out what depends on the answers to all rows."""

    @cached_property
    def order(self) -> dict[tuple[type, ClassName], int]:
        """One order of all classes, shuffled once by the seed, in which two answers are shown."""
        names = [identity(name) for name in (*self.about["classes"], None)]  # one of the two may give no answer
        shuffled = stream(self.about["seed"], "audit", "order of classes").permutation(len(names)).tolist()
        return dict(zip(names, shuffled, strict=True))
