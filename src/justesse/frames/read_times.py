"""Times as they are written, read as numbers or dates."""

from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import ColumnError
from justesse.frames.time_zones import has_zone
from justesse.frames.written_dates import READ, AmbiguousDatesError, read_dates


def read_times(written: Sequence[str], column: str, where: str) -> tuple[FloatArray, bool]:
    """Read times: numbers as they are, dates as days since 1970; the second value says whether they are dates.

    >>> read_times(["2024-01-02", "2024-01-01"], "day", "a.csv")[0].tolist()
    [19724.0, 19723.0]
    """
    try:
        numbers = np.array([float(text) for text in written])
    except ValueError:
        numbers = np.array([np.nan])
    if np.isfinite(numbers).all():
        return numbers, False
    zones = {has_zone(text) for text in written if ":" in text}
    if len(zones) > 1:
        raise ColumnError(
            f"Column {column!r} of {where} has times with and without a time zone. Write all of them alike."
        )
    try:
        seconds = read_dates(written)
    except AmbiguousDatesError as error:
        raise ColumnError(
            f"Ambiguous dates in column {column!r} of {where}: {error}. Write dates as 2024-05-17."
        ) from error
    if seconds is None:
        odd = next((text for text in written if read_dates([text]) is None and not _is_finite(text)), written[0])
        raise ColumnError(
            f"Column {column!r} of {where} cannot be read as times: {odd!r}. Write all of them as numbers, or as dates "
            f"in one of these formats: {READ}."
        )
    return np.array([seconds[text] / 86400 for text in written]), True


def _is_finite(text: str) -> bool:
    """Tell whether a text is a finite number."""
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
