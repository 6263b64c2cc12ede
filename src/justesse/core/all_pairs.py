"""Many classifiers to judge: what the judges need of all ordered pairs, for one measure."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.case import Disagreement
from justesse.core.choices import Judgeable as Judgeable
from justesse.core.errors import OptionError
from justesse.core.one_vs_rest import OneVsRestPair

PairTable = Disagreement | OneVsRestPair


@dataclass(frozen=True)
class Shares:
    """How many right answers each of the two has, out of how many: the measure is their ratio."""

    incumbent_right: Array
    incumbent_of: Array
    candidate_right: Array
    candidate_of: Array

    @property
    def difference(self) -> Array:
        """Candidate minus incumbent; NaN where one of them is undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(
                np.divide(self.candidate_right, self.candidate_of) - np.divide(self.incumbent_right, self.incumbent_of)
            )


def shares(table: PairTable, measure: Judgeable) -> Shares:
    """Read accuracy, or recall or precision of the class a table is about, for one pair or for many.

    >>> result = shares(OneVsRestPair(Disagreement(50, 4, 6, 2, 1), Disagreement(3, 2, 1, 30, 1)), "precision")
    >>> result.incumbent_right, result.incumbent_of, float(result.difference.round(4))
    (54, 59, 0.0181)
    """
    rows = right_rows(table)
    first, other = rows.both_right + rows.only_incumbent, rows.both_right + rows.only_candidate
    if measure == "precision":
        assert isinstance(table, OneVsRestPair)
        return Shares(first, table.predicted_by_incumbent, other, table.predicted_by_candidate)
    return Shares(first, rows.n, other, rows.n)


def right_rows(table: PairTable) -> Disagreement:
    """Give who was right where: on all rows, or on those labelled with the class."""
    return table.labelled if isinstance(table, OneVsRestPair) else table


@dataclass(frozen=True)
class AllPairs:
    """All ordered pairs of M classifiers on the same rows: entry [i, j] is about incumbent i and candidate j.

    `labels` counts against the labels, `true` against the true classes, `cleaned` against labels that a cleaning step
    mended, without the rows it removed; `hard` counts the hard rows alone, against the labels. `joint` is how many rows
    of each true class (rows) have each label (columns). `disagreements` counts, for every pair, the rows on which the
    two disagree, by whom the label and the true class agree with (`frames.count_disagreements`). What is not known is
    `None`. Made by `frames.count_all_pairs`; recall and precision of one class (number `at`) share their tables.
    """

    measure: Judgeable
    labels: PairTable
    true: PairTable | None = None
    hard: PairTable | None = None
    cleaned: PairTable | None = None
    joint: Array | None = None
    at: int | None = None
    disagreements: Array | None = None

    def __post_init__(self) -> None:
        if (self.measure == "accuracy") != isinstance(self.labels, Disagreement):
            raise OptionError(
                f"The measure {self.measure} needs its own tables. Count them with count_all_pairs(…, "
                f"measure={self.measure!r})."
            )

    @property
    def difference(self) -> Array:
        """How much better each candidate looks than each incumbent against the labels."""
        return shares(self.labels, self.measure).difference

    @property
    def true_difference(self) -> Array:
        """How much better each candidate is against the true classes."""
        return shares(self.need("true", "the true classes"), self.measure).difference

    def need(self, part: Literal["true", "hard", "cleaned"], what: str) -> PairTable:
        """Give a part, or say that it is missing."""
        result: PairTable | None = getattr(self, part)
        if result is None:
            raise OptionError(f"This judge needs {what}. Give them to count_all_pairs(…, {part}=…).")
        return result
