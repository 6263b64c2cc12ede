"""Numeric features of items, from columns of the table of answers."""

from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError, MissingValueError
from justesse.frames.columns import check_column
from justesse.frames.rows import Rows
from justesse.frames.table import row_words
from justesse.frames.values import Named


def item_numbers(table: Rows, columns: Sequence[str], counts: Sequence[str], items: Named) -> FloatArray:
    """Read features of items, items × columns; the rows of an item must have the same numbers.

    Parameters
    ----------
    table
        The table of answers.
    columns
        Columns with the features that are numbers.
    counts
        Columns with those that are counts; they come last.
    items
        Item of each row.
    """
    for part, names in (("feature", columns), ("count", counts)):
        for name in names:
            check_column(table.columns, table.name, part, name)
    columns = [*columns, *counts]
    values = table.arrays([], columns).numbers
    for at, name in enumerate(columns):
        if (missing := np.flatnonzero(~np.isfinite(values[:, at]))).size:
            raise MissingValueError(
                f"Column {name!r} of {table.name} has no number: {row_words(missing)}. Features need a number "
                "in each row."
            )
    features = np.zeros((len(items.names), len(columns)))
    features[items.codes] = values
    if (other := np.flatnonzero((features[items.codes] != values).any(axis=1))).size:
        row = int(other[0])
        raise InputError(
            f"Item {items.names[items.codes[row]]!r} of {table.name} has different features in different rows (row "
            f"{row + 1} differs). A feature must be the same in all rows of an item."
        )
    return features
