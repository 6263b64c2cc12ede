"""Numbers and names of events as SQL, and what is wrong with an event that cannot be used."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import JustesseError, MissingValueError, ScoreError
from justesse.frames.rows import DuckRows, is_missing

TRUE, FALSE = "('true', 'True', 'TRUE')", "('false', 'False', 'FALSE')"


@dataclass(frozen=True)
class TrackedColumn:
    """A column of numbers that come with events, such as costs: the range they lie in, and whether all are needed."""

    name: str
    low: float = 0.0
    high: float = 1.0
    complete: bool = False

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values on the scale of 0 to 1."""
        return (values - self.low) / (self.high - self.low)


def text_sql(column: str, kind: str, form: str) -> str:
    """Return a column as text, in SQL."""
    return f"json_extract_string({column}, '$')" if form == "json" and kind == "JSON" else f"{column}::VARCHAR"


def number_sql(column: str, kind: str, form: str) -> str:
    """Return a column as a number, in SQL; NULL if it is none."""
    if kind in ("DOUBLE", "FLOAT", "BIGINT", "INTEGER", "SMALLINT", "TINYINT", "HUGEINT", "BOOLEAN"):
        return f"CAST({column} AS DOUBLE)"
    text = text_sql(column, kind, form)
    return f"CASE WHEN {text} IN {TRUE} THEN 1.0 WHEN {text} IN {FALSE} THEN 0.0 ELSE TRY_CAST({text} AS DOUBLE) END"


def refuse_event(table: DuckRows, variant: str, outcome: TrackedColumn, open_allowed: bool) -> None:
    """Say what is wrong with the first event that cannot be used, and where it is."""
    relation = table.relation([variant, outcome.name])
    kinds = [str(kind) for kind in relation.types]
    number, gap = number_sql("c1", kinds[1], table.form), is_missing("c1", kinds[1])
    bad = f"({is_missing('c0', kinds[0])}) OR (({gap}) AND {not open_allowed}) OR {_outside(number, gap, outcome)}"
    numbered = relation.project(
        f"row_number() OVER () AS row, ({is_missing('c0', kinds[0])}) AS a, ({gap}) AS b, {number} AS x, "
        f"c1::VARCHAR AS written, {bad} AS bad"
    )
    row, unnamed, open_, value, written = (
        numbered.filter("bad").order("row").project("row, a, b, x, written").limit(1).fetchall()[0]
    )
    where = f"{table.name}, row {row}"
    if unnamed:
        raise MissingValueError(f"{where}: no variant in column {variant!r}. Fill it in, or remove the row.")
    if open_:
        raise MissingValueError(
            f"{where}: no outcome in column {outcome.name!r}. If outcomes are still open, choose how to count "
            "them with missing=… (--missing random or --missing worst-case); otherwise fill it in, or remove the row."
        )
    raise _not_usable(where, value, written, outcome, "outcome", "outcome_range=… (--outcome-range), such as 0,100")


def refuse_tracked(table: DuckRows, column: TrackedColumn) -> None:
    """Say which number of a tracked column is the first that cannot be used, and where it is."""
    relation = table.relation([column.name])
    kind = str(relation.types[0])
    number, gap = number_sql("c0", kind, table.form), is_missing("c0", kind)
    numbered = relation.project(
        f"row_number() OVER () AS row, ({gap}) AS empty, {number} AS x, c0::VARCHAR AS written, "
        f"(({gap}) AND {column.complete}) OR {_outside(number, gap, column)} AS bad"
    )
    row, empty, value, written = (
        numbered.filter("bad").order("row").project("row, empty, x, written").limit(1).fetchall()[0]
    )
    if empty:
        raise MissingValueError(
            f"{table.name}, row {row}: no value in column {column.name!r}, which a guardrail needs. Fill it in, or "
            "remove the row. If values are still open, choose how to count open ones with missing=… (--missing random "
            "or --missing worst-case)."
        )
    advice = f"guardrail=… (--guardrail), such as '{column.name}<0.1 in 0..100'"
    raise _not_usable(f"{table.name}, row {row}", value, written, column, column.name, advice)


def _outside(number: str, gap: str, column: TrackedColumn) -> str:
    inside = f"coalesce({number} >= {column.low!r} AND {number} <= {column.high!r}, false)"
    return f"(NOT ({gap}) AND NOT {inside})"


def _not_usable(
    where: str, value: float | None, written: str, column: TrackedColumn, noun: str, option: str
) -> ScoreError:
    if value is None or not np.isfinite(value):
        return ScoreError(
            f"{where}: {written!r} in column {column.name!r} is not a finite number. Outcomes are numbers such as "
            "0 and 1; leave the cell empty if the outcome is open."
        )
    return ScoreError(
        f"{where}: {noun} {value:g} is not between {column.low:g} and {column.high:g}. State the smallest and "
        f"largest {noun} possible with {option}."
    )


@contextmanager
def explained_rows(table: DuckRows) -> Iterator[None]:
    """Turn an error of the engine into one about the file."""
    try:
        yield
    except JustesseError:
        raise
    except Exception as error:
        raise table.explain(error) from error
