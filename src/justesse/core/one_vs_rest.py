"""Who says a class where: what recall and precision of one class need of two classifiers on the same rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.case import Case, Disagreement


@dataclass(frozen=True)
class OneVsRestPair:
    """The rows labelled with the class, and the others, each by who of the two says the class.

    Both parts count `both_right`, `only_incumbent`, … by who *says the class*, which is right on the labelled rows and
    wrong on the others; where neither says it, they may answer alike or differently. Whole numbers, or arrays with one
    entry per pair of classifiers.

    >>> table = OneVsRestPair(Disagreement(50, 4, 6, 2, 1), Disagreement(3, 2, 1, 30, 1))
    >>> int(table.n), int(table.predicted_by_incumbent), int(table.predicted_by_candidate)
    (100, 59, 60)
    """

    labelled: Disagreement
    others: Disagreement

    @classmethod
    def of(cls, case: Case, at: int) -> "OneVsRestPair":
        """Add up the cells of one pair around class number `at`.

        >>> from justesse.core.tally import Tally
        >>> cells = [("a", "a", "b", 5), ("b", "a", "a", 2), ("b", "b", "c", 1)]
        >>> result = OneVsRestPair.of(Case(Tally.of(("label", "incumbent", "candidate"), cells)), 0)
        >>> result.labelled.only_incumbent, result.others.both_right, result.others.both_wrong_differently
        (5, 2, 1)
        """
        tally = case.tally.marginal("label", "incumbent", "candidate")
        label, first, other = tally.codes.T

        def part(rows: Array) -> Disagreement:
            return Disagreement.of(at + 0 * label[rows], first[rows], other[rows], tally.counts[rows])

        return cls(part(label == at), part(label != at))

    @property
    def n(self) -> Any:
        return self.labelled.n + self.others.n

    @property
    def predicted_by_incumbent(self) -> Any:
        return sum(part.both_right + part.only_incumbent for part in (self.labelled, self.others))

    @property
    def predicted_by_candidate(self) -> Any:
        return sum(part.both_right + part.only_candidate for part in (self.labelled, self.others))

    @property
    def swapped(self) -> "OneVsRestPair":
        """The same with the two in each other's place."""
        return OneVsRestPair(self.labelled.swapped, self.others.swapped)

    def at(self, which: Array) -> "OneVsRestPair":
        """Keep some of many pairs."""
        parts = ([np.asarray(cell)[which] for cell in vars(part).values()] for part in (self.labelled, self.others))
        return OneVsRestPair(*(Disagreement(*cells) for cells in parts))
