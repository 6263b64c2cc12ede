"""The rows of a stream: ids, times, labels, and the values that a system sees."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import ColumnError, InputError, MissingValueError
from justesse.core.results import ClassName
from justesse.frames.columns import check_column, guess_column, guess_label
from justesse.frames.read_times import read_times
from justesse.frames.table import TypedTable, read_table, row_words
from justesse.frames.time_zones import has_zone

ID = "id"
RowLabels = Literal["classes", "texts", "none"]


@dataclass(frozen=True)
class TimedRows:
    """Columns of a stream.

    Parameters
    ----------
    ids
        Id of each row, as text; its number from 1 if there is no column of ids.
    times
        Times as they are written.
    moments
        Times as numbers; days since 1970 for dates.
    dated
        Whether times are dates.
    labels
        Class or right text of each row; empty if there is none.
    values
        What a system sees of each row, by column.
    columns
        Columns of ids (`None` if there is none), times and labels, and those a system sees.
    where
        Name of the table.
    """

    ids: tuple[str, ...]
    times: tuple[str, ...]
    moments: FloatArray
    dated: bool
    labels: tuple[ClassName, ...]
    values: tuple[dict[str, Any], ...]
    columns: dict[str, Any]
    where: str

    @property
    def zoned(self) -> bool:
        """Whether times are written with a time zone."""
        return self.dated and any(map(has_zone, self.times))


def timed_rows(
    data: Any,
    *,
    on: str | None = None,
    time: str | None = None,
    label: str | None = None,
    features: Sequence[str] | None = None,
    labels: RowLabels = "classes",
) -> TimedRows:
    """Read a stream into memory.

    Parameters
    ----------
    data
        Path, data frame or dict.
    on
        Column with ids. Default: id if there is one, otherwise the number of the row.
    time, label
        Columns with times and labels. Default: columns with a usual name.
    features
        Columns that a system sees. Default: all others.
    labels
        Whether labels are classes, texts, or none.

    >>> rows = timed_rows({"time": [1, 2], "label": ["a", "b"], "x": [0.5, None]})
    >>> rows.ids, rows.values
    (('1', '2'), ({'x': 0.5}, {'x': None}))
    """
    table = read_table(data)
    moment = guess_column("time", table.columns, table.name, time)
    reference = None if labels == "none" else guess_label(table.columns, table.name, label)
    named = check_column(table.columns, table.name, "on", on) if on is not None else ID if ID in table.columns else None
    seen = [name for name in table.columns if name not in (moment, reference, named)]
    if features is not None:
        for name in features:
            check_column(table.columns, table.name, "feature", name)
            if name == reference:
                raise ColumnError(
                    f"Column {name!r} has the labels, which a system must not see. Leave it out of features=… "
                    "(--features)."
                )
        seen = list(features)
    times = _texts(table, moment)
    distinct = list(dict.fromkeys(times))
    numbers, dated = read_times(distinct, moment, table.name)
    place = dict(zip(distinct, numbers.tolist(), strict=True))
    columns = {name: [_plain(value) for value in table.typed[name].to_pylist()] for name in seen}
    return TimedRows(
        _ids(table, named),
        times,
        np.array([place[text] for text in times]),
        dated,
        _labels(table, reference, labels),
        tuple({name: columns[name][row] for name in seen} for row in range(len(table))),
        {"id": named, "time": moment, "label": reference, "features": seen},
        table.name,
    )


def _labels(table: TypedTable, column: str | None, labels: RowLabels) -> tuple[Any, ...]:
    if column is None:
        return ("",) * len(table)
    if labels == "classes":
        return tuple(table.labels(column).tolist())
    return tuple(str(value) for value in _filled(table, column))


def _ids(table: TypedTable, column: str | None) -> tuple[str, ...]:
    if column is None:
        return tuple(str(row + 1) for row in range(len(table)))
    ids = _texts(table, column)
    first: dict[str, int] = {}
    for row, name in enumerate(ids):
        if first.setdefault(name, row) != row:
            raise InputError(
                f"Id {name!r} in column {column!r} of {table.name} occurs twice: {row_words([first[name], row])}. Give "
                "each row an id of its own."
            )
    return ids


def _filled(table: TypedTable, column: str) -> list[Any]:
    """Return the values of a column that needs one in every row."""
    values: list[Any] = table.raw[column].to_pylist()
    gone = [row for row, value in enumerate(values) if value is None or not str(value).strip()]
    if gone:
        raise MissingValueError(
            f"Missing values in column {column!r} of {table.name}: {row_words(gone)}. Fill them in, or "
            "remove those rows."
        )
    return values


def _texts(table: TypedTable, column: str) -> tuple[str, ...]:
    values = _filled(table, column)
    return tuple(str(int(value)) if isinstance(value, float) and value.is_integer() else str(value) for value in values)


def _plain(value: Any) -> Any:
    """Return a value that JSON can hold.

    >>> [_plain(value) for value in (1, "a", float("nan"), b"x")]
    [1, 'a', None, "b'x'"]
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
