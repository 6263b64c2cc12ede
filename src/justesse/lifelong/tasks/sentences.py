"""Items that have a text, such as transcripts and translations: word error rate and BLEU."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.lifelong.item import Item
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.penalised_items import penalised_items
from justesse.lifelong.scorers import ItemScorer, counted
from justesse.lifelong.tasks.task import listed_replies, short


@dataclass(frozen=True)
class SentenceTask:
    """Texts, scored by the word error rate or by BLEU.

    Parameters
    ----------
    scorer
        The score.
    truths
        Right text of each item, by id.

    >>> from justesse.lifelong.scorers import WORD_ERROR
    >>> task = SentenceTask(WORD_ERROR, {"a": "the cat sat"})
    >>> task.wrong("a", np.random.default_rng(0))
    'the cat'
    """

    scorer: ItemScorer
    truths: Mapping[str, str]
    unit: str = "segment"

    @property
    def name(self) -> str:
        return self.scorer.name

    @property
    def words(self) -> str:
        return self.scorer.words

    @property
    def higher_is_better(self) -> bool:
        return self.scorer.higher_is_better

    def about(self) -> dict[str, Any]:
        return {"answers": "texts"}

    def checked(self, replies: Any, items: Sequence[Item], system: str) -> list[Any]:
        listed = listed_replies(replies, items, system, "text")
        for item, reply in zip(items, listed, strict=True):
            if not isinstance(reply, str):
                raise InputError(
                    f"The system {system!r} answered {short(reply)} for item {item.id!r}, which is no text. Reply with "
                    'a text for each item, "" for none.'
                )
        return listed

    def questions(self, items: Sequence[Item]) -> list[tuple[int, Item]]:
        return list(enumerate(items))

    def shown(self, question: Item, answer: Any) -> Any:
        return answer

    def differs(self, question: Item, answer: Any, belief: Any) -> bool:
        return bool(self.scorer.read(answer) != self.scorer.read(belief))

    def wrong(self, question: str, draws: np.random.Generator) -> str:
        """Leave out one word of the right text."""
        words = self.truths[question].split()
        at = int(draws.integers(len(words))) if words else 0
        return " ".join(words[:at] + words[at + 1 :])

    def hypotheses(
        self, items: Sequence[Item], adapted: Sequence[Any], base: Sequence[Any] | None, answers: Mapping[str, Any]
    ) -> HypothesisCounts:
        read = self.scorer.read
        return penalised_items(
            self.scorer,
            [read(self.truths[item.id]) for item in items],
            [read(text) for text in adapted],
            [item.id in answers for item in items],
            base=None if base is None else [read(text) for text in base],
            answers=[read(answers[item.id]) if item.id in answers else None for item in items],
        )

    def own(self, items: Sequence[Item], answers: Sequence[Any]) -> FloatArray:
        read = self.scorer.read
        return counted(self.scorer, [read(self.truths[item.id]) for item in items], [read(text) for text in answers])

    def value(self, sums: FloatArray) -> FloatArray:
        return self.scorer.value(sums)

    def size(self, items: Sequence[Item]) -> float:
        return float(sum(len(self.scorer.read(self.truths[item.id])) for item in items))
