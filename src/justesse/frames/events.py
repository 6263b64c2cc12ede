"""Events of an on-line comparison: variant and outcome, read in batches and counted."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import InputError, JustesseError, MissingValueError, ScoreError
from justesse.core.event_blocks import BlockCounter, EventBlocks
from justesse.frames.columns import check_column
from justesse.frames.count import opened_once
from justesse.frames.rows import DuckRows, is_missing, no_rows

if TYPE_CHECKING:
    import duckdb

BATCH = 500_000
MOST_VARIANTS = 50
TRUE, FALSE = "('true', 'True', 'TRUE')", "('false', 'False', 'FALSE')"


@dataclass(frozen=True)
class EventColumns:
    """Which columns hold what, and what outcomes may be.

    Parameters
    ----------
    variant
        Column with the variant of each event.
    outcome
        Column with its outcome, a number.
    id
        Column that identifies an event.
    time
        Column with the time of each event.
    low, high
        Smallest and largest outcome possible.
    open_allowed
        Whether events without an outcome are allowed: their outcome is still open.
    """

    variant: str
    outcome: str
    id: str | None = None
    time: str | None = None
    low: float = 0.0
    high: float = 1.0
    open_allowed: bool = False

    @property
    def names(self) -> list[str]:
        return [self.variant, self.outcome, *([self.id] if self.id else []), *([self.time] if self.time else [])]


@dataclass(frozen=True)
class EventBatch:
    """Some events in order: the names of the variants, a code per event, outcomes scaled to 0 to 1, NaN if open."""

    names: tuple[str, ...]
    codes: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    ids: tuple[str, ...] | None = None


def count_events(data: Any, columns: EventColumns) -> EventBlocks:
    """Count the events of a path, a data frame or a dict of lists by variant and block.

    >>> rows = {"variant": ["old", "new", "old"], "outcome": [0, 1, 1]}
    >>> blocks = count_events(rows, EventColumns("variant", "outcome"))
    >>> blocks.variants, blocks.n.tolist(), blocks.total.tolist()
    (('old', 'new'), [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    """
    counter, repeated, disordered = BlockCounter(), 0, 0
    tables = opened_events(data, columns)
    if len(tables) > 1 and (columns.id or columns.time):
        raise InputError("Events with ids or times must come from one file. Combine the files first.")
    for table in tables:
        if columns.id:
            repeated += _repeated(table, columns)
        if columns.time:
            disordered += _disordered(table, columns)
        for batch in event_batches(table, columns):
            counter.add(batch.names, batch.codes, batch.outcomes)
    if not counter.events:
        raise no_rows(tables[0].name)
    return counter.blocks(repeated=repeated, out_of_order=disordered)


def opened_events(data: Any, columns: EventColumns) -> list[DuckRows]:
    """Open data and check that it has the columns."""
    tables = [table for table in opened_once(data) if isinstance(table, DuckRows)]
    for table in tables:
        for part in ("variant", "outcome", "id", "time"):
            if (name := getattr(columns, part)) is not None:
                check_column(table.columns, table.name, part, name)
    return tables


def event_batches(table: DuckRows, columns: EventColumns, *, with_ids: bool = False) -> Iterator[EventBatch]:
    """Read a table in batches, each event once and in the order of time, if ids and times are given.

    `with_ids` gives every row with its id as it is, in the order of the file, for a store that recognises repetitions.
    """
    relation = _events(table, columns, merged=not with_ids)
    codes_of: dict[str, int] = {}
    shown = "v, x, gap, id" if with_ids else "v, x, gap"
    with _explained(table):
        reader = relation.project(shown).to_arrow_reader(BATCH)
        for batch in reader:
            variants = batch.column(0).dictionary_encode()
            outcomes = np.asarray(batch.column(1).to_numpy(zero_copy_only=False), dtype=float)
            gaps = np.asarray(batch.column(2).to_numpy(zero_copy_only=False), dtype=bool)
            unnamed = variants.indices.null_count
            if unnamed or _wrong(outcomes, gaps, columns).any():
                reader.close()
                _refuse(table, columns)
            local = [str(name) for name in variants.dictionary.to_pylist()]
            for name in local:
                codes_of.setdefault(name, len(codes_of))
            if len(codes_of) > MOST_VARIANTS:
                raise InputError(
                    f"Column {columns.variant!r} of {table.name} has more than {MOST_VARIANTS} variants. Name the "
                    "column of the variants with variant=… (--variant)."
                )
            mapped = np.array([codes_of[name] for name in local], dtype=np.int64)
            codes = mapped[np.asarray(variants.indices.to_numpy(zero_copy_only=False), dtype=np.int64)]
            scaled = (np.where(gaps, np.nan, outcomes) - columns.low) / (columns.high - columns.low)
            ids = tuple(map(str, batch.column(3).to_pylist())) if with_ids else None
            yield EventBatch(tuple(codes_of), codes, scaled, ids)


def _events(table: DuckRows, columns: EventColumns, *, merged: bool) -> "duckdb.DuckDBPyRelation":
    """Give the columns v, x and gap of every event, and row, id and t where they are needed."""
    with _explained(table):
        relation = table.relation(columns.names)
        kinds = [str(kind) for kind in relation.types]
        number = _number("c1", kinds[1], table.form)
        shown = [
            f"CASE WHEN {is_missing('c0', kinds[0])} THEN NULL ELSE {_text('c0', kinds[0], table.form)} END AS v",
            f"{number} AS x",
            f"({is_missing('c1', kinds[1])}) AS gap",
        ]
        if columns.id:
            shown.append(
                f"CASE WHEN {is_missing('c2', kinds[2])} THEN NULL ELSE {_text('c2', kinds[2], table.form)} END AS id"
            )
        if columns.time:
            time = f"c{len(columns.names) - 1}"
            shown.append(f"coalesce(TRY_CAST({time} AS DOUBLE), epoch(TRY_CAST({time}::VARCHAR AS TIMESTAMP))) AS t")
        if not (columns.id or columns.time):
            return relation.project(", ".join(shown))
        events = relation.project(", ".join([*shown, "row_number() OVER () AS row"]))
        if not merged:
            return events.order("row")
        if columns.id:
            time = ", arg_min(t, row) AS t" if columns.time else ""
            first = (
                f"arg_min(v, row) AS v, max(x) FILTER (NOT gap) AS x, bool_and(gap) AS gap, id, min(row) AS row{time}"
            )
            events = events.aggregate(first, "id")
        return events.order("t, row" if columns.time else "row")


def _text(column: str, kind: str, form: str) -> str:
    return f"json_extract_string({column}, '$')" if form == "json" and kind == "JSON" else f"{column}::VARCHAR"


def _number(column: str, kind: str, form: str) -> str:
    if kind in ("DOUBLE", "FLOAT", "BIGINT", "INTEGER", "SMALLINT", "TINYINT", "HUGEINT", "BOOLEAN"):
        return f"CAST({column} AS DOUBLE)"
    text = _text(column, kind, form)
    return f"CASE WHEN {text} IN {TRUE} THEN 1.0 WHEN {text} IN {FALSE} THEN 0.0 ELSE TRY_CAST({text} AS DOUBLE) END"


def _wrong(outcomes: NDArray[Any], gaps: NDArray[Any], columns: EventColumns) -> NDArray[Any]:
    """Tell which outcomes cannot be used."""
    inside = (outcomes >= columns.low) & (outcomes <= columns.high)  # NaN is not inside
    return np.asarray(np.where(gaps, not columns.open_allowed, ~inside))


def _refuse(table: DuckRows, columns: EventColumns) -> None:
    """Say what is wrong with the first event that cannot be used, and where it is."""
    relation = table.relation(columns.names[:2])
    kinds = [str(kind) for kind in relation.types]
    number, gap = _number("c1", kinds[1], table.form), is_missing("c1", kinds[1])
    inside = f"coalesce({number} >= {columns.low!r} AND {number} <= {columns.high!r}, false)"
    bad = (
        f"({is_missing('c0', kinds[0])}) OR (({gap}) AND {not columns.open_allowed}) OR (NOT ({gap}) AND NOT {inside})"
    )
    unnamed_sql = is_missing("c0", kinds[0])
    numbered = relation.project(
        f"row_number() OVER () AS row, ({unnamed_sql}) AS a, ({gap}) AS b, {number} AS x, c1::VARCHAR AS written, "
        f"{bad} AS bad"
    )
    bad_rows = numbered.filter("bad").order("row").project("row, a, b, x, written").limit(1).fetchall()
    row, unnamed, open_, value, written = bad_rows[0]
    where = f"{table.name}, row {row}"
    if unnamed:
        raise MissingValueError(f"{where}: no variant in column {columns.variant!r}. Fill it in, or remove the row.")
    if open_:
        raise MissingValueError(
            f"{where}: no outcome in column {columns.outcome!r}. If outcomes are still open, choose how to count "
            "them with missing=… (--missing random or --missing worst-case); otherwise fill it in, or remove the row."
        )
    if value is None or not np.isfinite(value):
        raise ScoreError(
            f"{where}: {written!r} in column {columns.outcome!r} is not a finite number. Outcomes are numbers such as "
            "0 and 1; leave the cell empty if the outcome is open."
        )
    raise ScoreError(
        f"{where}: outcome {value:g} is not between {columns.low:g} and {columns.high:g}. State the smallest and "
        "largest outcome possible with outcome_range=… (--outcome-range), such as 0,100."
    )


def _repeated(table: DuckRows, columns: EventColumns) -> int:
    """Count events that came again; refuse those that came again with another variant or outcome."""
    with _explained(table):
        events = _events(table, columns, merged=False)
        unnamed = events.filter("id IS NULL").order("row").project("row").limit(1).fetchall()
        if unnamed:
            raise MissingValueError(
                f"{table.name}, row {unnamed[0][0]}: no id in column {columns.id!r}. Fill it in, or remove the row."
            )
        grouped = events.aggregate(
            "id, count(*) AS n, count(*) FILTER (NOT gap) AS k, count(DISTINCT v) AS vs, "
            "count(DISTINCT x) FILTER (NOT gap) AS xs, max(row) AS row",
            "id",
        )
        clash = grouped.filter("vs > 1 OR xs > 1").order("row").project("id, vs, row").limit(1).fetchall()
        if clash:
            id, variants, row = clash[0]
            what = "variants" if variants > 1 else "outcomes"
            raise InputError(
                f"{table.name}, row {row}: event {id!r} occurs with two different {what}. Keep the right row."
            )
        # a row without an outcome followed by one with it is news, not a repetition
        again = "sum(CASE WHEN k = 0 THEN n - 1 WHEN k = n THEN n - 1 ELSE n - 2 END)"
        return int(grouped.aggregate(again).fetchall()[0][0] or 0)


def _disordered(table: DuckRows, columns: EventColumns) -> int:
    """Count events that are earlier than one before them; refuse events without a time."""
    with _explained(table):
        events = _events(table, columns, merged=False)
        bad = events.filter("t IS NULL OR NOT isfinite(t)").order("row").project("row").limit(1).fetchall()
        if bad:
            raise InputError(
                f"{table.name}, row {bad[0][0]}: no time in column {columns.time!r}. Write numbers or dates such as "
                "2024-05-01 12:30:00."
            )
        before = events.project("t, max(t) OVER (ORDER BY row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS m")
        return int(before.filter("t < m").aggregate("count(*)").fetchall()[0][0])


@contextmanager
def _explained(table: DuckRows) -> Iterator[None]:
    """Turn an error of the engine into one about the file."""
    try:
        yield
    except JustesseError:
        raise
    except Exception as error:
        raise table.explain(error) from error
