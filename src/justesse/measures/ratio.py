"""Measures of one class that divide one sum of cells by another."""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.choices import Judgeable
from justesse.measures.confusion import Confusion, Partials, ratio
from justesse.measures.measure import Measure, Proportion, SameRows


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
LABELLED, NOT_LABELLED, PREDICTED = RatioCells(labelled=1), RatioCells(n=1, labelled=-1), RatioCells(predicted=1)
# the right and the wrong answers among the rows of each denominator
RIGHT = {LABELLED: RatioCells(hits=1), NOT_LABELLED: TRUE_NEGATIVES, PREDICTED: RatioCells(hits=1)}
WRONG = {
    LABELLED: RatioCells(labelled=1, hits=-1),
    NOT_LABELLED: RatioCells(predicted=1, hits=-1),
    PREDICTED: RatioCells(predicted=1, hits=-1),
}


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
    def is_share(self) -> bool:
        return self.is_proportion

    @property
    def same_rows(self) -> SameRows | None:
        if not self._counts_right_or_wrong:
            return None
        return (
            "labelled" if self.denominator == LABELLED else "not labelled" if self.denominator == NOT_LABELLED else None
        )

    @property
    def judged_as(self) -> Judgeable | None:
        if not self._counts_right_or_wrong:
            return None
        return "recall" if self.denominator == LABELLED else "precision" if self.denominator == PREDICTED else None

    @property
    def _counts_right_or_wrong(self) -> bool:
        """Whether its numerator is the right answers, or the wrong ones where less is better."""
        return self.numerator == (RIGHT if self.greater_is_better else WRONG).get(self.denominator)

    @property
    def pools_to_accuracy(self) -> bool:
        """Whether its micro average is the accuracy, as for every measure whose numerator is the right answers."""
        top = self.numerator
        return bool(np.all([top.labelled == 0, top.predicted == 0, top.n == 0]))
