"""Which row is which: places that are exact by construction, also over several files."""

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


def count_rows(relation: "duckdb.DuckDBPyRelation") -> int:
    """Count the rows of a relation."""
    return int(relation.aggregate("count(*)").fetchall()[0][0])


def with_places(parts: "Sequence[duckdb.DuckDBPyRelation]", sizes: Sequence[int]) -> "list[duckdb.DuckDBPyRelation]":
    """Add a last column `place`: the number of each row, from 0, among the rows of all parts.

    The engine reads the parts of a union at once, so that rows numbered after the union are in no order. Here rows are
    numbered within their own part, which one thread reads from its start, and the sizes of earlier parts are added.

    >>> from justesse.frames.engine import connection
    >>> parts = [connection().sql("SELECT unnest(['a', 'b']) AS c0"), connection().sql("SELECT 'c' AS c0")]
    >>> [part.fetchall() for part in with_places(parts, [2, 1])]
    [[('a', 0), ('b', 1)], [('c', 2)]]
    """
    starts = accumulate(sizes[:-1], initial=0)
    return [
        part.project(f"*, row_number() OVER () + {start - 1} AS place")
        for part, start in zip(parts, starts, strict=True)
    ]
