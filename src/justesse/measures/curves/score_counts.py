"""What every measure of scores needs: one class against the rest, gathered by score."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.measures.curves.ranked import Ranked


@dataclass(frozen=True)
class ScoreCounts:
    """Positive and negative rows at each distinct score, the highest score first.

    With row weights the numbers are Σw, and `positive_squares`, `negative_squares` hold Σw². When an engine has
    counted the scores in bins, `width` is the widest bin: rows in one bin are then taken as tied.

    >>> table = ScoreCounts.of([0.9, 0.8, 0.8, 0.1], [1, 1, 0, 0])
    >>> table.scores.tolist(), table.positives.tolist(), table.negatives.tolist()
    ([0.9, 0.8, 0.1], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0])
    """

    scores: Array
    positives: Array
    negatives: Array
    positive_squares: Array
    negative_squares: Array
    width: float = 0.0
    edges: Array | None = None  # the lower edge of each bin, where scores were counted in bins

    @property
    def thresholds(self) -> Array:
        """From which score on a row belongs to each group: the score itself, or the lower edge of its bin."""
        return self.scores if self.edges is None else self.edges

    @classmethod
    def of(cls, scores: ArrayLike, positive: ArrayLike, weights: ArrayLike | None = None) -> "ScoreCounts":
        """Gather rows: plain sorts and one search are faster than one argsort."""
        values, is_positive = np.asarray(scores, dtype=float), np.asarray(positive, dtype=bool)
        if weights is not None:
            return cls.ranked(Ranked.of(values), is_positive, np.asarray(weights, dtype=float))
        if not np.all(np.isfinite(values)):
            raise InputError("Scores must be finite numbers.")
        high = np.sort(values[is_positive])
        merged = np.sort(values)
        starts = np.flatnonzero(np.diff(merged, prepend=np.nan) != 0) if len(merged) else np.zeros(0, dtype=int)
        distinct = merged[starts]
        up_to = np.searchsorted(high, distinct, side="right")
        positives = np.diff(up_to, prepend=0).astype(float)[::-1]
        totals = np.diff(np.append(starts, len(merged))).astype(float)[::-1]
        negatives = totals - positives
        return cls(distinct[::-1], positives, negatives, positives, negatives)

    @classmethod
    def ranked(cls, ranked: Ranked, positive: Array, weights: Array) -> "ScoreCounts":
        """Gather rows that are already ranked."""
        positives, negatives = (ranked.gathered(weights * side)[::-1] for side in (positive, ~positive))
        if np.all(weights == 1):
            return cls(ranked.distinct[::-1], positives, negatives, positives, negatives)
        squares = [ranked.gathered(weights**2 * side)[::-1] for side in (positive, ~positive)]
        return cls(ranked.distinct[::-1], positives, negatives, squares[0], squares[1])

    @cached_property
    def n_positive(self) -> float:
        """How many positive rows there are, or their weight."""
        return float(self.positives.sum())

    @cached_property
    def n_negative(self) -> float:
        """How many negative rows there are, or their weight."""
        return float(self.negatives.sum())

    @property
    def total(self) -> float:
        return self.n_positive + self.n_negative

    @property
    def effective(self) -> tuple[float, float]:
        """Kish's n of the positive and of the negative rows."""
        sides = ((self.positives, self.positive_squares), (self.negatives, self.negative_squares))
        positive, negative = (w.sum() ** 2 / w2.sum() if w2.sum() > 0 else 0.0 for w, w2 in sides)
        return float(positive), float(negative)

    @cached_property
    def true_positives(self) -> Array:
        """Positive rows with at least each score."""
        return np.cumsum(self.positives)

    @cached_property
    def false_positives(self) -> Array:
        """Negative rows with at least each score."""
        return np.cumsum(self.negatives)
