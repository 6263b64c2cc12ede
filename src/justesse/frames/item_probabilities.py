"""A classifier's probability of each class of each item, from a table with a column for each class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import ColumnError, InputError, MissingValueError
from justesse.core.levels import identity, spelt_alike
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.item_classes import item_column_of, named_items
from justesse.frames.kinds import as_kind_of
from justesse.frames.rounded_probabilities import rounding_error
from justesse.frames.table import one_table, row_words
from justesse.frames.values import Named

TOLERANCE = 0.01  # how far from 1 the probabilities of an item may add up


@remembering
def item_probabilities(source: Any, items: Sequence[ClassName], classes: Sequence[ClassName]) -> FloatArray:
    """Read the probabilities, items × classes; NaN for items that the table does not have.

    Parameters
    ----------
    source
        Path, data frame or dict of arrays: a column of items, and a column for each class, named like it.
    items
        Items in the order of the answers.
    classes
        Classes in the order of the answers.

    Examples
    --------
    >>> item_probabilities({"item": [1, 2], "x": [0.5, 1.0], "y": [0.5, 0.0]}, [2, 1], ["x", "y"]).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    table = one_table(source)
    item_column = item_column_of(table)
    left = [name for name in table.columns if name != item_column]
    columns = [next((name for name in left if name == label or spelt_alike(label, name)), None) for label in classes]
    if absent := [repr(label) for label, name in zip(classes, columns, strict=True) if name is None]:
        raise ColumnError(
            f"No column with the probability of class {', '.join(absent)} in {table.name}. Columns: "
            f"{', '.join(table.columns)}. Name a column after each class."
        )
    arrays = table.arrays([item_column], [name for name in columns if name is not None])
    theirs = named_items(arrays.keys[0], table, item_column)
    if len(theirs.names) < len(theirs.codes):
        raise InputError(f"An item has several rows in {table.name}. Give each item one row of probabilities.")
    values = np.asarray(arrays.numbers, dtype=float)
    if (missing := np.flatnonzero(~np.isfinite(values).all(axis=1))).size:
        raise MissingValueError(f"A probability is missing in {table.name}: {row_words(missing)}. Fill it in.")
    wrong = (values < 0).any(axis=1) | (abs(values.sum(axis=1) - 1) > max(TOLERANCE, rounding_error(values)))
    if wrong.any():
        raise InputError(
            f"Probabilities of a row must be 0 or more and add up to 1 in {table.name}: "
            f"{row_words(np.flatnonzero(wrong))}. Correct them."
        )
    ours = Named(np.arange(len(items)), tuple(items))
    theirs = as_kind_of(ours, theirs) or theirs
    place = {identity(name): code for code, name in enumerate(theirs.names)}
    row_of = np.empty(len(theirs.names), dtype=np.int64)
    row_of[theirs.codes] = np.arange(len(theirs.codes))
    at = [place.get(identity(name), -1) for name in items]
    if max(at, default=-1) < 0:
        raise InputError(
            f"No item of {table.name} is among those of the answers: {theirs.names[0]!r} against {items[0]!r}. Items "
            "must be written alike in both."
        )
    result = np.full((len(items), len(classes)), np.nan)
    known = np.array(at) >= 0
    result[known] = values[row_of[np.array(at)[known]]]
    return np.asarray(result / result.sum(axis=1, keepdims=True))


def absent_words(probabilities: FloatArray) -> str | None:
    """Say how many items have no probabilities, if some do not."""
    number = int(np.isnan(probabilities[:, 0]).sum())
    return f"{quantity(number, 'item')} without probabilities of the classifier: not asked about." if number else None
