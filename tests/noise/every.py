"""Every truth a small table allows, one by one: what bounds and breakdown rates are checked against."""

from functools import cache
from itertools import product

import numpy as np

from justesse.measures import Confusion
from justesse.measures.cost import Cost


@cache
def truths(table):
    """Give, for every way to give the rows true classes, how many labels are wrong and the true × prediction table."""
    classes = len(table)
    rows = [(a, p) for a in range(classes) for p in range(classes) for _ in range(table[a][p])]
    found = set()
    for true in product(range(classes), repeat=len(rows)):
        cells = [0] * classes**2
        for c, (_, p) in zip(true, rows, strict=True):
            cells[c * classes + p] += 1
        found.add((sum(c != a for c, (a, _) in zip(true, rows, strict=True)), *cells))
    array = np.array(sorted(found))
    return array[:, 0], array[:, 1:].reshape(-1, classes, classes)


def values(measure, table):
    """Give how many labels are wrong and the value, of each class if it is per class, for every truth."""
    wrong, dense = truths(table)
    paid = (dense * measure.costs).sum(axis=(1, 2)) if isinstance(measure, Cost) else None
    stacked = Confusion(
        np.diagonal(dense, axis1=1, axis2=2).astype(float),
        dense.sum(axis=2).astype(float),
        dense.sum(axis=1).astype(float),
        dense.sum(axis=(1, 2)).astype(float),
        paid,
    )
    return wrong, np.asarray(measure.value(stacked)).reshape(len(dense), -1)


def couplings(true, predicted):
    """Yield every table of whole rows with these row sums and column sums."""
    if len(true) == 1:
        yield np.array([predicted])
        return
    for first in product(*(range(min(true[0], p) + 1) for p in predicted)):
        if sum(first) == true[0]:
            rest = [p - f for p, f in zip(predicted, first, strict=True)]
            for below in couplings(true[1:], rest):
                yield np.vstack([[first], below])
