"""Matthews correlation of labels and predictions, for any number of classes (Gorodkin's R_K).

    mcc = (n·Σh - Σ l·p) / sqrt((n² - Σ l²)(n² - Σ p²))      h right, l labelled, p predicted, summed over classes

0 for answers unrelated to the labels, 1 for perfect ones. Undefined, not 0, when all labels or all predictions
are the same class. Gorodkin (2004).

>>> from justesse.core.tally import Tally
>>> round(float(mcc(Tally.from_dense([[190, 10], [210, 3590]]))), 4)
0.65
"""

from dataclasses import dataclass

import numpy as np

from justesse.measures.confusion import Array, Confusion, Partials, ratio
from justesse.measures.measure import Measure


@dataclass(frozen=True)
class Matthews(Measure):
    bounds: tuple[float, float] = (-1.0, 1.0)

    def value(self, table: Confusion) -> Array:
        return ratio(_covariance(table), np.sqrt(_spread(table, table.labelled) * _spread(table, table.predicted)))

    def partials(self, table: Confusion) -> Partials:
        label, prediction = _spread(table, table.labelled), _spread(table, table.predicted)
        root, half = np.sqrt(label * prediction), self.value(table) / 2
        return Partials(
            ratio(table.wide_n, root) + np.zeros_like(table.hits),
            ratio(-table.predicted, root) + half * ratio(2 * table.labelled, label),
            ratio(-table.labelled, root) + half * ratio(2 * table.predicted, prediction),
            ratio(table.hits.sum(-1), root) - half * (ratio(2 * table.n, label) + ratio(2 * table.n, prediction)),
        )


def _covariance(table: Confusion) -> Array:
    return np.asarray((table.hits * table.wide_n - table.labelled * table.predicted).sum(-1))


def _spread(table: Confusion, totals: Array) -> Array:
    # n² - Σ t², summed class by class so that two nearly equal numbers are not subtracted
    return np.asarray((totals * table.settled(table.wide_n - totals, table.wide_n)).sum(-1))


mcc = Matthews("mcc", "all labels or all predictions are the same class")
