"""Transition tables from files, dicts and arrays: rows true classes, columns labels."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ClassError, InputError
from justesse.core.levels import native, ordered, spellings
from justesse.core.results import ClassName
from justesse.frames.square import opened_square, square_array

WHOLE = re.compile(r"\s*[0-9]+\s*")


def transition_table(table: Any, classes: Sequence[ClassName]) -> tuple[NDArray[Any], tuple[ClassName, ...]]:
    """Give the table as an array, whole numbers if it counts rows, and the classes of its rows and columns.

    From a CSV with the true classes in the first column and the labels in the header, a dict `{true: {label: value}}`,
    a pandas frame, or a square array in the order of the classes. It may name classes beyond those at hand; those at
    hand must all be there.

    >>> transition_table({"a": {"a": 9, "b": 1}, "b": {"a": 0, "b": 10}}, ["a", "b"])
    (array([[ 9,  1],
           [ 0, 10]]), ('a', 'b'))
    """
    table, where = opened_square(table, "the transition table", InputError, "true classes", "labels")
    if not isinstance(table, Mapping):
        return square_array(table, classes, where, InputError), tuple(classes)
    meant = _spellings(classes)
    rows = {_like(typed, meant): row for typed, row in table.items()}
    names = tuple(rows)
    if len(names) < len(table):
        raise ClassError(
            f"Two rows for one class in {where}. Rows: {', '.join(map(repr, list(table)[:20]))}. Keep one of them."
        )
    missing = [name for name in classes if name not in names]
    if missing:
        raise ClassError(
            f"No row for class {missing[0]!r} in {where}. Rows: {', '.join(map(repr, list(names)[:20]))}. "
            "Every class needs a row, written as in the labels."
        )
    chosen = list(ordered(names)) if set(names) - set(classes) else list(classes)
    cells = []
    for name in chosen:
        row = rows[name]
        if not isinstance(row, Mapping):
            raise InputError(f"Each true class in {where} needs a dict of label → value; got {row!r} for {name!r}.")
        own = {_like(typed, meant): value for typed, value in row.items()}
        if set(own) != set(names):
            odd = sorted(set(map(str, own)) ^ set(map(str, names)))
            raise ClassError(
                f"Rows and columns of {where} must name the same classes; {odd[0]!r} is in only one of them. "
                "Correct it."
            )
        cells.append([own[label] for label in chosen])
    return _numbers(cells, chosen, where), tuple(chosen)


def _spellings(classes: Sequence[ClassName]) -> dict[str, ClassName]:
    """Give every way to write the classes at hand."""
    return {text: name for name in classes for text in spellings(name)}


def _like(typed: Any, meant: Mapping[str, ClassName]) -> ClassName:
    """Take a name as the class it is spelt like."""
    return meant.get(str(native(typed)), native(typed))


def _numbers(cells: list[list[Any]], names: Sequence[ClassName], where: str) -> NDArray[Any]:
    counts = all(
        isinstance(x, (int, np.integer)) or (isinstance(x, str) and WHOLE.fullmatch(x)) for r in cells for x in r
    )
    result = np.zeros((len(cells), len(cells)))
    for i, row in enumerate(cells):
        for j, value in enumerate(row):
            try:
                result[i, j] = float(value)
            except (TypeError, ValueError) as error:
                raise InputError(
                    f"True class {names[i]!r}, label {names[j]!r} in {where}: a number is needed; got {value!r}."
                ) from error
    return result.astype(np.int64) if counts else result
