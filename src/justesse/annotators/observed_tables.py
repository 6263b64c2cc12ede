"""Tables of many annotators with few answers each: only the answers that each one gave have numbers."""

from functools import cached_property
from typing import Any

import numpy as np

from justesse.annotators.support import TINY, Support, Tables
from justesse.core.arrays import Array, FloatArray

WORTH = 0.7  # share of all answers of all annotators that occur: with more, whole tables are as fast


class ObservedTables(Tables):
    """All classes are possible, but annotators gave few of the answers: one row for each (annotator, answer).

    Without a prior count, somebody who always gave the same answer says nothing about the classes: that answer has
    probability 1 whatever the class. Such annotators are left out of the sums.
    """

    def __init__(self, support: Support, *, prior: float) -> None:
        notes = self.notes = support.annotations
        self.shape = (notes.n_annotators, notes.n_classes, notes.n_classes)  # annotator, answer, class
        cell = notes.annotator.astype(np.int64) * notes.n_classes + notes.answer
        self.met: Array = (np.bincount(cell, minlength=notes.n_annotators * notes.n_classes) > 0).reshape(
            self.shape[:2]
        )
        informative = self.met.sum(axis=1) > (0 if prior else 1)
        self.cells = np.flatnonzero((self.met & informative[:, None]).ravel())
        self.owner = self.cells // notes.n_classes
        new = np.diff(self.owner, prepend=-1) > 0
        self.first, self.group = np.flatnonzero(new), np.cumsum(new) - 1

    @cached_property
    def matrix(self) -> Any:
        """Say which cells the answers to each item are in."""
        from scipy.sparse import csr_array

        notes = self.notes
        position = np.full(self.met.size, -1, dtype=np.int32)
        position[self.cells] = np.arange(len(self.cells), dtype=np.int32)
        place = position[notes.annotator.astype(np.int64) * notes.n_classes + notes.answer]
        kept = place >= 0
        starts = np.concatenate([[0], np.cumsum(np.bincount(notes.item[kept], minlength=notes.n_items))])
        size = (notes.n_items, len(self.cells))
        return csr_array((np.ones(int(kept.sum())), place[kept], starts), shape=size)

    def counts(self, shares: FloatArray, weight: FloatArray | None = None) -> FloatArray:
        table = shares.reshape(-1, self.shape[2])
        if weight is not None:
            table = table * weight[:, None]
        return np.asarray(self.matrix.T @ table, dtype=float)

    def probabilities(self, counts: FloatArray, prior: FloatArray | float = 0.0) -> FloatArray:
        smooth = np.maximum(counts + prior, TINY)
        if not len(smooth):
            return smooth
        total = np.add.reduceat(smooth, self.first, axis=0)
        if np.any(prior):  # answers never given have the prior count, too
            sizes = np.diff(self.first, append=len(smooth))
            total += np.maximum(prior, TINY) * (self.shape[1] - sizes)[:, None]
        return np.asarray(smooth / total[self.group])

    def logs(self, probabilities: FloatArray) -> FloatArray:
        return np.asarray(self.matrix @ np.log(probabilities)).ravel()

    def dense(self, values: FloatArray, annotator: int) -> FloatArray:
        return np.asarray(self.all_cells(values)[annotator].T)

    def all_cells(self, probabilities: FloatArray, prior: float = 0.0) -> FloatArray:
        """Give the probabilities of all answers, also of those never given, annotator × answer × class."""
        people, k, _ = self.shape
        someone = self.met.any(axis=1, keepdims=True)
        rows = np.where(someone, np.where(self.met, 1.0, TINY), 1 / k)
        table = np.repeat(rows[:, :, None], k, axis=2)
        if prior and len(self.cells):
            rest = 1 - np.add.reduceat(probabilities, self.first, axis=0)
            sizes = np.diff(self.first, append=len(self.cells))
            table[self.owner[self.first]] = (rest / np.maximum(k - sizes, 1)[:, None])[:, None, :]
        table.reshape(people * k, k)[self.cells] = probabilities
        return np.asarray(table)


def observed_tables(support: Support, *, prior: float) -> ObservedTables | None:
    """Give tables of the answers that occur, if that saves much; `None` if whole tables are as good.

    >>> from justesse.core.annotations import Annotations
    >>> rows = [(item, f"annotator {item}", "abc"[item % 3]) for item in range(9)]
    >>> tables = observed_tables(Support.of(Annotations.of(rows)), prior=0.0)
    >>> tables.matrix.nnz  # everybody answered once
    0
    """
    if not support.whole:
        return None
    tables = ObservedTables(support, prior=prior)
    return None if len(tables.cells) > WORTH * tables.met.size else tables
