"""What is known of the outcomes of one variant, look after look: how many, their sum, and their spread."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array


@dataclass(frozen=True)
class ArmSums:
    """Outcomes between 0 and 1 of one variant, summed up to each look.

        spread = Σ (x - c)²,   c = (½ + sum before the block) / (1 + n before the block)

    Each outcome is compared with what was expected before its block of events, so the spread may be used in a
    supermartingale. An infinite spread means that it is not known.

    >>> sums = ArmSums.of_blocks([2, 2], [1, 2], [1, 2])
    >>> sums.n.tolist(), sums.total.tolist(), sums.spread.tolist()
    ([2.0, 4.0], [1.0, 3.0], [0.5, 1.0])
    """

    n: Array
    total: Array
    spread: Array

    @classmethod
    def of_blocks(cls, n: ArrayLike, total: ArrayLike, squares: ArrayLike) -> "ArmSums":
        """Add up blocks of events: how many outcomes, their sum and the sum of their squares.

        Parameters
        ----------
        n
            Number of outcomes in each block.
        total
            Their sums.
        squares
            The sums of their squares.
        """
        count, value, square = (np.asarray(part, dtype=float) for part in (n, total, squares))
        all_n, all_total = np.cumsum(count), np.cumsum(value)
        centre = (0.5 + all_total - value) / (1 + all_n - count)
        spread = np.cumsum(np.maximum(square - 2 * centre * value + count * centre**2, 0.0))
        return cls(all_n, all_total, spread)

    @property
    def mean(self) -> Array:
        """Mean outcome up to each look; NaN before the first outcome."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.total / self.n)

    @property
    def mirrored(self) -> "ArmSums":
        """The same with 1 - x for every outcome x."""
        return replace(self, total=self.n - self.total)

    def at(self, looks: int | Sequence[int] | Array) -> "ArmSums":
        """Keep some looks."""
        chosen = np.atleast_1d(np.asarray(looks))
        return ArmSums(self.n[chosen], self.total[chosen], self.spread[chosen])

    def filled(self, missing: ArrayLike, value: float) -> "ArmSums":
        """Add outcomes that are still open, as if each were `value`; their spread is not known."""
        more = np.asarray(missing, dtype=float)
        return ArmSums(self.n + more, self.total + value * more, np.where(more > 0, np.inf, self.spread))

    def scaled(self, times: float) -> "ArmSums":
        """Return the last look as it would be after so many times as many events, all else alike."""
        last = self.at(-1)
        return ArmSums(last.n * times, last.total * times, last.spread * times)
