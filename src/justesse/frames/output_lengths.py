"""Lengths of outputs that a language model judged."""

from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.frames.rows import Rows
from justesse.frames.table import row_words
from justesse.frames.unreadable_numbers import unreadable_numbers


def output_lengths(table: Rows, columns: Sequence[str], *, asked: bool) -> FloatArray:
    """Read lengths, rows × columns; NaN where a cell is empty.

    Parameters
    ----------
    table
        The table with the lengths.
    columns
        Their columns.
    asked
        Whether the caller named the columns: text is refused then, and a column without any length.

    Examples
    --------
    >>> from justesse.frames.table import one_table
    >>> output_lengths(one_table({"length": [5, 7]}), ["length"], asked=True).tolist()
    [[5.0], [7.0]]
    """
    lengths = np.asarray(table.arrays([], list(columns)).numbers, dtype=float)
    for values, column in zip(lengths.T, columns, strict=True):
        wrong = np.flatnonzero(np.isinf(values) | (values < 0))
        if asked and not wrong.size:
            wrong = unreadable_numbers(table, column, values)
        if asked and not wrong.size and np.isnan(values).all():
            wrong = np.arange(len(values))
        if wrong.size:
            raise InputError(
                f"The values in column {column!r} of {table.name} cannot be used as lengths: {row_words(wrong)}. "
                "Lengths are numbers from 0 up. Correct them, or leave the cell empty if only some are not known."
            )
    return lengths
