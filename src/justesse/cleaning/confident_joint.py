"""The confident joint: how many rows of each label probably belong to each class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array, FloatArray

CLOSE = 1e-6
CHUNK = 1 << 16
NO_GUESS = -1


@dataclass(frozen=True, eq=False)
class ConfidentJoint:
    """Counts of labels (rows) by probable true classes (columns), and the probable class of each row.

    Parameters
    ----------
    thresholds
        Mean probability of each class among the rows that bear it as label; infinite for a class without rows.
    counted
        Rows whose probability of a class reaches its threshold.
    counts
        The same, scaled to the number of rows of each label, and whole.
    guess
        Probable class of each row, -1 where no probability reaches its threshold.
    best
        Most probable class of each row.
    """

    thresholds: FloatArray
    counted: NDArray[np.int64]
    counts: NDArray[np.int64]
    guess: NDArray[np.int64]
    best: NDArray[np.int64]

    @property
    def rates(self) -> FloatArray:
        """Share of wrong labels of each label, NaN for a label without rows."""
        rows = self.counts.sum(axis=1)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(rows > 0, 1 - np.diag(self.counts) / rows, np.nan))

    @property
    def rate(self) -> float:
        """Share of wrong labels of all rows."""
        return float(1 - np.trace(self.counts) / self.counts.sum())


def confident_joint(labels: Array, probabilities: FloatArray) -> ConfidentJoint:
    """Count the rows of each label that are confidently of each class.

        t_j = mean of p_j over rows with label j
        C_ij = number of rows with label i and j = argmax of p_k over all k with p_k >= t_k
        Q_ij = C_ij / Σ_j C_ij · n_i, rounded so that rows add up to n_i

    Each label keeps at least one row as right, so that no class is wrong as a whole. It is as good as the
    probabilities: they must come from models not trained on these rows, and a class that a model overrates draws rows.
    Northcutt, Jiang and Chuang (2021).

    >>> p = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8], [0.3, 0.7]])
    >>> confident_joint(np.array([0, 0, 0, 1, 1]), p).counts.tolist()
    [[2, 1], [0, 2]]
    """
    classes = probabilities.shape[1]
    rows = np.bincount(labels, minlength=classes)
    own = np.bincount(labels, weights=probabilities[np.arange(len(labels)), labels], minlength=classes)
    thresholds = np.where(rows > 0, own / np.maximum(rows, 1), np.inf)
    guess, best = np.empty(len(labels), dtype=np.int64), np.empty(len(labels), dtype=np.int64)
    for start in range(0, len(labels), CHUNK):
        part = probabilities[start : start + CHUNK]
        sure = part >= thresholds - CLOSE
        how_many, top = np.count_nonzero(sure, axis=1), part.argmax(axis=1)
        # with one sure class it is that class, with several the most probable of all
        chosen = np.where(how_many > 0, top, NO_GUESS)
        alone = np.flatnonzero((how_many == 1) & ~sure[np.arange(len(part)), top])
        chosen[alone] = sure[alone].argmax(axis=1)
        guess[start : start + CHUNK], best[start : start + CHUNK] = chosen, top
    known = guess >= 0
    cells = np.bincount(labels[known] * classes + guess[known], minlength=classes**2)
    counted = cells.reshape(classes, classes).astype(np.int64)
    kept = counted.copy()
    np.fill_diagonal(kept, np.maximum(np.diag(kept), 1))
    scaled = kept / kept.sum(axis=1, keepdims=True) * rows[:, None]
    return ConfidentJoint(thresholds, counted, whole_rows(scaled, rows), guess, best)


def whole_rows(table: FloatArray, totals: Array) -> NDArray[np.int64]:
    """Round a table so that each row keeps its total: the largest remainders are rounded up, of equal ones the first.

    >>> whole_rows(np.array([[1.5, 0.3, 1.2]]), np.array([3])).tolist()
    [[2, 0, 1]]
    """
    # what floating-point arithmetic left below a whole number is that number, and equal remainders are equal
    lower = np.floor(table + 1e-9)
    left = np.rint(totals - lower.sum(axis=1)).astype(np.int64)
    order = np.argsort(-np.round(table - lower, 9), axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(table.shape[1]), table.shape), axis=1)
    return np.asarray(lower + (ranks < left[:, None]), dtype=np.int64)
