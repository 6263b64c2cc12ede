"""Times of events, such as alarms and changes, one per row."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import ColumnError, MissingValueError
from justesse.core.recording import remembering
from justesse.frames.columns import check_column, guess_column
from justesse.frames.count import opened
from justesse.frames.read_times import read_times
from justesse.frames.table import row_words


@dataclass(frozen=True, eq=False)
class EventTimes:
    """Times of all rows by group, whether they are dates, and the name of the table; no rows: no times."""

    times: dict[str, FloatArray]
    dated: bool | None
    where: str
    column: str


@remembering
def event_times(data: Any, time: str | None = None, by: str | None = None) -> EventTimes:
    """Read a column of times: numbers, or dates as days since 1970; a table without rows has none.

    Parameters
    ----------
    data
        Path, data frame or dict.
    time
        Column with the times. Default: the column named time, date, period or day.
    by
        Column that names the group of each row. Default: one group, named "".

    >>> event_times({"time": [3, 1], "who": ["a", "b"]}, by="who").times
    {'a': array([3.]), 'b': array([1.])}
    """
    table = opened(data)[0]
    column = guess_column("time", table.columns, table.name, time)
    keys = [column, *([check_column(table.columns, table.name, "detector", by)] if by else [])]
    columns = table.arrays(keys, []).keys
    values = [None if value is None or value is np.ma.masked else str(value) for value in columns[0].tolist()]
    missing = [row for row, value in enumerate(values) if value is None or not value.strip() or value == "nan"]
    if missing:
        raise MissingValueError(
            f"Column {column!r} of {table.name} has no time in {row_words(missing)}. Fill in the gaps, or remove those "
            "rows."
        )
    if not values:
        return EventTimes({}, None, table.name, column)
    times, dated = read_times([str(value) for value in values], column, table.name)
    groups = np.array([str(value) for value in columns[1].tolist()] if by else [""] * len(values), dtype=object)
    by_group = {str(name): times[groups == name] for name in dict.fromkeys(groups.tolist())}
    return EventTimes(by_group, dated, table.name, column)


def check_same_kind(first: EventTimes, second: EventTimes) -> bool:
    """Return whether times are dates; refuse dates on one side and numbers on the other."""
    kinds = {table.dated for table in (first, second)} - {None}
    if len(kinds) > 1:
        raise ColumnError(
            f"Columns {first.column!r} of {first.where} and {second.column!r} of {second.where} must both contain "
            "dates, or both numbers."
        )
    return True in kinds
