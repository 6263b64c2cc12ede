"""The cluster or the task of each row, and the ids of rows, beside the answers of many classifiers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import MissingValueError
from justesse.frames.rows import Rows
from justesse.frames.table import row_words
from justesse.frames.values import named


@dataclass(frozen=True, eq=False)
class RowGroups:
    """Which group each row is of: its position in `names`."""

    column: str
    codes: Array
    names: tuple[str, ...]

    def rows(self, at: int) -> Array:
        """Return whether each row is of a group."""
        return np.asarray(self.codes == at)


def row_groups(tables: Sequence[Rows], column: str, kept: Array, what: str) -> RowGroups:
    """Read a column that puts rows into groups; every row needs one.

    Parameters
    ----------
    tables
        The table, or its parts.
    column
        Name of the column.
    kept
        Positions of the rows that are used.
    what
        What a group is called in messages: cluster or task.

    Examples
    --------
    >>> from justesse.frames.count import opened_once
    >>> groups = row_groups(opened_once({"topic": ["law", "art", "law"]}), "topic", np.arange(3), "task")
    >>> groups.names, groups.codes.tolist()
    (('law', 'art'), [0, 1, 0])
    """
    values = _texts(tables, column)
    blank = np.flatnonzero([values[at] is None for at in kept.tolist()])
    if len(blank):
        raise MissingValueError(
            f"Missing {what} in column {column!r} of {tables[0].name}: {row_words(kept[blank])}. Every row needs its "
            f"{what}: fill it in, or remove the row."
        )
    seen: dict[str, int] = {}
    codes = np.array([seen.setdefault(str(values[at]), len(seen)) for at in kept.tolist()], dtype=np.int64)
    return RowGroups(column, codes, tuple(seen))


def row_names(tables: Sequence[Rows], column: str, rows: Sequence[int]) -> list[str | None]:
    """Read the ids of some rows.

    >>> from justesse.frames.count import opened_once
    >>> row_names(opened_once({"id": ["q1", "q2", "q3"]}), "id", [2, 0])
    ['q3', 'q1']
    """
    values = _texts(tables, column)
    return [None if values[at] is None else str(values[at]) for at in rows]


def _texts(tables: Sequence[Rows], column: str) -> list[Any]:
    values: list[Any] = []
    for rows in tables:
        part = named(rows.arrays([column], []).keys[0], form=rows.form, column=column, as_text=True)
        values += [part.names[code] for code in part.codes.tolist()]
    return values
