"""The diary of answers: entries are added, never changed; a correction names the entry it takes the place of."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import Connection, insert, select

from justesse.core.errors import InputError
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.store.chain import Record, seal
from justesse.store.tables import answers

Kind = Literal["answer", "cannot_say", "withdrawn"]


@dataclass(frozen=True)
class Entry:
    """What somebody said about a question: a class, that it cannot be said, or that an earlier entry is withdrawn."""

    number: int
    row: int
    kind: Kind
    said: ClassName
    by: str
    at: str
    corrects: int | None

    @property
    def words(self) -> str:
        """What was said, for people."""
        return {"answer": str(self.said), "cannot_say": "cannot say", "withdrawn": "withdrawn"}[self.kind]

    def same(self, kind: Kind, said: ClassName) -> bool:
        """Check whether this says the same."""
        return self.kind == kind and identity(self.said) == identity(said)


class AlreadyAnsweredError(InputError):
    """The same person has answered the question in another way."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"answered already: {entry.words}, by {entry.by} at {entry.at}")
        self.entry = entry


def read_entries(connection: Connection, after: int = 0) -> list[Entry]:
    """Read the diary, the oldest entry first, those after a number only."""
    found = connection.execute(select(answers).where(answers.c.number > after).order_by(answers.c.number))
    return [Entry(*row) for row in found]


def answer_records(entries: Iterable[Entry]) -> list[Record]:
    """Give what the checksums of answers are made from."""
    return [(entry.number, astuple(entry)) for entry in entries]


class Diary:
    """All entries, the oldest first; new ones are on disk once `save` was called and its transaction has ended.

    A diary is read and added to within one transaction, or brought up to date with `update` at the start of the next.
    """

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self._last: dict[tuple[int, str], Entry] = {}
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

    def add(self, row: int, kind: Kind, said: ClassName = None, *, by: str, correct: bool = False) -> Entry | None:
        """Add an answer; give the new entry, or `None` if the same person has said the same already.

        Another answer of the same person is refused unless it is a correction; other people's answers stay.
        """
        last = self._last.get((row, by))
        if last is None and kind == "withdrawn":
            raise InputError(f"{by} has not answered this question, so there is nothing to withdraw")
        if last is not None:
            if last.same(kind, said):
                return None
            if last.kind != "withdrawn" and not correct:
                raise AlreadyAnsweredError(last)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = Entry(self._number + 1, row, kind, said, by, now, last.number if last else None)
        self.entries.append(entry)
        self._last[row, by] = entry
        return entry

    def save(self, connection: Connection) -> list[Entry]:
        """Write the entries that were added; give them."""
        new = self.entries[self._saved :]
        if new:
            connection.execute(insert(answers), [asdict(entry) for entry in new])
            seal(connection, "answers", answer_records(new))
        self._saved = len(self.entries)
        return new

    @property
    def _number(self) -> int:
        return self.entries[-1].number if self.entries else 0

    def _extend(self, entries: Sequence[Entry]) -> None:
        self.entries += entries
        self._last |= {(entry.row, entry.by): entry for entry in entries}
        self._saved = len(self.entries)


def standing(diary: Sequence[Entry]) -> list[Entry]:
    """Give what people say now: entries that no later one corrects, without those withdrawn."""
    corrected = {entry.corrects for entry in diary}
    return [entry for entry in diary if entry.number not in corrected and entry.kind != "withdrawn"]
