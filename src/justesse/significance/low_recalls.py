"""Classes whose recall is low although most rows are right."""

from dataclasses import dataclass

import numpy as np

from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.measures import Confusion
from justesse.significance.two_shares import share_gaps

HIGH = 0.8  # an accuracy that looks good
LOW = 0.5  # a recall that does not


@dataclass(frozen=True)
class LowRecall:
    """A class, its recall and its rows."""

    class_name: ClassName
    recall: float
    n: int


def low_recalls(tally: Tally, *, level: float = 0.95) -> list[LowRecall]:
    """List the classes with a recall below 0.5 in a table with an accuracy of at least 0.8, the lowest first.

    A class is listed only if its recall is lower than that of all other rows beyond chance (`share_gaps`), corrected
    for the number of classes.

    >>> low_recalls(Tally.from_dense([[950, 10], [35, 5]]))
    [LowRecall(class_name=1, recall=0.125, n=40)]
    """
    table = Confusion.of(tally)
    labelled, hits = np.asarray(table.labelled), np.asarray(table.hits)
    if not tally.n or hits.sum() / tally.n < HIGH:
        return []
    at = np.flatnonzero(labelled > 0)
    recall = hits[at] / labelled[at]
    if not (recall < LOW).any():  # the test below loads SciPy
        return []
    apart = share_gaps(hits[at], labelled[at], all_hits=int(hits.sum()), n=tally.n, level=level, tried=len(at)).differ
    low = [k for k in np.argsort(recall, kind="stable") if recall[k] < LOW and apart[k]]
    return [LowRecall(tally.classes[at[k]], float(recall[k]), int(labelled[at[k]])) for k in low]
