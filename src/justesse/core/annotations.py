"""What annotators answered: who gave which class to which item, each answer once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array
from justesse.core.errors import ClassError, InputError
from justesse.core.levels import identity, native, ordered
from justesse.core.results import ClassName

Codes = NDArray[np.int32]
MOST_CELLS, BLOCK = 50_000_000, 16_384  # cells of a table of all items and classes, and items counted at once


@dataclass(frozen=True, eq=False, repr=False)
class Annotations:
    """Answers in the order of their items: codes of item, annotator and class, and the names behind the codes.

    `gold` has the code of the true class of each item, -1 where it is unknown. `time` orders an annotator's answers.
    `details` are further numbers of each answer by name, such as the confidence stated; NaN where there is none.

    >>> Annotations.of([("i1", "ann", "cat"), ("i1", "bob", "dog"), ("i2", "ann", "cat")])
    Annotations(3 answers of 2 annotators to 2 items, 2 classes)
    """

    items: Sequence[ClassName]
    annotators: Sequence[ClassName]
    classes: tuple[ClassName, ...]
    item: Codes
    annotator: Codes
    answer: Codes
    gold: Codes | None = None
    time: Array | None = None
    details: Mapping[str, Array] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        answers: Iterable[tuple[Any, Any, Any]],
        *,
        classes: Sequence[ClassName] | None = None,
        gold: dict[Any, Any] | None = None,
    ) -> "Annotations":
        """Build it from `(item, annotator, class)` and, where they are known, the true classes of items."""
        rows = [tuple(native(value) for value in answer) for answer in answers]
        truth = {identity(native(item)): native(value) for item, value in (gold or {}).items()}
        items = {identity(row[0]): None for row in rows} | dict.fromkeys(truth)
        annotators = {identity(row[1]): None for row in rows}
        used = {identity(row[2]) for row in rows} | {identity(name) for name in truth.values()}
        if classes is None:
            names = ordered(name for _, name in used)
        else:
            names = tuple(native(name) for name in classes)
            if strangers := used - {identity(name) for name in names}:
                name = sorted(repr(name) for _, name in strangers)[0]
                raise ClassError(f"Answer {name} is not among the classes {list(names)!r}.")
        codes = [{key: code for code, key in enumerate(keys)} for keys in (items, annotators)]
        codes.append({identity(name): code for code, name in enumerate(names)})
        columns = np.array(
            [[code[identity(value)] for code, value in zip(codes, row, strict=True)] for row in rows], dtype=np.int32
        ).reshape(-1, 3)
        known = None
        if gold is not None:
            known = np.array([codes[2][identity(truth[key])] if key in truth else -1 for key in items], dtype=np.int32)
        return cls.sorted([name for _, name in items], [name for _, name in annotators], names, *columns.T, gold=known)

    @classmethod
    def sorted(
        cls,
        items: Sequence[ClassName],
        annotators: Sequence[ClassName],
        classes: tuple[ClassName, ...],
        item: Array,
        annotator: Array,
        answer: Array,
        *,
        gold: Codes | None = None,
        time: Array | None = None,
        details: Mapping[str, Array] | None = None,
    ) -> "Annotations":
        """Put the answers in the order of items, then annotators.

        Parameters
        ----------
        items
            Names of the items.
        annotators
            Names of the annotators.
        classes
            Names of the classes.
        item
            Code of the item of each answer.
        annotator
            Code of its annotator.
        answer
            Code of the class answered.
        gold
            Code of the true class of each item, -1 where it is unknown. Default: none is known.
        time
            Time of each answer. Default: answers have no order.
        details
            Further numbers of each answer, by name. Default: none.
        """
        order = np.lexsort((annotator, item))
        item, annotator, answer = (
            np.ascontiguousarray(column[order], dtype=np.int32) for column in (item, annotator, answer)
        )
        time = None if time is None else time[order]
        beside = {name: values[order] for name, values in (details or {}).items()}
        return cls(items, annotators, classes, item, annotator, answer, gold, time, beside)

    def __len__(self) -> int:
        return len(self.item)

    def __repr__(self) -> str:
        sizes = f"{len(self)} answers of {self.n_annotators} annotators to {self.n_items} items"
        return f"Annotations({sizes}, {self.n_classes} classes)"

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def n_annotators(self) -> int:
        return len(self.annotators)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @cached_property
    def per_item(self) -> Array:
        """How many answers each item has."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def per_annotator(self) -> Array:
        """How many answers each annotator gave."""
        return np.bincount(self.annotator, minlength=self.n_annotators)

    def votes(self) -> "Votes":
        """Count the answers by item and class."""
        if self.n_items * self.n_classes <= MOST_CELLS:
            table = self.vote_table().ravel()
            keys = np.flatnonzero(table)
            counts = table[keys].astype(np.int64)
        else:
            keys, counts = np.unique(self.item.astype(np.int64) * self.n_classes + self.answer, return_counts=True)
        item, answer = np.divmod(keys, self.n_classes)
        return Votes(item, answer, counts, self.n_items, self.classes)

    def vote_table(self) -> Array:
        """Count the answers by item and class, as a table of items × classes."""
        k = self.n_classes
        table = np.zeros((self.n_items, k), dtype=np.int32)
        ends = np.concatenate([[0], np.cumsum(self.per_item)])
        for start in range(0, self.n_items, BLOCK):  # items in turn, so that the counts stay in the processor's cache
            stop = min(start + BLOCK, self.n_items)
            part = slice(ends[start], ends[stop])
            keys = (self.item[part].astype(np.int64) - start) * k + self.answer[part]
            table[start:stop] = np.bincount(keys, minlength=(stop - start) * k).reshape(-1, k)
        return table

    def without(self, annotators: Sequence[int]) -> "Annotations":
        """Leave out the answers of these annotators, by their codes; names and codes stay."""
        return self.where(~np.isin(self.annotator, annotators))

    def where(self, kept: Array) -> "Annotations":
        """Keep some answers; names and codes stay."""
        item, annotator, answer = (column[kept] for column in (self.item, self.annotator, self.answer))
        time = None if self.time is None else self.time[kept]
        details = {name: values[kept] for name, values in self.details.items()}
        return Annotations(self.items, self.annotators, self.classes, item, annotator, answer, self.gold, time, details)

    def of_items(self, chosen: Array) -> "Annotations":
        """Keep the answers to some items, which become all there are."""
        position = np.full(self.n_items, -1, dtype=np.int32)
        position[chosen] = np.arange(len(chosen), dtype=np.int32)
        kept = position[self.item] >= 0
        return Annotations.sorted(
            [self.items[at] for at in chosen],
            self.annotators,
            self.classes,
            position[self.item[kept]],
            self.annotator[kept],
            self.answer[kept],
            gold=None if self.gold is None else self.gold[chosen],
            time=None if self.time is None else self.time[kept],
            details={name: values[kept] for name, values in self.details.items()},
        )


@dataclass(frozen=True, eq=False)
class Votes:
    """Answers counted by item and class, observed cells only, in the order of items: what agreement is a function of.

    `times` is how many items have the counts of each one here; `None`: each stands for itself.

    >>> Annotations.of([(1, "a", "x"), (1, "b", "x"), (2, "a", "y")]).votes().count.tolist()
    [2, 1]
    """

    item: Array
    answer: Array
    count: Array
    n_items: int
    classes: tuple[ClassName, ...]
    times: Array | None = None

    def __post_init__(self) -> None:
        if np.any(np.diff(self.item) < 0):
            raise InputError("The cells of votes must be in the order of their items.")

    @cached_property
    def per_item(self) -> Array:
        """How many answers each item has."""
        return np.bincount(self.item, weights=self.count, minlength=self.n_items)

    @property
    def n(self) -> int:
        return int(self.count.sum() if self.times is None else self.count @ self.times[self.item])

    def dense(self) -> Array:
        """Give the table of items × classes."""
        table = np.zeros((self.n_items, len(self.classes)), dtype=np.int64)
        table[self.item, self.answer] = self.count
        return table
