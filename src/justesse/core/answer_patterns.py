"""What several classifiers answered to the same rows, counted by pattern; no labels are needed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.levels import merged, ordered
from justesse.core.results import ClassName
from justesse.core.tally import Tally


@dataclass(frozen=True, eq=False)
class AnswerPatterns:
    """Rows counted by the answers of M classifiers, observed patterns only.

    Parameters
    ----------
    names
        Names of the classifiers.
    classes
        Names of the classes.
    codes
        Position of each answer among the classes, patterns × classifiers.
    counts
        Number of rows of each pattern.

    Examples
    --------
    >>> patterns = AnswerPatterns.of(["a", "b", "c"], [("x", "x", "y"), ("x", "x", "y"), ("y", "y", "y")])
    >>> patterns.n, patterns.pairs, patterns.agreement.round(2).tolist()
    (3, ((0, 1), (0, 2), (1, 2)), [1.0, 0.33, 0.33])
    """

    names: tuple[str, ...]
    classes: tuple[ClassName, ...]
    codes: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls, names: Sequence[str], rows: Iterable[Sequence[ClassName]], classes: Sequence[ClassName] | None = None
    ) -> "AnswerPatterns":
        """Count rows of answers, one answer of each classifier."""
        answers = [tuple(row) for row in rows]
        known = (
            tuple(classes) if classes is not None else merged((), ordered({name for row in answers for name in row}))
        )
        place = {name: code for code, name in enumerate(known)}
        codes = np.array([[place[name] for name in row] for row in answers], dtype=np.int64).reshape(-1, len(names))
        return cls.from_codes(names, known, codes)

    @classmethod
    def from_codes(
        cls, names: Sequence[str], classes: Sequence[ClassName], codes: Array, counts: Array | None = None
    ) -> "AnswerPatterns":
        """Count rows of codes, or add up the counts of patterns that repeat."""
        if not len(codes):
            raise InputError("There are no rows to judge.")
        patterns, inverse = np.unique(np.asarray(codes, dtype=np.int64), axis=0, return_inverse=True)
        weights = np.ones(len(codes), dtype=np.int64) if counts is None else np.asarray(counts, dtype=np.int64)
        sums = np.zeros(len(patterns), dtype=np.int64)
        np.add.at(sums, inverse.reshape(-1), weights)
        return cls(tuple(names), tuple(classes), patterns, sums)

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.counts.sum())

    @property
    def size(self) -> int:
        """Number of classifiers."""
        return len(self.names)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All pairs of classifiers, in the order of `agreement`."""
        return tuple(combinations(range(self.size), 2))

    @cached_property
    def agrees(self) -> FloatArray:
        """Tell for each pattern which pairs agree: patterns × pairs, 0 or 1."""
        first, other = np.array(self.pairs).T
        return np.asarray(self.codes[:, first] == self.codes[:, other], dtype=float)

    @property
    def agreement(self) -> FloatArray:
        """Share of rows on which each pair agrees."""
        return np.asarray(self.counts @ self.agrees / self.n)

    def tally(self, **roles: int) -> Tally:
        """Count by the answers of some classifiers, each in a role such as `label` or `incumbent`."""
        coded = [(self.codes[:, at], self.classes) for at in roles.values()]
        return Tally.from_codes(tuple(roles), coded, self.counts, classes=self.classes)
