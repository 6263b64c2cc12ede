"""The diary of answers: entries are added, never changed; a correction names the entry it takes the place of."""

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
Said = ClassName | tuple[ClassName, ...]
WORDS: dict[Kind, str] = {
    "both": "both right",
    "neither": "neither right",
    "flawed": "question flawed",
    "cannot_say": "cannot say",
    "withdrawn": "withdrawn",
}


@dataclass(frozen=True)
class Entry:
    """What somebody said about a question.

    answer                the true class
    several               several classes are right (`said` has them all)
    both, neither         both classifiers are right (`said` has both their answers), or neither is
    flawed                the question has no right answer
    cannot_say            the expert does not know
    withdrawn             an earlier entry does not hold any more
    """

    number: int
    row: int
    kind: Kind
    said: Said
    by: str
    at: str
    corrects: int | None

    @property
    def words(self) -> str:
        """What was said, for people."""
        return WORDS.get(self.kind) or joined_classes(self.classes)

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes that are right; none if neither is, or if it is not known."""
        return self.said if isinstance(self.said, tuple) else () if self.said is None else (self.said,)

    @property
    def meaning(self) -> Hashable:
        """What tells this from other answers: "both" is the same as naming both classes."""
        return frozenset(map(identity, self.classes)) or self.kind


class AlreadyAnsweredError(InputError):
    """The same person has answered the question in another way."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"answered already: {entry.words}, by {entry.by} at {entry.at}")
        self.entry = entry


def read_entries(connection: Connection, after: int = 0) -> list[Entry]:
    """Read the diary, the oldest entry first, those after a number only."""
    found = connection.execute(select(answers).where(answers.c.number > after).order_by(answers.c.number))
    return [Entry(row.number, row.row, row.kind, _hashable(row.said), row.by, row.at, row.corrects) for row in found]


def _hashable(said: Any) -> Said:
    return tuple(said) if isinstance(said, list) else said


def answer_records(entries: Iterable[Entry]) -> list[Record]:
    """Give what the checksums of answers are made from."""
    return [(one.number, [one.number, one.row, one.kind, one.said, one.by, one.at, one.corrects]) for one in entries]


class Diary:
    """All entries, the oldest first; new ones are on disk once `save` was called and its transaction has ended.

    A diary is read and added to within one transaction, or brought up to date with `update` at the start of the next.
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
        """Add what others have written since; give it."""
        new = read_entries(connection, self._number)
        self._extend(new)
        return new

    def add(self, row: int, kind: Kind, said: Said = None, *, by: str, correct: bool = False) -> Entry | None:
        """Add an answer; give the new entry, or `None` if the same person has said the same already.

        Another answer of the same person is refused unless it is a correction; other people's answers stay.
        """
        last = self._last.get(row, {}).get(by)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = Entry(self._number + 1, row, kind, said, by, now, last.number if last else None)
        if last is None and kind == "withdrawn":
            raise InputError(f"{by} has not answered this question, so there is nothing to withdraw")
        if last is not None:
            if last.meaning == entry.meaning:
                return None
            if last.kind != "withdrawn" and not correct:
                raise AlreadyAnsweredError(last)
        self.entries.append(entry)
        self._last.setdefault(row, {})[by] = entry
        return entry

    def standing(self, row: int) -> list[Entry]:
        """Give what people say now about a row: each one's last entry, the oldest first, without those withdrawn."""
        said = [entry for entry in self._last.get(row, {}).values() if entry.kind != "withdrawn"]
        return sorted(said, key=lambda entry: entry.number)

    def save(self, connection: Connection) -> list[Entry]:
        """Write the entries that were added; give them."""
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
