"""Rows of a labelled reference and of an unlabelled target, counted by the confidence of their predictions."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError

GROUPS = 1000  # distinct confidences beyond which rows are counted in groups of equal mass


@dataclass(frozen=True, eq=False)
class ConfidenceCounts:
    """How many rows have each confidence, the lowest first.

    Parameters
    ----------
    confidence
        Distinct confidences; with more than 1,000 of them, the mean of each of 1,000 groups of equal mass.
    right, wrong
        Rows of the reference whose prediction is right, and wrong.
    target
        Rows of the target.
    labelled_right, labelled_wrong
        Rows of the target that have a label, by whether the prediction is right. They count in `target`, too.
    """

    confidence: FloatArray
    right: FloatArray
    wrong: FloatArray
    target: FloatArray
    labelled_right: FloatArray
    labelled_wrong: FloatArray

    @classmethod
    def of(
        cls,
        reference: ArrayLike,
        right: ArrayLike,
        target: ArrayLike,
        labelled: ArrayLike = (),
        labelled_right: ArrayLike = (),
    ) -> "ConfidenceCounts":
        """Count rows by their confidence.

        Parameters
        ----------
        reference, right
            Confidence of each row of the reference, and whether its prediction is right.
        target
            Confidence of each row of the target.
        labelled, labelled_right
            Confidence of the rows of the target that have a label, and whether their prediction is right.

        Examples
        --------
        >>> counts = ConfidenceCounts.of([0.9, 0.6, 0.9], [1, 0, 1], [0.6, 0.7])
        >>> counts.confidence.tolist(), counts.right.tolist(), counts.target.tolist()
        ([0.6, 0.7, 0.9], [0.0, 0.0, 2.0], [1.0, 1.0, 0.0])
        """
        ours, theirs, checked = (np.asarray(part, dtype=float) for part in (reference, target, labelled))
        if not (len(ours) and len(theirs)):
            raise InputError("The reference and the target need at least one row each.")
        pooled = np.concatenate([ours, theirs])
        if not ((pooled >= 0) & (pooled <= 1)).all():
            raise InputError("Confidences must lie between 0 and 1.")
        values, counts = np.unique(pooled, return_counts=True)
        group = np.arange(len(values))
        if len(values) > GROUPS:
            group = ((np.cumsum(counts) - counts / 2) * (GROUPS / counts.sum())).astype(np.int64)
            group = np.unique(group, return_inverse=True)[1]
        size = int(group[-1]) + 1
        mean = np.bincount(group, values * counts) / np.bincount(group, counts)

        def counted(confidence: Array, chosen: Array | None = None) -> FloatArray:
            at = group[np.searchsorted(values, confidence)]
            return np.bincount(at, chosen, minlength=size).astype(float)

        hit, known = (np.asarray(part, dtype=bool) for part in (right, labelled_right))
        return cls(
            mean, counted(ours, hit), counted(ours, ~hit), counted(theirs), counted(checked, known),
            counted(checked, ~known),
        )  # fmt: skip

    @property
    def reference(self) -> FloatArray:
        """Rows of the reference."""
        return self.right + self.wrong

    @property
    def labelled(self) -> FloatArray:
        """Rows of the target that have a label."""
        return self.labelled_right + self.labelled_wrong

    @property
    def reference_accuracy(self) -> float:
        return float(self.right.sum() / self.reference.sum())

    @property
    def outside(self) -> float:
        """Share of the target's rows whose confidence no row of the reference reaches, below or above."""
        seen = np.flatnonzero(self.reference)
        return float((self.target[: seen[0]].sum() + self.target[seen[-1] + 1 :].sum()) / self.target.sum())
