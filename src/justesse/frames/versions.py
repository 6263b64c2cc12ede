"""Answers of several versions of a system over time, counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ColumnError, InputError
from justesse.core.levels import CLUSTERS
from justesse.frames.columns import check_column, resolve
from justesse.frames.count import opened
from justesse.frames.count_axes import count_axes
from justesse.frames.written_dates import READ, AmbiguousDatesError, read_dates

VERSION, TRAINED = "version", "trained"


@dataclass(frozen=True)
class VersionColumns:
    """Which columns hold what: the version, the time of the item, and when the version was trained."""

    version: str
    time: str
    trained: str | None = None


@dataclass(frozen=True)
class VersionCounts:
    """Errors and items of every version at every moment.

    Parameters
    ----------
    versions
        Names of the versions, in the order of their training if it is known, otherwise as numbered.
    moments
        Times at which items were tested, in order: numbers as they are, dates in days since 1970.
    written
        The same as they are written.
    dated
        Whether times are dates.
    errors, sizes
        Errors and items, versions down, moments across.
    trained
        When each version was trained, in the unit of the moments, if it is known.
    columns
        Names of the columns of labels and predictions.
    where
        Name of the table.
    """

    versions: tuple[str, ...]
    moments: FloatArray
    written: tuple[str, ...]
    dated: bool
    errors: FloatArray
    sizes: FloatArray
    trained: FloatArray | None
    columns: tuple[str, str]
    where: str


def count_versions(
    data: Any,
    columns: VersionColumns,
    *,
    label: str | None = None,
    prediction: str | None = None,
    policy: AnswerPolicy = REFUSE,
    as_text: bool = False,
) -> VersionCounts:
    """Count the errors of every version at every moment, in one pass over the rows.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each item and version.
    columns
        Columns of the version, the time and, if there is one, the time of training.
    label, prediction
        Columns of labels and predictions. Default: columns with a usual name.
    policy
        What to do with missing answers.
    as_text
        Whether to compare classes as text.

    >>> rows = {"v": ["a", "a", "b"], "t": [1, 2, 2], "label": ["x", "y", "y"], "prediction": ["x", "x", "y"]}
    >>> counts = count_versions(rows, VersionColumns("v", "t"))
    >>> counts.versions, counts.moments.tolist(), counts.errors.tolist(), counts.sizes.tolist()
    (('a', 'b'), [1.0, 2.0], [[0.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [0.0, 1.0]])
    """
    tables = opened(data)
    axes = {VERSION: columns.version, CLUSTERS: columns.time}
    if columns.trained is not None:
        axes[TRAINED] = columns.trained
    for table in tables:
        for part, name in zip(("version", "time", "trained"), axes.values(), strict=False):
            check_column(table.columns, table.name, part, name)
    roles = resolve(tables[0].columns, where=tables[0].name, label=label, prediction=prediction)
    tally, _ = count_axes(
        tables,
        {"label": roles.label, "prediction": roles.prediction, **axes},
        policy=policy,
        as_text=as_text,
        texts=tuple(axes.values()),
    )
    where = tables[0].name
    version, moment = (tally.codes[:, tally.axis(axis)] for axis in (VERSION, CLUSTERS))
    names, written = (_complete(tally.levels[tally.axis(axis)], axes[axis], where) for axis in (VERSION, CLUSTERS))
    moments, dated = read_times(written, columns.time, where)
    trained = None
    if columns.trained is not None:
        trained = _trained(
            tally.codes[:, tally.axis(TRAINED)], tally.levels[tally.axis(TRAINED)], version, names, columns, where
        )
        if dated != trained[1]:
            raise ColumnError(
                f"Columns {columns.time!r} and {columns.trained!r} of {where} must both contain dates, or both numbers."
            )
    order = sorted(range(len(names)), key=lambda at: (trained[0][at] if trained else 0.0, _numbered(names[at])))
    places, ranks = np.argsort(moments, kind="stable"), np.argsort(order)
    at = ranks[version], np.argsort(places)[moment]
    wrong = tally.codes[:, tally.axis("label")] != tally.codes[:, tally.axis("prediction")]
    shape = (len(names), len(moments))
    errors, sizes = np.zeros(shape), np.zeros(shape)
    np.add.at(sizes, at, tally.counts)
    np.add.at(errors, at, np.where(wrong, tally.counts, 0))
    return VersionCounts(
        tuple(names[place] for place in order),
        moments[places],
        tuple(written[place] for place in places.tolist()),
        dated,
        errors,
        sizes,
        None if trained is None else trained[0][order],
        (roles.label, roles.prediction),
        where,
    )


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
    zones = {bool(re.search(r"(Z|[+-]\d{2}:?\d{2})$", text.strip())) for text in written if ":" in text}
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


def _complete(values: Sequence[Any], column: str, where: str) -> list[str]:
    if any(value is None for value in values):
        raise InputError(f"Column {column!r} of {where} has rows without a value. Fill them in, or remove those rows.")
    return [str(value) for value in values]


def _numbered(name: str) -> list[tuple[int, float, str]]:
    """Sort v2 before v10.

    >>> sorted(["v10", "v2", "v1"], key=_numbered)
    ['v1', 'v2', 'v10']
    """
    return [(0, float(part), "") if part.isdecimal() else (1, 0.0, part) for part in re.split(r"(\d+)", name) if part]


def _trained(
    codes: Array, levels: Sequence[Any], version: Array, names: Sequence[str], columns: VersionColumns, where: str
) -> tuple[FloatArray, bool]:
    assert columns.trained is not None
    written = _complete(levels, columns.trained, where)
    times, dated = read_times(written, columns.trained, where)
    own = np.full(len(names), np.nan)
    for at, name in enumerate(names):
        own_times = np.unique(times[codes[version == at]])
        if len(own_times) > 1:
            raise InputError(
                f"Version {name!r} in {where} has more than one time of training (column {columns.trained!r}). Give "
                "each version one time."
            )
        own[at] = own_times[0]
    return own, dated
