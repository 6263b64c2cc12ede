"""What counts as the answer to a question, when several people answered it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from justesse.store.answers import Entry, Said


@dataclass(frozen=True)
class Settled:
    """What counts as the answer to a question, and whether people differ about it.

    `counts` is `None` where nobody can say, or where as many say one thing as another.
    """

    row: int
    counts: Entry | None
    people: tuple[Entry, ...]
    differ: bool

    @property
    def said(self) -> Said:
        """The class that counts, or several; `None` if there is none."""
        return None if self.counts is None else self.counts.said

    @property
    def words(self) -> str:
        """What counts, for people."""
        return "cannot say" if self.counts is None else self.counts.words


RULE = "The answer most people gave counts. In a tie the question counts as unanswered until another answer breaks it."


def settle(row: int, given: Sequence[Entry]) -> Settled:
    """Settle a question by the majority of those who gave an answer; in a tie nothing is known.

    >>> def entry(number, said, by, kind="answer"):
    ...     return Entry(number, 0, kind, said, by, "", None)
    >>> settle(0, [entry(1, "cat", "Ann"), entry(2, "dog", "Bob"), entry(3, "cat", "Cy")]).said
    'cat'
    >>> settle(0, [entry(1, "cat", "Ann"), entry(2, "dog", "Bob")]).counts is None
    True
    >>> settle(0, [entry(1, ("dog", "cat"), "Ann", "both"), entry(2, ("cat", "dog"), "Bob", "several")]).words
    'both right'
    """
    if len(given) == 1:
        return Settled(row, None if given[0].kind == "cannot_say" else given[0], tuple(given), False)
    votes: dict[Hashable, list[Entry]] = {}
    for entry in given:
        if entry.kind != "cannot_say":
            votes.setdefault(entry.meaning, []).append(entry)
    most = max(map(len, votes.values()), default=0)
    first = [entries[0] for entries in votes.values() if len(entries) == most]
    return Settled(row, first[0] if len(first) == 1 else None, tuple(given), len(votes) > 1)
