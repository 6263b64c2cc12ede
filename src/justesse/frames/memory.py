"""Data that is already in memory as rows: arrays, lists, data frames, Arrow tables, DuckDB relations."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ClassError, ColumnError, InputError, JustesseError
from justesse.core.levels import KINDS
from justesse.frames.engine import check_not_stopped, connection, quoted
from justesse.frames.rows import DuckRows, LazyRows, Rows

MISSING = ("NAType", "NaTType")


def from_arrays(columns: Mapping[str, Any]) -> DuckRows:
    """Take columns as arrays or lists of one length."""
    import pyarrow as pa

    arrays = {name: _arrow(values, name) for name, values in columns.items()}
    lengths = {name: len(values) for name, values in arrays.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} has {size:,}" for name, size in lengths.items())
        raise ColumnError(f"All columns need the same number of rows: {shown}.")

    def relation(names: Sequence[str]) -> duckdb.DuckDBPyRelation:
        return connection().from_arrow(pa.table({f"c{at}": arrays[name] for at, name in enumerate(names)}))

    return _rows("the arrays", list(arrays), relation)


def is_one_column(data: Any) -> bool:
    """Say whether data is a list, an array or a series: one value per row, no table.

    >>> is_one_column([0, 1]), is_one_column({"label": [0, 1]}), is_one_column("test.csv"), is_one_column(None)
    (True, False, False, False)
    """
    if data is None or isinstance(data, (str, bytes, os.PathLike, Mapping)) or hasattr(type(data), "columns"):
        return False
    return isinstance(data, (list, tuple)) or hasattr(data, "__array__")


def from_frame(data: Any) -> Rows:
    """Take a data frame of any kind narwhals knows, or a DuckDB relation."""
    if isinstance(data, duckdb.DuckDBPyRelation):

        def chosen(names: Sequence[str]) -> duckdb.DuckDBPyRelation:
            return data.project(", ".join(f"{quoted(name)} AS c{at}" for at, name in enumerate(names)))

        return _rows("the relation", data.columns, chosen)
    import narwhals as nw

    try:
        frame = nw.from_native(data)
    except TypeError as error:
        raise InputError(
            "Data must be a path, a data frame (pandas, Polars, Arrow, DuckDB, Dask, Spark), a dict of arrays "
            f"or a Tally; got {type(data).__name__}."
        ) from error
    except nw.exceptions.DuplicateError as error:
        raise ColumnError(
            f"Two columns of the data frame have the same name ({' '.join(str(error).split())}). Rename one of them."
        ) from error
    if isinstance(frame, nw.LazyFrame):
        return LazyRows(frame)
    if not all(isinstance(name, str) for name in frame.columns):
        frame = nw.from_native(data.rename(columns=str))  # pandas allows numbers as names

    def relation(names: Sequence[str]) -> duckdb.DuckDBPyRelation:
        import pyarrow as pa

        columns = {f"c{at}": _from_series(frame[name], name) for at, name in enumerate(names)}
        return connection().from_arrow(pa.table(columns))

    return _rows("the data frame", frame.columns, relation)


def _from_series(series: Any, name: str) -> Any:
    import narwhals as nw

    if series.dtype == nw.Object:
        return _arrow(series.to_list(), name)
    return series.to_arrow()


def _rows(name: str, columns: Sequence[str], relation: Callable[[Sequence[str]], duckdb.DuckDBPyRelation]) -> DuckRows:
    return DuckRows(name, tuple(map(str, columns)), "typed", relation, _unexplained)


def _arrow(values: Any, name: str) -> Any:
    """Turn one column into an Arrow array, refusing what is not one column of one kind."""
    import pyarrow as pa

    if isinstance(values, (str, bytes, set, frozenset, Mapping)) or not hasattr(values, "__iter__"):
        raise ColumnError(
            f"Column {name!r} must be an array or a list with one value per row; got {type(values).__name__}."
        )
    if hasattr(values, "__array__") and not isinstance(values, np.ndarray):
        values = np.asarray(values)
    try:
        if isinstance(values, np.ndarray):
            return _from_array(values, name)
        return pa.array(_of_one_kind(list(values), name), from_pandas=True)
    except (pa.ArrowException, OverflowError, UnicodeError) as error:
        raise ClassError(
            f"Column {name!r} has values that are not class names: {error}. Write them as text or as numbers."
        ) from error


def _from_array(values: NDArray[Any], name: str) -> Any:
    import pyarrow as pa

    if values.ndim == 2 and 1 in values.shape:
        values = values.ravel()
    if values.ndim != 1:
        raise ClassError(
            f"Column {name!r} needs one class per row; got shape {values.shape}. Turn probabilities into "
            "classes first (argmax). Multi-label arrays are not supported."
        )
    if values.dtype.kind in "US":
        return pa.array(values.astype(str).astype(object))
    if values.dtype.kind == "O":
        return pa.array(_of_one_kind(values.tolist(), name), from_pandas=True)
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    return pa.array(np.ma.getdata(values), mask=mask, from_pandas=True)


def _of_one_kind(listed: list[Any], name: str) -> list[Any]:
    """Refuse mixed types, which Arrow would quietly convert, and lists; turn every kind of missing into `None`."""
    first: dict[str, int] = {}
    for at, value in enumerate(listed):
        if value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in MISSING:
            listed[at] = None
            continue
        if isinstance(value, np.generic):
            listed[at] = value = value.item()
        if isinstance(value, (list, tuple, set, dict, np.ndarray)):
            raise ClassError(
                f"Row {at + 1} of column {name!r} is a {_kind_of(value)} ({value!r}), not a class name. Write one "
                "class per row; multi-label cells are not supported."
            )
        first.setdefault(KINDS.get(type(value), type(value).__name__), at)
    if len(first) > 1:
        (entry, a), (other, b) = sorted(first.items(), key=lambda item: item[1])[:2]
        raise ClassError(
            f"Column {name!r} mixes {entry} (row {a + 1}: {listed[a]!r}) and {other} (row {b + 1}: "
            f"{listed[b]!r}). Write them all the same way."
        )
    return listed


def _kind_of(value: Any) -> str:
    """Name a value that holds others: an array counts as a list."""
    return "list" if isinstance(value, np.ndarray) else type(value).__name__


def _unexplained(error: Exception) -> JustesseError:
    if isinstance(error, JustesseError):
        return error
    check_not_stopped(error)
    first = str(error).splitlines()[0]
    if "_pli128" in first or "_plu128" in first:
        return ClassError("A column has 128-bit integers, which Arrow does not support. Cast it to Int64 or to text.")
    return InputError(f"The rows cannot be counted: {first}.")
