"""Two versions of a test set beside each other: labels that were corrected, rows that were added or removed."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from justesse.core.errors import ColumnError, InputError
from justesse.frames.columns import check_column
from justesse.frames.files import private_folder
from justesse.frames.sides import Side, beside, side

MOST_CELLS = 50


@dataclass(frozen=True)
class CorrectedLabels:
    """How many labels changed, how many rows were added or removed, and old label, new label, rows of each change."""

    corrected: int
    added: int
    removed: int
    shared: int
    cells: tuple[tuple[str | None, str | None, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "corrected": self.corrected,
            "added": self.added,
            "removed": self.removed,
            "shared": self.shared,
            "cells": [list(cell) for cell in self.cells],
        }


def corrected_labels(old: Any, new: Any, on: str, label: str | None, usual: Sequence[str]) -> CorrectedLabels:
    """Compare the labels of rows that two tables share, by an id.

    >>> old = {"id": [1, 2, 3], "label": ["a", "b", "b"]}
    >>> corrected_labels(old, {"id": [2, 3, 4], "label": ["a", "b", "a"]}, "id", None, ["label"])
    CorrectedLabels(corrected=1, added=1, removed=1, shared=2, cells=(('b', 'a', 1),))
    """
    before, now = side(old, "old data"), side(new, "new data")
    column = label or next((name for name in usual if name in before.columns), None)
    if column is None:
        raise ColumnError(f"No label column in {before.name}. Name it with label=… (--label).")
    for rows in (before, now):
        check_column(rows.columns, rows.name, "label", column)
        _check_ids(rows, on)
    counted = beside(
        (before, now),
        """
        SELECT ours.c0 IS NULL AS added, theirs.c0 IS NULL AS removed, ours.c1 AS before, theirs.c1 AS now,
               count(*) AS n
        FROM ours FULL JOIN theirs ON ours.c0 = theirs.c0 GROUP BY ALL ORDER BY n DESC, before, now
        """,
        before.texts([on, column]),
        now.texts([on, column]),
    )
    listed = [
        (bool(added), bool(removed), _text(first), _text(second), int(n))
        for added, removed, first, second, n in zip(
            *(counted[name].tolist() for name in ("added", "removed", "before", "now", "n")), strict=True
        )
    ]
    shared = [row for row in listed if not row[0] and not row[1]]
    changed = tuple((first, second, n) for _, _, first, second, n in shared if first != second)
    return CorrectedLabels(
        sum(n for _, _, n in changed),
        sum(row[4] for row in listed if row[0]),
        sum(row[4] for row in listed if row[1]),
        sum(row[4] for row in shared),
        changed[:MOST_CELLS],
    )


def rows_of_both(old: Any, new: Any, on: str) -> str:
    """Write the new rows whose id the old table has to a temporary CSV file, which goes when the process ends.

    >>> from pathlib import Path
    >>> Path(rows_of_both({"id": [1, 2]}, {"id": [2, 3], "x": ["b", "c"]}, "id")).read_text().split()
    ['"id","x"', '"2","b"']
    """
    import pyarrow as pa
    import pyarrow.csv

    before, now = side(old, "old data"), side(new, "new data")
    for rows in (before, now):
        _check_ids(rows, on)
    columns = list(now.columns)
    at = columns.index(on)
    kept = beside(
        (before, now),
        f"SELECT theirs.* FROM theirs WHERE theirs.c{at} IN (SELECT c0 FROM ours)",
        before.texts([on]),
        now.texts(columns),
    )
    if not len(kept["c0"]):
        raise InputError(f"No id in column {on!r} is in both versions. Name another column with id=… (--id).")
    table = pa.table({name: pa.array([_text(v) for v in kept[f"c{i}"].tolist()]) for i, name in enumerate(columns)})
    handle, path = tempfile.mkstemp(suffix=".csv", dir=private_folder())
    with open(handle, "wb") as file:
        pyarrow.csv.write_csv(table, file)
    return path


def _check_ids(rows: Side, on: str) -> None:
    if on not in rows.columns:
        raise ColumnError(
            f"Column {on!r} not found in {rows.name}, so rows cannot be matched. Name it with id=… (--id)."
        )
    ids = rows.fetched(rows.texts([on]).aggregate("count(c0) AS n, count(DISTINCT c0) AS d"))
    if int(ids["n"][0]) != int(ids["d"][0]):
        raise InputError(f"Column {on!r} of {rows.name} repeats an id. Name a column that tells rows apart.")


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
