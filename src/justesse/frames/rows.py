"""Rows, wherever they are, as something that can be counted and pointed at."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ClassError, ColumnError, InputError, JustesseError, ScoreError, WeightError
from justesse.frames.columns import check_column
from justesse.frames.values import Form

if TYPE_CHECKING:
    import duckdb
    import narwhals as nw

WHOLE = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}
LARGEST_EXACT = 2**53  # whole numbers above are rounded as floating-point numbers
PLAIN = WHOLE | {"VARCHAR", "BOOLEAN", "FLOAT", "DOUBLE"}


@dataclass(frozen=True)
class CountedCells:
    """The answer of one group-by: a column of values per key, and what was added up."""

    keys: tuple[NDArray[Any], ...]
    counts: NDArray[np.int64]
    weights: NDArray[np.float64] | None = None
    squares: NDArray[np.float64] | None = None
    bad_weights: int = 0


@dataclass(frozen=True)
class Columns:
    """Whole columns: values as they are, and numbers side by side, NaN where there is none."""

    keys: tuple[NDArray[Any], ...]
    numbers: NDArray[np.float64]


@dataclass(frozen=True)
class ScoreRange:
    """The smallest and largest score, and how many rows have none."""

    low: float
    high: float
    bad: int


class Rows(Protocol):
    """What `count` needs of a table."""

    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def form(self) -> Form: ...
    @property
    def places(self) -> str:
        """What a row is pointed at by: its number, or an id."""

    def group(self, keys: Sequence[str], weight: str | None, as_text: bool) -> CountedCells:
        """Count the rows by these columns."""

    def arrays(self, keys: Sequence[str], numbers: Sequence[str]) -> Columns:
        """Fetch whole columns into memory."""

    def distinct_at_start(self, columns: Sequence[str], rows: int) -> list[int]:
        """Count the different values of each column in the first rows; none are counted where that is not cheap."""

    def first_missing(self, columns: Sequence[str], limit: int) -> Sequence[int | str]:
        """Give the first rows, by number from 1 or by id, where one of the columns has no value."""

    def first_bad_weights(self, weight: str, limit: int) -> list[tuple[int, Any]]:
        """Give the first rows, from 1, and values where the weight is not a number from 0 up."""


@dataclass(frozen=True)
class DuckRows:
    """Rows that DuckDB reads: files, Arrow tables, relations.

    `relation(columns)` gives just these columns, named c0, c1, … in this order, so that no name a user chose can
    collide with another (DuckDB ignores case) or with ours.
    """

    name: str
    columns: tuple[str, ...]
    form: Form
    relation: Callable[[Sequence[str]], "duckdb.DuckDBPyRelation"]
    explain: Callable[[Exception], JustesseError]
    places: str = "row"
    small: bool = False  # so small that it can be counted without a look at its start

    def group(self, keys: Sequence[str], weight: str | None, as_text: bool) -> CountedCells:
        relation = self._opened([*keys, *([weight] if weight else [])])
        names = [f"c{at}" for at in range(len(keys))]
        shown = [
            _readable(key, at, str(kind), as_text)
            for at, (key, kind) in enumerate(zip(keys, relation.types, strict=False))
        ]
        sums = ["count(*) AS n"]
        if weight:
            number = self._number(len(keys))
            sums += [
                f"sum({number}) AS w",
                f"sum({number} * {number}) AS w2",
                f"count(*) FILTER ({_bad(number)}) AS bad",
            ]
        totals = ["n", "w", "w2", "bad"][: len(sums)]
        try:
            counted = relation.aggregate(", ".join([*names, *sums]), ", ".join(names))
            result = counted.project(", ".join([*shown, *totals])).fetchnumpy()
        except JustesseError:
            raise
        except Exception as error:
            raise self.explain(error) from error
        filled = {name: np.ma.filled(result[name].astype(float), 0.0) for name in totals[1:]}
        return CountedCells(
            tuple(result[name] for name in names),
            np.asarray(result["n"], dtype=np.int64),
            filled.get("w"),
            filled.get("w2"),
            int(filled["bad"].sum()) if weight else 0,
        )

    def arrays(self, keys: Sequence[str], numbers: Sequence[str]) -> Columns:
        relation = self._opened([*keys, *numbers])
        kinds = zip(keys, relation.types, strict=False)
        shown = [_readable(key, at, str(kind), as_text=True) for at, (key, kind) in enumerate(kinds)]
        shown += [f"{self._number(at)} AS c{at}" for at in range(len(keys), len(keys) + len(numbers))]
        try:
            result = relation.project(", ".join(shown)).fetchnumpy()
        except JustesseError:
            raise
        except Exception as error:
            raise self.explain(error) from error
        columns = [np.ma.filled(result[f"c{len(keys) + at}"].astype(float), np.nan) for at in range(len(numbers))]
        for name, values in zip(numbers, columns, strict=True):
            if (np.abs(values) >= LARGEST_EXACT).any():
                self._check_exact(name)
        rows = len(result["c0"])  # keys or numbers, there is at least one column
        return Columns(
            tuple(result[f"c{at}"] for at in range(len(keys))),
            np.column_stack(columns) if columns else np.empty((rows, 0)),
        )

    def distinct_at_start(self, columns: Sequence[str], rows: int) -> list[int]:
        if self.small:
            return [0] * len(columns)
        asked = ", ".join(f"count(DISTINCT c{at})" for at in range(len(columns)))
        try:
            return [int(many) for many in self._opened(columns).limit(rows).aggregate(asked).fetchall()[0]]
        except JustesseError:
            raise
        except Exception as error:
            raise self.explain(error) from error

    def score_range(self, score: str) -> ScoreRange:
        """Find the smallest and largest score, and how many are not finite numbers."""
        number = self._number(0)
        finite = f"coalesce(isfinite({number}), false)"
        asked = f"min({number}) FILTER ({finite}), max({number}) FILTER ({finite}), count(*) FILTER (NOT {finite})"
        try:
            low, high, bad = self._opened([score]).aggregate(asked).fetchall()[0]
        except JustesseError:
            raise
        except Exception as error:
            raise self.explain(error) from error
        return ScoreRange(float(low or 0.0), float(high or 0.0), int(bad))

    def score_bins(
        self, label: str, score: str, low: float, width: float, bins: int
    ) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Count rows, and add up scores, by label and bin."""
        relation = self._opened([label, score])
        shown = _readable(label, 0, str(relation.types[0]), as_text=True)
        number = self._number(1)
        which = f"greatest(0, least({bins - 1}, floor(({number} - {low!r}) / {width!r})))::BIGINT AS b"
        counted = relation.project(f"c0, {which}, {number} AS s").aggregate(
            "c0, b, count(*) AS n, sum(s) AS s", "c0, b"
        )
        result = counted.project(f"{shown}, b, n, s").fetchnumpy()
        return result["c0"], result["b"], result["n"].astype(float), result["s"].astype(float)

    def first_missing(self, columns: Sequence[str], limit: int) -> list[int]:
        relation = self._opened(columns)
        condition = without_value([str(kind) for kind in relation.types])
        return [int(row[0]) for row in _numbered(relation, condition, limit)]

    def first_bad_weights(self, weight: str, limit: int) -> list[tuple[int, Any]]:
        result = _numbered(self._opened([weight]), _bad(self._number(0)), limit)
        return [(int(row[0]), row[1]) for row in result]

    def _check_exact(self, column: str) -> None:
        """Refuse whole numbers that lose digits as floating-point numbers."""
        number = self._number(0)
        large = f"isfinite({number}) AND abs({number}) >= {LARGEST_EXACT} AND regexp_full_match(t, '[-+]?[0-9]+')"
        texts = self._opened([column]).project("row_number() OVER () AS row, c0, trim(c0::VARCHAR) AS t").filter(large)
        check_exact(texts.project("row, t").order("row").fetchall(), self.name, column)

    def _opened(self, columns: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        try:
            return self.relation(columns)
        except JustesseError:
            raise
        except Exception as error:
            raise self.explain(error) from error

    def _number(self, at: int) -> str:
        return f"TRY_CAST(c{at}::VARCHAR AS DOUBLE)" if self.form == "json" else f"TRY_CAST(c{at} AS DOUBLE)"


def check_exact(numbers: Iterable[tuple[int, str | int]], where: str, column: str) -> None:
    """Refuse whole numbers, given with their rows, that are no longer the same as floating-point numbers.

    >>> check_exact([(1, 2**53), (2, 2**53 + 1)], "a.csv", "y")
    Traceback (most recent call last):
    justesse.core.errors.ScoreError: a.csv, row 2: 9007199254740993 in column 'y' cannot be computed with exactly: …
    """
    for row, number in numbers:
        if int(number) != float(number):
            raise ScoreError(
                f"{where}, row {row}: {number} in column {column!r} cannot be computed with exactly: whole numbers "
                f"are exact up to {LARGEST_EXACT:,}. Subtract a constant from all of them, or use a larger "
                "unit."
            )


def without_value(kinds: Sequence[str]) -> str:
    """Say in SQL that one of the columns c0, c1, … of these types has no value."""

    return " OR ".join(is_missing(f"c{at}", kind) for at, kind in enumerate(kinds))


def is_missing(column: str, kind: str) -> str:
    """Say in SQL that a column of this type has no value.

    >>> print(is_missing("c0", "VARCHAR"), is_missing("c0", "BIGINT"), sep="; ")
    c0 IS NULL OR c0 = ''; c0 IS NULL
    """
    empty = {"VARCHAR": f" OR {column} = ''", "JSON": f" OR {column}::VARCHAR IN ('\"\"', 'null')"}
    nan = f" OR isnan({column})" if kind in ("FLOAT", "DOUBLE") else ""
    return f"{column} IS NULL{empty.get(kind, nan)}"


def _numbered(relation: "duckdb.DuckDBPyRelation", condition: str, limit: int) -> list[Any]:
    numbered = relation.project("row_number() OVER () AS row, *").filter(condition)
    return list(numbered.project("row, c0").order("row").limit(limit).fetchall())


def _bad(number: str) -> str:
    """Say in SQL which weights cannot be used; beyond these powers of ten their squares could not be added."""
    return f"NOT coalesce({number} = 0 OR {number} BETWEEN 1e-100 AND 1e100, false)"


def _readable(column: str, at: int, kind: str, as_text: bool) -> str:
    """Say how a key of this SQL type is handed to NumPy, or refuse it."""
    name = f"c{at}"
    if kind in PLAIN:
        return name
    if kind in ("JSON", '"NULL"', "NULL") or kind.startswith("ENUM"):
        return f"{name}::VARCHAR AS {name}"
    if kind == "HUGEINT" or (kind.startswith("DECIMAL") and kind.endswith(",0)")):
        return f"{name}::BIGINT AS {name}"
    if kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION", "List", "Array", "Struct")):
        raise ClassError(
            f"Column {column!r} has {_nested(kind)} ({kind}), not class names. Write one class per row; "
            "multi-label cells are not supported."
        )
    if not as_text:
        raise ClassError(
            f"Column {column!r} has type {kind}, which is not a class name. Name another column, or pass "
            "as_text (--as-text) to read it as text."
        )
    return f"{name}::VARCHAR AS {name}"


def _nested(kind: str) -> str:
    """Name values of a nested type, in the plural.

    >>> _nested("STRUCT(a INTEGER)"), _nested("VARCHAR[]"), _nested("MAP(VARCHAR, INTEGER)")
    ('structs', 'lists', 'maps')
    """
    if kind.endswith("]"):
        return "lists"
    names = {"STRUCT": "structs", "MAP": "maps", "UNION": "unions"}
    return next((name for start, name in names.items() if kind.upper().startswith(start)), "lists")


def no_rows(where: str) -> InputError:
    """Return the error about a table without rows.

    >>> str(no_rows("test.csv"))
    'No rows in test.csv: the table is empty or has only a header. Name a table with rows.'
    """
    return InputError(f"No rows in {where}: the table is empty or has only a header. Name a table with rows.")


@dataclass(frozen=True)
class LazyRows:
    """Rows of a lazy frame that narwhals knows (Polars, Dask, Spark, Ibis, ...), counted by its own engine."""

    frame: "nw.LazyFrame[Any]"
    name: str = "the lazy frame"
    form: Form = "typed"
    places: str = "row"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.frame.collect_schema().names())

    def group(self, keys: Sequence[str], weight: str | None, as_text: bool) -> CountedCells:
        import narwhals as nw

        schema = self.frame.collect_schema()
        chosen = []
        for at, key in enumerate(keys):
            kind, column = schema[key], nw.col(key).alias(f"c{at}")
            if kind in (nw.Categorical, nw.Enum):
                column = nw.col(key).cast(nw.String).alias(f"c{at}")
            elif not (kind.is_integer() or kind.is_float() or kind in (nw.Boolean, nw.String)):
                _readable(key, at, str(kind), as_text)
                column = nw.col(key).cast(nw.String).alias(f"c{at}")
            chosen.append(column)
        sums = [nw.len().alias("n")]
        if weight:
            if not schema[weight].is_numeric():
                raise WeightError(
                    f"Column {weight!r} has type {schema[weight]}, but weights must be numbers from 0 up. Name another "
                    "column with weight=… (--weight)."
                )
            number = nw.col(weight).cast(nw.Float64)
            good = (
                number.is_finite() & (number >= 0) & (number <= 1e100) & ((number == 0) | (number >= 1e-100))
            ).fill_null(False)
            chosen += [
                nw.when(good).then(number).otherwise(nw.lit(0.0)).alias("w"),
                nw.when(good).then(number * number).otherwise(nw.lit(0.0)).alias("w2"),
                nw.when(good).then(nw.lit(0)).otherwise(nw.lit(1)).alias("bad"),
            ]
            sums += [nw.col(part).sum() for part in ("w", "w2", "bad")]
        names = [f"c{at}" for at in range(len(keys))]
        result = self.frame.select(*chosen).group_by(*names).agg(*sums).collect("pyarrow").to_arrow()

        def numbers(part: str) -> NDArray[np.float64]:
            return np.array(result[part].to_pylist(), dtype=float)

        return CountedCells(
            tuple(np.array([*result[name].to_pylist(), None], dtype=object)[:-1] for name in names),
            numbers("n").astype(np.int64),
            numbers("w") if weight else None,
            numbers("w2") if weight else None,
            int(numbers("bad").sum()) if weight else 0,
        )

    def arrays(self, keys: Sequence[str], numbers: Sequence[str]) -> Columns:
        import narwhals as nw

        schema = self.frame.collect_schema()
        for name in numbers:
            check_column(self.columns, self.name, "column", name)
            if not schema[name].is_numeric():
                raise ColumnError(
                    f"Column {name!r} of {self.name} must contain numbers; it has type {dict(schema)[name]}. Name "
                    "another column."
                )
        chosen = [nw.col(name).alias(f"c{at}") for at, name in enumerate(keys)]
        chosen += [
            (nw.col(name) if schema[name].is_integer() else nw.col(name).cast(nw.Float64)).alias(f"x{at}")
            for at, name in enumerate(numbers)
        ]
        result = self.frame.select(*chosen).collect("pyarrow").to_arrow()
        values = [result[f"x{at}"].to_pylist() for at in range(len(numbers))]
        for name, held in zip(numbers, values, strict=True):
            if schema[name].is_integer():
                check_exact(((row, value) for row, value in enumerate(held, 1) if value is not None), self.name, name)
        columns = [np.array(held, dtype=float) for held in values]
        return Columns(
            tuple(np.array([*result[f"c{at}"].to_pylist(), None], dtype=object)[:-1] for at in range(len(keys))),
            np.column_stack(columns) if columns else np.empty((result.num_rows, 0)),
        )

    def distinct_at_start(self, columns: Sequence[str], rows: int) -> list[int]:
        return [0] * len(columns)

    def first_missing(self, columns: Sequence[str], limit: int) -> list[int]:
        return []

    def first_bad_weights(self, weight: str, limit: int) -> list[tuple[int, Any]]:
        return []
