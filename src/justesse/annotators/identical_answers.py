"""Which two annotators give (nearly) the same answers although the others differ: before any model."""

from dataclasses import dataclass

import numpy as np

from justesse.annotators.pairs import PairTables
from justesse.core.arrays import Array, FloatArray

FEWEST, NEARLY = 20, 0.98  # common items and share of equal answers
TIMES, BEYOND = 5, 10  # how far the answers that differ must be below expectation


@dataclass(frozen=True)
class IdenticalPair:
    """Two annotators, by their codes: how many common items they have, and how many answers are equal."""

    first: int
    second: int
    n: int
    agreed: int


def identical_pairs(tables: PairTables) -> list[IdenticalPair]:
    """List pairs who give the same answer to at least 98 % of 20 common items or more, which the others do not.

    What could be expected of a pair is the largest of three shares: how often each of the two agrees with the median
    other annotator, and how often two who answer at random with their class shares would agree. By that share at least
    10 + log(number of pairs) more answers must differ than 5 times those that do. This is a rule to point out pairs,
    not a test: two who are much more accurate than all others are pointed out, too.

    >>> from justesse.annotators.pairs import pair_tables
    >>> from justesse.core.annotations import Annotations
    >>> lines = ["xxy", "yyx", "xxx", "yyy"] * 6
    >>> rows = [(item, who, what) for item, line in enumerate(lines) for who, what in zip("abc", line)]
    >>> identical_pairs(pair_tables(Annotations.of(rows)))
    [IdenticalPair(first=0, second=1, n=24, agreed=24)]
    """
    if not len(tables):
        return []
    n = tables.n
    equal = tables.count * (tables.answer == tables.other)
    agreed = np.add.reduceat(equal, tables.starts[:-1])
    tested = (n >= FEWEST) & (tables.first != tables.second)
    suspects = np.flatnonzero(tested & (agreed >= NEARLY * n))
    if not len(suspects) or len(suspects) > tested.sum() / 2:
        return []
    expected = np.maximum(_with_others(tables, agreed / n, tested), _by_chance(tables))
    missed = (1 - expected) * n - TIMES * (n - agreed)
    least = BEYOND + np.log(tested.sum())
    chosen = [at for at in suspects.tolist() if missed[at] >= least]
    chosen.sort(key=lambda at: (-agreed[at] / n[at], -n[at]))
    return [IdenticalPair(int(tables.first[at]), int(tables.second[at]), int(n[at]), int(agreed[at])) for at in chosen]


def _with_others(tables: PairTables, shares: FloatArray, tested: Array) -> FloatArray:
    """Give for each pair the larger of the median shares with which its two agree with others; 1 without others."""
    expected = np.full(len(tables), -1.0)
    both = np.concatenate([tables.first, tables.second])
    place = np.concatenate([np.arange(len(tables))] * 2)
    kept = tested[place]
    both, place = both[kept], place[kept]
    order = np.lexsort((shares[place], both))
    place = place[order]
    ends = np.cumsum(np.bincount(both))
    for start, end in zip(np.concatenate([[0], ends[:-1]]), ends, strict=True):
        mine = place[start:end]  # an annotator's pairs, lowest share first
        if len(mine) > 1:
            sizes, rank, left = shares[mine], np.arange(len(mine)), len(mine) - 1
            middle = [sizes[at + (rank <= at)] for at in ((left - 1) // 2, left // 2)]
            expected[mine] = np.maximum(expected[mine], (middle[0] + middle[1]) / 2)
    return np.where(expected < 0, 1.0, expected)


def _by_chance(tables: PairTables) -> FloatArray:
    """Give how often the two of each pair would agree if they answered at random with their class shares."""
    k = tables.n_classes
    keys = tables.pair.astype(np.int64) * k
    theirs, place = np.unique(keys + tables.answer, return_inverse=True)
    rows = np.bincount(place, weights=tables.count)
    others, place = np.unique(keys + tables.other, return_inverse=True)
    columns = np.bincount(place, weights=tables.count)
    _, at, to = np.intersect1d(theirs, others, return_indices=True)
    products = np.bincount(theirs[at] // k, weights=rows[at] * columns[to], minlength=len(tables))
    return np.asarray(products / np.maximum(tables.n, 1) ** 2, dtype=float)
