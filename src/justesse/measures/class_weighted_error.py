"""Class-weighted error: the error when a row counts as much as its label's class says.

    Σ_k w_k·(labelled_k - right_k) / Σ_k w_k·labelled_k

Weights that are the inverse of the class frequencies give 1 - balanced accuracy. Unlike `cost` it does not look at
what was predicted instead. Lecture 003, 2.1.

>>> from justesse.core.tally import Tally
>>> table = Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])
>>> round(float(class_weighted_error(np.array([19.0, 1.0]))(table)), 4)
0.0526
"""

from dataclasses import dataclass, field

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import WeightError
from justesse.measures.confusion import Confusion, Partials, ratio
from justesse.measures.measure import Measure


@dataclass(frozen=True)
class ClassWeightedError(Measure):
    """Error rate with one weight per class."""

    name: str = "class_weighted_error"
    reason: str = "every row's class has weight 0"
    greater_is_better: bool = False
    title: str = "class-weighted error"
    weights: Array = field(default_factory=lambda: np.zeros(0))

    def value(self, table: Confusion) -> Array:
        wrong = (self.weights * (table.labelled - table.hits)).sum(-1)
        return ratio(wrong, (self.weights * table.labelled).sum(-1))

    def partials(self, table: Confusion) -> Partials:
        total = (self.weights * table.labelled).sum(-1)
        flat = np.zeros_like(table.hits)
        return Partials(
            ratio(-self.weights, total), ratio((1 - self.value(table)) * self.weights, total), flat, np.asarray(0.0)
        )


def class_weighted_error(weights: Array) -> ClassWeightedError:
    """Return the class-weighted error of one set of weights, in the order of the tally's classes."""
    checked = np.asarray(weights, dtype=float)
    if checked.ndim != 1 or not np.all(np.isfinite(checked)) or np.any(checked < 0) or not np.any(checked > 0):
        raise WeightError(
            "Class weights must be numbers of 0 or more, one per class, not all 0; got "
            f"{np.asarray(weights).tolist()!r}."
        )
    return ClassWeightedError(weights=checked)
