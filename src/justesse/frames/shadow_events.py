"""Events that every variant answered: outcomes side by side, counted as differences."""

from typing import Any

import numpy as np

from justesse.core.errors import InputError, MissingValueError, ScoreError
from justesse.core.event_blocks import BlockCounter, EventBlocks
from justesse.core.recording import remembering
from justesse.frames.columns import check_column
from justesse.frames.count import opened_once
from justesse.frames.rows import no_rows


@remembering
def count_shadow_events(
    data: Any, incumbent: str, candidate: str, *, low: float = 0.0, high: float = 1.0, open_allowed: bool = False
) -> EventBlocks:
    """Count the events of both columns: incumbent, candidate, and their differences, scaled to 0 to 1.

    An event with an open outcome of either is open for both. A difference of 0 is 0.5 on the scale.

    Parameters
    ----------
    data
        Path, data frame or dict of lists with a row for each event.
    incumbent, candidate
        Columns with their outcomes.
    low, high
        Smallest and largest outcome possible.
    open_allowed
        Whether events without an outcome are allowed.

    Examples
    --------
    >>> blocks = count_shadow_events({"old": [0, 1, 1], "new": [1, 1, 0]}, "old", "new")
    >>> blocks.variants, blocks.total.sum(axis=1).tolist()
    (('old', 'new', 'difference'), [2.0, 2.0, 1.5])
    """
    if incumbent == candidate:
        raise InputError(f"Column {incumbent!r} cannot be both the incumbent and the candidate. Name another column.")
    counter, places = BlockCounter(), 0
    tables = opened_once(data)
    for table in tables:
        for part, name in (("incumbent", incumbent), ("candidate", candidate)):
            check_column(table.columns, table.name, part, name)
        read = table.arrays([incumbent, candidate], [incumbent, candidate])
        values = read.numbers
        gaps = np.column_stack([_gaps(key) for key in read.keys])
        for column, name in enumerate((incumbent, candidate)):
            _check(table.name, name, values[:, column], gaps[:, column], read.keys[column], low, high, open_allowed)
        open_ = np.asarray(gaps[:, 0] | gaps[:, 1])
        scaled = (np.where(open_[:, None], np.nan, values) - low) / (high - low)
        parts = [scaled[:, 0], scaled[:, 1], (1 + scaled[:, 1] - scaled[:, 0]) / 2]
        for code, part_values in enumerate(parts):
            counter.events = places
            counter.add((incumbent, candidate, "difference"), np.full(len(scaled), code), part_values)
        places += len(scaled)
    if not places:
        raise no_rows(tables[0].name)
    return counter.blocks()


def _gaps(written: Any) -> Any:
    """Tell which values are missing: masked, empty, or not a number in a column of numbers."""
    masked = np.ma.getmaskarray(written)
    values = np.ma.getdata(written)
    if values.dtype.kind == "f":
        return masked | np.isnan(values)
    if values.dtype.kind == "O":
        return masked | np.array([value is None or value == "" or value != value for value in values], dtype=bool)
    return masked


def _check(
    where: str, column: str, values: Any, gaps: Any, written: Any, low: float, high: float, open_allowed: bool
) -> None:
    """Refuse the first outcome that cannot be used."""
    with np.errstate(invalid="ignore"):
        wrong = np.where(gaps, not open_allowed, ~((values >= low) & (values <= high)))
    if not wrong.any():
        return
    at = int(np.argmax(wrong))
    place = f"{where}, row {at + 1}"
    if gaps[at]:
        raise MissingValueError(
            f"{place}: no outcome in column {column!r}. If outcomes are still open, choose how to count them with "
            "missing=… (--missing random or --missing worst-case); otherwise fill it in, or remove the row."
        )
    if not np.isfinite(values[at]):
        raise ScoreError(
            f"{place}: {str(written[at])!r} in column {column!r} is not a finite number. Outcomes are numbers such as "
            "0 and 1; leave the cell empty if the outcome is open."
        )
    raise ScoreError(
        f"{place}: outcome {values[at]:g} is not between {low:g} and {high:g}. State the smallest and largest outcome "
        "possible with outcome_range=… (--outcome-range), such as 0,100."
    )
