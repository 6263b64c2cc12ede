"""Columns a model can learn from: numbers as they are, names as codes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ColumnError, MissingValueError
from justesse.frames.columns import check_column
from justesse.frames.table import TypedTable, as_numbers, row_words
from justesse.frames.values import LOOKS_MISSING


@dataclass(frozen=True, eq=False)
class Features:
    """A number for each row and column; the columns at the positions in `text` hold codes of names, not amounts."""

    names: tuple[str, ...]
    matrix: NDArray[np.float64]
    text: tuple[int, ...]
    warnings: tuple[str, ...]


def features(table: TypedTable, *, chosen: Sequence[str] | None, without: Sequence[str], text: bool) -> Features:
    """Take the columns named, or all that can be learnt from: not those that tell every row from every other.

    >>> from justesse.frames.table import read_table
    >>> table = read_table({"id": [3, 4, 5], "size": [1.0, 2.5, 1.0], "site": ["a", "b", "a"], "y": [0, 1, 0]})
    >>> result = features(table, chosen=None, without=["y"], text=True)
    >>> result.names, result.matrix.tolist(), result.text
    (('size', 'site'), [[1.0, 0.0], [2.5, 1.0], [1.0, 0.0]], (1,))
    """
    for name in chosen or ():
        check_column(table.columns, table.name, "feature", name)
        if name in without:
            raise ColumnError(
                f"Column {name!r} cannot be both a feature and the label. Leave it out of features=… (--features)."
            )
    taken: dict[str, NDArray[np.float64]] = {}
    names, left = [], []
    for name in dict.fromkeys([name for name in table.columns if name not in without] if chosen is None else chosen):
        values, reason = _values(table, name, text)
        distinct = name not in table.categorical and tells_rows_apart(table.typed[name])
        if values is not None and chosen is None and distinct:
            values, reason = None, "a different value in every row: an identifier?"
        if values is None:
            left.append((name, reason))
            continue
        taken[name] = values
        if name in table.categorical or not is_numeric(table.typed[name]):
            names.append(len(taken) - 1)
    needed = "columns of numbers or of names" if text else "columns of numbers"
    if left and (chosen or not taken):
        sentence = ", ".join(f"{name!r} ({reason})" for name, reason in left[:5])
        raise ColumnError(f"Cannot learn from {sentence} in {table.name}. Name {needed} with features=… (--features).")
    if not taken:
        raise ColumnError(
            f"No column to learn from in {table.name} besides {', '.join(map(repr, without))}. Add {needed}."
        )
    sentence = ", ".join(f"{name!r} ({reason})" for name, reason in left)
    warnings = (f"Columns not used: {sentence}. You can choose the columns (features=…, --features).",) if left else ()
    return Features(tuple(taken), np.column_stack(list(taken.values())), tuple(names), warnings)


def _values(table: TypedTable, name: str, text: bool) -> tuple[NDArray[np.float64] | None, str]:
    """Give a column as floats, or why it cannot be; one with gaps is refused."""
    import pyarrow as pa

    column = table.typed[name]
    if name in table.categorical:
        column = column.cast(pa.string())
    if is_numeric(column):
        values = np.array(column.cast(pa.float64()).to_numpy(), dtype=float)
        _check_all_there(table, name, ~np.isfinite(values), "finite number")
        return values, ""
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.string())
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return None, str(column.type)
    words = column.to_pylist()
    gone = [word is None or word.strip().lower() in {"", *LOOKS_MISSING} for word in words]
    if any(gone) and is_numeric(
        as_numbers(pa.array([None if no else word for word, no in zip(words, gone, strict=True)]))
    ):
        _check_all_there(table, name, np.array(gone), "number")
    if not text:
        return None, "not numbers"
    _check_all_there(table, name, np.array([not word for word in words]), "value")
    return np.unique(np.array(words, dtype=object), return_inverse=True)[1].astype(float), ""


def _check_all_there(table: TypedTable, name: str, gone: NDArray[np.bool_], what: str) -> None:
    if gone.any():
        raise MissingValueError(
            f"Column {name!r} of {table.name} has no {what} in {row_words(np.flatnonzero(gone))}. Fill in the "
            "gaps, or name other columns with features=… (--features)."
        )


def is_numeric(column: Any) -> bool:
    """Say whether an Arrow column holds numbers."""
    import pyarrow as pa

    kind = column.type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def tells_rows_apart(column: Any) -> bool:
    """Say whether a column that is no measurement has another value in every row."""
    import pyarrow as pa
    import pyarrow.compute as pc

    exact = not (pa.types.is_floating(column.type) or pa.types.is_decimal(column.type))
    return exact and len(column) > 1 and pc.count_distinct(column).as_py() == len(column)
