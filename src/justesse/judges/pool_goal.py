"""The goal of a pooled audit: which order is to be settled, and which pairs still matter for it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError

GoalKind = Literal["winner", "top", "pairs", "incumbent"]
GOALS = "winner, top:K (such as top:3), pairs or incumbent"


@dataclass(frozen=True)
class PoolGoal:
    """What is to be settled: the winner, the best `size`, all pairs, or each classifier against the incumbent.

    >>> PoolGoal.parse("top:2", 5)
    PoolGoal(kind='top', size=2, incumbent=0)
    """

    kind: GoalKind
    size: int = 1
    incumbent: int = 0

    @classmethod
    def parse(cls, text: str, systems: int, incumbent: int = 0) -> "PoolGoal":
        """Read a goal as it is typed."""
        kind, _, size = text.strip().partition(":")
        if kind == "top" and size.strip().isdigit() and 0 < int(size) < systems:
            return cls("top", int(size))
        if kind == "top":
            raise OptionError(
                f"The goal top:K needs a whole number from 1 to {systems - 1}, such as top:2, for {systems} "
                f"classifiers; got {text!r}."
            )
        if kind not in ("winner", "pairs", "incumbent") or size:
            raise OptionError(f"The goal must be {GOALS}; got {text!r}.")
        if not 0 <= incumbent < systems:
            raise OptionError(f"The incumbent must be one of the {systems} classifiers; got number {incumbent}.")
        kinds: dict[str, GoalKind] = {"winner": "winner", "pairs": "pairs", "incumbent": "incumbent"}
        return cls(kinds[kind], 1, incumbent if kind == "incumbent" else 0)

    def __str__(self) -> str:
        return f"top:{self.size}" if self.kind == "top" else self.kind

    def pairs(self, systems: int) -> Array:
        """List the pairs that are compared, by the numbers of both classifiers."""
        first, second = np.triu_indices(systems, 1)
        pairs = np.stack([first, second], -1)
        return pairs[(pairs == self.incumbent).any(-1)] if self.kind == "incumbent" else pairs

    def relevant(self, better: Array, equal: Array) -> Array:
        """Return which pairs (as a square table) still matter, given what is known.

        Parameters
        ----------
        better
            Whether the second (column) is known to be better than the first (row).
        equal
            Whether the two are known to be equally right.
        """
        systems = len(better)
        open_ = ~(better | better.T | equal) & ~np.eye(systems, dtype=bool)
        if self.kind == "winner":
            possible = np.asarray(~better.any(-1))
            return np.asarray(open_ & possible[:, None] & possible)
        if self.kind == "top":
            inside, outside = self.members(better, equal)
            unknown = ~(inside | outside)
            return np.asarray(open_ & (unknown[:, None] | unknown))
        if self.kind == "incumbent":
            own = np.arange(systems) == self.incumbent
            return np.asarray(open_ & (own[:, None] | own))
        return open_

    def members(self, better: Array, equal: Array) -> tuple[Array, Array]:
        """Return which classifiers are known to be among the best `size`, and which are known not to be.

        A classifier that ties with another at the boundary is neither, unless fewer than `size` others are as right.

        >>> better = np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
        >>> [part.tolist() for part in PoolGoal("top", 2).members(better, np.zeros((3, 3), dtype=bool))]
        [[False, True, True], [True, False, False]]
        """
        systems = len(better)
        size = self.size if self.kind == "top" else 1
        not_better = better.sum(0) + (equal & ~np.eye(systems, dtype=bool)).sum(0) * (self.kind == "winner")
        return not_better >= systems - size, better.sum(-1) >= size

    def reached(self, better: Array, equal: Array) -> bool:
        """Tell whether the goal is settled."""
        if self.kind == "winner":
            return bool(self.members(better, equal)[0].any())
        if self.kind == "top":
            return bool(self.members(better, equal)[0].sum() == self.size)
        return not self.relevant(better, equal).any()
