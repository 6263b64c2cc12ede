"""Answers of several versions of a system over time, counted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.columns import check_column, resolve
from justesse.frames.corrected_rows import is_yes
from justesse.frames.count import opened
from justesse.frames.count_axes import count_axes
from justesse.frames.placed_versions import TRAINED, VERSION, PlacedVersions, VersionColumns, placed_versions
from justesse.frames.rows import Rows, no_rows
from justesse.frames.time_zones import has_zone
from justesse.frames.values import named

TOUCHED = "touched"
EVERY = AnswerPolicy("wrong", "drop", "class")  # keeps rows without a prediction
BEFORE = "incumbent"  # the axis of the classes predicted before any help


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
