"""Cost-weighted error: the cost of the mistakes per row, with any cost table.

    cost = Σ_ij cost[i, j]·n_ij / n          i label, j prediction; two classes: (c_FN·FN + c_FP·FP) / n

It is in the unit of the table. Elkan (2001).

>>> from justesse.core.tally import Tally
>>> table = Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])
>>> float(cost(np.array([[0.0, 20.0], [1.0, 0.0]]))(table))
0.1025
"""

from dataclasses import dataclass, field

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import CostError
from justesse.core.tally import Tally
from justesse.measures.confusion import Confusion, Partials, ratio
from justesse.measures.measure import Measure


@dataclass(frozen=True)
class Cost(Measure):
    """Cost per row by one table of costs."""

    name: str = "cost"
    reason: str = "there are no rows"
    greater_is_better: bool = False
    unit: str = "cost per row"
    costs: Array = field(default_factory=lambda: np.zeros((0, 0)))

    def __call__(self, counts: Tally | Confusion) -> Array:
        if isinstance(counts, Tally):
            counts = Confusion.of(counts, costs=self.costs)
        return self.value(counts)

    def value(self, table: Confusion) -> Array:
        assert table.cost is not None, "a Confusion made without the cost table"
        return ratio(table.cost, table.n)

    def partials(self, table: Confusion) -> Partials:
        flat = np.zeros_like(table.hits)
        return Partials(flat, flat, flat, ratio(-self.value(table), table.n), cost=float(1 / table.n))


def cost(costs: Array) -> Cost:
    """Return the cost measure of one table of costs.

    Parameters
    ----------
    costs : array
        Cost of each label (rows) and prediction (columns), in the order of the tally's classes.
    """
    table = np.asarray(costs, dtype=float)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise CostError(f"A cost table must be square, with one row and one column per class; got shape {table.shape}.")
    if not np.all(np.isfinite(table)):
        raise CostError("Every cost must be a finite number.")
    return Cost(bounds=(float(table.min()), float(table.max())), costs=table)
