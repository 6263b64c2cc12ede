"""Any data → its tally, with one group-by."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from justesse.core.answer_policy import NO_GAPS, REFUSE, AnswerPolicy, Gaps, Missing, MissingLabels, Others
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS
from justesse.core.recording import CURRENT
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.columns import Roles, resolve
from justesse.frames.count_axes import count_axes, listed_names
from justesse.frames.logs.log_facts import LogTable
from justesse.frames.memory import from_arrays, from_frame
from justesse.frames.read import read
from justesse.frames.rows import DuckRows, LazyRows, Rows
from justesse.frames.values import Form


@dataclass(frozen=True)
class Counted:
    """A tally, the columns it came from, and what was missing."""

    tally: Tally
    roles: Roles
    gaps: Gaps = NO_GAPS

    @property
    def dropped(self) -> int:
        """How many rows were left out."""
        return self.gaps.dropped


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
    cluster: Any = None,
    missing: Missing | None = None,
    missing_labels: MissingLabels | None = None,
    others: Others = "class",
    any_of: str | None = None,
) -> Tally:
    """Count rows by label and prediction, and by true class and slices if there are any.

    Parameters
    ----------
    data
        Path or pattern (CSV, TSV, JSON lines, Parquet, Arrow; gzip or not; larger than memory), data frame (pandas,
        Polars eager or lazy, Arrow, DuckDB, Dask, Spark) or dict of arrays. Without it, pass arrays for the columns.
    label
        Column of the labels, or their array. Default: a usual name such as label.
    prediction
        Column of the predicted classes, or their array. Default: a usual name such as prediction.
    true
        Column of the true classes, or their array. Default: none.
    weight
        Column of row weights, or their array. Default: none.
    by
        Columns to slice by; with arrays, a dict of name → array.
    classes
        All classes, also those that do not occur. Default: those that occur.
    drop_missing
        Old name of `missing="drop"`.
    as_text
        Read class names as text, so that 1 and 1.0 are not numbers.
    cluster
        Column that names what rows belong to, such as patient, or its array: counted too. Default: none.
    missing
        Rows without a prediction: "refuse" them, count them as "wrong", or "drop" them. Default: refuse.
    missing_labels
        Rows without a label: "refuse" or "drop" them. Default: refuse.
    others
        A prediction that no label has is a "class", a "wrong" answer or a "missing" one.
    any_of
        Separator of several right classes: with "|", the label `cat|dog` accepts both. An accepted prediction is
        counted as the label, otherwise the first class is.

    Returns
    -------
    Tally
        How many rows have each label and prediction.

    Examples
    --------
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
        policy=AnswerPolicy.of(missing, missing_labels, others, drop_missing=drop_missing, any_of=any_of),
        as_text=as_text,
        cluster=cluster,
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
    policy: AnswerPolicy = REFUSE,
    as_text: bool = False,
    cluster: Any = None,
) -> Counted:
    """Do what `count` does, and keep what a report must say about it.

    Parameters
    ----------
    data
        Table, file, folder or pattern of files; `None` if the columns are given as arrays.
    label, prediction, true, weight, cluster
        Names of these columns, or arrays.
    by
        Columns to slice by.
    classes
        List of classes. Default: those of the labels.
    policy
        What to do with missing answers.
    as_text
        Whether to compare classes as text.
    """
    slices = (by,) if isinstance(by, str) else tuple(by or ())
    if data is None:
        if label is None or prediction is None:
            raise InputError("Pass data, or arrays for both label and prediction.")
        arrays = {"label": label, "prediction": prediction, "true": true, "weight": weight, "cluster": cluster}
        data = {name: values for name, values in arrays.items() if values is not None}
        if slices and not isinstance(by, Mapping):
            raise InputError("With arrays, by must be a dict of name → array, such as by={'site': sites}.")
        data |= by or {}
        label, prediction, true, weight, cluster = (name if name in data else None for name in arrays)
    tables = opened(data)
    named_columns = {"label": label, "prediction": prediction, "true": true, "weight": weight, "cluster": cluster}
    for part, name in named_columns.items():
        if name is not None and not isinstance(name, str):
            raise InputError(f"With data, {part} must be the name of a column; got {type(name).__name__}.")
    roles = [resolve(table.columns, where=table.name, by=slices, **named_columns) for table in tables]
    if len(set(roles)) > 1:
        other = next(at for at, role in enumerate(roles) if role != roles[0])
        raise InputError(
            f"{tables[0].name} and {tables[other].name} name their columns differently: "
            f"{listed_names(roles[0].columns)} and {listed_names(roles[other].columns)}. Rename them alike, or name "
            "the columns."
        )
    texts = () if roles[0].cluster is None else (roles[0].cluster,)
    tally, gaps = count_axes(
        tables, roles[0].axes, weight=roles[0].weight, classes=classes, policy=policy, as_text=as_text, texts=texts
    )
    if texts:
        check_clusters(tally, texts[0])
    return Counted(tally, roles[0], gaps)


def check_clusters(tally: Tally, column: str) -> None:
    """Refuse rows without a cluster, and a single cluster, which does not show how much clusters vary."""
    names = tally.levels[tally.axis(CLUSTERS)]
    if None in names:
        raise InputError(
            f"Some rows have no value in the column of clusters, {column!r}. Fill them in or leave these rows out."
        )
    if len(names) < 2:
        raise InputError(
            f"All rows have the same value in the column of clusters, {column!r}: how much clusters vary is not known. "
            "Name another column, or leave out cluster (--cluster)."
        )


def opened(data: Any) -> Sequence[Rows]:
    """Open a path or pattern, a dict of arrays or a data frame as rows; data that are gone have columns only."""
    recording = CURRENT.get()
    if recording is None or recording.reads:
        return _opened(data)
    if recording.replays and (tables := recording.recall("tables", None)) is not None:
        return tables  # type: ignore[no-any-return]
    rows = _opened(data)
    if not recording.replays:
        recording.remember("tables", [KeptColumns(table.name, tuple(table.columns), table.form) for table in rows])
    return rows


@dataclass(frozen=True)
class KeptColumns:
    """What a dossier keeps of a table: its name, columns and form; what was read of its rows is kept beside it."""

    name: str
    columns: tuple[str, ...]
    form: Form


def _opened(data: Any) -> Sequence[Rows]:
    if isinstance(data, (str, os.PathLike)):
        return read(data)
    if isinstance(data, (LogTable, DuckRows)):
        return [data if isinstance(data, DuckRows) else data.rows]
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
