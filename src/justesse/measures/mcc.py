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

from justesse.core.arrays import Array
from justesse.measures.confusion import Confusion, Partials, ratio
from justesse.measures.measure import Measure


@dataclass(frozen=True)
class Matthews(Measure):
    bounds: tuple[float, float] = (-1.0, 1.0)

    def value(self, table: Confusion) -> Array:
        return ratio(_covariance(table), np.sqrt(_spread(table, table.labelled) * _spread(table, table.predicted)))

    def partials(self, table: Confusion) -> Partials:
        n = table.wide_n
        label_share, answer_share = _share(table, table.labelled), _share(table, table.predicted)
        label, prediction = _spread(table, table.labelled), _spread(table, table.predicted)
        root, half = np.sqrt(label * prediction), self.value(table) / 2
        by_n = ratio(table.hits.sum(-1), table.n * root) - half * (ratio(2.0, label) + ratio(2.0, prediction))
        return Partials(
            ratio(1.0, root) / n + np.zeros_like(table.hits),
            (ratio(-answer_share, root) + half * ratio(2 * label_share, label)) / n,
            (ratio(-label_share, root) + half * ratio(2 * answer_share, prediction)) / n,
            by_n / table.n,
        )


def _covariance(table: Confusion) -> Array:
    return np.asarray(
        (ratio(table.hits, table.wide_n) - _share(table, table.labelled) * _share(table, table.predicted)).sum(-1)
    )


def _share(table: Confusion, totals: Array) -> Array:
    # shares rather than counts: the squares of very large weights would overflow
    return ratio(totals, table.wide_n)


def _spread(table: Confusion, totals: Array) -> Array:
    # 1 - Σ t², summed class by class so that two nearly equal numbers are not subtracted
    rest = ratio(table.settled(table.wide_n - totals, table.wide_n), table.wide_n)
    return np.asarray((_share(table, totals) * rest).sum(-1))


mcc = Matthews("mcc", "all labels or all predictions are the same class", title="MCC", headline=4)
