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
    justesse.core.errors.OptionError: kind must be one of plain, stratified, grouped, by-time; got 'layered'
    """
    if kind not in get_args(Kind):
        raise OptionError(f"kind must be one of {', '.join(get_args(Kind))}; got {kind!r}")


def rows_of(x: Any) -> int:
    """Count the rows of an array, matrix, data frame or list."""
    return int(x.shape[0] if hasattr(x, "shape") else len(x))


def strata(y: Any, rows: int, *, least: int, what: str) -> Array:
    """Return the class of each row as a code, if each class has enough rows.

    >>> strata(["a", "b", "a"], 3, least=2, what="2 folds")
    Traceback (most recent call last):
    justesse.core.errors.ClassError: 2 folds need 2 rows or more of each class; 'b' has 1. Use fewer, ...
    """
    if y is None or len(y) != rows:
        raise OptionError("a stratified split needs the class of each row: give y, or use kind='plain'")
    names, codes, counts = np.unique(np.asarray(y), return_inverse=True, return_counts=True)
    if names.dtype.kind == "f" and len(names) > rows / 2:
        raise OptionError("numbers that hardly repeat cannot be stratified as classes; use kind='plain'")
    if counts.min() < least:
        raise ClassError(
            f"{what} need {least} rows or more of each class; {names[counts.argmin()].item()!r} has {counts.min()}. "
            "Use fewer, merge classes, or use kind='plain'"
        )
    return np.asarray(codes)


def grouped(groups: Any, rows: int, *, least: int, what: str) -> Array:
    """Return the group of each row as a code, if there are enough groups.

    >>> grouped(["a", "a"], 2, least=2, what="2 folds")
    Traceback (most recent call last):
    justesse.core.errors.OptionError: 2 folds by group need 2 groups or more; got 1. Use fewer
    """
    if groups is None or len(groups) != rows:
        raise OptionError("a split by group needs the group of each row: give groups")
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    if len(names) < least:
        raise OptionError(f"{what} by group need {least} groups or more; got {len(names)}. Use fewer")
    return np.asarray(codes)


def no_groups(groups: Any, kind: Kind) -> None:
    """Refuse groups that the split would ignore: rows of one group would be in both training and test.

    >>> no_groups(["a", "a", "b"], "stratified")
    Traceback (most recent call last):
    justesse.core.errors.OptionError: groups were given, but a stratified split ignores them: use kind='grouped' ...
    """
    if groups is not None and kind in ("plain", "stratified"):
        raise OptionError(
            f"groups were given, but a {kind} split ignores them: use kind='grouped' (or 'by-time' for times), "
            "or leave them out"
        )
