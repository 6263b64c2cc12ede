"""When rows are from: dates, times or plain numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ColumnError
from justesse.core.quantity import quantity
from justesse.frames.sides import Side

SHOWN = 3


@dataclass(frozen=True, eq=False)
class Period:
    """A number for each row that has a time, larger when later, and the first and last as they are written."""

    values: NDArray[np.float64]
    first: str
    last: str
    missing: int


def period(side: Side, column: str, *, numbers: bool) -> Period:
    """Read a column as numbers, or as dates and times of the form 2024-05-17 or 2024-05-17 10:30:00.

    >>> from justesse.frames.sides import side
    >>> result = period(side({"day": ["2024-05-17", "2023-01-02"]}, "test"), "day", numbers=False)
    >>> result.first, result.last
    ('2023-01-02', '2024-05-17')
    """
    how = "TRY_CAST(c0 AS DOUBLE)" if numbers else "epoch(TRY_CAST(c0 AS TIMESTAMP))"
    result = side.fetched(side.in_order([column]).project(f"c0, {how} AS v"))
    there = ~np.ma.getmaskarray(result["c0"])
    values = np.ma.filled(np.ma.asarray(result["v"]).astype(float), np.nan)
    words: Any = np.ma.getdata(result["c0"])
    bad = np.flatnonzero(there & ~np.isfinite(values))
    if len(bad):
        shown = ", ".join(f"row {at + 1}: {words[at]!r}" for at in bad[:SHOWN].tolist())
        raise ColumnError(
            f"Column {column!r} of {side.name} must contain times. It has {quantity(len(bad), 'other value')} "
            f"({shown}). Write dates as 2024-05-17 or 2024-05-17 10:30:00, or times as numbers."
        )
    if not there.any():
        raise ColumnError(f"Column {column!r} of {side.name} has no values. Name another column, or leave it out.")
    kept, written = values[there], words[there]
    return Period(kept, str(written[kept.argmin()]), str(written[kept.argmax()]), int((~there).sum()))


def all_numbers(side: Side, column: str) -> bool:
    """Say whether every value of a column is a number.

    >>> from justesse.frames.sides import side
    >>> all_numbers(side({"year": [2023, 2024]}, "test"), "year")
    True
    """
    asked = "count(*) FILTER (c0 IS NOT NULL AND TRY_CAST(c0 AS DOUBLE) IS NULL) AS bad"
    return not int(side.fetched(side.texts([column]).aggregate(asked))["bad"][0])
