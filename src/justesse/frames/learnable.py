"""Columns for models that prepare their own: numbers with gaps, names, and texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ColumnError, InputError
from justesse.frames.columns import check_column
from justesse.frames.features import is_numeric, tells_rows_apart
from justesse.frames.table import TypedTable, as_numbers, row_words
from justesse.frames.values import LOOKS_MISSING

ENDLESS = frozenset({"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"})
LARGEST = 1e38  # trees compute with single precision; squares of larger numbers overflow in the others
SHOWN = 5
WORDS = 4  # as many in the middle value of a column make it a text


@dataclass(frozen=True, eq=False)
class Learnable:
    """A value for each row and column, and which columns hold numbers, names and texts.

    A number that is missing is NaN, a name or text that is missing is empty: what to put there is learnt by the model,
    from training rows alone.
    """

    names: tuple[str, ...]
    matrix: Array
    numbers: tuple[int, ...]
    categories: tuple[int, ...]
    texts: tuple[int, ...]
    warnings: tuple[str, ...]


def learnable(
    table: TypedTable,
    *,
    chosen: Sequence[str] | None,
    without: Sequence[str],
    text: Sequence[str] = (),
    suspects: Mapping[str, str] = MappingProxyType({}),
) -> Learnable:
    """Take the columns named, or all that can be learnt from: not those that tell every row from every other.

    A column of words is a text where most rows have their own and the middle one has four words or more; those in
    `text` always are. `suspects` (column → why) may give the label away: they are left out unless they are named.

    >>> from justesse.frames.table import read_table
    >>> table = read_table({"size": [1.0, float("nan"), 2.0], "site": ["a", "b", "a"], "id": [7, 8, 9], "y": [0, 1, 0]})
    >>> found = learnable(table, chosen=None, without=["y"])
    >>> found.names, found.numbers, found.categories, found.warnings[1]
    (('size', 'site'), (0,), (1,), "Not learnt from: 'id' (another value in every row: an identifier?); ...")
    """
    for name in [*(chosen or ()), *text]:
        check_column(table.columns, table.name, "feature", name)
        if name in without:
            raise ColumnError(f"column {name!r} cannot be both a feature and what is to be learnt; leave it out")
    wanted = dict.fromkeys([name for name in table.columns if name not in without] if chosen is None else chosen)
    taken: dict[str, Array] = {}
    kinds: dict[str, str] = {}
    left, gaps, refused = [], [], []
    for name in wanted:
        if name in suspects and chosen is None:
            refused.append(f"{name!r} ({suspects[name]})")
            continue
        kind, values = _read(table, name, name in text)
        distinct = name not in table.categorical and tells_rows_apart(table.typed[name])
        if kind != "text" and chosen is None and distinct:
            kind, values = "another value in every row: an identifier?", None
        if values is None:
            left.append(f"{name!r} ({kind})")
            continue
        taken[name], kinds[name] = values, kind
        gone = int(np.isnan(values).sum() if kind == "number" else (values == "").sum())
        if gone:
            gaps.append(f"{name!r} ({gone:,})")
    if refused and not taken:
        raise ColumnError(
            f"{table.name} has no column to learn from: {_first(refused)} may give the label away; name those to "
            "learn from anyway with features=… (--features)"
        )
    if left and (chosen or not taken):
        raise ColumnError(
            f"{table.name} needs columns of numbers, names or texts to learn from; {', '.join(left[:5])} cannot be "
            "used: name others as features"
        )
    if not taken:
        raise ColumnError(f"{table.name} has no column beside {', '.join(map(repr, without))} to learn from; add one")
    warnings = []
    if refused:
        warnings.append(
            f"Not learnt from, as they may give the label away: {_first(refused)}. Name them with features=… "
            "(--features) to learn from them anyway."
        )
    insisted = [f"{name!r} ({suspects[name]})" for name in chosen or () if name in suspects]
    if insisted:
        warnings.append(
            f"Learnt from, as you named them: {_first(insisted)}. If they are not known before the label is, the "
            "figures are too good."
        )
    if gaps:
        warnings.append(
            f"Rows without a value: {', '.join(gaps)}. A missing number becomes the median of the training rows, "
            "marked as filled in; a missing name is a name of its own."
        )
    if left:
        warnings.append(f"Not learnt from: {', '.join(left)}; features=… (--features) chooses the columns.")
    matrix: Array
    if set(kinds.values()) == {"number"}:
        matrix = np.column_stack(list(taken.values()))
    else:
        matrix = np.empty((len(table), len(taken)), dtype=object)
        for at, values in enumerate(taken.values()):
            matrix[:, at] = values

    def places(kind: str) -> tuple[int, ...]:
        return tuple(at for at, name in enumerate(taken) if kinds[name] == kind)

    return Learnable(tuple(taken), matrix, places("number"), places("name"), places("text"), tuple(warnings))


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _read(table: TypedTable, name: str, text: bool) -> tuple[str, Array | None]:
    """Give a column with its kind, or why it cannot be learnt from."""
    import pyarrow as pa

    column = table.typed[name]
    if name in table.categorical and not text:
        words = column.cast(pa.string()).to_pylist()
        named = np.array([("" if word is None else word) for word in words], dtype=object)
        return ("name", named) if any(words) else ("no value in any row", None)
    if is_numeric(column) or pa.types.is_boolean(column.type):
        if text:
            raise ColumnError(f"column {name!r} of {table.name} holds {column.type}, not texts; leave it out of text")
        return "number", _finite(table, name, column.cast(pa.float64()).to_numpy(zero_copy_only=False))
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return str(column.type), None
    words = [("" if word is None else word) for word in column.to_pylist()]
    lowered = [word.strip().lower() for word in words]
    gone = [word in LOOKS_MISSING or not word for word in lowered]
    endless = [word in ENDLESS for word in lowered]
    rest = pa.array([None if a or b else word for word, a, b in zip(words, gone, endless, strict=True)], pa.string())
    if not text and is_numeric(numbers := as_numbers(rest)):
        values = np.array(numbers.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=float)
        values[endless] = np.inf
        return "number", _finite(table, name, values)
    if all(gone):
        return "no value in any row", None
    found = np.array(words, dtype=object)
    many = len(set(words)) > len(words) / 2 and np.median([len(word.split()) for word in words]) >= WORDS
    return "text" if text or many else "name", found


def _finite(table: TypedTable, name: str, values: Array) -> Array:
    numbers = np.array(values, dtype=float)
    endless = np.flatnonzero(np.isinf(numbers))
    if len(endless):
        raise InputError(
            f"column {name!r} of {table.name} is infinite in {row_words(endless)}; models need finite numbers: mend "
            "those rows, leave them out, or name other columns with features=… (--features)"
        )
    huge = np.flatnonzero(np.abs(numbers) > LARGEST)
    if len(huge):
        raise InputError(
            f"column {name!r} of {table.name} is beyond ±{LARGEST:g} in {row_words(huge)}, too large for models to "
            "compute with: mend those rows, use another unit, or name other columns with features=… (--features)"
        )
    return numbers
