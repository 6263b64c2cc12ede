"""Measures of one class that divide one sum of cells by another."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.confusion import Confusion, Partials, ratio
from justesse.measures.measure import Measure, Proportion


@dataclass(frozen=True)
class RatioCells:
    """A sum of a class's cells, as coefficients of its right answers, labels, predictions and n."""

    hits: float = 0.0
    labelled: float = 0.0
    predicted: float = 0.0
    n: float = 0.0

    def of(self, table: Confusion) -> Array:
        total = (
            self.hits * table.hits
            + self.labelled * table.labelled
            + self.predicted * table.predicted
            + self.n * table.wide_n
        )
        return table.settled(total, table.wide_n)


TRUE_NEGATIVES = RatioCells(hits=1, labelled=-1, predicted=-1, n=1)


@dataclass(frozen=True)
class Ratio(Measure):
    """A per-class measure: `numerator` over `denominator`; a proportion when the first is part of the second."""

    per_class: bool = True
    numerator: RatioCells = RatioCells()
    denominator: RatioCells = RatioCells()
    is_proportion: bool = True

    def value(self, table: Confusion) -> Array:
        return ratio(self.numerator.of(table), self.denominator.of(table))

    def proportion(self, table: Confusion) -> Proportion | None:
        if not self.is_proportion:
            return None
        return Proportion(self.numerator.of(table), self.denominator.of(table))

    def partials(self, table: Confusion) -> Partials:
        below = self.denominator.of(table)
        value = ratio(self.numerator.of(table), below)

        def by(part: str) -> Array:
            return ratio(getattr(self.numerator, part) - value * getattr(self.denominator, part), below)

        return Partials(by("hits"), by("labelled"), by("predicted"), by("n"))

    @property
    def pools_to_accuracy(self) -> bool:
        """Whether its micro average is the accuracy, as for every measure whose numerator is the right answers."""
        top = self.numerator
        return bool(np.all([top.labelled == 0, top.predicted == 0, top.n == 0]))
