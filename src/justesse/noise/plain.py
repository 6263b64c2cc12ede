"""(a) The labels are right: the measured value as it stands."""

from collections.abc import Sequence

from justesse.core.results import Estimate
from justesse.core.tally import Tally
from justesse.intervals.estimate import Confidence, estimate
from justesse.measures import Measure
from justesse.noise.counted import counted
from justesse.noise.rung import PLAIN, Rung


def plain(tally: Tally, measures: Sequence[Measure], confidence: Confidence | None = None) -> Rung[Estimate]:
    """Assume that every label is right.

        true value = measured value

    The more wrong labels there are, the further off it can be, at any n. Thesis 6.1, hypothesis H.

    >>> from justesse.measures import accuracy
    >>> plain(Tally.from_dense([[45, 5], [5, 45]]), [accuracy]).figures[0].value
    0.9
    """
    return Rung(
        PLAIN,
        tuple(estimate(counted(tally, "label", "prediction"), measures, confidence)),
        ("every label is the true class", "the rows are independent draws"),
        "some labels are wrong: a classifier better than the labels is underrated, one that learned their errors is "
        "overrated",
    )
