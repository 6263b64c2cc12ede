"""From what an engine returns to class names: integers and booleans stay what they are."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ClassError
from justesse.core.levels import KINDS, identity
from justesse.core.results import ClassName

Form = Literal["typed", "text", "json"]
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")  # longer ones are identifiers, and stay text
BOOLEANS = ({"true", "false"}, {"True", "False"}, {"TRUE", "FALSE"})
NUMERIC_TARGET = (  # the advice, after "For a numeric target"
    "pass --regression (justesse.evaluate_regression), or compare two models with justesse compare-regression "
    "(justesse.compare_regression)"
)
LOOKS_MISSING = frozenset({"na", "n/a", "nan", "none", "null", "?", "-"})


@dataclass(frozen=True)
class Named:
    """A column of an engine's answer: a code per row, the name of each code, `None` for a missing value."""

    codes: NDArray[np.int64]
    names: tuple[ClassName, ...]
    had_gaps: bool = False  # whole decimals with missing values among them, taken as integers

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which rows have no value."""
        return np.isin(self.codes, [code for code, name in enumerate(self.names) if name is None])

    @property
    def kind(self) -> str | None:
        """What the names are: integers, text, ...; `None` if there are none."""
        return next((KINDS[type(name)] for name in self.names if name is not None), None)


def named(values: NDArray[Any], *, form: Form, column: str, as_text: bool = False) -> Named:
    """Give codes and names to a column of distinct-ish values.

    Text from a CSV becomes integers or booleans only if every value is canonical, so `007` stays text; JSON
    values are decoded; only an empty text is missing.

    >>> named(np.array(["1", "10", "1"], dtype=object), form="text", column="label").names
    (1, 10)
    >>> named(np.array(["1", "010"], dtype=object), form="text", column="label").names
    ('1', '010')
    """
    codes, result = _factorised(values)
    names = [None if _is_missing(name) else name for name in result]
    if form == "json":
        names = [None if name is None else _decoded(name, column) for name in names]
        names = [None if name == "" else name for name in names]
    for name in names:
        if isinstance(name, (list, dict, tuple, np.ndarray)):
            raise ClassError(
                f"Column {column!r} has {'objects' if isinstance(name, dict) else 'lists'} such as {name!r}, not "
                "class names. Write one class per row; multi-label cells are not supported."
            )
    if as_text:
        names = [None if name is None else as_text_name(name) for name in names]
    elif form == "text":
        names = canonical(names)
    present = [name for name in names if name is not None]
    decimals = bool(present) and all(isinstance(name, float) for name in present)
    had_gaps = decimals and len(present) < len(names)
    if decimals:
        _check_whole(present, column)
    if had_gaps:
        names = [None if name is None else int(name) for name in names]
    _check_one_kind(names, column)
    known: dict[tuple[type, ClassName], int] = {}
    merged = np.array([known.setdefault(identity(name), len(known)) for name in names], dtype=np.int64)
    return Named(merged[codes] if len(names) else codes, tuple(name for _, name in known), had_gaps)


def _factorised(values: NDArray[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    if type(values) is np.ndarray:  # without masked arrays, which take 12 ms to load
        mask, plain = np.zeros(len(values), dtype=bool), values
    else:
        mask, plain = np.ma.getmaskarray(values), np.ma.getdata(values)
    if plain.dtype.kind in "iu" and len(plain) and not mask.any():
        low, high = int(plain.min()), int(plain.max())
        if high - low < 1_000_000:  # whole numbers close together need no sorting
            # in the widest type of the same sign: the difference of two int8 may not be an int8
            wide = np.dtype(np.uint64 if plain.dtype.kind == "u" else np.int64)
            above = (plain.astype(wide) - wide.type(low)).astype(np.int64)
            present = np.bincount(above) > 0
            return (np.cumsum(present) - 1)[above], [low + at for at in np.flatnonzero(present).tolist()]
    if plain.dtype.kind not in "Ob" and not mask.any():
        unique, codes = np.unique(plain, return_inverse=True)
        return codes.astype(np.int64), unique.tolist()
    listed = plain.tolist()
    if mask.any():
        listed = [None if gone else value for value, gone in zip(listed, mask.tolist(), strict=True)]
    if (texts := _distinct_texts(listed)) is not None:
        position = {text: at for at, text in enumerate(texts)}
        return np.fromiter(map(position.__getitem__, listed), np.int64, len(listed)), texts
    seen: dict[Any, int] = {}
    hashable = (repr(x) if isinstance(x, (list, dict)) else x for x in listed)
    codes = np.fromiter((seen.setdefault(identity(x), len(seen)) for x in hashable), np.int64, len(plain))
    return codes, [value for _, value in seen]


def _distinct_texts(values: list[Any]) -> list[Any] | None:
    """Return the distinct values in order of appearance if all are text or None, which equal no other value.

    >>> _distinct_texts(["b", None, "a", "b"]), _distinct_texts(["1", 1]), _distinct_texts([["a"]])
    (['b', None, 'a'], None, None)
    """
    try:
        distinct = list(dict.fromkeys(values))
    except TypeError:  # lists and objects
        return None
    return distinct if all(value is None or type(value) is str for value in distinct) else None


def _is_missing(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def as_text_name(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def canonical(names: Sequence[Any]) -> list[Any]:
    """Read text as integers or booleans if every value is one."""
    present = [name for name in names if name is not None]
    if present and all(INTEGER.fullmatch(name) for name in present):
        return [None if name is None else int(name) for name in names]
    if present and any(set(present) <= words for words in BOOLEANS):
        return [None if name is None else name.lower() == "true" for name in names]
    return list(names)


def _decoded(text: str, column: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ClassError(
            f"Column {column!r} has {text[:40]!r}…, which is not a class name ({error}). Write classes as text "
            "or whole numbers."
        ) from error


def _check_whole(names: Sequence[float], column: str) -> None:
    """Take decimals as classes only if they are whole."""
    for name in names:
        if not name.is_integer():
            raise ClassError(
                f"Column {column!r} has fractional numbers such as {name!r}, which are not class names. For scores "
                f"pass score=… (--score). For a numeric target {NUMERIC_TARGET}. If they are class names, pass as_text "
                "(--as-text)."
            )


def without_gaps(columns: dict[str, Named]) -> dict[str, Named]:
    """Read whole decimals as integers everywhere if one column had gaps, a data frame's way to store such integers."""
    if not any(column.had_gaps for column in columns.values()):
        return columns
    return {
        name: Named(column.codes, tuple(None if x is None else int(x) for x in column.names))
        if column.kind == KINDS[float]
        else column
        for name, column in columns.items()
    }


def _check_one_kind(names: Sequence[Any], column: str) -> None:
    first: dict[str, Any] = {}
    for name in names:
        if name is not None:
            first.setdefault(KINDS[type(name)], name)
    if len(first) > 1:
        (entry, a), (other, b) = sorted(first.items(), key=lambda item: list(KINDS.values()).index(item[0]))[:2]
        raise ClassError(
            f"Column {column!r} mixes {entry} such as {a!r} and {other} such as {b!r}. Write them all the same "
            "way, or pass as_text (--as-text) to read all as text."
        )
