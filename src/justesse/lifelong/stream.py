"""A stream of items over time: batches that a system must handle, and test items that it never learns from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import InputError, OptionError
from justesse.core.levels import ordered
from justesse.core.results import ClassName
from justesse.core.seeds import stream as random_stream
from justesse.frames.stream_rows import TimedRows
from justesse.lifelong.item import Item
from justesse.lifelong.periods import DAY, blocks_of, grouped


@dataclass(frozen=True)
class PeriodBatch:
    """The items of one period.

    Parameters
    ----------
    period
        Name of the period.
    items
        Items that the system handles and learns from, without labels.
    tests
        Items that versions are tested on; no system learns from them.
    trained
        Last time of the period: when the version that has seen it was trained.
    blocks
        Block of time of each item, for intervals.
    test_blocks
        Block of time of each test item.
    """

    period: str
    items: tuple[Item, ...]
    tests: tuple[Item, ...]
    trained: str
    blocks: Array
    test_blocks: Array


@dataclass(frozen=True)
class Stream:
    """What a system meets over time.

    Parameters
    ----------
    initial
        Labelled items that it gets before it is put to use.
    batches
        One per period after that.
    labels
        Right answer to each item, such as its class, by id.
    classes
        All classes; none if the answers are no classes.
    trained
        When the first version was trained.
    """

    initial: tuple[Item, ...]
    batches: tuple[PeriodBatch, ...]
    labels: Mapping[str, Any]
    classes: tuple[ClassName, ...]
    trained: str

    @property
    def tests(self) -> tuple[Item, ...]:
        """The test items of all periods."""
        return tuple(item for batch in self.batches for item in batch.tests)

    def answered(self, labels: Mapping[str, Any]) -> "Stream":
        """Return the stream with other right answers to its items, which are no classes."""
        initial = tuple(item.labelled(labels[item.id]) for item in self.initial)
        return replace(self, initial=initial, labels=labels, classes=())

    def labels_of(self, items: Sequence[Item]) -> list[Any]:
        """Return the right answers to items."""
        return [self.labels[item.id] for item in items]


def stream_of(
    rows: TimedRows,
    *,
    period: str | float | None = None,
    initial: int = 1,
    test_share: float = 0.25,
) -> Stream:
    """Cut rows into periods, and set test items aside: the same in every run, whatever its seed.

    Parameters
    ----------
    rows
        The rows, in any order.
    period
        Length of a period: day, week, month, quarter or year for dates, a number for numbers.
    initial
        Number of first periods whose items are given with labels before the run.
    test_share
        Share of the items of every later period that are kept for tests.

    >>> from justesse.frames.stream_rows import timed_rows
    >>> made = stream_of(timed_rows({"time": [0] * 4 + [1] * 4 + [2] * 4, "label": ["a"] * 12}))
    >>> len(made.initial), [(batch.period, len(batch.items), len(batch.tests)) for batch in made.batches]
    (4, [('1', 3, 1), ('2', 3, 1)])
    """
    if initial < 0:
        raise OptionError(f"initial (--initial) must be 0 or more periods; got {initial!r}.")
    if not 0 <= test_share < 1:
        raise OptionError(f"test_share (--test-share) must be at least 0 and below 1; got {test_share!r}.")
    order = np.argsort(rows.moments, kind="stable")
    moments, first, of_row = np.unique(rows.moments[order], return_index=True, return_inverse=True)
    written = [rows.times[int(order[at])] for at in first.tolist()]
    periods = grouped(moments, written, rows.dated, period)
    blocks = blocks_of(moments, periods.of_moment, rows.dated)
    if len(periods.names) <= initial:
        raise InputError(
            f"{rows.where} has {len(periods.names)} periods, and {initial} of them are initial data: nothing is left "
            "to run on. Choose shorter periods (period=…, --period) or fewer initial ones (initial=…, --initial)."
        )
    all_items = [Item(*parts) for parts in zip(rows.ids, rows.times, rows.values, strict=True)]
    labels = dict(zip(rows.ids, rows.labels, strict=True))
    start: list[Item] = []
    batches: list[PeriodBatch] = []
    for code, name in enumerate(periods.names):
        inside = np.flatnonzero(periods.of_moment[of_row] == code)
        items = [all_items[int(order[at])] for at in inside.tolist()]
        if code < initial:
            start += [item.labelled(labels[item.id]) for item in items]
            continue
        kept = _drawn(len(items), test_share, random_stream(0, "tests", name))
        batches.append(
            PeriodBatch(
                name,
                tuple(item for item, test in zip(items, kept, strict=True) if not test),
                tuple(item for item, test in zip(items, kept, strict=True) if test),
                items[-1].time,
                blocks[of_row[inside[~kept]]],
                blocks[of_row[inside[kept]]],
            )
        )
    trained = start[-1].time if start else _before(float(moments[0]), rows.dated)
    return Stream(tuple(start), tuple(batches), labels, tuple(ordered(list(dict.fromkeys(rows.labels)))), trained)


def _drawn(n: int, share: float, draws: np.random.Generator) -> Array:
    """Choose test items: the share, rounded, but at least one of two items, and never all."""
    many = min(n - 1, max(round(share * n), 1 if share else 0))
    chosen = np.zeros(n, dtype=bool)
    chosen[draws.permutation(n)[: max(many, 0)]] = True
    return chosen


def _before(moment: float, dated: bool) -> str:
    """Write a time just before the first: when a system that came trained was trained."""
    if dated:
        return datetime.fromtimestamp((moment - 1) * DAY, UTC).strftime("%Y-%m-%d")
    return f"{moment - 1:g}"
