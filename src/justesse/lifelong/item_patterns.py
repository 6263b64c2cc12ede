"""Items that several versions were tested on, grouped by label and answers: one item has one label for all of them."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.lifelong.label_moves import LabelMoves

NOT_TESTED = -1
NO_LABEL = -2


@dataclass(frozen=True)
class ItemPatterns:
    """Items grouped by period, label and what every version answered.

    Parameters
    ----------
    period
        Test period of each group, from 0.
    label
        Code of the label of each group; -2 where it is missing.
    answers
        Codes of the answers, groups down, versions across; -1 where a version was not tested on the items.
    many
        Number of items of each group.
    classes
        Number of classes.
    periods
        Number of test periods.
    shared
        Whether items are known by their id. Otherwise each row counts as an item of its own.
    """

    period: Array
    label: Array
    answers: Array
    many: Array
    classes: int
    periods: int
    shared: bool = True

    @classmethod
    def of_items(
        cls,
        period: Array,
        label: Array,
        answers: Array,
        *,
        classes: int,
        periods: int,
        many: Array | None = None,
        shared: bool = True,
    ) -> "ItemPatterns":
        """Group items that are alike.

        Parameters
        ----------
        period, label, answers
            Period, label and answers of each item, or of each group of them.
        classes
            Number of classes.
        periods
            Number of test periods.
        many
            Number of items of each group. Default: 1.
        shared
            Whether items are known by their id.

        >>> of_items = ItemPatterns.of_items
        >>> grouped = of_items(np.array([0, 0]), np.array([1, 1]), np.array([[1, 0], [1, 0]]), classes=2, periods=1)
        >>> grouped.many.tolist(), grouped.accuracies.tolist()
        ([2], [[1.0], [0.0]])
        """
        rows, place = np.unique(np.column_stack([period, label, answers]), axis=0, return_inverse=True)
        counts = np.ones(len(place), dtype=np.int64) if many is None else many
        sums = np.bincount(place.reshape(-1), counts).astype(np.int64)
        return cls(rows[:, 0], rows[:, 1], rows[:, 2:], sums, classes, periods, shared)

    def part(self, inside: Array) -> "ItemPatterns":
        """Return some of the groups."""
        return replace(
            self,
            period=self.period[inside],
            label=self.label[inside],
            answers=self.answers[inside],
            many=self.many[inside],
        )

    @cached_property
    def sizes(self) -> FloatArray:
        """Number of items of each cell, versions down, periods across."""
        return self._by_cell(self.answers != NOT_TESTED)

    @cached_property
    def accuracies(self) -> FloatArray:
        """Accuracy of each cell, versions down, periods across; NaN where nothing was tested."""
        right = self._by_cell(self.answers == self.label[:, None])
        return np.asarray(np.divide(right, self.sizes, out=np.full(right.shape, np.nan), where=self.sizes > 0))

    def _by_cell(self, counted: Array) -> FloatArray:
        sums = [np.bincount(self.period, column * self.many, minlength=self.periods) for column in counted.T]
        return np.array(sums, dtype=float)

    @cached_property
    def distinct(self) -> Array:
        """Number of different classes among the label and the answers of each group."""
        values = np.sort(np.column_stack([self.label, self.answers]), axis=1)
        new = (np.diff(values, axis=1, prepend=NOT_TESTED) != 0) & (values >= 0)
        return np.asarray(new.sum(axis=1))

    def changes(self, coefficients: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what other true classes do to Σ_ij c_ij·R_ij, for every item of each group.

        Parameters
        ----------
        coefficients
            Weight c_ij of the accuracy of version i in period j, versions down.

        Returns
        -------
        tuple
            The change if the true class is the answer of each version (groups down, versions across; NaN if that
            is the label, or there is no answer), and if it is a class that nobody answered (NaN if there is none).
        """
        per_item = np.divide(coefficients, self.sizes, out=np.zeros_like(self.sizes), where=self.sizes > 0)
        worth = per_item.T[self.period]
        base = (worth * (self.answers == self.label[:, None])).sum(axis=1)
        possible = (self.answers != NOT_TESTED) & (self.answers != self.label[:, None])
        gains = np.full(self.answers.shape, np.nan)
        for at in range(self.answers.shape[1]):
            same = self.answers == self.answers[:, at : at + 1]
            gains[:, at] = np.where(possible[:, at], (worth * same).sum(axis=1) - base, np.nan)
        return gains, np.where(self.distinct < self.classes, -base, np.nan)

    def moves(self, coefficients: FloatArray) -> LabelMoves:
        """Group the items by what a wrong label does to a weighted sum of accuracies, Σ_ij c_ij·R_ij.

        >>> period = np.array([0])
        >>> patterns = ItemPatterns(period, period, np.array([[0, 1]]), np.array([4]), 2, 1)
        >>> moves = patterns.moves(np.array([[-1.0], [1.0]]))  # second version minus first
        >>> moves.up.tolist(), moves.down.tolist()
        ([0.5], [0.5])
        """
        gains, other = self.changes(coefficients)
        every = np.column_stack([gains, other])
        # with a single class there is no other true class, and nothing moves
        none = np.isnan(every).all(axis=1)
        every[none] = 0.0
        return LabelMoves(self.period, self.many, np.nanmax(every, axis=1), np.nanmin(every, axis=1))
