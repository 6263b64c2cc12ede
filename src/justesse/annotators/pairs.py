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


def pair_tables(annotations: Annotations) -> PairTables:
    """Count, for every two annotators, their answers to the items they have in common."""
    k, people = annotations.n_classes, annotations.n_annotators
    keys, counts = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    for first, second in answer_pairs(annotations):
        who = annotations.annotator[first].astype(np.int64) * people + annotations.annotator[second]
        key = (who * k + annotations.answer[first]) * k + annotations.answer[second]
        found, number = np.unique(key, return_counts=True)
        keys, place = np.unique(np.concatenate([keys, found]), return_inverse=True)
        counts = np.bincount(place, weights=np.concatenate([counts, number]), minlength=len(keys)).astype(np.int64)
    rest, other = np.divmod(keys, k)
    who, answer = np.divmod(rest, k)
    pairs, starts = np.unique(who, return_index=True)
    first, second = np.divmod(pairs, people)
    return PairTables(first, second, np.append(starts, len(keys)), answer, other, counts, k)


def answer_pairs(annotations: Annotations) -> Iterator[tuple[Array, Array]]:
    """Give the places of all two answers to one item, the annotator with the lower code first, in chunks."""
    per_item = annotations.per_item
    starts = np.concatenate([[0], np.cumsum(per_item)])
    later = np.repeat(starts[1:], per_item) - np.arange(len(annotations)) - 1  # answers after this one, of its item
    ends = np.cumsum(later)
    begin = 0
    while begin < len(later):
        done = ends[begin - 1] if begin else 0
        end = max(int(np.searchsorted(ends, done + CHUNK, side="right")), begin + 1)
        number = later[begin:end]
        first = np.repeat(np.arange(begin, end), number)
        offset = np.arange(len(first)) - np.repeat(np.cumsum(number) - number, number)
        if len(first):
            yield first, first + 1 + offset
        begin = end


def pairwise(tables: PairTables, *, weights: Weights = "none", level: float = 0.95) -> list[PairAgreement]:
    """Compute percent agreement and Cohen's kappa of every two annotators.

    kappa = (p_o - p_e) / (1 - p_e), p_e from the two annotators' own class shares. With weights, a disagreement counts
    by the distance of the classes in their order, or by its square.

    >>> answers = [(item, who, what) for item, (a, b) in enumerate(["xx", "xx", "xy", "yy"]) for who, what in (("a", a), ("b", b))]
    >>> pairwise(pair_tables(Annotations.of(answers)))[0].kappa
    Estimate(kappa 0.5000, 95 % CI -1.0000 to 0.9682, n = 4)
    """
    results = []
    for at in range(len(tables)):
        cells = slice(tables.starts[at], tables.starts[at + 1])
        first, second, count = tables.answer[cells], tables.other[cells], tables.count[cells]
        n = int(count.sum())
        percent = float(count[first == second].sum() / n)
        kappa = _kappa(first, second, count, tables.n_classes, weights, level)
        results.append(PairAgreement(int(tables.first[at]), int(tables.second[at]), n, percent, kappa))
    return results


def _kappa(first: Array, second: Array, count: Array, k: int, weights: Weights, level: float) -> Estimate:
    n = int(count.sum())
    used = np.union1d(first, second)
    own = np.searchsorted(used, first), np.searchsorted(used, second)
    rows, columns = (np.bincount(codes, weights=count, minlength=len(used)) / n for codes in own)
    near = _nearness(used, k, weights)
    expected = float(rows @ near @ columns)
    if expected >= 1 - 1e-12:
        return Estimate("kappa", np.nan, n, undefined="both always gave the same class")
    agreeing = near[own]
    value = (float(agreeing @ count) / n - expected) / (1 - expected)
    if n < 2:
        return Estimate("kappa", value, n, undefined="one common item gives no interval")
    chance = (near @ columns)[own[0]] + (rows @ near)[own[1]] - expected
    influence = (agreeing - expected) / (1 - expected) - (1 - value) * (chance - expected) / (1 - expected)
    interval = item_interval(np.repeat(influence, count), value, level=level)
    return Estimate("kappa", value, n, interval, None if interval else "their agreement does not vary between items")


def _nearness(used: Array, k: int, weights: Weights) -> FloatArray:
    if weights == "none":
        return np.eye(len(used))
    distance = np.abs(used[:, None] - used[None, :]) / max(k - 1, 1)
    return np.asarray(1 - (distance if weights == "linear" else distance**2), dtype=np.float64)
