"""Events of an on-line comparison, counted in blocks between looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array

EACH_AT_FIRST = 10  # events, each with a look after it
PROXY_ERROR = "\0proxy error"  # no column can have this name
GROWTH = 1.15  # of the number of events from look to look, later


def look_edges(n: int) -> NDArray[np.int64]:
    """Return after how many of n events one looks: each of the first, then more and more seldom, and the last.

    The looks do not depend on the outcomes, so that reading a file in parts changes nothing.

    >>> look_edges(15).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15]
    """
    edges = [*range(1, EACH_AT_FIRST + 1)]
    while edges[-1] < n:
        edges.append(int(np.ceil(edges[-1] * GROWTH)))
    kept = [edge for edge in edges if edge < n]
    return np.array([*kept, n] if n else [], dtype=np.int64)


@dataclass(frozen=True)
class EventBlocks:
    """Events counted by variant (rows) and by block between two looks (columns).

    Parameters
    ----------
    variants
        Names of the variants, in the order in which they were first seen.
    n
        Outcomes known.
    total
        Their sums, scaled to 0 to 1.
    squares
        Sums of their squares.
    open
        Events whose outcome is not known yet.
    repeated
        Events that came again with the same id and were counted once.
    out_of_order
        Events that were earlier than one before them.
    tracked
        Other numbers of the same events, each counted in the same way, by name.
    """

    variants: tuple[str, ...]
    n: Array
    total: Array
    squares: Array
    open: Array
    repeated: int = 0
    out_of_order: int = 0
    tracked: Mapping[str, "EventBlocks"] = field(default_factory=dict)

    @property
    def events(self) -> Array:
        """Number of events up to each look."""
        return np.asarray(np.cumsum((self.n + self.open).sum(axis=0)))

    @property
    def by_variant(self) -> Array:
        """Number of events of each variant (columns) up to each look (rows)."""
        return np.asarray(np.cumsum(self.n + self.open, axis=1).T)

    def of(self, names: Sequence[str]) -> "EventBlocks":
        """Keep these variants, in this order."""
        at = [self.variants.index(name) for name in names]
        parts = {part: getattr(self, part)[at] for part in ("n", "total", "squares", "open")}
        tracked = {name: blocks.of(names) for name, blocks in self.tracked.items()}
        return replace(self, variants=tuple(names), tracked=tracked, **parts)


class BlockCounter:
    """Add events in batches, in the order in which they arrived."""

    def __init__(self) -> None:
        self.events = 0
        self._cells: dict[str, NDArray[np.float64]] = {}
        self._edges = look_edges(1 << 40)

    def add(self, names: Sequence[str], codes: NDArray[np.int64], outcomes: Array) -> None:
        """Add a batch: a code per event for its variant, and its outcome, NaN if it is open."""
        if not len(codes):
            return
        first, size = np.searchsorted(self._edges, [self.events, self.events + len(codes) - 1], side="right").tolist()
        size += 1
        width = size - first
        ends = np.minimum(self._edges[first:size], self.events + len(codes))
        block = np.repeat(np.arange(width), np.diff([self.events, *ends.tolist()]))
        self.events += len(codes)
        cells, shape = codes * width + block, (len(names), width)
        gaps = np.isnan(outcomes)
        if gaps.any():
            known = ~gaps
            every, cells, values = _counted(cells, shape), cells[known], outcomes[known]
            seen = _counted(cells, shape)
            open_ = every - seen
        else:
            values, seen, open_ = outcomes, _counted(cells, shape), np.zeros(shape)
        squares = values * values
        total = _counted(cells, shape, values)
        # outcomes 0 and 1 are their own squares
        parts = [seen, total, total if np.array_equal(squares, values) else _counted(cells, shape, squares), open_]
        for at, name in enumerate(names):
            held = self._cells.setdefault(name, np.zeros((4, 0)))
            if held.shape[1] < size:
                held = np.pad(held, ((0, 0), (0, size - held.shape[1])))
            held[:, first:size] += np.stack([part[at] for part in parts])
            self._cells[name] = held

    def blocks(self, *, repeated: int = 0, out_of_order: int = 0) -> EventBlocks:
        """Return what was counted."""
        size = max((held.shape[1] for held in self._cells.values()), default=0)
        held = [np.pad(cell, ((0, 0), (0, size - cell.shape[1]))) for cell in self._cells.values()]
        parts = np.stack(held) if held else np.zeros((0, 4, 0))
        return EventBlocks(
            tuple(self._cells), parts[:, 0], parts[:, 1], parts[:, 2], parts[:, 3], repeated, out_of_order
        )


def _counted(cells: NDArray[np.int64], shape: tuple[int, int], weights: Array | None = None) -> Array:
    return np.bincount(cells, weights=weights, minlength=shape[0] * shape[1]).reshape(shape).astype(float)


class EventCounter:
    """Add events with several numbers each: the outcome, and others that are tracked beside it.

    >>> counter = EventCounter(["cost"])
    >>> counter.add(("old", "new"), np.array([0, 1]), np.array([1.0, 0.0]), {"cost": np.array([0.5, np.nan])})
    >>> counter.blocks().tracked["cost"].n.sum(axis=1).tolist()
    [1.0, 0.0]
    """

    def __init__(self, tracked: Sequence[str] = (), proxy: str | None = None, *, open_last: bool = False) -> None:
        self._open_last = open_last  # then what was decided by known outcomes stays, when others become known
        self._open: list[tuple[Sequence[str], NDArray[np.int64], Array, Mapping[str, Array]]] = []
        self._outcomes = BlockCounter()
        self._proxy = proxy  # its errors, outcome minus proxy, are counted as well, scaled to 0 to 1
        self._tracked = {name: BlockCounter() for name in [*tracked, *([PROXY_ERROR] if proxy else [])]}

    @property
    def events(self) -> int:
        """Number of events added."""
        return self._outcomes.events + sum(len(codes) for _, codes, _, _ in self._open)

    def add(
        self, names: Sequence[str], codes: NDArray[np.int64], outcomes: Array, tracked: Mapping[str, Array]
    ) -> None:
        """Add a batch: a code per event for its variant, its outcome and its other numbers, NaN if not known."""
        if self._open_last and (gaps := np.isnan(outcomes)).any():
            for chosen, add in ((~gaps, self._add), (gaps, self._set_aside)):
                parts = {name: values[chosen] for name, values in tracked.items()}
                add(names, codes[chosen], outcomes[chosen], parts)
        else:
            self._add(names, codes, outcomes, tracked)

    def _set_aside(
        self, names: Sequence[str], codes: NDArray[np.int64], outcomes: Array, tracked: Mapping[str, Array]
    ) -> None:
        self._open.append((names, codes, outcomes, tracked))

    def _add(
        self, names: Sequence[str], codes: NDArray[np.int64], outcomes: Array, tracked: Mapping[str, Array]
    ) -> None:
        self._outcomes.add(names, codes, outcomes)
        errors = {PROXY_ERROR: (1 + outcomes - tracked[self._proxy]) / 2} if self._proxy else {}
        for name, counter in self._tracked.items():
            counter.add(names, codes, errors[name] if name in errors else tracked[name])

    def blocks(self, *, repeated: int = 0, out_of_order: int = 0) -> EventBlocks:
        """Return what was counted."""
        for batch in self._open:
            self._add(*batch)
        self._open = []
        counted = self._outcomes.blocks(repeated=repeated, out_of_order=out_of_order)
        return replace(counted, tracked={name: counter.blocks() for name, counter in self._tracked.items()})
