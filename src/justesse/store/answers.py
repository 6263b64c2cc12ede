"""The diary of answers: entries are added, never changed; a correction names the entry it replaces."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import Connection, insert, select

from justesse.core.class_sets import joined_classes
from justesse.core.errors import InputError
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.store.chain import Record, seal
from justesse.store.tables import answers

Kind = Literal["answer", "several", "both", "neither", "flawed", "cannot_say", "withdrawn"]
AnswerValue = ClassName | tuple[ClassName, ...]
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
        return WORDS.get(self.kind) or joined_classes(self.classes)

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The right classes; none if neither classifier is right, or if it is not known."""
        return self.answer if isinstance(self.answer, tuple) else () if self.answer is None else (self.answer,)

    @property
    def meaning(self) -> Hashable:
        """Equal for equal answers: "both" is the same as naming both classes."""
        return frozenset(map(identity, self.classes)) or self.kind


class AlreadyAnsweredError(InputError):
    """The same person has given another answer to the question."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"Already answered: {entry.words}, by {entry.by} at {entry.at}.")
        self.entry = entry


def read_entries(connection: Connection, after: int = 0) -> list[Entry]:
    """Read the entries after a number, the oldest first."""
    rows = connection.execute(select(answers).where(answers.c.number > after).order_by(answers.c.number))
    return [Entry(row.number, row.row, row.kind, _hashable(row.answer), row.by, row.at, row.corrects) for row in rows]


def _hashable(value: Any) -> AnswerValue:
    return tuple(value) if isinstance(value, list) else value


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

    def add(self, row: int, kind: Kind, answer: AnswerValue = None, *, by: str, correct: bool = False) -> Entry | None:
        """Add an answer; return the new entry, or `None` if the same person has already given the same answer.

        A different answer of the same person is refused unless it is a correction. Other people's answers stay.
        """
        last = self._last.get(row, {}).get(by)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = Entry(self._number + 1, row, kind, answer, by, now, last.number if last else None)
        if last is None and kind == "withdrawn":
            raise InputError(f"{by} has not answered this question, so there is nothing to withdraw.")
        if last is not None:
            if last.meaning == entry.meaning:
                return None
            if last.kind != "withdrawn" and not correct:
                raise AlreadyAnsweredError(last)
        self.entries.append(entry)
        self._last.setdefault(row, {})[by] = entry
        return entry

    def standing(self, row: int) -> list[Entry]:
        """Return each person's last answer about a row, the oldest first, without withdrawn ones."""
        last = [entry for entry in self._last.get(row, {}).values() if entry.kind != "withdrawn"]
        return sorted(last, key=lambda entry: entry.number)

    def save(self, connection: Connection) -> list[Entry]:
        """Write the entries that were added, and return them."""
        new = self.entries[self._saved :]
        if new:
            connection.execute(insert(answers), [vars(entry) for entry in new])
            seal(connection, "answers", answer_records(new))
        self._saved = len(self.entries)
        return new

    @property
    def _number(self) -> int:
        return self.entries[-1].number if self.entries else 0

    def _extend(self, entries: Sequence[Entry]) -> None:
        self.entries += entries
        for entry in entries:
            self._last.setdefault(entry.row, {})[entry.by] = entry
        self._saved = len(self.entries)
