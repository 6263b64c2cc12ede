"""Rows, wherever they are, as something that can be counted and pointed at."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ClassError, JustesseError
from justesse.frames.engine import quoted
from justesse.frames.values import Form

if TYPE_CHECKING:
    import duckdb
    import narwhals as nw

WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}
PLAIN = WHOLE | {"VARCHAR", "BOOLEAN", "FLOAT", "DOUBLE", "JSON"}


@dataclass(frozen=True)
class Cells:
    """The answer of one group-by: a column of values per key, and what was added up."""

    keys: tuple[NDArray[Any], ...]
    counts: NDArray[np.int64]
    weights: NDArray[np.float64] | None = None
    squares: NDArray[np.float64] | None = None
    bad_weights: int = 0


class Rows(Protocol):
    """What `count` needs of a table."""

    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def form(self) -> Form: ...
    def group(self, keys: Sequence[str], weight: str | None, as_text: bool) -> Cells:
        """Count the rows by these columns."""

    def first_missing(self, columns: Sequence[str], limit: int) -> list[int]:
        """Give the first rows, from 1, where one of the columns has no value."""

    def first_bad_weights(self, weight: str, limit: int) -> list[tuple[int, Any]]:
        """Give the first rows, from 1, and values where the weight is not a number from 0 up."""


@dataclass(frozen=True)
class DuckRows:
    """Rows that DuckDB reads: files, Arrow tables, relations."""

    name: str
    columns: tuple[str, ...]
    form: Form
    relation: Callable[[Sequence[str]], "duckdb.DuckDBPyRelation"]
    explain: Callable[[Exception], JustesseError]

    def group(self, keys: Sequence[str], weight: str | None, as_text: bool) -> Cells:
        relation = self._opened([*keys, *([weight] if weight else [])])
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        by = ", ".join(map(quoted, keys))
        sums = ["count(*) AS n"]
        if weight:
            number = self._number(weight)
            sums += [
                f"sum({number}) AS w",
                f"sum({number} * {number}) AS w2",
                f"count(*) FILTER ({self._bad(weight)}) AS bad",
            ]
        shown = ", ".join(f"{_readable(key, types[key], as_text)} AS k{at}" for at, key in enumerate(keys))
        rest = ", ".join(["n", *(["w", "w2", "bad"] if weight else [])])
        try:
            named = ", ".join(f"{quoted(key)} AS {quoted(key)}" for key in keys)
            found = relation.aggregate(f"{named}, {', '.join(sums)}", by).project(f"{shown}, {rest}").fetchnumpy()
        except Exception as error:
            raise self.explain(error) from error
        filled = {name: np.ma.filled(found[name].astype(float), 0.0) for name in ("w", "w2", "bad") if name in found}
        return Cells(
            tuple(found[f"k{at}"] for at in range(len(keys))),
            np.asarray(found["n"], dtype=np.int64),
            filled.get("w"),
            filled.get("w2"),
            int(filled["bad"].sum()) if weight else 0,
        )

    def first_missing(self, columns: Sequence[str], limit: int) -> list[int]:
        relation = self._opened(columns)
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))

        def gone(name: str) -> str:
            empty = {"VARCHAR": f" OR {quoted(name)} = ''", "JSON": f" OR {quoted(name)}::VARCHAR = '\"\"'"}
            nan = f" OR isnan({quoted(name)})" if types[name] in ("FLOAT", "DOUBLE") else ""
            return f"{quoted(name)} IS NULL{empty.get(types[name], nan)}"

        found = self._numbered(relation, " OR ".join(map(gone, columns)), limit)
        return [int(row[0]) for row in found]

    def first_bad_weights(self, weight: str, limit: int) -> list[tuple[int, Any]]:
        found = self._numbered(self._opened([weight]), self._bad(weight), limit, quoted(weight))
        return [(int(row[0]), row[1]) for row in found]

    def _opened(self, columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        try:
            return self.relation(list(dict.fromkeys(columns)))
        except Exception as error:
            raise self.explain(error) from error

    def _numbered(self, relation: Any, condition: str, limit: int, shown: str = "1") -> list[Any]:
        numbered = relation.project("row_number() OVER () AS justesse_row, *")
        return list(numbered.filter(condition).project(f"justesse_row, {shown}").order("1").limit(limit).fetchall())

    def _number(self, column: str) -> str:
        text = f"{quoted(column)}::VARCHAR" if self.form == "json" else quoted(column)
        return f"TRY_CAST({text} AS DOUBLE)"

    def _bad(self, weight: str) -> str:
        number = self._number(weight)
        return f"{number} IS NULL OR NOT isfinite({number}) OR {number} < 0"


def _readable(column: str, kind: str, as_text: bool) -> str:
    """Say how a key of this SQL type is handed to NumPy, or refuse it."""
    name = quoted(column)
    if kind in PLAIN:
        return f"{name}::VARCHAR" if kind == "JSON" else name
    if kind.startswith("ENUM"):
        return f"{name}::VARCHAR"
    if kind.startswith("DECIMAL"):
        return f"{name}::BIGINT" if kind.endswith(",0)") else f"{name}::DOUBLE"
    if kind == "HUGEINT":
        return f"{name}::BIGINT"
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION")):
        raise ClassError(
            f"column {column!r} holds lists ({kind}): multi-label cells are not class names; "
            "write one row per case with one class"
        )
    if not as_text:
        raise ClassError(
            f"column {column!r} holds values of type {kind}, which are not class names: name the right column, "
            "or pass as_text (--as-text) to read them as text"
        )
    return f"{name}::VARCHAR"


@dataclass(frozen=True)
class LazyRows:
    """Rows of a lazy frame that narwhals knows (Polars, Dask, Spark, Ibis, ...), counted by its own engine."""

    frame: "nw.LazyFrame[Any]"
    name: str = "the lazy frame"
    form: Form = "typed"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.frame.collect_schema().names())

    def group(self, keys: Sequence[str], weight: str | None, as_text: bool) -> Cells:
        import narwhals as nw

        schema = self.frame.collect_schema()
        frame = self.frame.select(*{*keys, *([weight] if weight else [])})
        casts = []
        for key in keys:
            kind = schema[key]
            if kind.is_nested():
                _readable(key, "STRUCT", as_text)
            if kind in (nw.Categorical, nw.Enum) or (as_text and kind.is_temporal()):
                casts.append(nw.col(key).cast(nw.String))
            elif kind.is_temporal():
                _readable(key, str(kind), as_text)
        frame = frame.with_columns(*casts) if casts else frame
        sums = [nw.len().alias("justesse_n")]
        if weight:
            number = nw.col(weight).cast(nw.Float64)
            good = number.is_finite() & (number >= 0)
            frame = frame.with_columns(
                number.alias("justesse_w"),
                (number * number).alias("justesse_w2"),
                nw.when(good.fill_null(False)).then(nw.lit(0)).otherwise(nw.lit(1)).alias("justesse_bad"),
            )
            sums += [nw.col(f"justesse_{part}").sum() for part in ("w", "w2", "bad")]
        found = frame.group_by(*keys).agg(*sums).collect("pyarrow").to_arrow()

        def numbers(part: str) -> NDArray[np.float64]:
            return np.array(found[f"justesse_{part}"].to_pylist(), dtype=float)

        return Cells(
            tuple(np.array([*found[key].to_pylist(), None], dtype=object)[:-1] for key in keys),
            numbers("n").astype(np.int64),
            numbers("w") if weight else None,
            numbers("w2") if weight else None,
            int(numbers("bad").sum()) if weight else 0,
        )

    def first_missing(self, columns: Sequence[str], limit: int) -> list[int]:
        return []

    def first_bad_weights(self, weight: str, limit: int) -> list[tuple[int, Any]]:
        return []
