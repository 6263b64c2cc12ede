"""Accuracy: the share of rows predicted right.

    accuracy = Σ_k right_k / n

Misleading when one class is much more frequent than the others: compare it with the majority baseline.

>>> from justesse.core.tally import Tally
>>> float(accuracy(Tally.from_dense([[190, 10], [210, 3590]])))
0.945
"""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.measures.confusion import Confusion, Partials, ratio
from justesse.measures.measure import Measure, Proportion


@dataclass(frozen=True)
class Share(Measure):
    """A share of all rows: the right ones, or the others."""

    right: bool = True

    is_share = True
    same_rows = "all"
    judged_as = "accuracy"

    def value(self, table: Confusion) -> Array:
        share = self.proportion(table)
        return ratio(share.successes, share.trials)

    def proportion(self, table: Confusion) -> Proportion:
        right = table.hits.sum(-1)
        return Proportion(right if self.right else table.settled(table.n - right, table.n), table.n)

    def partials(self, table: Confusion) -> Partials:
        flat = np.zeros_like(table.hits)
        slope = (1.0 if self.right else -1.0) / table.n
        return Partials(flat + slope, flat, flat, ratio(-table.hits.sum(-1) * slope, table.n))


accuracy = Share("accuracy", "there are no rows", headline=1)
