"""F: the harmonic mean of precision and recall, recall counting β times as much.

    F_β,k = (1+β²)·right_k / (β²·labelled_k + predicted_k)

Defined as soon as k is labelled or predicted once, also where precision is not. It ignores true negatives. The
thesis calls F the ratio of harmonic and arithmetic means: it is the harmonic mean. van Rijsbergen (1979).

>>> from justesse.core.tally import Tally
>>> f1(Tally.from_dense([[190, 10], [210, 3590]], ["+", "-"])).round(4).tolist()
[0.6333, 0.9703]
>>> round(float(fbeta(2)(Tally.from_dense([[190, 10], [210, 3590]]))[0]), 4)
0.7917
"""

from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.measures.confusion import Confusion
from justesse.measures.measure import Proportion
from justesse.measures.ratio import Ratio, RatioCells


@dataclass(frozen=True)
class FMeasure(Ratio):
    """The F measure; F1 is 2J/(1+J), where J is the share of right rows among those labelled or predicted k (Jaccard).

    Hand, Christen and Kirielle (2021).
    """

    is_proportion: bool = False

    def hidden_share(self, table: Confusion) -> Proportion | None:
        if self.beta is not None:
            return None
        return Proportion(table.hits, table.settled(table.labelled + table.predicted - table.hits, table.wide_n))

    def of_share(self, share: Array) -> Array:
        return np.asarray(2 * share / (1 + share))


def fbeta(beta: float) -> FMeasure:
    """Return the F measure of one β; β = 1 is named `f1`."""
    if not 0 < beta <= 1000:
        raise OptionError(f"beta must be above 0 and at most 1000; got {beta!r}.")
    square = beta**2
    return FMeasure(
        "f1" if beta == 1 else "fbeta",
        "it is neither among the labels nor among the predictions",
        beta=None if beta == 1 else beta,
        title=f"F{beta:g}",
        headline=3 if beta == 1 else 0,
        numerator=RatioCells(hits=1 + square),
        denominator=RatioCells(labelled=square, predicted=1),
    )


f1 = fbeta(1)
