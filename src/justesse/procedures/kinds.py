"""The kinds of splits (plain, stratified, grouped, by-time) and the checks they share."""

from typing import Any, Literal, get_args

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ClassError, OptionError

Kind = Literal["plain", "stratified", "grouped", "by-time"]


def check_kind(kind: str) -> None:
    """Refuse an unknown kind.

    >>> check_kind("layered")
    Traceback (most recent call last):
    justesse.core.errors.OptionError: kind must be one of plain, stratified, grouped, by-time; got 'layered'.
    """
    if kind not in get_args(Kind):
        raise OptionError(f"kind must be one of {', '.join(get_args(Kind))}; got {kind!r}.")


def rows_of(x: Any) -> int:
    """Count the rows of an array, matrix, data frame or list."""
    return int(x.shape[0] if hasattr(x, "shape") else len(x))


def strata(y: Any, rows: int, *, least: int, what: str) -> Array:
    """Return the class of each row as a code, if each class has enough rows.

    >>> strata(["a", "b", "a"], 3, least=2, what="2 folds")
    Traceback (most recent call last):
    justesse.core.errors.ClassError: 2 folds need at least 2 rows of each class, but class 'b' has 1. ...
    """
    if y is None or len(y) != rows:
        raise OptionError("A stratified split needs the class of each row. Pass y, or use kind='plain'.")
    names, codes, counts = np.unique(np.asarray(y), return_inverse=True, return_counts=True)
    if names.dtype.kind == "f" and len(names) > rows / 2:
        raise OptionError(
            "Numbers that hardly repeat are not classes, so the split cannot be stratified. Use kind='plain'."
        )
    if counts.min() < least:
        raise ClassError(
            f"{what} need at least {least} rows of each class, but class {names[counts.argmin()].item()!r} has "
            f"{counts.min()}. Use fewer, merge classes, or use kind='plain'."
        )
    return np.asarray(codes)


def grouped(groups: Any, rows: int, *, least: int, what: str) -> Array:
    """Return the group of each row as a code, if there are enough groups.

    >>> grouped(["a", "a"], 2, least=2, what="2 folds")
    Traceback (most recent call last):
    justesse.core.errors.OptionError: 2 folds by group need at least 2 groups; got 1. Use fewer, or add groups.
    """
    if groups is None or len(groups) != rows:
        raise OptionError("A split by group needs the group of each row. Pass groups.")
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    if len(names) < least:
        raise OptionError(f"{what} by group need at least {least} groups; got {len(names)}. Use fewer, or add groups.")
    return np.asarray(codes)


def no_groups(groups: Any, kind: Kind) -> None:
    """Refuse groups that the split would ignore: rows of one group would be in both training and test.

    >>> no_groups(["a", "a", "b"], "stratified")
    Traceback (most recent call last):
    justesse.core.errors.OptionError: A stratified split ignores groups. Use kind='grouped' ...
    """
    if groups is not None and kind in ("plain", "stratified"):
        raise OptionError(
            f"A {kind} split ignores groups. Use kind='grouped' (or 'by-time' for times), or leave groups out."
        )
