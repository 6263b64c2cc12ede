"""A set of rows as one table of text: whatever it came from, two sets can then be laid beside each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from justesse.core.errors import JustesseError
from justesse.core.quantity import quantity
from justesse.frames.engine import connection
from justesse.frames.joined import to_join
from justesse.frames.memory import from_frame
from justesse.frames.places import count_rows, with_places
from justesse.frames.rows import DuckRows, LazyRows, Rows, no_rows, without_value

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Side:
    """The test rows, the training rows or the population: one table, or files of the same columns."""

    part: str
    tables: tuple[DuckRows, ...]

    @property
    def name(self) -> str:
        first = self.tables[0].name
        return first if len(self.tables) == 1 else f"{first} and {quantity(len(self.tables) - 1, 'other file')}"

    @property
    def columns(self) -> tuple[str, ...]:
        """List the columns that every file has."""
        others = [set(table.columns) for table in self.tables[1:]]
        return tuple(name for name in self.tables[0].columns if all(name in other for other in others))

    @cached_property
    def size(self) -> int:
        """Count the rows; a set without any is refused."""
        result = sum(self._sizes)
        if not result:
            raise no_rows(self.name)
        return result

    def texts(self, columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        """Give columns as text, c0, c1, … in this order, NULL where there is no value; rows are in no order."""
        return _below([self._texts(table, columns) for table in self.tables])

    def numbered(self, columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        """Give columns as `texts` does, and last the place of each row, from 0, counted through all files."""
        return _below(with_places([self._texts(table, columns) for table in self.tables], self._sizes))

    def in_order(self, columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        """Give columns as `texts` does, rows in the order of the files."""
        if len(self.tables) == 1:
            return self.texts(columns)
        return self.numbered(columns).order("place").project(", ".join(f"c{at}" for at in range(len(columns))))

    @cached_property
    def _sizes(self) -> list[int]:
        """Count the rows of each file."""
        try:
            return [count_rows(table.relation(self.columns[:1])) for table in self.tables]
        except Exception as error:
            raise self.explained(error) from error

    def fetched(self, relation: "duckdb.DuckDBPyRelation") -> dict[str, Any]:
        """Run a query on these rows; what an engine says of a damaged file is explained."""
        try:
            return dict(relation.fetchnumpy())
        except Exception as error:
            raise self.explained(error) from error

    def explained(self, error: Exception) -> JustesseError:
        return error if isinstance(error, JustesseError) else self.tables[0].explain(error)

    def _texts(self, table: DuckRows, columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        try:
            result = table.relation(columns)
        except Exception as error:
            raise self.explained(error) from error
        kinds = [str(kind) for kind in result.types]
        shown = []
        for at, kind in enumerate(kinds):
            text = f"c{at} ->> '$'" if kind == "JSON" else f"c{at}::VARCHAR"
            gone = without_value([kind]).replace("c0", f"c{at}")
            shown.append(f"CASE WHEN NOT ({gone}) THEN {text} END AS c{at}")
        return result.project(", ".join(shown))


def _below(parts: "Sequence[duckdb.DuckDBPyRelation]") -> "duckdb.DuckDBPyRelation":
    """Put parts one below the other."""
    first, *others = parts
    for other in others:
        first = first.union(other)
    return first


def side(data: Any, part: str) -> Side:
    """Open a path or pattern, a data frame or a dict of arrays; a lazy frame is fetched.

    >>> side({"x": [1, 2], "y": ["a", None]}, "test").texts(["y"]).fetchall()
    [('a',), (None,)]
    """
    result = Side(part, tuple(_in_engine(rows) for rows in to_join(data)))
    result.size  # noqa: B018 - a set without rows is refused before any work
    return result


def _in_engine(rows: Rows) -> DuckRows:
    if isinstance(rows, LazyRows):
        rows = replace(_in_engine(from_frame(rows.frame.collect("pyarrow").to_arrow())), name=rows.name)
    assert isinstance(rows, DuckRows)
    return rows


def beside(
    sides: Sequence[Side], sql: str, ours: "duckdb.DuckDBPyRelation", theirs: "duckdb.DuckDBPyRelation"
) -> dict[str, Any]:
    """Ask about two sets at once, which DuckDB finds by the names `ours` and `theirs`."""
    try:
        return dict(connection().sql(sql).fetchnumpy())
    except Exception as error:
        # each side knows best what its own damage looks like
        for item in sides:
            item.fetched(
                item.texts(item.columns).aggregate(", ".join(f"max(c{at})" for at in range(len(item.columns))))
            )
        raise sides[0].explained(error) from error
