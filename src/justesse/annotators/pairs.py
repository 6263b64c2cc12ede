"""How far every two annotators agree: percent and Cohen's kappa, with weights for near misses if wanted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from justesse.annotators.item_spread import item_interval
from justesse.core.annotations import Annotations
from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Estimate

Weights = Literal["none", "linear", "quadratic"]
CHUNK = 2_000_000  # pairs of answers handled at once


@dataclass(frozen=True, eq=False)
class PairTables:
    """For every two annotators with common items: how often the first answered a class and the second another.

    The cells of pair p are those from `starts[p]` to `starts[p + 1]`, sorted by class.
    """

    first: Array
    second: Array
    starts: Array
    answer: Array
    other: Array
    count: Array
    n_classes: int

    def __len__(self) -> int:
        return len(self.first)

    @property
    def pair(self) -> Array:
        """Which pair each cell belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @property
    def n(self) -> Array:
        """How many items each two have in common."""
        return np.add.reduceat(self.count, self.starts[:-1]) if len(self) else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators, by their codes, and how far they agree on the items that both answered."""

    first: int
    second: int
    n: int
    percent: float
    kappa: Estimate
    scott: Estimate


def pair_tables(annotations: Annotations) -> PairTables:
    """Count, for every two annotators, their answers to the items they have in common."""
    k, people = annotations.n_classes, annotations.n_annotators
    keys, counts = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    for first, second in answer_pairs(annotations):
        who = annotations.annotator[first].astype(np.int64) * people + annotations.annotator[second]
        key = (who * k + annotations.answer[first]) * k + annotations.answer[second]
        new, number = np.unique(key, return_counts=True)
        keys, place = np.unique(np.concatenate([keys, new]), return_inverse=True)
        counts = np.bincount(place, weights=np.concatenate([counts, number]), minlength=len(keys)).astype(np.int64)
    rest, other = np.divmod(keys, k)
    who, answer = np.divmod(rest, k)
    pairs, starts = np.unique(who, return_index=True)
    first, second = np.divmod(pairs, people)
    return PairTables(first, second, np.append(starts, len(keys)), answer, other, counts, k)


def answer_pairs(annotations: Annotations) -> Iterator[tuple[Array, Array]]:
    """Give the places of two annotators' answers to one item, the one with the lower code first, in chunks.

    Of several answers of an annotator to an item the last counts.

    >>> rows = [(1, "a", "x"), (1, "a", "y"), (1, "b", "y")]
    >>> [(first.tolist(), second.tolist()) for first, second in answer_pairs(Annotations.of(rows))]
    [([1], [2])]
    """
    again = (np.diff(annotations.item) == 0) & (np.diff(annotations.annotator) == 0)
    places = np.flatnonzero(np.append(~again, True)[: len(annotations)])
    per_item = np.bincount(annotations.item[places], minlength=annotations.n_items)
    starts = np.concatenate([[0], np.cumsum(per_item)])
    later = np.repeat(starts[1:], per_item) - np.arange(len(places)) - 1  # answers after this one, of its item
    ends = np.cumsum(later)
    begin = 0
    while begin < len(later):
        done = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, done + CHUNK, side="right")), begin + 1)
        number = later[begin:end]
        first = np.repeat(np.arange(begin, end), number)
        offset = np.arange(len(first)) - np.repeat(np.cumsum(number) - number, number)
        if len(first):
            yield places[first], places[first + 1 + offset]
        begin = end


def pairwise(
    tables: PairTables, *, weights: Weights = "none", positions: FloatArray | None = None, level: float = 0.95
) -> list[PairAgreement]:
    """Compute percent agreement, Cohen's kappa and Scott's pi of every two annotators.

    Both are (p_o - p_e) / (1 - p_e). Cohen takes p_e from the two annotators' own class shares, Scott from the shares
    of both together. With weights, a disagreement counts by the distance of the classes, or by its square; `positions`
    say where the classes lie (default: one step apart in their order).

    >>> lines = ["xx", "xx", "xy", "yy"]
    >>> answers = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("ab", line)]
    >>> pair = pairwise(pair_tables(Annotations.of(answers)))[0]
    >>> pair.kappa
    Estimate(kappa 0.5000, 95 % CI -1.0000 to 0.9682, n = 4)
    >>> round(pair.scott.value, 4)
    0.4667
    """
    places = np.arange(tables.n_classes, dtype=float) if positions is None else positions
    near = _nearness(places, weights)
    results = []
    for at in range(len(tables)):
        cells = slice(tables.starts[at], tables.starts[at + 1])
        first, second, count = tables.answer[cells], tables.other[cells], tables.count[cells]
        n = int(count.sum())
        rows, columns = (np.bincount(codes, weights=count, minlength=tables.n_classes) / n for codes in (first, second))
        both = (rows + columns) / 2
        results.append(
            PairAgreement(
                int(tables.first[at]),
                int(tables.second[at]),
                n,
                float(count[first == second].sum() / n),
                _beyond_chance("kappa", (first, second, count), rows, columns, near, level),
                _beyond_chance("scott", (first, second, count), both, both, near, level),
            )
        )
    return results


def _beyond_chance(
    name: str,
    cells: tuple[Array, Array, Array],
    rows: FloatArray,
    columns: FloatArray,
    near: FloatArray | None,
    level: float,
) -> Estimate:
    first, second, count = cells
    n = int(count.sum())
    right, left = (columns, rows) if near is None else (near @ columns, rows @ near)
    expected = float(rows @ right)
    if expected >= 1 - 1e-12:
        return Estimate(name, np.nan, n, undefined="both always gave the same class")
    agreeing = (first == second).astype(float) if near is None else near[first, second]
    value = (float(agreeing @ count) / n - expected) / (1 - expected)
    if n < 2:
        return Estimate(name, value, n, undefined="one common item gives no interval")
    chance = right[first] + left[second] - expected
    influence = (agreeing - expected) / (1 - expected) - (1 - value) * (chance - expected) / (1 - expected)
    interval = item_interval(np.repeat(influence, count), value, level=level)
    return Estimate(name, value, n, interval, None if interval else "their agreement does not vary between items")


def _nearness(positions: FloatArray, weights: Weights) -> FloatArray | None:
    """Give the table of how near classes are; none if only equal ones agree."""
    if weights == "none":
        return None
    distance = np.abs(positions[:, None] - positions[None, :])
    distance = distance / max(float(distance.max()), 1e-300)
    return np.asarray(1 - (distance if weights == "linear" else distance**2), dtype=np.float64)
