"""What counts as the answer to a question, when several people answered it."""

from collections.abc import Iterable
from dataclasses import dataclass

from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.store.answers import Entry


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
