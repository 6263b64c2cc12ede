"""What every measure of this room promises."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from justesse.core.arrays import Array
from justesse.core.results import Average
from justesse.core.tally import Tally
from justesse.measures.confusion import Confusion, Partials


@dataclass(frozen=True)
class Proportion:
    """A measure that is a share of independent rows: how many of how many."""

    successes: Array
    trials: Array


@dataclass(frozen=True)
class Measure(ABC):
    """A function of counts, vectorised over a batch axis in front; NaN where it is undefined.

    `per_class` measures return one number per class on the last axis. `greater_is_better` is the direction that a
    comparison goes by.
    """

    name: str
    reason: str
    average: Average | None = None
    per_class: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)
    beta: float | None = None
    greater_is_better: bool = True

    def __call__(self, counts: Tally | Confusion) -> Array:
        return self.value(Confusion.of(counts))

    @abstractmethod
    def value(self, table: Confusion) -> Array:
        """Compute the measure."""

    @abstractmethod
    def partials(self, table: Confusion) -> Partials:
        """Differentiate it, for the delta method (one table, no batch)."""

    def proportion(self, table: Confusion) -> Proportion | None:
        """Say which share of which rows it is, if it is one: then it has an exact-style interval.

        Both numbers are linear in the cells, so that on Σw² they give the effective n.
        """
        return None

    def disjoint_shares(self, table: Confusion) -> Proportion | None:
        """Say which shares of disjoint rows it is the plain mean of, if it is: one share per class."""
        return None
