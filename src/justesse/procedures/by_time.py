"""Rows in the order of time, cut into blocks, so that no model is trained on later rows."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.quantity import quantity


def time_blocks(times: ArrayLike | None, rows: int, cuts: Sequence[int]) -> list[Array]:
    """Cut rows, ordered by time, before these numbers of rows; rows of one time stay together.

    Without times, rows are in order already. A cut that falls among rows of one time moves before them.

    >>> [block.tolist() for block in time_blocks([3, 1, 2, 2], 4, [2])]
    [[1], [2, 3, 0]]
    """
    if times is None:
        order = values = np.arange(rows)
    else:
        values = np.asarray(times)
        if values.shape != (rows,) or np.any(values != values):  # NaN and NaT differ from themselves
            raise OptionError(f"Every row needs a time; got shape {values.shape} for {rows} rows, or some are missing.")
        try:
            order = np.argsort(values, kind="stable")
        except TypeError as error:
            raise OptionError(
                f"Times must be comparable, such as dates or numbers ({error}). Write them all in one format."
            ) from error
        values = values[order]
    starts = [0, *(int(np.searchsorted(values, values[cut])) for cut in cuts), rows]
    blocks = [order[start:end] for start, end in pairwise(starts)]
    if not all(len(block) for block in blocks):
        counts = np.unique(values, return_counts=True)[1]
        raise OptionError(
            f"{len(blocks)} blocks in time order need as many different times, evenly spread over the rows. "
            f"{rows:,} rows have {quantity(len(counts), 'different time')}, the most frequent in "
            f"{quantity(int(counts.max()), 'row')}. Use fewer folds, or a column with finer times."
        )
    return blocks


def fold_cuts(rows: int, k: int) -> list[int]:
    """Return where k + 1 blocks are cut; all but the first have one size, as in TimeSeriesSplit.

    >>> fold_cuts(11, 2)
    [5, 8]
    """
    return [rows - at * (rows // (k + 1)) for at in range(k, 0, -1)]


def most_time_folds(times: ArrayLike, *, most: int) -> int:
    """Return the largest number of folds by time, at most `most`, that these times allow; 0 if not even two.

    >>> most_time_folds([2019, 2019, 2020, 2020, 2021, 2021], most=10), most_time_folds([1, 1, 2, 2], most=10)
    (2, 0)
    """
    rows = len(np.asarray(times))
    for k in range(min(most, rows - 1), 1, -1):
        with suppress(OptionError):
            time_blocks(times, rows, fold_cuts(rows, k))
            return k
    return 0
