"""Which classes an item may have, and sums over its answers: the arithmetic that all models of annotators share.

With few classes every class is possible for every item. With many, only those that somebody answered are (and the gold
class): a million answers among a thousand classes then need a few million numbers instead of a thousand million.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray

MOST = 50_000_000  # numbers in a table of all classes of all items, or of all confusion tables
TINY = 1e-10  # as crowd-kit: no probability is below
SAFE = 600.0  # exponentials whose sum has a log nearer to 0 neither vanish nor overflow


@dataclass(frozen=True, eq=False)
class Support:
    """The possible classes of each item, as a list of (item, class) in the order of items.

    >>> support = Support.of(Annotations.of([(1, "a", "x"), (1, "b", "y"), (2, "a", "y")]))
    >>> support.vote_shares().tolist()
    [0.5, 0.5, 0.0, 1.0]
    """

    annotations: Annotations
    item: Array
    label: Array
    whole: bool

    @classmethod
    def of(cls, annotations: Annotations, *, whole: bool | None = None) -> "Support":
        """Take all classes if that fits in memory, otherwise those answered."""
        k, items = annotations.n_classes, annotations.n_items
        if whole is None:
            whole = max(items * k, annotations.n_annotators * k * k) <= MOST
        if whole:
            return cls(annotations, np.repeat(np.arange(items), k), np.tile(np.arange(k), items), True)
        keys = annotations.item.astype(np.int64) * k + annotations.answer
        if annotations.gold is not None:
            known = np.flatnonzero(annotations.gold >= 0)
            keys = np.concatenate([keys, known * k + annotations.gold[known]])
        item, label = np.divmod(np.unique(keys), k)
        return cls(annotations, item, label, False)

    @cached_property
    def starts(self) -> Array:
        """Where the classes of each item begin, and the end."""
        return np.searchsorted(self.item, np.arange(self.annotations.n_items + 1))

    @cached_property
    def own(self) -> Array:
        """Which (item, class) each answer names."""
        k = self.annotations.n_classes
        key = self.annotations.item.astype(np.int64) * k + self.annotations.answer
        return key if self.whole else np.searchsorted(self.item * k + self.label, key)

    @cached_property
    def gold(self) -> Array | None:
        """Whether each (item, class) is the known truth (1), known to be wrong (0), or open (-1)."""
        truth = self.annotations.gold
        if truth is None or not (truth >= 0).any():
            return None
        known = truth[self.item]
        return np.where(known < 0, -1, (known == self.label).astype(np.int8))

    @cached_property
    def answered(self) -> Array:
        """Which items have an answer or a gold class."""
        return np.diff(self.starts) > 0 if not self.whole else np.ones(self.annotations.n_items, dtype=bool)

    def vote_shares(self) -> FloatArray:
        """Give each possible class its share of the item's answers; all alike where there is none."""
        votes = np.bincount(self.own, minlength=len(self.item)).astype(float)
        if self.whole:
            table, answers = votes.reshape(self.annotations.n_items, -1), self.annotations.per_item
            table /= np.maximum(answers, 1)[:, None]
            table[answers == 0] = 1 / max(table.shape[1], 1)
            return self.with_gold(votes)
        total = self.annotations.per_item[self.item]
        sizes = np.diff(self.starts)[self.item]
        return self.with_gold(np.where(total > 0, votes / np.maximum(total, 1), 1 / sizes))

    def with_gold(self, shares: FloatArray) -> FloatArray:
        """Put probability 1 where the truth is known."""
        return shares if self.gold is None else np.where(self.gold < 0, shares, self.gold)

    def per_class(self, shares: FloatArray, weight: FloatArray | None = None) -> FloatArray:
        """Sum probabilities over the items, each with its weight."""
        if self.whole:
            table = shares.reshape(self.annotations.n_items, -1)
            by_class = np.einsum("ij->j", table) if weight is None else np.einsum("i,ij->j", weight, table)
            return np.asarray(by_class)
        weighted = shares if weight is None else shares * weight[self.item]
        return np.asarray(np.bincount(self.label, weights=weighted, minlength=self.annotations.n_classes), dtype=float)

    def add_classes(self, logs: FloatArray, values: FloatArray) -> FloatArray:
        """Add a value of each class to every (item, class) of it, in place."""
        if self.whole:
            table = logs.reshape(self.annotations.n_items, -1)
            table += values
        else:
            logs += values[self.label]
        return logs

    def normalised(self, logs: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Turn log joint probabilities into probabilities of the classes of each item, and the log of their sum."""
        if self.gold is not None:
            logs = np.where(self.gold == 0, -np.inf, logs)
        if self.whole:
            table = logs.reshape(self.annotations.n_items, -1)
            with np.errstate(over="ignore"):
                parts = np.exp(table)
                total = np.einsum("ij->i", parts)
            top = np.zeros(len(table))
            far = np.flatnonzero(~((total > np.exp(-SAFE)) & (total < np.exp(SAFE))))
            if len(far):  # too near to 0 or too large for floats
                top[far] = table[far].max(axis=1, initial=-np.inf)
                parts[far] = np.exp(table[far] - top[far, None])
                total[far] = np.einsum("ij->i", parts[far])
            parts /= total[:, None]
            return parts.ravel(), top + np.log(total)
        starts = self.starts[:-1][self.answered]
        position = np.cumsum(self.answered) - 1
        at = position[self.item]
        top = np.maximum.reduceat(logs, starts)
        parts = np.exp(logs - top[at])
        total = np.add.reduceat(parts, starts)
        return parts / total[at], top + np.log(total)

    def drawn(self, shares: FloatArray, rng: np.random.Generator) -> Array:
        """Draw a class of each item with its probabilities, -1 for an item without possible classes."""
        ends = np.concatenate([[0.0], np.cumsum(shares)])
        low, high = ends[self.starts[:-1]], ends[self.starts[1:]]
        place = np.searchsorted(ends, low + rng.random(len(low)) * (high - low), side="right") - 1
        place = np.clip(place, self.starts[:-1], np.maximum(self.starts[1:] - 1, 0))
        return np.where(np.diff(self.starts) > 0, self.label[place], -1) if len(self.label) else np.full(len(low), -1)

    def answers_by_class(self, shares: FloatArray) -> FloatArray | None:
        """Expect how many answers name each class (columns) about items of each (rows), if all classes are possible."""
        if not self.whole:
            return None
        k = self.annotations.n_classes
        votes = np.bincount(self.own, minlength=len(self.item)).reshape(-1, k)
        return np.asarray(shares.reshape(-1, k).T @ votes.astype(float))

    def totals(self, values: FloatArray) -> FloatArray:
        """Sum a value of each answer over the answers of each item, for each of its possible classes."""
        sums = np.bincount(self.annotations.item, weights=values, minlength=self.annotations.n_items)
        return np.asarray(sums[self.item], dtype=float)

    def at_own(self, values: FloatArray) -> FloatArray:
        """Sum a value of each answer over the answers that name each (item, class)."""
        return np.asarray(np.bincount(self.own, weights=values, minlength=len(self.item)), dtype=float)

    @cached_property
    def tables(self) -> "Tables":
        """Confusion tables of the annotators, over this support."""
        return WholeTables(self) if self.whole else SparseTables(self)

    def best(self, shares: FloatArray) -> tuple[Array, FloatArray, Array]:
        """Give each item's most probable class (the first of equals), its probability, and how many share it."""
        items = self.annotations.n_items
        top = np.zeros(items)
        np.maximum.at(top, self.item, shares)
        first = shares >= top[self.item] - 1e-9
        equal = np.bincount(self.item[first], minlength=items)
        label = np.full(items, -1)
        places = np.flatnonzero(first)[::-1]
        label[self.item[places]] = self.label[places]
        return label, top, equal


class Tables(ABC):
    """Expected counts of annotator × class × answer, and the log likelihoods that probabilities of answers give."""

    @abstractmethod
    def counts(self, shares: FloatArray, weight: FloatArray | None = None) -> Any:
        """Sum the probabilities of the classes over each annotator's answers."""

    @abstractmethod
    def probabilities(self, counts: Any, prior: FloatArray | float = 0.0) -> Any:
        """Normalise over the answers, after adding a prior count to each."""

    @abstractmethod
    def logs(self, probabilities: Any) -> FloatArray:
        """Sum the log probabilities of an item's answers, for each of its possible classes."""

    @abstractmethod
    def dense(self, values: Any, annotator: int) -> FloatArray:
        """Give one annotator's table, class × answer."""


class WholeTables(Tables):
    """All classes are possible: two products with one sparse matrix of who answered what."""

    def __init__(self, support: Support) -> None:
        from scipy.sparse import csr_array

        notes = support.annotations
        self.shape = (notes.n_annotators, notes.n_classes, notes.n_classes)  # annotator, answer, class
        columns = notes.annotator.astype(np.int64) * notes.n_classes + notes.answer
        starts = np.concatenate([[0], np.cumsum(notes.per_item)])
        size = (notes.n_items, notes.n_annotators * notes.n_classes)
        answered = (np.bincount(columns, minlength=size[1]) > 0).reshape(*self.shape[:2], 1)  # annotator, answer
        self.met = answered | ~answered.any(axis=1, keepdims=True)
        self.matrix = csr_array((np.ones(len(notes)), columns, starts), shape=size)
        self.transposed = self.matrix.T  # of columns: each item's classes are read once, in order

    def counts(self, shares: FloatArray, weight: FloatArray | None = None) -> FloatArray:
        table = shares.reshape(-1, self.shape[2])
        if weight is not None:
            table = table * weight[:, None]
        return np.asarray(self.transposed @ table).reshape(self.shape)

    def probabilities(self, counts: FloatArray, prior: FloatArray | float = 0.0) -> FloatArray:
        smooth = np.maximum(counts + prior, TINY)
        if np.any(prior):
            return np.asarray(smooth / smooth.sum(axis=1, keepdims=True))
        # as crowd-kit: an annotator's answers about a class never met are those given to other classes
        chances = smooth / (smooth * self.met).sum(axis=1, keepdims=True)
        return np.where(self.met, chances, TINY)

    def logs(self, probabilities: FloatArray) -> FloatArray:
        return np.asarray(self.matrix @ np.log(probabilities).reshape(-1, self.shape[2])).ravel()

    def dense(self, values: FloatArray, annotator: int) -> FloatArray:
        return np.asarray(values[annotator].T)


class SparseTables(Tables):
    """Only some classes are possible: one number for each (annotator, class, answer) that can occur together."""

    def __init__(self, support: Support) -> None:
        notes = support.annotations
        k = notes.n_classes
        sizes = notes.per_item[support.item]
        starts = np.cumsum(notes.per_item) - notes.per_item
        self.place = np.repeat(np.arange(len(support.item), dtype=np.int32), sizes)
        offset = np.arange(len(self.place)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        answer = starts[support.item[self.place]] + offset
        row = notes.annotator[answer].astype(np.int64) * k + support.label[self.place]
        keys, self.key = np.unique(row * k + notes.answer[answer], return_inverse=True)
        self.key = self.key.astype(np.int32)
        rows, self.answer = np.divmod(keys, k)
        self.rows, self.row = np.unique(rows, return_inverse=True)
        self.classes, self.item = k, support.item
        self.places = len(support.item)

    def counts(self, shares: FloatArray, weight: FloatArray | None = None) -> FloatArray:
        values = shares if weight is None else shares * weight[self.item]
        return np.asarray(np.bincount(self.key, weights=values[self.place], minlength=len(self.row)), dtype=float)

    def probabilities(self, counts: FloatArray, prior: FloatArray | float = 0.0) -> FloatArray:
        total = np.bincount(self.row, weights=counts, minlength=len(self.rows)) + np.sum(prior) * self.classes
        smooth = np.maximum(counts + prior, TINY)
        return np.asarray(smooth / np.maximum(total, TINY)[self.row])

    def logs(self, probabilities: FloatArray) -> FloatArray:
        logs = np.log(probabilities)[self.key]
        return np.asarray(np.bincount(self.place, weights=logs, minlength=self.places), dtype=float)

    def dense(self, values: FloatArray, annotator: int) -> FloatArray:
        table = np.zeros((self.classes, self.classes))
        mine = self.rows[self.row] // self.classes == annotator
        table[self.rows[self.row][mine] % self.classes, self.answer[mine]] = values[mine]
        return table
