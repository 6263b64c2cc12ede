"""Rows of two tables side by side: joined by an id, or in the order they are in."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import InputError, JustesseError
from justesse.core.levels import identity
from justesse.core.quantity import quantity
from justesse.frames.count import opened
from justesse.frames.engine import check_not_stopped, connection
from justesse.frames.kinds import as_kind_of
from justesse.frames.places import count_rows, with_places
from justesse.frames.rows import Columns, CountedCells, DuckRows, Rows, is_missing, no_rows, without_value
from justesse.frames.values import Form, named

if TYPE_CHECKING:
    import duckdb

SHOWN = 5
FEW_IDS = 5  # a column with this many rows per value, or more, does not look like an id
LABEL, THEIRS = "label", "the candidate's label"
ID, THEIR_ID = "the id", "the candidate's id"
STATE, ROW = "which side", "which row"
Side = Literal["incumbent", "candidate"]


def to_join(data: Any) -> Sequence[Rows]:
    """Open a table; a DuckDB relation is fetched, as only its own connection can read it."""
    import duckdb

    rows = opened(data)
    if not isinstance(data, duckdb.DuckDBPyRelation):
        return rows
    theirs = rows[0]
    assert isinstance(theirs, DuckRows)
    return [
        replace(
            theirs,
            relation=lambda asked_columns: connection().from_arrow(theirs.relation(asked_columns).to_arrow_table()),
        )
    ]


@dataclass
class JoinedRows:
    """Two tables, or two sets of files, as one: `parts` says from which side and column each new column comes.

    Everything is checked by the same pass that counts: ids that repeat or that one side lacks, and labels that differ,
    are refused, with the first of them. With `common`, ids that one side lacks are left out and counted instead.
    Without `on`, two files are joined by position. Several files are joined by each row's place among all rows of its
    side: an engine reads several files at once, in no order.

    A row that lacks its label on one side is a row without a label; with `either`, the label of the other side counts.
    """

    sides: Mapping[Side, Sequence[DuckRows]]
    parts: Mapping[str, tuple[Side, str]]
    on: str | None
    common: bool = False
    unmatched: dict[Side, int] = field(default_factory=dict)
    either: bool = False

    @property
    def name(self) -> str:
        return f"{self._named('incumbent')} and {self._named('candidate')}"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.parts)

    @property
    def form(self) -> Form:
        """Text if one side is a CSV: what is typed on the other side is then written as text."""
        forms = {rows[0].form for rows in self.sides.values()}
        return forms.pop() if len(forms) == 1 else "text"

    def group(self, keys: Sequence[str], weight: str | None, as_text: bool) -> CountedCells:
        twice = [THEIRS] if THEIRS in self.parts else []
        result = self._rows().group([*keys, *twice, STATE], weight, as_text)
        state = np.ma.filled(result.keys[-1].astype(object), "")
        self._check_matched(state, result.counts)
        kept = state == "both"
        if twice:
            label = result.keys[list(keys).index(LABEL)][kept]
            self._check_labels(label, result.keys[len(keys)][kept], result.counts[kept], as_text)
        return CountedCells(tuple(key[kept] for key in result.keys[: len(keys)]), result.counts[kept])

    def arrays(self, keys: Sequence[str], numbers: Sequence[str]) -> Columns:
        rows = self._rows(matched_only=True)
        if self._by_position:
            return rows.arrays(keys, numbers)

        def in_order(asked_columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
            joined = self._relation([*asked_columns, ROW], matched_only=True).order(f"c{len(asked_columns)}")
            return joined.project(", ".join(f"c{at}" for at in range(len(asked_columns))))

        return replace(rows, relation=in_order).arrays(keys, numbers)

    def distinct_at_start(self, columns: Sequence[str], rows: int) -> list[int]:
        sides = [self.parts[name] for name in columns]
        return [self.sides[side][0].distinct_at_start([column], rows)[0] for side, column in sides]

    @property
    def places(self) -> str:
        return self.on or "row"

    def first_missing(self, columns: Sequence[str], limit: int) -> Sequence[int | str]:
        relation = self._relation([*columns, ROW], matched_only=True)
        gone = relation.filter(without_value([str(kind) for kind in relation.types[:-1]]))
        return [row[0] for row in gone.project(f"c{len(columns)} AS id").order("id").limit(limit).fetchall()]

    def first_bad_weights(self, weight: str, limit: int) -> list[tuple[int, Any]]:
        return []

    def _named(self, side: Side) -> str:
        names = {
            key: rows[0].name if len(rows) == 1 else f"{rows[0].name} and {quantity(len(rows) - 1, 'other file')}"
            for key, rows in self.sides.items()
        }
        return names[side] if len(set(names.values())) > 1 else f"{names[side]} ({side})"

    def _rows(self, *, matched_only: bool = False) -> DuckRows:
        """Give the join as a table that can be counted."""

        def relation(asked_columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
            return self._relation(asked_columns, matched_only)

        def explain(error: Exception) -> JustesseError:
            check_not_stopped(error)
            # each side knows best what its own damage looks like
            for side, rows in self.sides.items():
                for part, column in itertools.product(rows, self._columns(side)):
                    try:
                        part.group([column], None, True)
                    except JustesseError as own:
                        return own
            return InputError(
                f"Cannot join {self.name}: {str(error).splitlines()[0].rstrip('.')}. Check that both can be read."
            )

        return DuckRows(self.name, (*self.parts, STATE), self.form, relation, explain)

    def with_ids(self) -> DuckRows:
        """Give the joined rows as one table, with the column that joined them."""
        rows = self._rows(matched_only=True)

        def relation(asked_columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
            return rows.relation([ROW if name == self.on else name for name in asked_columns])

        return replace(rows, columns=(*self.parts, *([self.on] if self.on else [])), relation=relation)

    def _columns(self, side: Side) -> list[str]:
        """List the columns needed of one side, the id first."""
        asked_columns = [column for where, column in self.parts.values() if where == side]
        return list(dict.fromkeys([*([self.on] if self.on else []), *asked_columns]))

    def _relation(self, asked_columns: Sequence[str], matched_only: bool) -> "duckdb.DuckDBPyRelation":
        chosen = ", ".join(f"{self._place(name)} AS c{at}" for at, name in enumerate(asked_columns))
        if self._by_position:
            return self._query(f"SELECT {chosen} FROM incumbent POSITIONAL JOIN candidate")
        key, cast = "place", ""
        if self.on is not None:
            kinds = [self._side(side).types[0] for side in self.sides]
            key, cast = "c0", "" if kinds[0] == kinds[1] else "::VARCHAR"
        how = f"{'' if matched_only else 'FULL OUTER'} JOIN candidate ON incumbent.{key}{cast} = candidate.{key}{cast}"
        return self._query(f"SELECT {chosen} FROM incumbent {how}")

    def _query(self, sql: str) -> "duckdb.DuckDBPyRelation":
        """Ask about both sides, which DuckDB finds by the names of these variables."""
        incumbent, candidate = self._side("incumbent"), self._side("candidate")  # noqa: F841
        return connection().sql(sql)

    def _side(self, side: Side) -> "duckdb.DuckDBPyRelation":
        """Give the columns of one side, all its files one below the other, with a mark that a row is there."""
        columns = self._columns(side)
        parts = [part.relation(columns) for part in self.sides[side]]
        if self.on is None and not self._by_position:
            parts = with_places(parts, self._sizes[side])
        result = parts[0]
        for part in parts[1:]:
            result = result.union(part)
        chosen = [
            _text(f"c{at}", str(kind)) if self.form == "text" else f"c{at}"
            for at, kind in enumerate(result.types[: len(columns)])
        ]
        if self.on is not None:
            chosen[0] = f"CASE WHEN NOT ({without_value([str(result.types[0])])}) THEN {chosen[0]} END"
        texts = ", ".join(f"{column} AS c{at}" for at, column in enumerate(chosen))
        place = ", place" if "place" in result.columns else ""
        return result.project(f"{texts}{place}, true AS here")

    @property
    def _by_position(self) -> bool:
        return self.on is None and all(len(parts) == 1 for parts in self.sides.values())

    @cached_property
    def _sizes(self) -> dict[Side, list[int]]:
        """Count the rows of each file."""
        return {
            side: [count_rows(part.relation(self._columns(side)[:1])) for part in parts]
            for side, parts in self.sides.items()
        }

    def _place(self, name: str) -> str:
        if name == STATE:
            return (
                "CASE WHEN candidate.here IS NULL THEN 'incumbent' WHEN incumbent.here IS NULL THEN 'candidate' "
                f"{self._other_id()} ELSE 'both' END"
            )
        if name == ROW:
            if self.on is not None:
                return "incumbent.c0::VARCHAR"
            return "row_number() OVER ()" if self._by_position else "incumbent.place + 1"
        value = self._column(name)
        if name != LABEL or THEIRS not in self.parts:
            return value
        theirs = self._column(THEIRS)
        if self.either:
            cast = (
                "::VARCHAR"
                if "VARCHAR" in (kinds := {self._kind(LABEL), self._kind(THEIRS)}) and len(kinds) > 1
                else ""
            )
            return f"CASE WHEN {self._missing(LABEL)} THEN {theirs}{cast} ELSE {value}{cast} END"
        # a row that lacks its label in one of the files is a row without a label
        return f"CASE WHEN NOT ({self._missing(THEIRS)}) THEN {value} END"

    def _missing(self, name: str) -> str:
        """Say in SQL that a column of the join has no value."""
        return is_missing(self._column(name), self._kind(name))

    def _kind(self, name: str) -> str:
        side, column = self.parts[name]
        return str(self._side(side).types[self._columns(side).index(column)])

    def _column(self, name: str) -> str:
        """Name a column of the join in SQL."""
        side, column = self.parts[name]
        return f"{side}.c{self._columns(side).index(column)}"

    def _other_id(self) -> str:
        """In order, rows whose ids differ are no pairs, even where their labels are alike."""
        if self.on is not None or ID not in self.parts:
            return ""
        return f"WHEN {self._place(ID)}::VARCHAR IS DISTINCT FROM {self._place(THEIR_ID)}::VARCHAR THEN 'other'"

    def _check_matched(self, state: NDArray[Any], counts: NDArray[np.int64]) -> None:
        alone = {side: int(counts[state == side].sum()) for side in self.sides}
        matched = int(counts[state == "both"].sum())
        rows = {side: sum(sizes) for side, sizes in self._sizes.items()}
        for side, size in rows.items():
            if not size:
                raise no_rows(self._named(side))
        if self.on is None:
            if rows["incumbent"] != rows["candidate"]:
                raise InputError(
                    f"Different numbers of rows: {rows['incumbent']:,} in {self._named('incumbent')}, "
                    f"{rows['candidate']:,} in {self._named('candidate')}. Join them by an id with on=… (--on id)."
                )
            if others := int(counts[state == "other"].sum()):
                raise InputError(
                    f"The rows of {self.name} are in different orders: {self.parts[ID][1]!r} differs in "
                    f"{quantity(others, 'row')}. Join them by it with on=… (--on {self.parts[ID][1]})."
                )
            return
        for side, size in rows.items():
            if matched + alone[side] != size:
                # a row found two partners: the other side has the id twice
                raise self._repeated()
        if not matched:
            raise InputError(
                f"The ids in column {self.on!r} of {self.name} have no value in common: {self.only(alone)}. Write "
                "the ids the same way in both."
            )
        if any(alone.values()) and not self.common:
            raise InputError(
                f"The rows of {self.name} are not the same: {self.only(alone)}. Add the missing rows, or compare on "
                "the rows both have with common=True (--common)."
            )
        self.unmatched.update(alone)

    def _repeated(self) -> InputError:
        for side in self.sides:
            result = self._side(side)
            twice = result.aggregate("c0, count(*) AS n", "c0").filter("n > 1 AND c0 IS NOT NULL").order("n DESC, c0")
            first = twice.limit(SHOWN).fetchall()
            if first:
                shown = ", ".join(f"{name!r} ({size} times)" for name, size in first)
                different, rows = result.aggregate("count(DISTINCT c0), count(c0)").fetchall()[0]
                if FEW_IDS * different <= rows:
                    return InputError(
                        f"Column {self.on!r} of {self._named(side)} does not look like an id: it has "
                        f"{quantity(different, 'different value')} in {rows:,} rows. Name the id column (--on NAME)."
                    )
                return InputError(
                    f"Duplicate ids in column {self.on!r} of {self._named(side)}: {shown}. Keep one row per id."
                )
        return InputError(f"Duplicate ids in column {self.on!r} of {self.name}. Keep one row per id.")

    def only(self, alone: Mapping[Side, int]) -> str:
        """Say which ids only one side has, with the first of them, and which rows have none."""
        text = []
        for side, size in alone.items():
            if not size:
                continue
            other = "candidate" if side == "incumbent" else "incumbent"
            rest = self._query(
                f"SELECT c0::VARCHAR FROM {side} WHERE c0 IS NOT NULL AND c0::VARCHAR NOT IN "
                f"(SELECT c0::VARCHAR FROM {other} WHERE c0 IS NOT NULL) LIMIT {SHOWN}"
            )
            first = ", ".join(repr(row[0]) for row in rest.fetchall())
            what = f"such as {first}" if first else f"rows without {self.on!r}"
            text.append(f"{size:,} only in {self._named(side)} ({what})")
        return "; ".join(text)

    def check_alike(self, column: str, ours: str, theirs: str) -> None:
        """Refuse marks or shares that differ between the sides; 1, 1.0 and true are the same."""
        rows = self._relation([ROW, ours, theirs], matched_only=True)
        apart = rows.filter(f"{_marked('c1')} IS DISTINCT FROM {_marked('c2')}")
        if wrong := apart.order("c0").limit(SHOWN).fetchall():
            word = "row" if self.on is None else self.on
            shown = ", ".join(f"{word} {name}: {a!r} and {b!r}" for name, a, b in wrong)
            raise different_marks(column, self.name, len(apart), shown)

    def _check_labels(
        self, label: NDArray[Any], theirs: NDArray[Any], counts: NDArray[np.int64], as_text: bool
    ) -> None:
        first, other = (named(column, form=self.form, column=LABEL, as_text=as_text) for column in (label, theirs))
        other = as_kind_of(first, other) or other
        known = {identity(name): code for code, name in enumerate(first.names)}
        same = np.array([known.get(identity(name), -1) for name in other.names], dtype=np.int64)
        differ = (same[other.codes] != first.codes) & ~first.missing & ~(other.missing & self.either)
        if not differ.any():
            return
        rows = self._relation([ROW, LABEL, THEIRS], matched_only=True)
        for text in ("lower({}::VARCHAR)", "{}::VARCHAR"):
            apart = rows.filter(f"{text.format('c1')} <> {text.format('c2')}")
            if wrong := apart.order("c0").limit(SHOWN).fetchall():
                break
        word = "row" if self.on is None else self.on
        shown = ", ".join(f"{word} {name}: {a!r} and {b!r}" for name, a, b in wrong)
        order = "" if self.on else ", or join the rows by an id with on=… (--on id) if they are in another order"
        raise InputError(
            f"The labels of {self.name} differ in {quantity(int(counts[differ].sum()), 'row')} ({shown}). Both "
            f"files need the same labels. Correct them{order}."
        )


def _text(column: str, kind: str) -> str:
    return f"{column} ->> '$'" if kind == "JSON" else f"{column}::VARCHAR"


def _marked(column: str) -> str:
    """Read true, false and numbers as numbers in SQL, and leave other text."""
    text = f"lower(trim({column}::VARCHAR))"
    number = f"CASE {text} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 ELSE TRY_CAST({text} AS DOUBLE) END"
    return f"coalesce(({number})::VARCHAR, {text})"


def different_marks(column: str, tables: str, rows: int, shown: str = "") -> InputError:
    """Say that two tables mark rows in different ways."""
    examples = f" ({shown})" if shown else ""
    return InputError(
        f"Column {column!r} of {tables} differs in {quantity(rows, 'row')}{examples}. Both need the same values. "
        "Correct them, or remove the column from one."
    )
