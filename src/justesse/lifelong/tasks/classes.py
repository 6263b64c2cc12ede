"""Items that have a class: the error rate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.core.first_names import first_names
from justesse.core.results import ClassName
from justesse.frames.kinds import texts_of_classes
from justesse.lifelong.item import Item
from justesse.lifelong.penalised_counts import HypothesisCounts
from justesse.lifelong.penalised_items import penalised_items
from justesse.lifelong.scorers import ERROR, counted
from justesse.lifelong.tasks.task import listed_replies, short


@dataclass(frozen=True)
class ClassTask:
    """Classes, scored by the error rate.

    Parameters
    ----------
    truths
        Right class of each item, by id.
    classes
        All classes.

    >>> task = ClassTask({"a": 0, "b": 1}, (0, 1))
    >>> task.checked(["0", 1.0], [Item("a", "1"), Item("b", "1")], "s")
    [0, 1]
    """

    truths: Mapping[str, ClassName]
    classes: tuple[ClassName, ...]
    name: str = "error"
    words: str = ERROR.words
    unit: str = "item"
    higher_is_better: bool = False

    def about(self) -> dict[str, Any]:
        return {"classes": list(self.classes)}

    def checked(self, replies: Any, items: Sequence[Item], system: str) -> list[Any]:
        codes = texts_of_classes(self.classes)
        result = []
        for item, reply in zip(items, listed_replies(replies, items, system, "class"), strict=True):
            code = codes.get(str(reply)) if isinstance(reply, (str, bool, int, float)) else None
            if code is None:
                raise InputError(
                    f"The system {system!r} predicted {short(reply)} for item {item.id!r}, which is none of the "
                    f"classes of the stream: {first_names(self.classes)}. Predict one of these."
                )
            result.append(self.classes[code])
        return result

    def questions(self, items: Sequence[Item]) -> list[tuple[int, Item]]:
        return list(enumerate(items))

    def shown(self, question: Item, answer: Any) -> Any:
        return answer

    def differs(self, question: Item, answer: Any, belief: Any) -> bool:
        return bool(answer != belief)

    def wrong(self, question: str, draws: np.random.Generator) -> ClassName:
        right = self.truths[question]
        others = [name for name in self.classes if name != right]
        return others[int(draws.integers(len(others)))] if others else right

    def hypotheses(
        self, items: Sequence[Item], adapted: Sequence[Any], base: Sequence[Any] | None, answers: Mapping[str, Any]
    ) -> HypothesisCounts:
        return penalised_items(
            ERROR,
            [self.truths[item.id] for item in items],
            adapted,
            [item.id in answers for item in items],
            base=base,
            answers=[answers.get(item.id) for item in items],
        )

    def own(self, items: Sequence[Item], answers: Sequence[Any]) -> FloatArray:
        return counted(ERROR, [self.truths[item.id] for item in items], answers)

    def value(self, sums: FloatArray) -> FloatArray:
        return ERROR.value(sums)

    def size(self, items: Sequence[Item]) -> float:
        return float(len(items))
