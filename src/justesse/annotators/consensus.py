"""What a model of annotators says: the probable class of each item, and how good each annotator is."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from justesse.annotators.support import Support
from justesse.core.arrays import Array, FloatArray


@dataclass(frozen=True, eq=False)
class Consensus:
    """The probability of each possible class of each item, and the model they rest on.

    `shares` follow the (item, class) of `support`; `proportions` are the class proportions, `tables` the annotators'
    probabilities of answers given the class (see `Support.tables`), None for models without.
    """

    method: str
    support: Support
    shares: FloatArray
    proportions: FloatArray
    tables: Any = None
    log_likelihood: float | None = None
    iterations: int = 0
    converged: bool = True
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> Array:
        """The code of the most probable class of each item."""
        return self.support.best(self.shares)[0]

    @property
    def probability(self) -> FloatArray:
        """How probable it is."""
        return self.support.best(self.shares)[1]

    @property
    def ties(self) -> int:
        """How many items have several most probable classes."""
        return int((self.support.best(self.shares)[2] > 1).sum())

    def accuracy(self, annotator: int) -> float:
        """The chance that an annotator's answer is right, over the classes as they occur."""
        return float(self.accuracies()[annotator])

    def accuracies(self) -> FloatArray:
        """Give each annotator's expected share of right answers, over the answers given."""
        notes = self.support.annotations
        right = np.bincount(notes.annotator, weights=self.shares[self.support.own], minlength=notes.n_annotators)
        with np.errstate(invalid="ignore"):
            return np.asarray(right / notes.per_annotator)

    def table(self, annotator: int) -> FloatArray:
        """Give an annotator's probabilities of answers, class × answer; rows of classes never met are NaN."""
        return self.support.tables.dense(self.tables, annotator)

    def dense(self) -> FloatArray:
        """Give the probabilities as a table, items × classes."""
        notes = self.support.annotations
        table = np.zeros((notes.n_items, notes.n_classes))
        table[self.support.item, self.support.label] = self.shares
        return table
