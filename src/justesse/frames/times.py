"""A column of times, to put rows in order."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ColumnError, MissingValueError
from justesse.frames.columns import check_column
from justesse.frames.features import is_numeric
from justesse.frames.table import SHOWN, TypedTable, row_words

ISO_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$")


def dated_columns(table: TypedTable, without: Sequence[str] = ()) -> list[str]:
    """Name the columns that hold dates, by their type or because every value is written as 2024-05-17 is.

    >>> from justesse.frames.table import read_table
    >>> dated_columns(read_table({"when": ["2024-01-02", "2024-01-01"], "site": ["a", "b"]}))
    ['when']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    found = []
    for name in table.columns:
        held = table.typed[name]
        if name in without:
            continue
        if pa.types.is_timestamp(held.type) or pa.types.is_date(held.type):
            found.append(name)
        elif pa.types.is_string(held.type) or pa.types.is_large_string(held.type):
            first = next((value for value in held[:SHOWN].to_pylist() if value), "")
            if ISO_DATE.match(first) and pc.all(pc.match_substring_regex(held, ISO_DATE.pattern)).as_py():
                found.append(name)
    return found


def times(table: TypedTable, column: str) -> NDArray[Any]:
    """Give the time of each row as a number: numbers as they are, dates as seconds.

    Written dates are read as ISO 8601 has them, such as 2024-05-17 or 2024-05-17T10:30:00+02:00; those without a zone
    are taken as UTC.

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
            f"column {column!r} of {table.name} has no time in {row_words(gone)}; fill the gaps, or leave those "
            "rows out"
        )
    if is_numeric(held):
        return np.array(values, dtype=float)
    if not (pa.types.is_temporal(held.type) or pa.types.is_string(held.type) or pa.types.is_large_string(held.type)):
        raise ColumnError(f"column {column!r} of {table.name} holds {held.type}, which is no time; name another")
    found = np.empty(len(values))
    for row, value in enumerate(values):
        try:
            read = datetime.fromisoformat(str(value).strip())
        except ValueError as error:
            raise ColumnError(
                f"row {row + 1} of column {column!r} of {table.name} is {value!r}, which is no time that can be read; "
                "write times as 2024-05-17, 2024-05-17T10:30 or numbers"
            ) from error
        found[row] = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    return found
