"""Re-checked rows that were drawn with known probabilities: lists of `plan labels --active` or `clean`, answered."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ColumnError, InputError
from justesse.frames.columns import guess_column, has_column
from justesse.frames.joined import to_join
from justesse.frames.table import TypedTable, read_table, row_words

STRATUM, ROWS, CHANCE, ORDER, PROBABILITY = "stratum", "stratum_rows", "chance", "order", "probability"
FIXED = "fixed"  # 1: its stratum was fixed; 0: its stratum was drawn; lists without the column have no fixed rows
SMALLEST = 1e-12  # a row drawn less often would stand for more rows than any table has
MOST = 50  # different probabilities that can be strata


@dataclass(frozen=True)
class DrawnSample:
    """The rows that have a true class, and the strata they were drawn from.

    Parameters
    ----------
    table
        The rows that have a true class, as an Arrow table with the columns `stratum` and, if known, `order`.
    name
        Name of the file.
    names, sizes
        Each stratum and how many rows it has.
    chances
        Chance that a draw came from each; nothing if the order of the draws is not known.
    fixed
        Number of first draws whose stratum was fixed instead.
    """

    table: Any
    name: str
    names: tuple[int, ...]
    sizes: tuple[int, ...]
    chances: tuple[float, ...] | None
    fixed: int = 0

    def without_rows(self) -> "DrawnSample":
        """Give the strata, without the rows."""
        return replace(self, table=None, name=str(self.name))


def is_drawn(columns: Any) -> bool:
    """Tell whether a table of re-checked rows says how likely each row was to be drawn.

    >>> is_drawn(["id", "true"]), is_drawn(["id", "true", "probability"]), is_drawn(["id", "stratum", "chance"])
    (False, True, True)
    """
    return PROBABILITY in columns or ROWS in columns or {STRATUM, CHANCE} <= set(columns)


def drawn_sample(audited: Any) -> DrawnSample | None:
    """Read how re-checked rows were drawn; nothing if the table has no probabilities.

    Parameters
    ----------
    audited
        Table with an id, a column `true` and one of these: the columns of `plan labels --active`; a column
        `probability`, with which the row was drawn; the columns `stratum` and `chance` of a list that `clean` wrote.
        Rows without a true class are not labelled yet.

    >>> drawn_sample({"id": [1, 2, 3], "true": ["a", "b", "a"], "probability": [0.5, 0.1, 0.5]}).sizes
    (10, 4)
    """
    if not is_drawn(to_join(audited)[0].columns):
        return None
    whole = read_table(audited)
    if not has_column("true", whole.columns, whole.name):
        raise ColumnError(
            f"No column 'true' with the true classes in {whole.name}. Columns: "
            f"{', '.join(map(repr, whole.columns[:20]))}. Add what the re-check found."
        )
    true = whole.raw[guess_column("true", whole.columns, whole.name, None)].to_pylist()
    labelled = np.array([value is not None and value != "" for value in true])
    if not labelled.any():
        raise InputError(f"No row of {whole.name} has a true class yet. Label the rows in their order.")
    return _by_strata(whole, labelled) if ROWS in whole.columns else _by_probability(whole, labelled)


def _by_strata(table: TypedTable, labelled: Array) -> DrawnSample:
    """Read the columns that `plan labels --active` writes."""
    if absent := [name for name in (STRATUM, CHANCE, ORDER) if name not in table.columns]:
        raise ColumnError(
            f"No column {absent[0]!r} in {table.name}, though it has {ROWS!r}. Keep all columns that plan labels wrote."
        )
    stratum, sizes, chances, order = (_numbers(table, name) for name in (STRATUM, ROWS, CHANCE, ORDER))
    if len(np.unique(order)) < len(order):
        raise InputError(f"Column {ORDER!r} of {table.name} has a number twice. Keep one row per number.")
    last = order[labelled].max()
    until = np.sort(order[order <= last])
    gaps = until != np.arange(1, len(until) + 1)
    if gaps.any():
        raise InputError(
            f"Number {int(np.argmax(gaps)) + 1} in column {ORDER!r} is not in {table.name} although later rows have a "
            "true class. Keep all rows, and label them in their order."
        )
    skipped = ~labelled & (order < last)
    if skipped.any():
        raise InputError(
            f"True classes are missing in {table.name} although later rows have one: "
            f"{row_words(np.flatnonzero(skipped))}. Label the rows in their order, and skip none."
        )
    names, first, at = np.unique(stratum, return_index=True, return_inverse=True)
    if (sizes != sizes[first][at]).any() or (chances != chances[first][at]).any():
        raise InputError(f"Rows of one stratum differ in {ROWS!r} or {CHANCE!r} in {table.name}. Draw the rows again.")
    fixed = _numbers(table, FIXED)[np.argsort(order)] if FIXED in table.columns else np.zeros(len(order))
    if not np.isin(fixed, (0, 1)).all() or (np.diff(fixed) > 0).any():
        raise InputError(
            f"Column {FIXED!r} of {table.name} must be 1 for the first rows in their order and 0 for all others. Keep "
            "what plan labels wrote."
        )
    return DrawnSample(
        _kept(table, labelled, {STRATUM: stratum.astype(int), ORDER: order.astype(int)}),
        table.name,
        tuple(names.astype(int).tolist()),
        tuple(sizes[first].astype(int).tolist()),
        tuple(chances[first].tolist()),
        int(fixed.sum()),
    )


def _by_probability(table: TypedTable, labelled: Array) -> DrawnSample:
    """Take rows of one probability as one stratum, of which so many in all were drawn."""
    column = PROBABILITY if PROBABILITY in table.columns else CHANCE
    probability = _numbers(table, column)
    wrong = ~((probability >= SMALLEST) & (probability <= 1))
    if wrong.any():
        raise InputError(
            f"A probability must be at least {SMALLEST:g} and at most 1 in column {column!r} of {table.name}: "
            f"{row_words(np.flatnonzero(wrong))}. Write the probability with which each row was drawn."
        )
    if not labelled.all():
        raise InputError(
            f"True classes are missing in {table.name}: {row_words(np.flatnonzero(~labelled))}. Without an order of "
            "the draws, every row needs one."
        )
    values, at, counts = np.unique(probability, return_inverse=True, return_counts=True)
    if len(values) > MOST:
        raise InputError(
            f"Column {column!r} of {table.name} has {len(values)} different values; at most {MOST} can be strata. "
            "Draw rows with justesse plan labels --active, or round the probabilities before drawing."
        )
    sizes = np.rint(counts / values).astype(int)
    return DrawnSample(
        _kept(table, labelled, {STRATUM: at}), table.name, tuple(range(len(values))), tuple(sizes.tolist()), None
    )


def _kept(table: TypedTable, labelled: Array, columns: dict[str, Array]) -> Any:
    import pyarrow as pa

    parts = {name: column for name, column in table.raw.items() if name not in (STRATUM, ORDER)}
    parts |= {name: pa.array(values) for name, values in columns.items()}
    return pa.table(parts).filter(pa.array(labelled))


def _numbers(table: TypedTable, column: str) -> Array:
    values = table.typed[column].to_pylist()
    wrong = [at for at, value in enumerate(values) if isinstance(value, bool) or not isinstance(value, int | float)]
    if wrong:
        raise InputError(
            f"Column {column!r} of {table.name} must hold numbers: {row_words(np.array(wrong))}. Keep what was written."
        )
    return np.array(values, dtype=float)
