"""Rows in the order of time, cut into blocks: what comes later is never learnt from."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from justesse.core.errors import OptionError

Array = NDArray[Any]


def time_blocks(times: ArrayLike | None, rows: int, cuts: Sequence[int]) -> list[Array]:
    """Cut rows in the order of their times, before these numbers of rows; rows of one time stay together.

    Without times the rows are taken to be in order. A cut that would fall among rows of one time is moved before them.

    >>> [block.tolist() for block in time_blocks([3, 1, 2, 2], 4, [2])]
    [[1], [2, 3, 0]]
    """
    if times is None:
        order = values = np.arange(rows)
    else:
        values = np.asarray(times)
        if values.shape != (rows,) or np.any(values != values):  # NaN and NaT differ from themselves
            raise OptionError(f"every row needs a time; got {values.shape} for {rows} rows, or some are missing")
        try:
            order = np.argsort(values, kind="stable")
        except TypeError as error:
            raise OptionError(f"times must be comparable, such as dates or numbers; got {error}") from error
        values = values[order]
    starts = [0, *(int(np.searchsorted(values, values[cut])) for cut in cuts), rows]
    blocks = [order[start:end] for start, end in pairwise(starts)]
    if not all(len(block) for block in blocks):
        raise OptionError(
            f"{len(blocks)} blocks, one after the other in time, need as many different times that share the rows out; "
            f"got {len(np.unique(values))} times for {rows} rows: ask for fewer folds"
        )
    return blocks
