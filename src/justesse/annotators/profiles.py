"""Items whose answers were counted alike: how often each row of counts occurs in a table of items × classes."""

from dataclasses import dataclass

import numpy as np

from justesse.core.annotations import MOST_CELLS, Annotations, Votes
from justesse.core.arrays import Array

# by the number of answers per item at most: weights of classes whose sums tell any two rows of counts apart; each is
# the least number that keeps all sums different.
WEIGHTS: dict[int, tuple[int, ...]] = {
    2: (1, 3, 7, 12, 20, 30, 44, 65, 80, 96, 122, 147, 181, 203, 251, 289, 360, 400, 474, 564),
    3: (1, 4, 13, 32, 71, 124, 218, 375, 572, 744, 1208, 1556, 2441, 3097, 4047, 5297, 6703, 7838, 10986, 12331),
    4: (1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663, 22432, 28169),
    5: (1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676),
    6: (1, 7, 43, 154, 668, 2214, 6876, 16864, 41970),
    8: (1, 9, 73, 333, 1822, 8043, 28296),
    12: (1, 13, 157, 1027, 8559),
}
SIZE_UNIT = 2**20  # the key of an item is its number of answers times this, plus the sum of its weights
ROWS = 16_384  # items at once: they stay in the processor's cache
SAMPLE = 200_000  # items among which most rows of counts have an example
FEWEST_ITEMS = 20_000  # below which counting alike items gains nothing


@dataclass(frozen=True, eq=False)
class Profiles:
    """The different rows of counts, and how many items have each."""

    counts: Array
    times: Array


def table_profiles(table: Array) -> Profiles | None:
    """Count the items that have equal rows; `None` where no weights tell so many classes and answers apart.

    >>> result = table_profiles(np.array([[2, 0], [1, 1], [2, 0], [0, 0]]))
    >>> result.counts.tolist(), result.times.tolist()
    ([[0, 0], [2, 0], [1, 1]], [1, 2, 1])
    """
    n, classes = table.shape
    most = int(table[:ROWS].sum(axis=1).max(initial=0))
    size = next((size for size, weights in WEIGHTS.items() if size >= most and len(weights) >= classes), None)
    if size is None:
        return None
    weights = np.array(WEIGHTS[size][:classes], dtype=np.float32) + np.float32(SIZE_UNIT)
    counts, sums = np.empty((ROWS, classes), dtype=np.float32), np.empty(ROWS, dtype=np.float32)
    keys = np.empty(n, dtype=np.int32)
    for start in range(0, n, ROWS):
        part = table[start : start + ROWS]
        np.copyto(counts[: len(part)], part, casting="unsafe")
        np.matmul(counts[: len(part)], weights, out=sums[: len(part)])
        if sums[: len(part)].max() >= (size + 1) * SIZE_UNIT:  # whole numbers below 2**24 are exact
            return None
        np.copyto(keys[start : start + len(part)], sums[: len(part)], casting="unsafe")
    keys &= SIZE_UNIT - 1
    times = np.bincount(keys)
    present = np.flatnonzero(times)
    return Profiles(table[_examples(keys, present, len(times))], times[present])


def _examples(keys: Array, present: Array, n: int) -> Array:
    """Give the place of an item of each key; all items are searched for keys that the first do not have."""
    example = np.full(n, -1, dtype=np.int64)
    example[keys[:SAMPLE]] = np.arange(len(keys[:SAMPLE]))
    missing = present[example[present] < 0]
    if len(missing):
        rare = np.zeros(n, dtype=bool)
        rare[missing] = True
        at = np.flatnonzero(rare[keys])
        example[keys[at]] = at
    return np.asarray(example[present])


def counted_alike(notes: Annotations) -> Votes:
    """Count the answers by item and class, items with equal counts once, with their number.

    >>> answers = Annotations.of([(1, "a", "x"), (1, "b", "y"), (2, "a", "x"), (2, "b", "y"), (3, "a", "x")])
    >>> counted_alike(answers).times is None
    True
    """
    if notes.n_items < FEWEST_ITEMS or notes.n_items * notes.n_classes > MOST_CELLS:
        return notes.votes()
    profiles = table_profiles(notes.vote_table())
    if profiles is None:
        return notes.votes()
    item, answer = np.nonzero(profiles.counts)
    count = profiles.counts[item, answer].astype(np.int64)
    return Votes(item, answer, count, len(profiles.counts), notes.classes, profiles.times)
