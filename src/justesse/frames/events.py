"""Events of an on-line comparison: variant and outcome, read in batches and counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import InputError, MissingValueError
from justesse.core.event_blocks import EventBlocks, EventCounter
from justesse.core.recording import remembering
from justesse.frames.columns import check_column
from justesse.frames.count import opened_once
from justesse.frames.event_rows import TrackedColumn, explained_rows, number_sql, refuse_event, refuse_tracked, text_sql
from justesse.frames.rows import DuckRows, is_missing, no_rows

if TYPE_CHECKING:
    import duckdb

BATCH = 500_000
MOST_VARIANTS = 50
UNSCALED = TrackedColumn("")


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
    tracked
        Other numbers of each event; each says whether it may be missing.
    proxy
        Which of them stands for the outcome where that is not known.
    by_outcome
        Whether an event is placed where its outcome came, not where the event came; open ones are then the last.
    """

    variant: str
    outcome: str
    id: str | None = None
    time: str | None = None
    low: float = 0.0
    high: float = 1.0
    open_allowed: bool = False
    tracked: tuple[TrackedColumn, ...] = ()
    proxy: str | None = None
    by_outcome: bool = False

    @property
    def names(self) -> list[str]:
        named = [name for name in (self.id, self.time) if name]
        return [self.variant, self.outcome, *named, *(column.name for column in self.tracked)]

    @property
    def own(self) -> TrackedColumn:
        """The column of the outcome, and the range it lies in."""
        return TrackedColumn(self.outcome, self.low, self.high)

    def counter(self) -> EventCounter:
        """Return what adds up events with these columns."""
        return EventCounter([column.name for column in self.tracked], self.proxy, open_last=self.by_outcome)


@dataclass(frozen=True)
class EventBatch:
    """Some events in order: the names of the variants, a code per event, outcomes scaled to 0 to 1, NaN if open.

    `tracked` has the other numbers by name, scaled to 0 to 1 too.
    """

    names: tuple[str, ...]
    codes: NDArray[np.int64]
    outcomes: NDArray[np.float64]
    tracked: dict[str, NDArray[np.float64]]
    ids: tuple[str, ...] | None = None


@remembering
def count_events(data: Any, columns: EventColumns) -> EventBlocks:
    """Count the events of a path, a data frame or a dict of lists by variant and block.

    >>> rows = {"variant": ["old", "new", "old"], "outcome": [0, 1, 1]}
    >>> blocks = count_events(rows, EventColumns("variant", "outcome"))
    >>> blocks.variants, blocks.n.tolist(), blocks.total.tolist()
    (('old', 'new'), [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    """
    counter, repeated, disordered = columns.counter(), 0, 0
    tables = opened_events(data, columns)
    if len(tables) > 1 and (columns.id or columns.time):
        raise InputError("Events with ids or times must come from one file. Combine the files first.")
    for table in tables:
        if columns.id:
            repeated += _repeated(table, columns)
        if columns.time:
            disordered += _disordered(table, columns)
        for batch in event_batches(table, columns):
            counter.add(batch.names, batch.codes, batch.outcomes, batch.tracked)
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
        for column in columns.tracked:
            check_column(table.columns, table.name, "guardrail", column.name)
    return tables


def event_batches(table: DuckRows, columns: EventColumns, *, with_ids: bool = False) -> Iterator[EventBatch]:
    """Read a table in batches, each event once and in the order of time, if ids and times are given.

    `with_ids` gives every row as it is, with its id and unscaled, in the order of the file, for a store that recognises
    repetitions.
    """
    scales = {} if with_ids else {column.name: column for column in (columns.own, *columns.tracked)}
    row = 0
    relation = _events(table, columns, merged=not with_ids)
    codes_of: dict[str, int] = {}
    shown = ", ".join(["v, x, gap", *_tracked_names(columns), *(["id"] if with_ids else [])])
    with explained_rows(table):
        reader = relation.project(shown).to_arrow_reader(BATCH)
        for batch in reader:
            variants = batch.column(0).dictionary_encode()
            outcomes, gaps = _array(batch.column(1)), _array(batch.column(2)).astype(bool)
            unnamed = variants.indices.null_count
            if unnamed or _wrong(outcomes, gaps, columns).any():
                reader.close()
                refuse_event(
                    table,
                    columns.variant,
                    TrackedColumn(columns.outcome, columns.low, columns.high),
                    columns.open_allowed,
                )
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
            scaled = scales.get(columns.outcome, UNSCALED).scaled(np.where(gaps, np.nan, outcomes))
            tracked = {}
            for at, column in enumerate(columns.tracked):
                values, gaps = (_array(batch.column(place)) for place in (3 + 2 * at, 4 + 2 * at))
                gaps = gaps.astype(bool)
                inside = (values >= column.low) & (values <= column.high)
                if np.where(gaps, column.complete, ~inside).any():
                    reader.close()
                    refuse_tracked(table, column)
                tracked[column.name] = scales.get(column.name, UNSCALED).scaled(np.where(gaps, np.nan, values))
            ids = None
            if with_ids:
                names = batch.column(batch.num_columns - 1).to_pylist()
                if None in names:
                    raise no_id(table, columns, row + names.index(None) + 1)
                ids, row = tuple(names), row + len(names)
            yield EventBatch(tuple(codes_of), codes, scaled, tracked, ids)


def _array(column: Any) -> NDArray[np.float64]:
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=float)


def _tracked_names(columns: EventColumns) -> list[str]:
    return [name for at in range(len(columns.tracked)) for name in (f"y{at}", f"ygap{at}")]


def _events(table: DuckRows, columns: EventColumns, *, merged: bool) -> "duckdb.DuckDBPyRelation":
    """Give the columns v, x and gap of every event, and row, id and t where they are needed."""
    with explained_rows(table):
        relation = table.relation(columns.names)
        kinds = [str(kind) for kind in relation.types]
        number = number_sql("c1", kinds[1], table.form)
        shown = [
            f"CASE WHEN {is_missing('c0', kinds[0])} THEN NULL ELSE {text_sql('c0', kinds[0], table.form)} END AS v",
            f"{number} AS x",
            f"({is_missing('c1', kinds[1])}) AS gap",
        ]
        if columns.id:
            id = text_sql("c2", kinds[2], table.form)
            shown.append(f"CASE WHEN {is_missing('c2', kinds[2])} THEN NULL ELSE {id} END AS id")
        if columns.time:
            time = f"c{len(columns.names) - len(columns.tracked) - 1}"
            shown.append(f"coalesce(TRY_CAST({time} AS DOUBLE), epoch(TRY_CAST({time}::VARCHAR AS TIMESTAMP))) AS t")
            shown.append(f"{time}::VARCHAR AS stated")
        for at in range(len(columns.tracked)):
            own = f"c{len(columns.names) - len(columns.tracked) + at}"
            kind = kinds[len(columns.names) - len(columns.tracked) + at]
            shown.append(f"{number_sql(own, kind, table.form)} AS y{at}, ({is_missing(own, kind)}) AS ygap{at}")
        if not (columns.id or columns.time):
            return relation.project(", ".join(shown))
        events = relation.project(", ".join([*shown, "row_number() OVER () AS row"]))
        if not merged:
            return events.order("row")
        if columns.id:
            first = [
                "arg_min(v, row) AS v, max(x) FILTER (NOT gap) AS x, bool_and(gap) AS gap, id",
                _placed("min(row)", columns, "row"),
                *([_placed("arg_min(t, row)", columns, "t")] if columns.time else []),
                *(
                    f"max(y{at}) FILTER (NOT ygap{at}) AS y{at}, bool_and(ygap{at}) AS ygap{at}"
                    for at in range(len(columns.tracked))
                ),
            ]
            events = events.aggregate(", ".join(first), "id")
        return events.order("t, row" if columns.time else "row")


def _placed(first: str, columns: EventColumns, name: str) -> str:
    """Take an event's place from its first row, or from the first with an outcome."""
    return f"{f'coalesce({first} FILTER (NOT gap), {first})' if columns.by_outcome else first} AS {name}"


def _wrong(outcomes: NDArray[Any], gaps: NDArray[Any], columns: EventColumns) -> NDArray[Any]:
    """Tell which outcomes cannot be used."""
    inside = (outcomes >= columns.low) & (outcomes <= columns.high)  # NaN is not inside
    return np.asarray(np.where(gaps, not columns.open_allowed, ~inside))


def _repeated(table: DuckRows, columns: EventColumns) -> int:
    """Count rows that bring nothing new; refuse events that come again with another variant, outcome or value."""
    values = {"x": "gap"} | {f"y{at}": f"ygap{at}" for at in range(len(columns.tracked))}
    names = {"v": "variants", "x": "outcomes"} | {
        f"y{at}": f"values of {column.name!r}" for at, column in enumerate(columns.tracked)
    }
    with explained_rows(table):
        events = _events(table, columns, merged=False)
        unnamed = events.filter("id IS NULL").order("row").project("row").limit(1).fetchall()
        if unnamed:
            raise no_id(table, columns, unnamed[0][0])
        firsts = ", ".join(["min(row)", *(f"min(row) FILTER (NOT {gap})" for gap in values.values())])
        different = ["count(DISTINCT v) > 1 AS other_v"]
        different += [f"count(DISTINCT {name}) FILTER (NOT {gap}) > 1 AS other_{name}" for name, gap in values.items()]
        grouped = events.aggregate(
            f"id, count(*) AS n, [{firsts}] AS firsts, {', '.join(different)}, max(row) AS row", "id"
        ).filter("n > 1")
        others = [f"other_{name}" for name in names]
        clash = grouped.filter(" OR ".join(others)).order("row").project(f"id, row, {', '.join(others)}")
        for id, row, *other in clash.limit(1).fetchall():
            what = next(words for words, is_other in zip(names.values(), other, strict=True) if is_other)
            raise InputError(
                f"{table.name}, row {row}: event {id!r} occurs with two different {what}. Keep the right row."
            )
        # the first row with an outcome, or another value, of an event that was open is news, not a repetition
        again = "sum(n - len(list_distinct(firsts)))"
        return int(grouped.aggregate(again).fetchall()[0][0] or 0)


def no_id(table: DuckRows, columns: EventColumns, row: int) -> MissingValueError:
    """Return the error about an event without an id."""
    return MissingValueError(f"{table.name}, row {row}: no id in column {columns.id!r}. Fill it in, or remove the row.")


def _disordered(table: DuckRows, columns: EventColumns) -> int:
    """Count events that are earlier than one before them; refuse events without a time."""
    with explained_rows(table):
        events = _events(table, columns, merged=False)
        bad = events.filter("t IS NULL OR NOT isfinite(t)").order("row").project("row, stated").limit(1).fetchall()
        for row, stated in bad:
            what = f"{stated!r} is no time" if stated else "no time"
            raise InputError(
                f"{table.name}, row {row}: {what} in column {columns.time!r}. Write numbers or dates such as "
                "2024-05-01 12:30:00."
            )
        before = events.project("t, max(t) OVER (ORDER BY row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS m")
        return int(before.filter("t < m").aggregate("count(*)").fetchall()[0][0])
