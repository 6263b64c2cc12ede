"""Each annotator's confusion table: how often they answer each class, given the true one, with intervals."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from justesse.annotators.consensus import Consensus
from justesse.annotators.refits import METHOD, Refits
from justesse.annotators.support import WholeTables
from justesse.core.arrays import FloatArray
from justesse.core.results import Estimate, Interval
from justesse.intervals.wilson import wilson

LARGEST = 200_000  # cells of all tables together
HALF = 0.5  # expected items of a class: with fewer, an annotator has no row for it


@dataclass(frozen=True, eq=False)
class Confusions:
    """The tables of all annotators, annotator × class × answer.

    `share` is the share of the answers to items of a class, `low` and `high` are the ends of its interval, and `n` the
    expected number of items of each class that the annotator answered.
    """

    share: FloatArray
    low: FloatArray
    high: FloatArray
    n: FloatArray
    level: float
    method: str

    def cells(self, annotator: int) -> Iterator[tuple[int, int, Estimate]]:
        """Yield class, answer and share of each cell in the rows of an annotator that have answers."""
        for true in np.flatnonzero(self.n[annotator] >= HALF).tolist():
            for answer in range(self.share.shape[2]):
                at = (annotator, true, answer)
                interval = Interval(float(self.low[at]), float(self.high[at]), self.level, self.method, (0.0, 1.0))
                yield true, answer, Estimate("share", float(self.share[at]), float(self.n[annotator, true]), interval)


def confusions(fit: Consensus, again: Refits | None, *, level: float = 0.95) -> Confusions | None:
    """Estimate the confusion table of each annotator, `None` if there are too many annotators and classes.

    The share of answer a to class k is the sum of the probabilities of class k over the items so answered, divided by
    the sum over all items the annotator answered. Intervals are quantiles of the refits, of the posterior draws of a
    Bayesian model, or Wilson's with the expected counts where there is neither; the last treats the consensus as
    the truth.

    >>> from justesse.annotators.dawid_skene import dawid_skene
    >>> from justesse.core.annotations import Annotations
    >>> lines = ["xxx", "xxy", "yyy", "yyx", "xxx", "yyy"]
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)]
    >>> tables = confusions(dawid_skene(Annotations.of(rows)), None)
    >>> [(true, answer, round(cell.value, 2)) for true, answer, cell in tables.cells(2)]
    [(0, 0, 0.67), (0, 1, 0.33), (1, 0, 0.33), (1, 1, 0.67)]
    """
    notes = fit.support.annotations
    tables = fit.support.tables if notes.n_annotators * notes.n_classes**2 <= LARGEST else None
    if not isinstance(tables, WholeTables):
        return None
    counts = tables.counts(fit.shares).transpose(0, 2, 1)
    n = counts.sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(n[:, :, None] > 0, counts / n[:, :, None], np.nan)
    draws = fit.extra.get("cells")
    ends = None if again is None else again.cell_ends(level)
    if ends is not None:
        (low, high), method = ends, METHOD
    elif draws is not None:
        tail = (1 - level) / 2
        parts = [np.quantile(draws[:, who], [tail, 1 - tail], axis=0) for who in range(notes.n_annotators)]
        low, high = np.array(parts).transpose(1, 0, 2, 3)
        method = "posterior"
    else:
        both = wilson(counts, np.maximum(n, 1e-9)[:, :, None], level=level)
        low, high, method = np.asarray(both.low), np.asarray(both.high), "wilson"
    # the draws stay off 0 and 1, where the value may be
    return Confusions(share, np.fmin(low, share), np.fmax(high, share), n, level, method)
