"""A whole table in memory: its columns as they came, to be written back, and as what they mean, to be learnt from."""

import csv
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.coded import named as from_codes
from justesse.core.errors import ClassError, FileError, JustesseError, MissingValueError
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.categorical import categorical_columns
from justesse.frames.count import opened_once
from justesse.frames.native import write_table, write_whole
from justesse.frames.rows import DuckRows, Rows, no_rows
from justesse.frames.values import INTEGER, named

Columns = dict[str, Any]  # name → Arrow array
SHOWN = 5
NUMBER_START = "^[-+]?(0?[.eE]|0$|[1-9])"  # 007 is a name


@dataclass(frozen=True, eq=False)
class TypedTable:
    """Columns as they came (`raw`, all text if they came as text) and as what they mean (`typed`).

    `categorical` names the columns that came as categories, as those of pandas and Polars: they hold names, whatever
    these look like.
    """

    rows: Rows
    raw: Columns
    typed: Columns
    categorical: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.rows.name

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.raw)

    def __len__(self) -> int:
        return len(next(iter(self.raw.values())))

    def labels(self, column: str) -> Array:
        """Give the classes in a column, as counting would name them; every row needs one."""
        result = named(self.rows.arrays([column], []).keys[0], form=self.rows.form, column=column)
        if result.missing.any():
            gone = np.flatnonzero(result.missing)
            raise MissingValueError(
                f"{quantity(len(gone), 'missing label')} in column {column!r} of {self.name}: {row_words(gone)}. "
                "Fill them in, or remove those rows."
            )
        return from_codes(result.codes, result.names)

    def copied(self, column: str, name: str) -> "TypedTable":
        """Add a copy of a column under another name."""
        also = {name} if column in self.categorical else set()
        return TypedTable(
            self.rows,
            self.raw | {name: self.raw[column]},
            self.typed | {name: self.typed[column]},
            self.categorical | also,
        )

    def relabelled(self, column: str, name: str, old: Array, new: Array, classes: Sequence[ClassName]) -> "TypedTable":
        """Add a column of other classes, written as those of `column` are; `old` and `new` are codes of `classes`.

        >>> from justesse.frames.table import read_table
        >>> table = read_table({"y": ["a", "b"]})
        >>> table.relabelled("y", "z", np.array([0, 1]), np.array([1, 1]), ("a", "b")).raw["z"].to_pylist()
        ['b', 'b']
        """
        first = dict(zip(*(part.tolist() for part in np.unique(old, return_index=True)), strict=True))
        made = []
        for columns in (self.raw, self.typed):
            spelt = _spelt(columns[column], column, first, classes)
            made.append(columns | {name: spelt.take(np.asarray(new, dtype=np.int64))})
        return TypedTable(self.rows, made[0], made[1], self.categorical)

    def save(self, path: Path) -> Path:
        """Write it by its ending: a CSV keeps every value as it came, a Parquet file has numbers as numbers."""
        if path.suffix.lower() != ".csv":
            return write_table(self.typed, path)

        def write(temporary: str) -> None:
            import pyarrow as pa

            with open(temporary, "w", encoding="utf-8", newline="") as stream:
                writer = csv.writer(stream, lineterminator="\n")
                writer.writerow(self.columns)
                for batch in pa.table(list(self.raw.values()), names=list(self.raw)).to_batches():
                    writer.writerows(zip(*(column.to_pylist() for column in batch.columns), strict=True))

        return write_whole(path, write)


def read_table(data: Any) -> TypedTable:
    """Read every column of one file, data frame or dict of arrays into memory.

    >>> read_table({"x": [1.5, 2.5], "y": ["a", "b"]}).columns
    ('x', 'y')
    """
    rows = one_table(data)
    raw = {name: _decoded(column) for name, column in zip(rows.columns, _arrow(rows), strict=True)}
    if not raw or not len(next(iter(raw.values()))):
        raise no_rows(rows.name)
    typed = raw if rows.form == "typed" else {name: as_numbers(column) for name, column in raw.items()}
    return TypedTable(rows, raw, typed, categorical_columns(data))


def one_table(data: Any) -> Rows:
    """Open data that must be one table, not a pattern of several files."""
    tables = opened_once(data)
    if len(tables) > 1:
        raise FileError(
            f"Pattern {str(data)!r} matches {len(tables)} files, but one is needed. Name one, or combine them."
        )
    return tables[0]


def row_words(rows: Sequence[int] | Array) -> str:
    """Name the first of these rows, counted from 1.

    >>> row_words([0, 4])
    'rows 1, 5'
    """
    shown = ", ".join(str(int(row) + 1) for row in rows[:SHOWN])
    return f"row{'s' if len(rows) > 1 else ''} {shown}{', …' if len(rows) > SHOWN else ''}"


def _arrow(rows: Rows) -> list[Any]:
    """Fetch all columns; JSON values as the text they hold."""
    assert isinstance(rows, DuckRows)  # lazy frames are fetched when they are opened
    try:
        relation = rows.relation(rows.columns)
        if rows.form == "json":
            relation = relation.project(", ".join(f"c{at} ->> '$' AS c{at}" for at in range(len(rows.columns))))
        return list(relation.to_arrow_table().columns)
    except JustesseError:
        raise
    except Exception as error:
        raise rows.explain(error) from error


def _decoded(column: Any) -> Any:
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def as_numbers(column: Any) -> Any:
    """Read text as numbers if every value is written as one; 007 is a name.

    >>> import pyarrow as pa
    >>> as_numbers(pa.array(["1", "2.5"])).to_pylist(), as_numbers(pa.array(["1", "007"])).to_pylist()
    ([1.0, 2.5], ['1', '007'])
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    def every(pattern: str) -> bool:
        return bool(pc.all(pc.match_substring_regex(column, pattern)).as_py())

    if column.null_count == len(column) or not every(NUMBER_START):
        return column
    try:
        return column.cast(pa.int64() if every(f"^({INTEGER.pattern})$") else pa.float64())
    except pa.ArrowInvalid:
        return column


def is_finite_number(text: str) -> bool:
    """Say whether a text is a finite number, as `as_numbers` reads them.

    >>> [is_finite_number(text) for text in ("2.5", "007", "inf", "x")]
    [True, False, False, False]
    """
    try:
        return re.match(NUMBER_START, text) is not None and math.isfinite(float(text))
    except ValueError:
        return False


def _spelt(column: Any, name: str, first: dict[int, int], classes: Sequence[ClassName]) -> Any:
    """Write each class as the first row that has it does, or in the manner of the column if none has it."""
    import pyarrow as pa

    text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    values = [
        column[first[code]].as_py() if code in first else str(class_name) if text else class_name
        for code, class_name in enumerate(classes)
    ]
    try:
        return pa.array(values, type=column.type)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ClassError(
            f"Column {name!r} has type {column.type}, which cannot store all of "
            f"{', '.join(map(repr, classes))}. Save it as text first."
        ) from error
