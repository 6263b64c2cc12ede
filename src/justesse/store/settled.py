"""Which answer to a question counts if several people answered it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from justesse.store.answers import AnswerValue, Entry


@dataclass(frozen=True)
class Settled:
    """The answer to a question that counts, and whether people gave different answers.

    `counts` is `None` if nobody could answer, or in a tie.
    """

    row: int
    counts: Entry | None
    people: tuple[Entry, ...]
    differ: bool

    @property
    def answer(self) -> AnswerValue:
        """The right class, or several; `None` if there is none."""
        return None if self.counts is None else self.counts.answer

    @property
    def words(self) -> str:
        """The answer that counts, as people read it."""
        if self.counts is not None:
            return self.counts.words
        return "tie, counts as cannot say" if self.tied else "cannot say"

    @property
    def tied(self) -> bool:
        """Whether people gave different answers and none of them counts."""
        return self.differ and self.counts is None


RULE = "The answer most people gave counts. A tie counts as “cannot say” until another answer breaks it."


def settle(row: int, entries: Sequence[Entry]) -> Settled:
    """Find the answer that counts: the one most people gave, and none in a tie.

    >>> def entry(number, answer, by, kind="answer"):
    ...     return Entry(number, 0, kind, answer, by, "", None)
    >>> settle(0, [entry(1, "cat", "Ann"), entry(2, "dog", "Bob"), entry(3, "cat", "Cy")]).answer
    'cat'
    >>> settle(0, [entry(1, "cat", "Ann"), entry(2, "dog", "Bob")]).counts is None
    True
    >>> settle(0, [entry(1, ("dog", "cat"), "Ann", "both"), entry(2, ("cat", "dog"), "Bob", "several")]).words
    'both right'
    """
    if len(entries) == 1:
        return Settled(row, None if entries[0].kind == "cannot_say" else entries[0], tuple(entries), False)
    votes: dict[Hashable, list[Entry]] = {}
    for entry in entries:
        if entry.kind != "cannot_say":
            votes.setdefault(entry.meaning, []).append(entry)
    most = max(map(len, votes.values()), default=0)
    first = [answers[0] for answers in votes.values() if len(answers) == most]
    return Settled(row, first[0] if len(first) == 1 else None, tuple(entries), len(votes) > 1)
