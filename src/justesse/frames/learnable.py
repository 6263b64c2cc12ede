"""Columns to learn from: numbers, categories and texts, with missing values left to the model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ColumnError, InputError
from justesse.core.first_names import first_names
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
    """A value for each row and column, and which columns hold numbers, categories and texts.

    A missing number is NaN, a missing category or text is empty: the pipeline replaces them, fitted on training rows
    only.
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
    """Return the columns to learn from: those in `chosen`, or all except identifiers and `suspects`.

    Parameters
    ----------
    table
        The table.
    chosen
        Columns to use. Default: all that can be used.
    without
        Columns with another role: label, group, time.
    text
        Columns that are always texts. Others are if most rows have their own value and half of them four words or more.
    suspects
        Columns that may give the label away, with the reason. They are left out unless `chosen` names them.

    >>> from justesse.frames.table import read_table
    >>> table = read_table({"size": [1.0, float("nan"), 2.0], "site": ["a", "b", "a"], "id": [7, 8, 9], "y": [0, 1, 0]})
    >>> columns = learnable(table, chosen=None, without=["y"])
    >>> columns.names, columns.numbers, columns.categories, columns.warnings[1]
    (('size', 'site'), (0,), (1,), "Columns not used: 'id' (a different value in every row: an identifier?). ...")
    """
    for name in [*(chosen or ()), *text]:
        check_column(table.columns, table.name, "feature", name)
        if name in without:
            raise ColumnError(
                f"Column {name!r} is the label, the group or the time. Leave it out of features and text."
            )
    feature_names = dict.fromkeys([name for name in table.columns if name not in without] if chosen is None else chosen)
    taken: dict[str, Array] = {}
    kinds: dict[str, str] = {}
    left, gaps, refused = [], [], []
    for name in feature_names:
        if name in suspects and chosen is None:
            refused.append(f"{name!r} ({suspects[name]})")
            continue
        kind, values = _read(table, name, name in text)
        distinct = name not in table.categorical and tells_rows_apart(table.typed[name])
        if kind != "text" and chosen is None and distinct:
            kind, values = "a different value in every row: an identifier?", None
        if values is None:
            left.append(f"{name!r} ({kind})")
            continue
        taken[name], kinds[name] = values, kind
        gone = int(np.isnan(values).sum() if kind == "number" else (values == "").sum())
        if gone:
            gaps.append(f"{name!r} ({gone:,})")
    if refused and not taken:
        raise ColumnError(
            f"No column to learn from in {table.name}: {_first(refused)} may give the label away. To use them "
            "anyway, name them with --features."
        )
    if left and (chosen or not taken):
        raise ColumnError(
            f"Cannot learn from {', '.join(left[:5])} in {table.name}. Name columns of numbers, categories or "
            "texts with --features."
        )
    if not taken:
        raise ColumnError(f"No column to learn from in {table.name} besides {', '.join(map(repr, without))}. Add one.")
    warnings = []
    if refused:
        warnings.append(
            f"Columns left out because they may give the label away: {_first(refused)}. If they are known before the "
            "label, you can use them (--features)."
        )
    insisted = [f"{name!r} ({suspects[name]})" for name in chosen or () if name in suspects]
    if insisted:
        warnings.append(
            f"Columns that may give the label away are used because you named them: {_first(insisted)}. If they are "
            "not known before the label, all figures are too good."
        )
    if gaps:
        warnings.append(
            f"Missing values: {', '.join(gaps)}. Missing numbers are replaced by the median of the training rows and "
            "marked; a missing category is a category of its own."
        )
    if left:
        warnings.append(f"Columns not used: {', '.join(left)}. You can choose the columns (--features).")
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
    return first_names(names, SHOWN, write=str)


def _read(table: TypedTable, name: str, text: bool) -> tuple[str, Array | None]:
    """Return the kind of a column and its values, or why it cannot be used."""
    import pyarrow as pa

    column = table.typed[name]
    if name in table.categorical and not text:
        words = column.cast(pa.string()).to_pylist()
        named = np.array([("" if word is None else word) for word in words], dtype=object)
        return ("name", named) if any(words) else ("no value in any row", None)
    if is_numeric(column) or pa.types.is_boolean(column.type):
        if text:
            raise ColumnError(
                f"Column {name!r} of {table.name} has type {column.type}, not text. Leave it out of text=… (--text)."
            )
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
    texts = np.array(words, dtype=object)
    many = len(set(words)) > len(words) / 2 and np.median([len(word.split()) for word in words]) >= WORDS
    return "text" if text or many else "name", texts


def _finite(table: TypedTable, name: str, values: Array) -> Array:
    numbers = np.array(values, dtype=float)
    endless = np.flatnonzero(np.isinf(numbers))
    if len(endless):
        raise InputError(
            f"Column {name!r} of {table.name} is infinite in {row_words(endless)}. Models need finite numbers. "
            "Correct or remove those rows, or name other columns with --features."
        )
    huge = np.flatnonzero(np.abs(numbers) > LARGEST)
    if len(huge):
        raise InputError(
            f"Column {name!r} of {table.name} is beyond ±{LARGEST:g} in {row_words(huge)}, too large for "
            "models. Correct or remove those rows, use another unit, or name other columns with --features."
        )
    return numbers
