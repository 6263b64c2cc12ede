"""What is checked while rows are counted: few classes, short names, weights that are numbers, missing values."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.errors import ClassError, MissingValueError, WeightError
from justesse.core.levels import ANSWER_AXES, CLASS_AXES, CLUSTERS, MAX_CLASSES, MAX_SLICES, RANKS, too_many
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.rows import CountedCells, Rows
from justesse.frames.values import Named

SHOWN = 5
FIRST_ROWS = 50_000
LONGEST_NAME = 1_000  # characters
ANSWERS_ADVICE = (
    "Count each missing answer as wrong with missing='wrong' (--missing wrong), or drop those rows with "
    "missing='drop' (--missing drop), which favours a classifier that does not answer hard rows."
)
LABELS_ADVICE = (
    "A row without a label cannot be evaluated: fill it in, or drop the row with missing_labels='drop' "
    "(--missing-labels drop)."
)


def check_few_values(table: Rows, axes: Mapping[str, str]) -> None:
    """Refuse labels and slices that are identifiers or measurements, before all their values are in memory."""
    checked = {axis: column for axis, column in axes.items() if axis not in (*ANSWER_AXES, RANKS, CLUSTERS)}
    many = table.distinct_at_start(list(checked.values()), FIRST_ROWS) if checked else []
    for (axis, column), values in zip(checked.items(), many, strict=True):
        what, limit = ("classes", MAX_CLASSES) if axis in CLASS_AXES else ("slices", MAX_SLICES)
        if values > limit:
            raise too_many(column, values, what, f" in its first {FIRST_ROWS:,} rows")


def check_short(names: Mapping[str, Named], columns: Sequence[str]) -> None:
    """Refuse texts that are no names; a long answer may be a stray one, and is counted."""
    for column in columns:
        longest = max((len(name) for name in names[column].names if isinstance(name, str)), default=0)
        if longest > LONGEST_NAME:
            raise ClassError(
                f"Column {column!r} has a text of {longest:,} characters. Names of classes and slices have at most "
                f"{LONGEST_NAME:,}. Name the right column."
            )


def checked_weights(tables: Sequence[Rows], cells: Sequence[CountedCells], weight: str | None) -> tuple[Any, Any]:
    """Return the sums of the weights and of their squares; refuse weights that are not numbers from 0 up."""
    if weight is None:
        return None, None
    for table, part in zip(tables, cells, strict=True):
        if part.bad_weights:
            first = table.first_bad_weights(weight, SHOWN)
            shown = ", ".join(f"row {row}: {value!r}" for row, value in first)
            raise WeightError(
                f"Weights must be numbers from 0 up. Column {weight!r} of {table.name} has other values in "
                f"{quantity(part.bad_weights, 'row')}{f' ({shown})' if shown else ''}. Correct the weights, or set "
                "them to 0."
            )
    return (
        np.concatenate([part.weights for part in cells if part.weights is not None]),
        np.concatenate([part.squares for part in cells if part.squares is not None]),
    )


def missing_values(
    tables: Sequence[Rows],
    labels: Sequence[str],
    answers: Sequence[str],
    names: Mapping[str, Named],
    counts: Any,
    strays: Sequence[tuple[str, ClassName, int]],
    policy: AnswerPolicy,
) -> MissingValueError:
    """Return an error that says which values are missing, where, and what to do: answers first, then labels.

    Parameters
    ----------
    tables
        Tables with missing values.
    labels, answers
        Columns with the labels and with the answers.
    names
        Names in each column.
    counts
        Number of rows of each cell.
    strays
        Column, name and number of rows of answers that are not classes.
    policy
        What to do with missing answers.
    """
    columns = list(dict.fromkeys([*labels, *answers]))
    per_column = {column: int(counts[names[column].missing].sum()) for column in columns}
    listed = ", ".join(f"{size:,} in {column!r}" for column, size in per_column.items() if size)
    places = []
    for table in tables:
        if rows := table.first_missing(columns, SHOWN):
            places.append(f"{table.name}: {table.places}{'s' if len(rows) > 1 else ''} {', '.join(map(str, rows))}")
        if len(places) == SHOWN:
            break
    header = " (header not counted)" if tables[0].places == "row" else ""
    first = f", first in {'; '.join(places)}{header}" if places else f" of {tables[0].name}"
    advice = []
    if policy.others == "missing" and strays:
        shown = ", ".join(f"{name!r} ({n:,})" for _, name, n in strays[:SHOWN])
        advice.append(f"Predictions that are not among the labels count as missing: {shown}.")
    if policy.missing == "refuse" and any(per_column[column] for column in answers):
        advice.append(ANSWERS_ADVICE)
    if not policy.drops_labels and any(per_column[column] for column in labels):
        advice.append(LABELS_ADVICE)
    return MissingValueError(f"Missing values: {listed}{first}. {' '.join(advice)}")
