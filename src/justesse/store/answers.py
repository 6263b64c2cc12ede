"""The diary of answers: entries are added, never changed; a correction names the entry it replaces."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection

from justesse.core.class_sets import joined_classes
from justesse.core.errors import InputError
from justesse.core.levels import identity, shown_name
from justesse.core.results import ClassName
from justesse.store.chain import Record, seal
from justesse.store.tables import AuditRows

Kind = Literal["answer", "several", "credit", "both", "neither", "flawed", "cannot_say", "withdrawn"]
Credit = tuple[ClassName, float]
AnswerValue = ClassName | tuple[ClassName, ...] | tuple[Credit, ...]
WORDS: dict[Kind, str] = {
    "both": "both right",
    "neither": "neither right",
    "flawed": "question flawed",
    "cannot_say": "cannot say",
    "withdrawn": "withdrawn",
}


@dataclass(frozen=True)
class Entry:
    """One person's answer to a question.

    `kind` is one of:

    answer                the true class
    several               several classes are right (`answer` has them all)
    credit                answers get a credit from 0 to 1 (`answer` has answers with credits; others get none)
    both, neither         both classifiers are right (`answer` has both their answers), or neither is
    flawed                the question has no right answer
    cannot_say            the expert does not know
    withdrawn             the person's earlier answer no longer counts
    """

    number: int
    row: int
    kind: Kind
    answer: AnswerValue
    by: str
    at: str
    corrects: int | None

    @property
    def words(self) -> str:
        """The answer as people read it."""
        if self.kind == "credit":
            return ", ".join(f"{shown_name(name)} = {credit:g}" for name, credit in self.credits)
        return WORDS.get(self.kind) or joined_classes(self.classes)

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The right classes, or those with credits; none if neither classifier is right, or if it is not known."""
        if self.kind == "credit":
            return tuple(name for name, _ in self.credits)
        names: Any = self.answer  # of other kinds, a tuple has classes
        return names if isinstance(names, tuple) else () if names is None else (names,)

    @property
    def credits(self) -> tuple[Credit, ...]:
        """Answers with their credits, of an answer that gives credits."""
        pairs: Any = self.answer if self.kind == "credit" else ()
        return tuple((name, float(credit)) for name, credit in pairs)

    @property
    def meaning(self) -> Hashable:
        """Equal for equal answers: "both" is the same as naming both classes."""
        if self.kind == "credit":
            return frozenset((identity(name), credit) for name, credit in self.credits)
        return frozenset(map(identity, self.classes)) or self.kind


class AlreadyAnsweredError(InputError):
    """The same person has given another answer to the question."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"Already answered: {entry.words}, by {entry.by} at {entry.at}.")
        self.entry = entry


def read_entries(connection: Connection, after: int = 0) -> list[Entry]:
    """Read the entries after a number, the oldest first."""
    answers = AuditRows(connection, "answers")
    rows = connection.execute(answers.select().where(answers.c.number > after).order_by(answers.c.number))
    return [Entry(row.number, row.row, row.kind, _hashable(row.answer), row.by, row.at, row.corrects) for row in rows]


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def answer_records(entries: Iterable[Entry]) -> list[Record]:
    """Return the contents that the checksums of answers are computed from."""
    return [
        (entry.number, [entry.number, entry.row, entry.kind, entry.answer, entry.by, entry.at, entry.corrects])
        for entry in entries
    ]


class Diary:
    """All entries, the oldest first; new ones are on disk when the transaction in which `save` was called has ended.

    Read a diary and add to it within one transaction, or call `update` at the start of the next.
    """

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self._last: dict[int, dict[str, Entry]] = {}
        self._standing: dict[str, dict[int, None]] = {}  # the rows of each person, that answered last at the end
        self._saved = 0
        self._extend(entries)

    @classmethod
    def read(cls, connection: Connection) -> "Diary":
        """Read the diary of an audit file."""
        return cls(read_entries(connection))

    def update(self, connection: Connection) -> list[Entry]:
        """Add the entries that others have written since, and return them."""
        new = read_entries(connection, self._number)
        self._extend(new)
        return new

    def add(
        self,
        row: int,
        kind: Kind,
        answer: AnswerValue = None,
        *,
        by: str,
        correct: bool = False,
        at: str | None = None,
    ) -> Entry | None:
        """Add an answer; return the new entry, or `None` if the same person has already given the same answer.

        A different answer of the same person is refused unless it is a correction. Other people's answers stay.

        Parameters
        ----------
        row, kind, answer
            Row that was answered, kind of the answer, and the answer itself.
        by
            Name of the person.
        correct
            Whether the answer may replace a different one of the same person.
        at
            When the answer was given, as ISO 8601. Default: now.
        """
        last = self._last.get(row, {}).get(by)
        at = at or datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = Entry(self._number + 1, row, kind, answer, by, at, last.number if last else None)
        if last is None and kind == "withdrawn":
            raise InputError(f"{by} has not answered this question, so there is nothing to withdraw.")
        if last is not None:
            if last.meaning == entry.meaning:
                return None
            if last.kind != "withdrawn" and not correct:
                raise AlreadyAnsweredError(last)
        self.entries.append(entry)
        self._note(entry)
        return entry

    def standing(self, row: int) -> list[Entry]:
        """Return each person's last answer about a row, the oldest first, without withdrawn ones."""
        last = [entry for entry in self._last.get(row, {}).values() if entry.kind != "withdrawn"]
        return sorted(last, key=lambda entry: entry.number)

    def last(self, row: int, by: str) -> Entry | None:
        """Return what a person answered last about a row."""
        return self._last.get(row, {}).get(by)

    def rows_of(self, by: str) -> set[int]:
        """Return the rows that a person has answered, without withdrawn answers."""
        return set(self._standing.get(by, ()))

    def last_row_of(self, by: str) -> int | None:
        """Return the row that a person answered last, among the answers that stand."""
        return next(reversed(self._standing.get(by, {})), None)

    def save(self, connection: Connection) -> list[Entry]:
        """Write the entries that were added, and return them."""
        new = self.entries[self._saved :]
        if new:
            AuditRows(connection, "answers").insert(map(vars, new))
            seal(connection, "answers", answer_records(new))
        self._saved = len(self.entries)
        return new

    @property
    def _number(self) -> int:
        return self.entries[-1].number if self.entries else 0

    def _extend(self, entries: Sequence[Entry]) -> None:
        self.entries += entries
        for entry in entries:
            self._note(entry)
        self._saved = len(self.entries)

    def _note(self, entry: Entry) -> None:
        """Keep what a person answered last about a row, and which answers of the person stand."""
        self._last.setdefault(entry.row, {})[entry.by] = entry
        rows = self._standing.setdefault(entry.by, {})
        rows.pop(entry.row, None)
        if entry.kind != "withdrawn":
            rows[entry.row] = None
