"""What a run needs to know about the answers of its system: what they are, what an expert corrects, how they score."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.lifelong.item import Item
from justesse.lifelong.penalised_counts import HypothesisCounts


class RunTask(Protocol):
    """A kind of answers, and their score."""

    @property
    def name(self) -> str:
        """Name of the score in options, such as wer."""

    @property
    def words(self) -> str:
        """Name of the score in words."""

    @property
    def unit(self) -> str:
        """What an item is called."""

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is better."""

    @property
    def truths(self) -> Mapping[str, Any]:
        """Right answer to each question, by the id of the question."""

    def about(self) -> dict[str, Any]:
        """Return what the system is sent about its answers at the start."""

    def checked(self, replies: Any, items: Sequence[Item], system: str) -> list[Any]:
        """Return one answer per item, or say what is wrong with the replies."""

    def questions(self, items: Sequence[Item]) -> list[tuple[int, Item]]:
        """List what an expert can be asked about, in order: the position of the item, and the question."""

    def shown(self, question: Item, answer: Any) -> Any:
        """Return the part of the answer to an item that a question is about."""

    def differs(self, question: Item, answer: Any, belief: Any) -> bool:
        """Say whether an expert who believes something about a question would correct the answer to its item."""

    def wrong(self, question: str, draws: np.random.Generator) -> Any:
        """Draw a wrong answer to a question."""

    def hypotheses(
        self, items: Sequence[Item], adapted: Sequence[Any], base: Sequence[Any] | None, answers: Mapping[str, Any]
    ) -> HypothesisCounts:
        """Count the hypotheses of a penalised score.

        Parameters
        ----------
        items
            The items.
        adapted
            What the system answers in the end.
        base
            What it answered before any help.
        answers
            What the expert answered, by question.
        """

    def own(self, items: Sequence[Item], answers: Sequence[Any]) -> FloatArray:
        """Count answers alone, a row for each item."""

    def value(self, sums: FloatArray) -> FloatArray:
        """Return the score of sums of counts, on the last axis."""

    def size(self, items: Sequence[Item]) -> float:
        """Return what the score is counted of: items, words of the reference, or its speech."""


def listed_replies(replies: Any, items: Sequence[Item], system: str, noun: str) -> list[Any]:
    """Return one reply per item, or say what is wrong with their number or form.

    >>> listed_replies({"b": 1, "a": 0}, [Item("a", "1"), Item("b", "1")], "s", "class")
    [0, 1]
    """
    listed = replies.tolist() if hasattr(replies, "tolist") else replies
    if isinstance(listed, Mapping):
        missing = [item.id for item in items if item.id not in listed]
        if missing:
            raise InputError(
                f"The system {system!r} gave no {noun} for {len(missing)} of {len(items)} items, such as "
                f"{missing[0]!r}. Reply with a {noun} for each item."
            )
        return [listed[item.id] for item in items]
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    if not isinstance(listed, (list, tuple)):
        raise InputError(
            f"The system {system!r} must reply to predict with a list of {plural}, one per item; got {short(listed)}."
        )
    if len(listed) != len(items):
        many = noun if len(listed) == 1 else plural
        raise InputError(
            f"The system {system!r} replied with {len(listed)} {many} to {len(items)} items. Reply with one per item, "
            "in the same order."
        )
    return list(listed)


def short(value: Any) -> str:
    """Write a value in at most 60 characters."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
