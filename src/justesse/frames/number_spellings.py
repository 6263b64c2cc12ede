"""One class for whole numbers written in two ways: `1` in one column, `1.0` in another."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.levels import identity
from justesse.core.results import ClassName
from justesse.frames.kinds import NUMBER
from justesse.frames.values import Form, Named, canonical


def one_spelling(column: Named) -> Named:
    """Take texts such as "1" and "1.0" for one class.

    If all texts are whole numbers and some have a decimal point, all become integers. Beside words, only "1.0" with "1"
    next to it becomes "1".

    >>> one_spelling(Named(np.array([0, 1, 2]), ("1", "1.0", "2"))).names
    (1, 2)
    >>> one_spelling(Named(np.array([0, 1, 2]), ("1", "1.0", "x"))).names
    ('1', 'x')
    """
    present = [name for name in column.names if isinstance(name, str)]
    if not any("." in name and NUMBER.fullmatch(name) for name in present):
        return column
    if all(NUMBER.fullmatch(name) for name in present):
        plain = {name: name.split(".")[0] for name in present}
        if all("." in name for name in present) and len(set(plain.values())) == len(plain):
            return column
    else:
        plain = {name: _beside_words(name, present) for name in present}
    spelt: list[Any] = [plain[name] if isinstance(name, str) else name for name in column.names]
    known: dict[tuple[type, ClassName], int] = {}
    merged = np.array([known.setdefault(identity(name), len(known)) for name in canonical(spelt)], dtype=np.int64)
    return Named(merged[column.codes], tuple(name for _, name in known), column.had_gaps)


def _beside_words(name: str, present: Iterable[str]) -> str:
    whole = name.split(".")[0]
    return whole if NUMBER.fullmatch(name) and whole in present else name


def as_integers(values: Array, form: Form) -> Array:
    """Turn whole decimals beside integers into integers, as where one of two columns had gaps.

    >>> as_integers(np.array([1, 1.0, float("nan")], dtype=object), "typed").tolist()
    [1, 1, None]
    """
    if values.dtype != object or form == "text":
        return values
    kinds = {type(value) for value in values.tolist()}
    if form == "json" and kinds <= {str, type(None)}:
        texts = {value for value in values.tolist() if value is not None}
        if not all(NUMBER.fullmatch(text) for text in texts) or all("." in text for text in texts):
            return values
        return np.array([None if value is None else value.split(".")[0] for value in values.tolist()], dtype=object)
    numbers = kinds & {int, float, np.float64, np.float32} | {kind for kind in kinds if issubclass(kind, np.integer)}
    if not any(issubclass(kind, float | np.floating) for kind in numbers) or len(numbers) < 2:
        return values
    return np.array([_whole(value) for value in values.tolist()], dtype=object)


def _whole(value: Any) -> Any:
    if not isinstance(value, float | np.floating):
        return value
    if np.isnan(value):
        return None
    return int(value) if float(value).is_integer() else value
