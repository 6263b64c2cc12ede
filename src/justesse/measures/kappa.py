"""Cohen's kappa: agreement of labels and predictions beyond what their frequencies alone would give.

    kappa = (n·Σh - Σ l·p) / (n² - Σ l·p)

Undefined when labels and predictions are all of one and the same class. It depends on class frequencies; compare
kappas only on the same data. Cohen (1960).

>>> from justesse.core.tally import Tally
>>> round(float(kappa(Tally.from_dense([[190, 10], [210, 3590]]))), 4)
0.6071
"""

from dataclasses import dataclass

import numpy as np

from justesse.measures.confusion import Array, Confusion, Partials, ratio
from justesse.measures.measure import Measure


@dataclass(frozen=True)
class Kappa(Measure):
    bounds: tuple[float, float] = (-1.0, 1.0)

    def value(self, table: Confusion) -> Array:
        agreement = (table.hits * table.wide_n - table.labelled * table.predicted).sum(-1)
        return ratio(agreement, _room(table))

    def partials(self, table: Confusion) -> Partials:
        room, value = _room(table), self.value(table)
        return Partials(
            ratio(table.wide_n, room) + np.zeros_like(table.hits),
            ratio((value - 1) * table.predicted, room),
            ratio((value - 1) * table.labelled, room),
            ratio(table.hits.sum(-1) - 2 * value * table.n, room),
        )


def _room(table: Confusion) -> Array:
    # n² - Σ l·p, summed class by class so that two nearly equal numbers are not subtracted
    return np.asarray((table.labelled * table.settled(table.wide_n - table.predicted, table.wide_n)).sum(-1))


kappa = Kappa("kappa", "all labels and all predictions are the same class")
