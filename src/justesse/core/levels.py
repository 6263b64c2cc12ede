"""The names on an axis of a tally: which are allowed, in what order, how two lists become one."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from justesse.core.errors import ClassError, OptionError
from justesse.core.results import ClassName

# where rows accept several classes, they are judged a second time, against the true classes: see true_sets.py
AGAINST_TRUTH = {
    "label": "true class of a set",
    "incumbent": "incumbent against truth",
    "candidate": "candidate against truth",
}
CLASS_AXES = frozenset({"label", "prediction", "true", "incumbent", "candidate", *AGAINST_TRUTH.values()})
ANSWER_AXES = frozenset({"prediction", "incumbent", "candidate"})
MAX_CLASSES = 5_000
MAX_SLICES = 1_000
RANKS, CLUSTERS = "hard", "cluster"  # axes that may hold a value for each row

KINDS: dict[type, str] = {bool: "booleans", int: "integers", float: "decimals", str: "text"}


def native(value: Any) -> ClassName:
    """Turn a NumPy scalar into the Python value JSON can hold.

    >>> native(np.int64(3)), native(np.str_("a")), native(np.True_)
    (3, 'a', True)
    """
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or type(value) in KINDS:
        return value  # type: ignore[no-any-return]
    raise ClassError(
        f"A class name must be text, an integer or a boolean; got {value!r} of type {type(value).__name__}."
    )


def shown_name(name: ClassName) -> str:
    """Write a class, or that the answer is missing.

    >>> shown_name("cat"), shown_name(None)
    ('cat', '(missing)')
    """
    return "(missing)" if name is None else str(name)


def identity(name: ClassName) -> tuple[type, ClassName]:
    """Tell `1`, `1.0`, `True` and `"1"` apart, which Python's own equality does not.

    >>> identity(1) == identity(True)
    False
    """
    return type(name), name


def spellings(name: ClassName) -> set[str]:
    """Give the ways in which a person may write a class.

    >>> sorted(spellings(True)), spellings("1")
    (['TRUE', 'True', 'true'], {'1'})
    """
    result = {str(name)}
    if isinstance(name, bool):
        result |= {str(name).lower(), str(name).upper()}
    if isinstance(name, float) and name.is_integer():
        result.add(str(int(name)))
    return result


def spelt_alike(name: ClassName, typed: ClassName) -> bool:
    """Say whether what a person typed can mean this class: `true` means `True`, and `1` means `1.0`.

    >>> spelt_alike(True, "true"), spelt_alike(1.0, "1"), spelt_alike("1", "01")
    (True, True, False)
    """
    return str(typed) in spellings(name)


def ordered(names: Iterable[ClassName]) -> tuple[ClassName, ...]:
    """Sort names by kind, then by value; a missing name comes last.

    >>> ordered(["b", "a", None])
    ('a', 'b', None)
    """
    kinds = list(KINDS)

    def key(name: ClassName) -> tuple[int, Any]:
        return (len(kinds), 0) if name is None else (kinds.index(type(name)), name)

    return tuple(sorted(names, key=key))


def merged(first: Sequence[ClassName], second: Sequence[ClassName]) -> tuple[ClassName, ...]:
    """Join two lists of names: sorted if both were, otherwise the first one's order and then the rest.

    >>> merged(["low", "high"], ["high", "medium"])
    ('low', 'high', 'medium')
    >>> merged([1, 3], [2])
    (1, 2, 3)
    """
    if tuple(first) == tuple(second):
        return tuple(first)
    known = {identity(name) for name in first}
    joined = [*first, *(name for name in second if identity(name) not in known)]
    both_sorted = ordered(first) == tuple(first) and ordered(second) == tuple(second)
    return ordered(joined) if both_sorted else tuple(joined)


def check_levels(axis: str, names: Sequence[ClassName]) -> tuple[ClassName, ...]:
    """Refuse repeated names, and more names than classes or slices can have."""
    limit, what = (MAX_CLASSES, "classes") if axis in CLASS_AXES else (MAX_SLICES, "slices")
    if axis in (RANKS, CLUSTERS):
        limit = len(names)
    if len(names) > limit:
        raise too_many(axis, len(names), what)
    if len({identity(name) for name in names}) < len(names):
        raise ClassError(f"The names of axis {axis!r} must differ; got {list(names)!r}.")
    return tuple(names)


def too_many(name: str, many: int, what: str, where: str = "") -> ClassError:
    """Say that an axis or column has more values than classes or slices can have."""
    limit = MAX_CLASSES if what == "classes" else MAX_SLICES
    regression = ", or pass --regression for a numeric target" if what == "classes" else ""
    return ClassError(
        f"{many:,} different values in {name!r}{where}, more than the {limit:,} {what} justesse handles. "
        f"Probably an identifier or a measurement was passed instead of {what}. Name the right column{regression}."
    )


def named_class(name: ClassName, classes: Sequence[ClassName]) -> ClassName:
    """Find the class a user names, also when it was typed as text.

    >>> named_class("1", [0, 1])
    1
    """
    if name is None:
        return None
    for own in classes:
        if own is not None and spelt_alike(own, name):
            return own
    listed = ", ".join(map(repr, classes[:20]))
    raise OptionError(f"Class {name!r} not found. Classes: {listed}. Name a class of the labels or predictions.")
