"""How rows are spread over the values of a column; numbers of many values are counted in tenths."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from justesse.core.errors import ColumnError, InputError
from justesse.core.levels import MAX_SLICES
from justesse.frames.sides import Side

MANY = 20  # different numbers from which a column is counted in tenths
TABLE = ("column", "value")
AMOUNT = ("share", "count", "n")


def tenths(side: Side, column: str) -> list[float]:
    """Give the eight or so numbers between tenths of the rows; none if the column holds names or few numbers.

    >>> from justesse.frames.sides import side
    >>> tenths(side({"age": list(range(101))}, "population"), "age")[:3]
    [10.0, 20.0, 30.0]
    >>> tenths(side({"sex": ["f", "m"]}, "population"), "sex")
    []
    """
    number = "TRY_CAST(c0 AS DOUBLE)"
    cuts = ", ".join(f"quantile_cont({number}, {at / 10}) AS q{at}" for at in range(1, 10))
    asked = f"count(DISTINCT c0) AS many, count(*) FILTER (c0 IS NOT NULL AND {number} IS NULL) AS names, {cuts}"
    result = side.fetched(side.texts([column]).aggregate(asked))
    if int(result["names"][0]) or int(result["many"][0]) <= MANY:
        return []
    return sorted({float(result[f"q{at}"][0]) for at in range(1, 10)})


def spread(side: Side, column: str, edges: Sequence[float] = ()) -> dict[Any, int]:
    """Count the rows by value, or between the edges; rows without a value are left out.

    >>> from justesse.frames.sides import side
    >>> spread(side({"age": [3, 12, 15]}, "test"), "age", [10.0])
    {'below 10': 1, 'from 10': 2}
    """
    key = _between(edges) if edges else "c0"
    result = side.texts([column]).filter("c0 IS NOT NULL").aggregate(f"{key} AS v, count(*) AS n", "v").order("v")
    read = side.fetched(result)
    if len(read["v"]) > MAX_SLICES:
        raise ColumnError(
            f"Column {column!r} of {side.name} has {len(read['v']):,} values, too many for slices. Name a "
            "coarser column."
        )
    if not len(read["v"]):
        raise ColumnError(f"Column {column!r} of {side.name} has no values. Name another column, or leave it out.")
    return {str(value): int(n) for value, n in zip(read["v"], read["n"], strict=True)}


def _between(edges: Sequence[float]) -> str:
    number = "TRY_CAST(c0 AS DOUBLE)"
    names = [
        f"below {edges[0]:g}",
        *(f"{a:g} to {b:g}" for a, b in pairwise(edges)),
        f"from {edges[-1]:g}",
    ]
    cases = " ".join(f"WHEN {number} < {edge!r} THEN '{name}'" for edge, name in zip(edges, names, strict=False))
    return f"CASE {cases} ELSE '{names[-1]}' END"


def known_shares(population: Side) -> dict[str, dict[str, float]] | None:
    """Read a table of column, value and share; `None` if the population is rows.

    >>> from justesse.frames.sides import side
    >>> table = {"column": ["site", "site"], "value": ["north", "south"], "share": [0.9, 0.1]}
    >>> known_shares(side(table, "population"))
    {'site': {'north': 0.9, 'south': 0.1}}
    """
    amount = next((name for name in AMOUNT if name in population.columns), None)
    if amount is None or set(population.columns) != {*TABLE, amount}:
        return None
    number = "TRY_CAST(c2 AS DOUBLE)"
    rows = population.in_order([*TABLE, amount]).project(f"c0, c1, c2, {number}")
    result: dict[str, dict[str, float]] = {}
    for at, (column, value, text, share) in enumerate(rows.fetchall(), start=1):
        if not (column and value) or share is None or not 0 <= share < float("inf"):
            raise InputError(
                f"Row {at} of {population.name} needs a column, a value and a {amount} from 0 up; got {column!r}, "
                f"{value!r} and {text!r}."
            )
        if value in result.setdefault(column, {}):
            raise InputError(
                f"Value {value!r} of column {column!r} occurs twice in {population.name}. Keep one of them."
            )
        result[column][value] = float(share)
    return result
