"""What a judge may assume about wrong labels: how many at most, or counts of labels by true class."""

import math
from dataclasses import dataclass

import numpy as np

from justesse.core.all_pairs import AllPairs
from justesse.core.arrays import Array
from justesse.core.case import Case
from justesse.core.errors import OptionError
from justesse.core.true_sets import need_one_true_class
from justesse.judges.placing import Budget
from justesse.noise.counted import on_classes, padded
from justesse.noise.models import check_rate
from justesse.noise.rate_range import rate_words
from justesse.noise.transition import Transition

MISSING = (
    "The judge {judge} needs one of these: the largest share of wrong labels, rate=… (--noise-rate 0.03), a "
    "transition table (--transition), or the true classes (--true COL)."
)


@dataclass(frozen=True)
class WrongLabels:
    """At most a share `rate` of the labels is wrong; `joint` counts rows by true class and label, where it is known."""

    rate: float
    joint: Array | None
    words: str

    @classmethod
    def of(cls, case: Case, judge: str, rate: float | None, transition: Transition | None) -> "WrongLabels":
        """Use the transition table, else the rate, else the true classes of the case."""
        if transition is not None:
            labels = case.tally.marginal("label")
            # the classes of the case in their own order: those of the table may have another
            rows = on_classes(labels, transition.classes, what="the transition table")
            order = [rows.classes.index(name) for name in case.tally.classes]
            joint = padded(transition.joint(rows.sums("label")[: len(transition.classes)]), len(rows.classes))
            rest = joint.sum() - joint[np.ix_(order, order)].sum()
            if rest > 1e-9:
                raise OptionError(
                    "The transition table has classes that are neither labels nor predictions here. List all classes "
                    "(--classes)."
                )
            return cls.counted(joint[np.ix_(order, order)], "the transition table holds for these rows")
        if rate is not None:
            return cls(check_rate(rate), None, f"{rate_words(0.0, rate)} of the labels are wrong")
        need_one_true_class(case.tally, f"the judge {judge}")
        if "true" in case.tally.axes:
            return cls.counted(case.tally.dense("true", "label"), "the true classes are right")
        raise OptionError(MISSING.format(judge=judge))

    @classmethod
    def of_pairs(cls, pairs: AllPairs, judge: str, rate: float | None) -> "WrongLabels":
        """Use the rate, else the true classes."""
        if rate is not None:
            return cls(check_rate(rate), None, f"{rate_words(0.0, rate)} of the labels are wrong")
        if pairs.joint is None:
            raise OptionError(MISSING.format(judge=judge))
        return cls.counted(pairs.joint, "the true classes are right")

    @classmethod
    def counted(cls, joint: Array, words: str) -> "WrongLabels":
        return cls(float((joint.sum() - np.trace(joint)) / joint.sum()), joint, words)

    def budget(self, n: int, at: int | None) -> Budget:
        """Return the largest number of wrong labels; of class number `at` if counts are known."""
        if self.joint is None or at is None:
            return Budget.of(math.floor(self.rate * n + 1e-9))
        named, true, both = self.joint[:, at].sum(), self.joint[at].sum(), self.joint[at, at]
        leaving, joining = (math.ceil(rows - 1e-9) for rows in (named - both, true - both))
        return Budget(leaving + joining, leaving, joining)
