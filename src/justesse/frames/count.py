"""Any data → its tally, with one group-by."""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import numpy as np

from justesse.core.errors import InputError, MissingValueError, WeightError
from justesse.core.levels import CLASS_AXES
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.columns import Roles, resolve
from justesse.frames.memory import from_arrays, from_frame
from justesse.frames.read import read
from justesse.frames.rows import Cells, DuckRows, LazyRows, Rows
from justesse.frames.values import Named, check_kinds_meet, named, without_gaps

SHOWN = 5


@dataclass(frozen=True)
class Counted:
    """A tally, the columns it came from, and how many rows were left out."""

    tally: Tally
    roles: Roles
    dropped: int = 0


def count(
    data: Any = None,
    *,
    label: Any = None,
    prediction: Any = None,
    true: Any = None,
    weight: Any = None,
    by: str | Sequence[str] | Mapping[str, Any] | None = (),
    classes: Sequence[ClassName] | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
) -> Tally:
    """Count rows by label and prediction, and by true class and slices if there are any.

    `data` is a path or pattern (csv, tsv, json lines, parquet, arrow; gzip or not; larger than memory), a data
    frame (pandas, Polars eager or lazy, Arrow, DuckDB, Dask, Spark) or a dict of arrays; then `label`,
    `prediction`, `true`, `weight` and `by` are names of columns, guessed when usual. Without `data` they are the
    arrays themselves, `by` a dict of them. `classes` fixes the list of classes, also those that do not occur.

    >>> count(label=["cat", "cat", "dog"], prediction=["cat", "dog", "dog"])
    Tally(label × prediction, n = 3, 2 classes: 'cat'→'cat' 1, 'cat'→'dog' 1, 'dog'→'dog' 1)
    """
    return counted(
        data,
        label=label,
        prediction=prediction,
        true=true,
        weight=weight,
        by=by,
        classes=classes,
        drop_missing=drop_missing,
        as_text=as_text,
    ).tally


def counted(
    data: Any = None,
    *,
    label: Any = None,
    prediction: Any = None,
    true: Any = None,
    weight: Any = None,
    by: str | Sequence[str] | Mapping[str, Any] | None = (),
    classes: Sequence[ClassName] | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
) -> Counted:
    """Do what `count` does, and keep what a report must say about it."""
    slices = (by,) if isinstance(by, str) else tuple(by or ())
    if data is None:
        if label is None or prediction is None:
            raise InputError("give data, or arrays for both label and prediction")
        arrays = {"label": label, "prediction": prediction, "true": true, "weight": weight}
        data = {name: values for name, values in arrays.items() if values is not None}
        if slices and not isinstance(by, Mapping):
            raise InputError("with arrays, by is a dict of name → array, such as by={'site': sites}")
        data |= by or {}
        label, prediction, true, weight = (name if name in data else None for name in arrays)
    tables = opened(data)
    wanted = {"label": label, "prediction": prediction, "true": true, "weight": weight}
    for part, name in wanted.items():
        if name is not None and not isinstance(name, str):
            raise InputError(f"with data, {part} is the name of a column; got {type(name).__name__}")
    roles = [resolve(table.columns, where=table.name, by=slices, **wanted) for table in tables]
    if len(set(roles)) > 1:
        other = next(at for at, role in enumerate(roles) if role != roles[0])
        raise InputError(
            f"{tables[0].name} and {tables[other].name} name their columns differently ({roles[0].columns} and "
            f"{roles[other].columns}); make them alike, or name the columns"
        )
    tally, dropped = count_axes(
        tables, roles[0].axes, weight=roles[0].weight, classes=classes, drop_missing=drop_missing, as_text=as_text
    )
    return Counted(tally, roles[0], dropped)


def opened(data: Any) -> Sequence[Rows]:
    """Open a path or pattern, a dict of arrays or a data frame as rows."""
    if isinstance(data, (str, os.PathLike)):
        return read(data)
    return [from_arrays(data) if isinstance(data, Mapping) else from_frame(data)]


def opened_once(data: Any) -> Sequence[Rows]:
    """Open data whose columns are fetched one after the other.

    A relation or a lazy frame may give its rows in another order each time, so it is fetched here, once.
    """
    rows = opened(data)
    if isinstance(data, duckdb.DuckDBPyRelation):
        fetched = data.to_arrow_table()
    elif isinstance(rows[0], LazyRows):
        fetched = rows[0].frame.collect("pyarrow").to_arrow()
    else:
        return rows
    table = from_frame(fetched)
    assert isinstance(table, DuckRows)
    return [replace(table, name=rows[0].name)]


def count_axes(
    tables: Sequence[Rows],
    axes: Mapping[str, str],
    *,
    weight: str | None = None,
    classes: Sequence[ClassName] | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
    texts: Collection[str] = (),
) -> tuple[Tally, int]:
    """Count rows by the columns of these axes; give the tally and how many rows were left out.

    The columns in `texts` are read as text, whatever they hold.
    """
    keys = list(dict.fromkeys(axes.values()))
    cells = [table.group(keys, weight, as_text) for table in tables]
    columns = {key: _joined([part.keys[at] for part in cells]) for at, key in enumerate(keys)}
    names = {
        key: named(values, form=tables[0].form, column=key, as_text=as_text or key in texts)
        for key, values in columns.items()
    }
    counts = np.concatenate([part.counts for part in cells])
    if not counts.sum():
        raise InputError(f"{_together(tables)} no rows: only a header or an empty table; there is nothing to count")
    weights, squares = _weights(tables, cells, weight)
    class_columns = [column for axis, column in axes.items() if axis in CLASS_AXES]
    gone = np.any([names[column].missing for column in class_columns], axis=0)
    dropped = int(counts[gone].sum())
    if dropped and not drop_missing:
        raise _missing(tables, class_columns, names, counts)
    if dropped == counts.sum():
        raise MissingValueError(
            f"every row of {tables[0].name} lacks a label or a prediction; nothing is left to count"
        )
    names |= without_gaps({column: names[column] for column in class_columns})
    check_kinds_meet({column: names[column] for column in class_columns})
    kept = ~gone
    tally = Tally.from_codes(
        tuple(axes),
        [_observed(names[column], kept) for column in axes.values()],
        counts[kept],
        weights=None if weights is None else weights[kept],
        squares=None if squares is None else squares[kept],
        classes=classes,
    )
    if weights is not None and not tally.values.sum() > 0:
        raise WeightError(f"the weights in {weight!r} add up to 0; at least one row must count")
    return tally, dropped


def _joined(parts: list[Any]) -> Any:
    """Put the answers for several files one below the other, values of different types side by side as they are."""
    if len(parts) == 1:
        return parts[0]
    if len({part.dtype.kind for part in parts}) > 1:
        parts = [part.astype(object) for part in parts]
    join: Any = np.ma.concatenate
    return join(parts)


def _observed(column: Named, kept: Any) -> tuple[Any, tuple[ClassName, ...]]:
    """Forget the names that only occurred in rows left out."""
    used, codes = np.unique(column.codes[kept], return_inverse=True)
    return codes, tuple(column.names[code] for code in used)


def _weights(tables: Sequence[Rows], cells: Sequence[Cells], weight: str | None) -> tuple[Any, Any]:
    if weight is None:
        return None, None
    for table, part in zip(tables, cells, strict=True):
        if part.bad_weights:
            first = table.first_bad_weights(weight, SHOWN)
            shown = ", ".join(f"row {row}: {value!r}" for row, value in first)
            raise WeightError(
                f"{part.bad_weights:,} weights in column {weight!r} of {table.name} are not numbers from 0 up"
                f"{f' ({shown})' if shown else ''}; mend them, or give those rows the weight 0"
            )
    return (
        np.concatenate([part.weights for part in cells if part.weights is not None]),
        np.concatenate([part.squares for part in cells if part.squares is not None]),
    )


def _missing(tables: Sequence[Rows], columns: Sequence[str], names: dict[str, Named], counts: Any) -> MissingValueError:
    per_column = {column: int(counts[names[column].missing].sum()) for column in columns}
    found = ", ".join(f"{size:,} in {column!r}" for column, size in per_column.items() if size)
    places = []
    for table in tables:
        if rows := table.first_missing(columns, SHOWN):
            places.append(f"{table.name}: {table.places}{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows))}")
        if len(places) == SHOWN:
            break
    header = " (header not counted)" if tables[0].places == "row" else ""
    first = f"; the first are in {'; '.join(places)}{header}" if places else f" of {tables[0].name}"
    return MissingValueError(
        f"missing values: {found}{first}. Fill them in, or pass drop_missing (--drop-missing) to leave those rows out"
    )


def _together(tables: Sequence[Rows]) -> str:
    return f"{tables[0].name} has" if len(tables) == 1 else f"the {len(tables)} files have"
