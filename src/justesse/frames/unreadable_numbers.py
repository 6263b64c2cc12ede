"""Rows whose cell has text where a number is expected."""

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.frames.rows import Rows
from justesse.frames.values import LOOKS_MISSING, named


def unreadable_numbers(table: Rows, column: str, values: FloatArray) -> Array:
    """Return the rows that have something in their cell but no number.

    Parameters
    ----------
    table
        The table.
    column
        The column.
    values
        Its numbers, NaN where there is none.

    Examples
    --------
    >>> from justesse.frames.table import one_table
    >>> table = one_table({"size": ["1", "", "nan", "long"]})
    >>> unreadable_numbers(table, "size", table.arrays([], ["size"]).numbers[:, 0]).tolist()
    [3]
    """
    gone = np.isnan(values)
    if not gone.any():
        return np.flatnonzero(gone)
    cells = named(table.arrays([column], []).keys[0], form=table.form, column=column, as_text=True)
    empty = {"", *LOOKS_MISSING}
    text = np.array([name is not None and str(name).strip().lower() not in empty for name in cells.names], dtype=bool)
    return np.flatnonzero(gone & text[cells.codes])
