"""Numbers beside each answer: how sure the annotator was, how long it took."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.frames.columns import check_column
from justesse.frames.rows import Rows
from justesse.frames.table import row_words
from justesse.frames.unreadable_numbers import unreadable_numbers

Detail = Literal["confidence", "duration"]
NAMES: dict[Detail, tuple[str, ...]] = {
    "confidence": ("confidence", "certainty"),
    "duration": ("duration", "seconds"),
}
GOLD, TIME = ("gold", "truth", "true", "actual"), ("time", "timestamp")


def usual_column(columns: Sequence[str], usual: Sequence[str]) -> str | None:
    """Find the one column with a usual name; none if there are several.

    >>> usual_column(["item", "Truth"], GOLD)
    'Truth'
    """
    known = [name for name in columns if name.lower() in usual]
    return known[0] if len(known) == 1 else None


def answer_numbers(table: Rows, detail: Detail, column: str) -> FloatArray:
    """Read the numbers of each row, NaN where there is none; confidence from 0 to 1, or in percent.

    Parameters
    ----------
    table
        The table of answers.
    detail
        What the numbers are.
    column
        Their column.
    """
    check_column(table.columns, table.name, detail, column)
    values = np.asarray(table.arrays([], [column]).numbers[:, 0], dtype=float)
    strange = unreadable_numbers(table, column, values)
    if strange.size or (len(values) and np.isnan(values).all()):
        rows = strange if strange.size else np.arange(len(values))
        raise InputError(
            f"Column {column!r} of {table.name} has no number: {row_words(rows)}. The {detail} of an answer must be a "
            f"number. Correct it, or name another column with {detail}=… (--{detail})."
        )
    highest = 100.0 if detail == "confidence" else np.inf
    wrong = np.flatnonzero(np.isfinite(values) & ((values < 0) | (values > highest)) | np.isinf(values))
    if wrong.size:
        allowed = "numbers from 0 to 1, or from 0 to 100" if detail == "confidence" else "numbers from 0 up"
        raise InputError(f"Column {column!r} of {table.name} must have {allowed}. Correct {row_words(wrong)}.")
    if detail == "confidence" and np.nanmax(values, initial=0.0) > 1:
        return values / 100
    return values
