"""Is a classifier better than always predicting the most frequent class?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.intervals.wilson import wilson
from justesse.significance.paired_difference import paired_difference

BARELY = 0.1  # share of the majority answer's errors that is saved

Better = Literal["worse", "equal", "unclear", "barely", "clearly"]


@dataclass(frozen=True)
class MajorityGap:
    """The accuracy of a classifier beside that of always predicting one class.

    `low` is the low end of the interval that `better` was decided by: of the difference of accuracies
    (`majority_gap`), or of the accuracy (`accepted_gap`, `accuracy_gap`).
    """

    class_name: ClassName
    accuracy: float
    majority: float
    low: float
    better: Better

    @property
    def saved(self) -> float:
        """Share of the majority answer's errors that the classifier does not make; NaN if it makes none."""
        return (self.accuracy - self.majority) / (1 - self.majority) if self.majority < 1 else math.nan


def majority_gap(tally: Tally, *, level: float = 0.95) -> MajorityGap:
    """Compare the predictions of a `label × prediction` tally with the most frequent label, row by row.

    The gap is clear if the interval of the paired difference of accuracies lies above 0 (`paired_difference`).

    >>> gap = majority_gap(Tally.from_dense([[90, 5], [3, 2]]))
    >>> gap.class_name, gap.accuracy, gap.majority, gap.better
    (0, 0.92, 0.95, 'worse')
    """
    labels = tally.sums("label", tally.counts)
    k = int(labels.argmax())
    right, always = tally.codes[:, 0] == tally.codes[:, 1], tally.codes[:, 0] == k
    only_model, only_majority = (int(tally.counts[at].sum()) for at in (right & ~always, always & ~right))
    accuracy, majority = int(tally.counts[right].sum()) / tally.n, int(labels[k]) / tally.n
    low = float(paired_difference(only_majority, only_model, tally.n, level=level).low)
    better: Better = "unclear" if low <= 0 else "barely" if accuracy - majority < BARELY * (1 - majority) else "clearly"
    if accuracy <= majority:
        better = "worse" if accuracy < majority else "equal"
    return MajorityGap(tally.classes[k], accuracy, majority, low, better)


def accepted_gap(tally: Tally, accepted: Mapping[ClassName, float], *, level: float = 0.95) -> MajorityGap:
    """Do the same where rows accept several classes; `accepted` counts the rows that accept each class.

    Which rows accept the class is not known, so the gap is clear if the accuracy's own interval lies above.

    >>> rows = Tally.of(("label", "prediction"), [("a", "a", 60), ("b", "a", 40)])
    >>> accepted_gap(rows, {"a": 60, "b": 70}).better
    'worse'
    """
    best = max(accepted, key=lambda name: accepted[name])
    right = int(tally.counts[tally.codes[:, 0] == tally.codes[:, 1]].sum())
    low = float(wilson(right, tally.n, level=level).low)
    return accuracy_gap(best, right / tally.n, accepted[best] / tally.n, low)


def accuracy_gap(class_name: ClassName, accuracy: float, majority: float, low: float) -> MajorityGap:
    """Compare an accuracy, whose interval starts at `low`, with the share of rows of one class.

    >>> accuracy_gap("a", 0.8, 0.75, 0.7).better
    'unclear'
    """
    better: Better = "clearly" if low > majority else "unclear"
    if accuracy <= majority:
        better = "worse" if accuracy < majority else "equal"
    return MajorityGap(class_name, accuracy, majority, low, better)
