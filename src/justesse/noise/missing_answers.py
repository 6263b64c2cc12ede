"""Rows without an answer: what they could do to an accuracy, and how another classifier does on them."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from justesse.core.answer_policy import Gaps
from justesse.core.arrays import Array
from justesse.core.results import finite_or_none
from justesse.core.tally import Tally

SIDES = ("incumbent", "candidate")


@dataclass(frozen=True)
class UnansweredRows:
    """Missing predictions of one classifier: its accuracy if they are wrong, right, or left out."""

    n: int
    total: int
    if_wrong: float
    if_right: float
    without: float

    @classmethod
    def of(cls, gaps: Gaps, *, against: Literal["label", "true"] = "label") -> "UnansweredRows | None":
        """Work out the three accuracies against the labels or the true classes; `None` if no prediction is missing."""
        if gaps.whole is None:
            return None
        tally = gaps.whole.marginal(against, "prediction")
        label, answer = tally.codes.T
        right, blank = label == answer, blank_cells(tally, gaps, "prediction")
        values, total = tally.values, tally.values.sum()
        answered = total - values[blank].sum()
        return cls(
            int(tally.counts[blank].sum()),
            int(tally.counts.sum()),
            float(values[right].sum() / total),
            float(values[right | blank].sum() / total),
            float(values[right].sum() / answered) if answered else float("nan"),
        )

    def to_dict(self) -> dict[str, Any]:
        names = {"accuracy_if_wrong": self.if_wrong, "accuracy_if_right": self.if_right}
        return {name: finite_or_none(value) for name, value in {**names, "accuracy_without": self.without}.items()}


@dataclass(frozen=True)
class OtherOnMissing:
    """How the other classifier does on the rows that one of the two left unanswered."""

    n: int
    right: int
    elsewhere: float

    @property
    def accuracy(self) -> float:
        return self.right / self.n if self.n else float("nan")

    def to_dict(self) -> dict[str, Any]:
        return {"n": self.n, "right": self.right, "accuracy": finite_or_none(self.accuracy)}


def blank_cells(tally: Tally, gaps: Gaps, axis: str) -> Array:
    """Mark the cells without an answer, and those whose answer counts as missing because it is no class."""
    codes = tally.codes[:, tally.axis(axis)]
    blank = np.array([name is None for name in tally.classes], dtype=bool)[codes]
    return blank | ~tally.judged[codes] if gaps.policy.others == "missing" else blank


def others_on_missing(tally: Tally, blank: dict[str, Array]) -> dict[str, OtherOnMissing]:
    """Count, for each side, how often the other one is right where this side has no answer.

    >>> cells = [("a", "a", "a", 4), ("b", None, "b", 2), ("b", None, "a", 1), ("b", "b", "a", 3)]
    >>> tally = Tally.of(("label", "incumbent", "candidate"), cells)
    >>> blank = {side: blank_cells(tally, Gaps(), side) for side in SIDES}
    >>> others_on_missing(tally, blank)["incumbent"]
    OtherOnMissing(n=3, right=2, elsewhere=0.5714285714285714)
    """
    label = tally.codes[:, tally.axis("label")]
    both = ~blank["incumbent"] & ~blank["candidate"]
    others = {}
    for side, other in zip(SIDES, reversed(SIDES), strict=True):
        only_other = blank[side] & ~blank[other]
        right = tally.codes[:, tally.axis(other)] == label
        size = tally.counts[both].sum()
        elsewhere = float(tally.counts[both & right].sum() / size) if size else float("nan")
        others[side] = OtherOnMissing(
            int(tally.counts[only_other].sum()), int(tally.counts[only_other & right].sum()), elsewhere
        )
    return others
