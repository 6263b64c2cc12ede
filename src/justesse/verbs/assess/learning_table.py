"""A table to learn from: its labels, groups or times, and the columns that models learn from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.core.errors import ClassError, ColumnError, MissingValueError
from justesse.frames.columns import check_column, guess_label
from justesse.frames.features import is_numeric
from justesse.frames.giveaways import giveaways
from justesse.frames.learnable import Learnable, learnable
from justesse.frames.table import TypedTable, read_table, row_words
from justesse.frames.times import dated_columns, times

MANY_CLASSES, FEW_ROWS = 20, 5  # a column with more values than this and fewer rows of each does not hold classes


@dataclass(frozen=True, eq=False)
class LearningTable:
    """Labels and features of each row, and its group or time if a column holds them."""

    name: str
    label: str
    labels: Array
    groups: Array | None
    times: Array | None
    columns: Learnable
    dated: tuple[str, ...]

    @property
    def together(self) -> Array | None:
        """What the splits of a procedure go by: times, or the number of each row's group."""
        return self.times if self.groups is None else coded(self.groups)[0]


def read_learning_table(
    data: Any,
    *,
    label: str | None = None,
    group: str | None = None,
    time: str | None = None,
    features: Sequence[str] | None = None,
    text: Sequence[str] = (),
) -> LearningTable:
    """Read the columns that `assess` needs.

    Parameters
    ----------
    data
        Path, data frame, or dict of arrays.
    label
        Column with the classes to learn. Default: the column named label, y, y_true or target.
    group
        Column of groups that splits keep together. Default: no groups.
    time
        Column of times that splits go by. Default: no order.
    features
        Columns to learn from. Default: all that can be learnt from.
    text
        Columns to treat as texts.

    >>> table = read_learning_table({"size": [1, 2] * 20, "shape": ["a", "b", "b", "a"] * 10, "y": [0, 0, 1, 1] * 10})
    >>> table.label, table.columns.names
    ('y', ('size', 'shape'))
    """
    table = read_table(data)
    column = _label(table, label)
    labels = _labels(table, column)
    groups = None if group is None else _groups(table, group)
    moments = None if time is None else times(table, time)
    roles = [name for name in (column, group, time) if name is not None]
    if len(set(roles)) < len(roles):
        raise ColumnError(f"label, group and time must be different columns; got {', '.join(map(repr, roles))}.")
    others = [name for name in table.columns if name not in roles and (features is None or name in features)]
    suspects = giveaways({name: table.typed[name] for name in others}, column, labels)
    columns = learnable(table, chosen=features, without=roles, text=text, suspects=suspects)
    return LearningTable(table.name, column, labels, groups, moments, columns, tuple(dated_columns(table, roles)))


def _label(table: TypedTable, label: str | None) -> str:
    if label is not None:
        return check_column(table.columns, table.name, "label", label)
    try:
        return guess_label(table.columns, table.name, None)
    except ColumnError as error:
        raise ColumnError(
            f"No label column found in {table.name}. Columns: {', '.join(map(repr, table.columns[:20]))}. Name "
            "the column with the classes to learn: label=… (--label)."
        ) from error


def _groups(table: TypedTable, column: str) -> Array:
    values = table.raw[check_column(table.columns, table.name, "group", column)].to_pylist()
    gone = np.flatnonzero([value is None or value == "" or value != value for value in values])
    if len(gone):
        raise MissingValueError(
            f"Column {column!r} of {table.name} has no group in {row_words(gone)}. Fill in the gaps, or leave "
            "those rows out."
        )
    return np.array([str(value) for value in values], dtype=object)


def _labels(table: TypedTable, column: str) -> Array:
    values = table.typed[column]
    if is_numeric(values) and any(value is not None and value % 1 for value in values.to_pylist()):
        raise ClassError(
            f"Column {column!r} of {table.name} holds fractional numbers, not classes. Name another label "
            "column (--label), or bin the numbers into classes first."
        )
    labels = table.labels(column)
    classes = coded(labels)[1]
    if len(classes) > MANY_CLASSES and len(labels) / len(classes) < FEW_ROWS:
        raise ClassError(
            f"Column {column!r} of {table.name} has {len(classes):,} different values in {len(labels):,} rows: "
            "it holds numbers, identifiers or texts, not classes. Name another label column (--label), or bin "
            "numbers into classes first."
        )
    if len(classes) < 2:
        raise ClassError(
            f"Learning needs at least two classes, but column {column!r} of {table.name} is {classes[0]!r} in "
            f"all {len(labels):,} rows. Name another label column (--label)."
        )
    return labels
