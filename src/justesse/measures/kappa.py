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

from justesse.core.arrays import Array
from justesse.measures.confusion import Confusion, Partials, ratio
from justesse.measures.measure import Measure


@dataclass(frozen=True)
class Kappa(Measure):
    bounds: tuple[float, float] = (-1.0, 1.0)

    def value(self, table: Confusion) -> Array:
        label_share, answer_share = ratio(table.labelled, table.wide_n), ratio(table.predicted, table.wide_n)
        return ratio((ratio(table.hits, table.wide_n) - label_share * answer_share).sum(-1), _room(table))

    def partials(self, table: Confusion) -> Partials:
        room, value, n = _room(table), self.value(table), table.wide_n
        label_share, answer_share = ratio(table.labelled, n), ratio(table.predicted, n)
        return Partials(
            ratio(1.0, room) / n + np.zeros_like(table.hits),
            ratio((value - 1) * answer_share, room) / n,
            ratio((value - 1) * label_share, room) / n,
            ratio(ratio(table.hits.sum(-1), table.n) - 2 * value, room) / table.n,
        )


def _room(table: Confusion) -> Array:
    # 1 - Σ l·p, summed class by class so that two nearly equal numbers are not subtracted; shares, not counts, because
    # the squares of very large weights would overflow
    rest = ratio(table.settled(table.wide_n - table.predicted, table.wide_n), table.wide_n)
    return np.asarray((ratio(table.labelled, table.wide_n) * rest).sum(-1))


kappa = Kappa("kappa", "all labels and all predictions are the same class", headline=5)
