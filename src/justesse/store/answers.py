"""The diary of answers: entries are added, never changed; a correction names the entry it takes the place of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import Connection, insert, select

from justesse.core.errors import InputError
from justesse.core.levels import identity
from justesse.core.results import ClassName
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


class AlreadyAnsweredError(InputError):
    """The same person has answered the question in another way."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"answered already: {entry.words}, by {entry.by} at {entry.at}")
        self.entry = entry


def entries(connection: Connection) -> list[Entry]:
    """Give the whole diary, the oldest entry first."""
    return [Entry(**row) for row in connection.execute(select(answers).order_by(answers.c.number)).mappings()]


def standing(diary: Sequence[Entry]) -> list[Entry]:
    """Give what people say now: entries that no later one corrects, without those withdrawn."""
    corrected = {entry.corrects for entry in diary}
    return [entry for entry in diary if entry.number not in corrected and entry.kind != "withdrawn"]


def record(
    connection: Connection, row: int, kind: Kind, said: ClassName, *, by: str, correct: bool = False
) -> Entry | None:
    """Add an answer; give the new entry, or `None` if the same person has said the same already.

    Another answer of the same person is refused unless it is a correction; other people's answers stand beside it.
    """
    last = _last(connection, row, by)
    if last is None and kind == "withdrawn":
        raise InputError(f"{by} has not answered this question, so there is nothing to withdraw")
    if last is not None:
        if last.kind == kind and identity(last.said) == identity(said):
            return None
        if last.kind != "withdrawn" and not correct:
            raise AlreadyAnsweredError(last)
    entry = {
        "row": row,
        "kind": kind,
        "said": said,
        "by": by,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "corrects": last.number if last else None,
    }
    number = connection.execute(insert(answers).values(**entry)).inserted_primary_key
    assert number is not None
    return Entry(number=number[0], **entry)  # type: ignore[arg-type]


def _last(connection: Connection, row: int, by: str) -> Entry | None:
    asked = select(answers).where(answers.c.row == row, answers.c.by == by).order_by(answers.c.number.desc()).limit(1)
    found = connection.execute(asked).mappings().first()
    return Entry(**found) if found else None


@dataclass(frozen=True)
class Settled:
    """What counts as the answer to a question, and whether people differ about it.

    `said` is `None` where nobody can say, or where as many say one thing as another.
    """

    row: int
    said: ClassName
    people: tuple[Entry, ...]
    differ: bool


RULE = (
    "Where people differ the class most of them gave counts; if as many gave another, the question counts as one that "
    "cannot be answered, until somebody's answer settles it."
)


def settled(said: Iterable[Entry]) -> dict[int, Settled]:
    """Settle each question by the majority of those who gave a class; in a tie nothing is known.

    >>> def entry(number, said, by):
    ...     return Entry(number, 0, "answer", said, by, "", None)
    >>> settled([entry(1, "cat", "Ann"), entry(2, "dog", "Bob"), entry(3, "cat", "Cy")])[0].said
    'cat'
    >>> settled([entry(1, "cat", "Ann"), entry(2, "dog", "Bob")])[0].said is None
    True
    """
    people: dict[int, list[Entry]] = {}
    for entry in said:
        people.setdefault(entry.row, []).append(entry)
    return {row: _majority(row, given) for row, given in people.items()}


def _majority(row: int, given: list[Entry]) -> Settled:
    votes: dict[tuple[type, ClassName], int] = {}
    for entry in given:
        if entry.kind == "answer":
            votes[identity(entry.said)] = votes.get(identity(entry.said), 0) + 1
    most = [name for (_, name), size in votes.items() if size == max(votes.values())]
    return Settled(row, most[0] if len(most) == 1 else None, tuple(given), len(votes) > 1)
