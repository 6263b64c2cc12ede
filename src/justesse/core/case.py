"""Two classifiers to judge: what both answered to the same rows."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.core.true_sets import against_truth, knows_truth

Side = Literal["incumbent", "candidate"]


@dataclass(frozen=True)
class Disagreement:
    """Who was right where: whole numbers, or arrays with one entry per pair of classifiers.

    >>> table = Disagreement(80, 6, 10, 3, 1)
    >>> int(table.n), float(table.difference)
    (100, 0.04)
    """

    both_right: Any
    only_incumbent: Any
    only_candidate: Any
    both_wrong_alike: Any
    both_wrong_differently: Any

    @classmethod
    def of(cls, label: Array, incumbent: Array, candidate: Array, counts: Array) -> "Disagreement":
        """Add up cells of a tally.

        >>> codes = np.array([0, 1]), np.array([0, 0]), np.array([1, 0])
        >>> list(Disagreement.of(*codes, np.array([5, 2])).to_dict().values())
        [0, 5, 0, 2, 0]
        """

        def rows(where: Array) -> int:
            return int(counts[where].sum())

        first, second = incumbent == label, candidate == label
        neither, alike = ~first & ~second, incumbent == candidate
        return cls(
            rows(first & second),
            rows(first & ~second),
            rows(~first & second),
            rows(neither & alike),
            rows(neither & ~alike),
        )

    @property
    def n(self) -> Any:
        wrong = self.both_wrong_alike + self.both_wrong_differently
        return self.both_right + self.only_incumbent + self.only_candidate + wrong

    @property
    def difference(self) -> Any:
        """How much more often the candidate is right."""
        return np.divide(self.only_candidate - self.only_incumbent, self.n)

    @property
    def swapped(self) -> "Disagreement":
        """The same with the two in each other's place."""
        wrong = (self.both_wrong_alike, self.both_wrong_differently)
        return Disagreement(self.both_right, self.only_candidate, self.only_incumbent, *wrong)

    def relabelled(self, rows: Any, *, towards: Side) -> "Disagreement":
        """Change so many labels in the way that helps one side most.

        A row that only the other gets right counts double, once taken away and once given; then come rows where both
        are wrong differently. No other change of a label moves the difference.

        >>> list(Disagreement(80, 6, 10, 3, 1).relabelled(2, towards="incumbent").to_dict().values())
        [80, 8, 8, 3, 1]
        """
        if towards == "candidate":
            return self.swapped.relabelled(rows, towards="incumbent").swapped
        turned = np.minimum(rows, self.only_candidate)
        gained = np.minimum(rows - turned, self.both_wrong_differently)
        return Disagreement(
            self.both_right,
            self.only_incumbent + turned + gained,
            self.only_candidate - turned,
            self.both_wrong_alike,
            self.both_wrong_differently - gained,
        )

    def to_dict(self) -> dict[str, int]:
        return {name: int(value) for name, value in vars(self).items()}


@dataclass(frozen=True)
class PairedScores:
    """Both classifiers' scores of one class, row by row, and the cluster of each row if rows come in clusters."""

    class_name: ClassName
    positive: NDArray[np.bool_]
    incumbent: NDArray[np.float64]
    candidate: NDArray[np.float64]
    cluster: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Case:
    """What a judge sees: a `label × incumbent × candidate` tally, with `true`, `hard` and `cluster` if they are known.

    >>> cells = [("+", "+", "+", 80), ("+", "+", "-", 6), ("-", "+", "-", 10), ("-", "+", "+", 4)]
    >>> case = Case(Tally.of(("label", "incumbent", "candidate"), cells))
    >>> case.disagreement.to_dict()["only_candidate"], case.candidate.dense("label", "prediction").tolist()
    (10, [[80, 6], [4, 10]])
    """

    tally: Tally
    scores: PairedScores | None = None

    def __post_init__(self) -> None:
        for axis in ("label", "incumbent", "candidate"):
            self.tally.axis(axis)
        if not self.tally.n:
            raise InputError("There are no rows to judge.")
        if self.tally.weighted:
            raise InputError("Verdicts do not support weighted rows. Leave the weights out.")

    @property
    def n(self) -> int:
        return self.tally.n

    @cached_property
    def incumbent(self) -> Tally:
        """The incumbent's label × prediction table."""
        return self.tally.marginal("label", "incumbent").renamed(incumbent="prediction")

    @cached_property
    def candidate(self) -> Tally:
        """The candidate's label × prediction table."""
        return self.tally.marginal("label", "candidate").renamed(candidate="prediction")

    @property
    def clustered(self) -> bool:
        """Whether rows come in clusters, so that rows of one cluster may be alike."""
        return CLUSTERS in self.tally.axes

    def clustered_side(self, side: Side) -> Tally:
        """Return the label × prediction × cluster table of one classifier."""
        return self.tally.marginal("label", side, CLUSTERS).renamed(**{side: "prediction"})

    def side(self, side: Side) -> Tally:
        """Return the label × prediction table of one classifier, by cluster if rows come in clusters."""
        return (
            self.clustered_side(side) if self.clustered else self.incumbent if side == "incumbent" else self.candidate
        )

    @cached_property
    def against_truth(self) -> "Case | None":
        """The same answers with the true classes as labels; `None` if the true classes are not known."""
        return Case(against_truth(self.tally)) if knows_truth(self.tally) else None

    @cached_property
    def disagreement(self) -> Disagreement:
        """Who was right where."""
        label, first, other = (self.tally.codes[:, self.tally.axis(a)] for a in ("label", "incumbent", "candidate"))
        return Disagreement.of(label, first, other, self.tally.counts)
