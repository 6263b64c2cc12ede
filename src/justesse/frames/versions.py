"""Answers of several versions of a system over time, counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ColumnError, InputError
from justesse.core.levels import CLUSTERS
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.core.tally import Tally
from justesse.frames.columns import check_column, resolve
from justesse.frames.corrected_rows import is_yes
from justesse.frames.count import opened
from justesse.frames.count_axes import count_axes
from justesse.frames.rows import Rows, no_rows
from justesse.frames.time_zones import check_zones, has_zone, zone_of
from justesse.frames.values import named
from justesse.frames.written_dates import READ, AmbiguousDatesError, read_dates

VERSION, TRAINED, TOUCHED = "version", "trained", "touched"
EVERY = AnswerPolicy("wrong", "drop", "class")  # keeps rows without a prediction
BEFORE = "incumbent"  # the axis of the classes predicted before any help


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
    dropped
        Rows left out because their label or prediction is missing.
    help
        What an expert's help cost, if the table says what was touched.
    no_label
        Rows left out because their label is missing.
    others
        Predictions that are no class of the labels, and how many rows have each.
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
    dropped: int = 0
    help: "HelpCounts | None" = None
    no_label: int = 0
    others: tuple[tuple[ClassName, int], ...] = ()

    @property
    def zoned(self) -> bool:
        """Whether times are written with a time zone."""
        return self.dated and any(map(has_zone, self.written))


@dataclass(frozen=True)
class HelpCounts:
    """Items that an expert touched, versions down and moments across.

    Parameters
    ----------
    touched
        Items touched.
    touched_errors
        Items touched that the system has wrong after it adapted.
    base_errors
        Items that the system had wrong before any help, if it is known.
    """

    touched: FloatArray
    touched_errors: FloatArray
    base_errors: FloatArray | None = None


@dataclass(frozen=True)
class PlacedVersions:
    """Versions in the order of training and moments in the order of time, and the place of each row among them."""

    versions: tuple[str, ...]
    moments: FloatArray
    written: tuple[str, ...]
    dated: bool
    trained: FloatArray | None
    at: tuple[Array, Array]

    def places(self, tally: Tally) -> tuple[Array, Array]:
        """Return the version and the moment of each cell of a tally."""
        return place_of(tally, VERSION, self.versions), place_of(tally, CLUSTERS, self.written)

    def sums(self, amounts: ArrayLike) -> FloatArray:
        """Add up an amount for each row, by version and moment."""
        totals = np.zeros((len(self.versions), len(self.moments)))
        np.add.at(totals, self.at, np.asarray(amounts, dtype=float))
        return totals


@remembering
def count_versions(
    data: Any,
    columns: VersionColumns,
    *,
    label: str | None = None,
    prediction: str | None = None,
    policy: AnswerPolicy = REFUSE,
    as_text: bool = False,
    touched: str | None = None,
    before: str | None = None,
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
    touched
        Column that says whether an expert touched the item.
    before
        Column with the prediction before any help.

    >>> rows = {"v": ["a", "a", "b"], "t": [1, 2, 2], "label": ["x", "y", "y"], "prediction": ["x", "x", "y"]}
    >>> counts = count_versions(rows, VersionColumns("v", "t"))
    >>> counts.versions, counts.moments.tolist(), counts.errors.tolist(), counts.sizes.tolist()
    (('a', 'b'), [1.0, 2.0], [[0.0, 1.0], [0.0, 0.0]], [[1.0, 1.0], [0.0, 1.0]])
    """
    tables = opened(data)
    axes = {VERSION: columns.version, CLUSTERS: columns.time}
    parts = {"version": columns.version, "time": columns.time, "trained": columns.trained, "touched": touched}
    if columns.trained is not None:
        axes[TRAINED] = columns.trained
    if touched is not None:
        axes[TOUCHED] = touched
    classes = {} if before is None else {BEFORE: before}
    for table in tables:
        for part, name in {**parts, "before": before}.items():
            if name is not None:
                check_column(table.columns, table.name, part, name)
    roles = resolve(tables[0].columns, where=tables[0].name, label=label, prediction=prediction)
    tally, gaps = count_axes(
        tables,
        {"label": roles.label, "prediction": roles.prediction, **classes, **axes},
        policy=policy,
        as_text=as_text,
        texts=tuple(axes.values()),
    )
    where = tables[0].name

    def column(axis: str) -> tuple[Array, Sequence[Any]]:
        return tally.codes[:, tally.axis(axis)], tally.levels[tally.axis(axis)]

    placed = placed_versions(
        column(VERSION), column(CLUSTERS), None if columns.trained is None else column(TRAINED), columns, where
    )
    if gaps.dropped:  # versions and times keep their place if none of their rows is left
        every = every_row(tables, columns, roles.prediction, EVERY, as_text)[0]
        placed = replace(every, at=every.places(tally))
    wrong = column("label")[0] != column("prediction")[0]
    help_counts = None
    if touched is not None:
        codes, levels = column(TOUCHED)
        asked = np.array([is_yes(level, touched, where) for level in levels])[codes]
        help_counts = HelpCounts(
            placed.sums(tally.counts * asked),
            placed.sums(tally.counts * (asked & wrong)),
            None if before is None else placed.sums(tally.counts * (column("label")[0] != column(BEFORE)[0])),
        )
    return VersionCounts(
        placed.versions,
        placed.moments,
        placed.written,
        placed.dated,
        placed.sums(tally.counts * wrong),
        placed.sums(tally.counts),
        placed.trained,
        (roles.label, roles.prediction),
        where,
        gaps.dropped,
        help_counts,
        gaps.labels,
        tuple((name, n) for axis, name, n in gaps.others if axis == "prediction"),
    )


def every_row(
    tables: Sequence[Rows], columns: VersionColumns, prediction: str, policy: AnswerPolicy, as_text: bool
) -> tuple[PlacedVersions, FloatArray]:
    """Place the versions and moments of all rows, with or without a label, and count the rows of each pair."""
    axes = {VERSION: columns.version, CLUSTERS: columns.time}
    if columns.trained is not None:
        axes[TRAINED] = columns.trained
    for table in tables:
        for part, name in zip(("version", "time", "trained"), axes.values(), strict=False):
            check_column(table.columns, table.name, part, name)
    tally, _ = count_axes(
        tables, {"prediction": prediction, **axes}, policy=policy, as_text=as_text, texts=tuple(axes.values())
    )
    version, moment, *trained = ((tally.codes[:, tally.axis(axis)], tally.levels[tally.axis(axis)]) for axis in axes)
    place = placed_versions(version, moment, trained[0] if trained else None, columns, tables[0].name)
    return place, place.sums(tally.counts)


def place_of(tally: Tally, axis: str, names: Sequence[str]) -> Array:
    """Return the place of each cell of a tally among these names."""
    place = {name: at for at, name in enumerate(names)}
    own = np.array([place[str(name)] for name in tally.levels[tally.axis(axis)]], dtype=np.int64)
    return np.asarray(own[tally.codes[:, tally.axis(axis)]])


@remembering
def score_versions(data: Any, columns: VersionColumns, score: str) -> VersionCounts:
    """Read given scores of every version at every moment; rows without a score are missing cells.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each version and time.
    columns
        Columns of the version, the time and, if there is one, the time of training.
    score
        Column with the scores.

    >>> counts = score_versions({"v": ["a", "b"], "t": [1, 2], "f1": [0.5, 0.75]}, VersionColumns("v", "t"), "f1")
    >>> counts.errors.tolist(), counts.sizes.tolist()
    ([[0.5, 0.0], [0.0, 0.75]], [[1.0, 0.0], [0.0, 1.0]])
    """
    tables = opened(data)
    if len(tables) > 1:
        raise InputError("Given scores must come from one file. Combine the files first.")
    table = tables[0]
    keys = [name for name in (columns.version, columns.time, columns.trained) if name is not None]
    for part, name in zip(("version", "time", "trained"), keys, strict=False):
        check_column(table.columns, table.name, part, name)
    check_column(table.columns, table.name, "score", score)
    fetched, written = table.arrays(keys, [score]), table.arrays([score], []).keys[0]
    if not len(fetched.numbers):
        raise no_rows(table.name)
    values = fetched.numbers[:, 0]
    gaps = named(written, form=table.form, column=score, as_text=True).missing
    bad = np.flatnonzero(~np.isfinite(values) & ~gaps)
    if len(bad):
        raise InputError(
            f"{table.name}, row {bad[0] + 1}: column {score!r} must contain a finite number, or nothing; "
            f"got {str(written[bad[0]])!r}."
        )
    if gaps.all():
        raise InputError(f"Column {score!r} of {table.name} has no score. Fill it in, or name another (--score).")
    read = [
        named(key, form=table.form, column=name, as_text=True) for key, name in zip(fetched.keys, keys, strict=True)
    ]
    parts = [(column.codes, column.names) for column in read]
    placed = placed_versions(parts[0], parts[1], parts[2] if len(parts) > 2 else None, columns, table.name)
    sizes = placed.sums(~gaps)
    if (sizes > 1).any():
        row, column = (int(at) for at in np.argwhere(sizes > 1)[0])
        raise InputError(
            f"{table.name} has several scores of version {placed.versions[row]!r} at {placed.written[column]!r}. "
            "Keep one."
        )
    return VersionCounts(
        placed.versions,
        placed.moments,
        placed.written,
        placed.dated,
        placed.sums(np.where(gaps, 0.0, values)),
        sizes,
        placed.trained,
        (score, score),
        table.name,
    )


def placed_versions(
    version: tuple[Array, Sequence[Any]],
    moment: tuple[Array, Sequence[Any]],
    trained: tuple[Array, Sequence[Any]] | None,
    columns: VersionColumns,
    where: str,
) -> PlacedVersions:
    """Put versions in the order of their training and moments in the order of time.

    Parameters
    ----------
    version, moment, trained
        Code of each row, and the value of each code.
    columns
        Names of these columns.
    where
        Name of the table.
    """
    names, written = _complete(version[1], columns.version, where), _complete(moment[1], columns.time, where)
    moments, dated = read_times(written, columns.time, where)
    learnt = None
    if trained is not None:
        learnt = _trained(trained[0], trained[1], version[0], names, columns, where)
        if dated != learnt[1]:
            raise ColumnError(
                f"Columns {columns.time!r} and {columns.trained!r} of {where} must both contain dates, or both numbers."
            )
        if dated and columns.trained is not None:
            check_zones({columns.time: zone_of(written), columns.trained: zone_of(map(str, trained[1]))}, where)
    order = sorted(range(len(names)), key=lambda at: (learnt[0][at] if learnt else 0.0, _numbered(names[at])))
    places, ranks = np.argsort(moments, kind="stable"), np.argsort(order)
    return PlacedVersions(
        tuple(names[place] for place in order),
        moments[places],
        tuple(written[place] for place in places.tolist()),
        dated,
        None if learnt is None else learnt[0][order],
        (ranks[version[0]], np.argsort(places)[moment[0]]),
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
