"""Which answer to a question counts if several people answered it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from justesse.core.choices import ExpertRule
from justesse.store.answers import AnswerValue, Entry


@dataclass(frozen=True)
class Settled:
    """The answer to a question that counts, and whether people gave different answers.

    `counts` is `None` if nobody could answer, or if the rule lets none of different answers count.
    """

    row: int
    counts: Entry | None
    people: tuple[Entry, ...]
    differ: bool
    rule: ExpertRule = "majority"

    @property
    def answer(self) -> AnswerValue:
        """The right class, or several; `None` if there is none."""
        return None if self.counts is None else self.counts.answer

    @property
    def words(self) -> str:
        """The answer that counts, as people read it."""
        if self.counts is not None:
            return self.counts.words
        if not self.tied:
            return "cannot say"
        return "tie, counts as cannot say" if self.rule == "majority" else "people disagree, counts as open"

    @property
    def tied(self) -> bool:
        """Whether people gave different answers and none of them counts."""
        return self.differ and self.counts is None

    @property
    def possible(self) -> tuple[Entry, ...]:
        """The answers of those who could answer."""
        return tuple(entry for entry in self.people if entry.kind != "cannot_say")


RULES: dict[ExpertRule, str] = {
    "majority": "The answer most people gave counts. A tie counts as “cannot say” until another answer breaks it.",
    "unanimous": (
        "Where people disagree, each answer given stays possible: the one worst for the side to be shown better counts."
    ),
    "model": (
        "A model of the people's mistakes says how probable each answer is. Where it leaves doubt, the worst possible "
        "answer counts."
    ),
}


def settle(row: int, entries: Sequence[Entry], rule: ExpertRule = "majority") -> Settled:
    """Find the answer that counts: the one most people gave, and none in a tie.

    Unless the rule is the majority, none counts where people give different answers.

    >>> def entry(number, answer, by, kind="answer"):
    ...     return Entry(number, 0, kind, answer, by, "", None)
    >>> three = [entry(1, "cat", "Ann"), entry(2, "dog", "Bob"), entry(3, "cat", "Cy")]
    >>> settle(0, three).answer, settle(0, three, "unanimous").answer
    ('cat', None)
    >>> settle(0, [entry(1, "cat", "Ann"), entry(2, "dog", "Bob")]).counts is None
    True
    >>> settle(0, [entry(1, ("dog", "cat"), "Ann", "both"), entry(2, ("cat", "dog"), "Bob", "several")]).words
    'both right'
    """
    if len(entries) == 1:
        return Settled(row, None if entries[0].kind == "cannot_say" else entries[0], tuple(entries), False, rule)
    votes: dict[Hashable, list[Entry]] = {}
    for entry in entries:
        if entry.kind != "cannot_say":
            votes.setdefault(entry.meaning, []).append(entry)
    most = max(map(len, votes.values()), default=0)
    first = [answers[0] for answers in votes.values() if len(answers) == most]
    clear = len(first) == 1 and (rule == "majority" or len(votes) == 1)
    return Settled(row, first[0] if clear else None, tuple(entries), len(votes) > 1, rule)
