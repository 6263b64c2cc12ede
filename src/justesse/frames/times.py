"""A column of times, to order rows by."""

from collections.abc import Sequence
from datetime import UTC, datetime, time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ColumnError, MissingValueError
from justesse.frames.columns import check_column
from justesse.frames.features import is_numeric
from justesse.frames.table import TypedTable, is_finite_number, row_words
from justesse.frames.written_dates import READ, AmbiguousDatesError, look_like_dates, read_dates


def dated_columns(table: TypedTable, without: Sequence[str] = ()) -> list[str]:
    """Name the columns that hold dates, by their type or because every value is written as a date.

    >>> from justesse.frames.table import read_table
    >>> dated_columns(read_table({"when": ["2024/01/02", "2024/01/01"], "site": ["a", "b"]}))
    ['when']
    """
    import pyarrow as pa

    names = []
    for name in table.columns:
        column = table.typed[name]
        if name in without:
            continue
        typed = pa.types.is_timestamp(column.type) or pa.types.is_date(column.type)
        if typed or (_is_text(column) and look_like_dates(filter(None, column.unique().to_pylist()))):
            names.append(name)
    return names


def _is_text(column: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))


def times(table: TypedTable, column: str) -> NDArray[Any]:
    """Return the time of each row as a number: numbers as they are, dates as seconds since 1970.

    Dates may be written in any usual format (see `written_dates`); without a zone they are UTC.

    >>> from justesse.frames.table import read_table
    >>> times(read_table({"when": ["2024-01-02", "2024-01-01"]}), "when").tolist()
    [1704153600.0, 1704067200.0]
    """
    import pyarrow as pa

    check_column(table.columns, table.name, "time", column)
    held = table.typed[column]
    values: list[Any] = held.to_pylist()
    gone = np.flatnonzero([value is None or value == "" or value != value for value in values])
    if len(gone):
        raise MissingValueError(
            f"Column {column!r} of {table.name} has no time in {row_words(gone)}. Fill in the gaps, or remove "
            "those rows."
        )
    if is_numeric(held):
        numbers = np.array(values, dtype=float)
        if len(endless := np.flatnonzero(np.isinf(numbers))):
            raise ColumnError(
                f"Column {column!r} of {table.name} is infinite in {row_words(endless)}. Correct or remove those rows."
            )
        return numbers
    if pa.types.is_temporal(held.type):
        return np.array([_seconds(value) for value in values])
    if not _is_text(held):
        raise ColumnError(
            f"Column {column!r} of {table.name} has type {held.type}, not times. Name another column with --time."
        )
    try:
        seconds = read_dates(values)
    except AmbiguousDatesError as error:
        raise ColumnError(
            f"Ambiguous dates in column {column!r} of {table.name}: {error}. Write dates as 2024-05-17."
        ) from error
    if seconds is None:
        row = _first_unreadable(values)
        raise ColumnError(
            f"Column {column!r} of {table.name} cannot be read as times: row {row + 1} is {values[row]!r}. Write all "
            f"rows as finite numbers, or as dates in one of these formats: {READ}."
        )
    return np.array([seconds[value] for value in values])


def _first_unreadable(values: Sequence[str]) -> int:
    """Find the first row that is not a number where most rows are, or else not a date as the first row is.

    >>> _first_unreadable(["1", "2", "inf"]), _first_unreadable(["2024-05-17", "?"])
    (2, 1)
    >>> _first_unreadable(["2024-05-17", "17.05.2024"])
    1
    """
    is_number = [is_finite_number(value) for value in values]
    if 2 * sum(is_number) > len(values):
        return is_number.index(False)
    odd = (row for row, value in enumerate(values) if not look_like_dates([value]))
    mixed = (row for row, value in enumerate(values) if not look_like_dates([values[0], value]))
    return next(odd, next(mixed, 0))


def _seconds(value: Any) -> float:
    """Return a date, a moment or a time of day as seconds.

    >>> _seconds(datetime(1970, 1, 2)), _seconds(time(1, 0))
    (86400.0, 3600.0)
    """
    if isinstance(value, time):
        return value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
