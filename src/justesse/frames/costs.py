"""Cost tables and class weights from files, arrays and dicts, checked against the classes at hand."""

import csv
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import CostError, FileError, InputError, WeightError
from justesse.core.results import ClassName

Array = NDArray[np.float64]


def cost_table(costs: Any, classes: Sequence[ClassName]) -> Array:
    """Give the costs as an array, rows labels, columns predictions, in the order of the classes.

    From a CSV whose first column names the labels and whose header names the predictions, a dict
    `{label: {prediction: cost}}`, or a square array in the order of the classes.

    >>> cost_table({"a": {"a": 0, "b": 5}, "b": {"a": 1, "b": 0}}, ["a", "b"]).tolist()
    [[0.0, 5.0], [1.0, 0.0]]
    """
    where = "the cost table"
    if isinstance(costs, (str, os.PathLike)):
        where = os.fspath(costs)
        costs = _read_table(where)
    if not isinstance(costs, Mapping):
        return _cost_array(costs, classes)
    rows = {str(label): {str(name): cost for name, cost in row.items()} for label, row in costs.items()}
    _check_names(where, "label", rows, classes)
    found = np.zeros((len(classes), len(classes)))
    for i, label in enumerate(classes):
        row = rows[str(label)]
        _check_names(f"{where}, row {label!s}", "prediction", row, classes)
        for j, name in enumerate(classes):
            found[i, j] = _number(row[str(name)], f"{where}: the cost of predicting {name!s} for {label!s}")
    return found


def class_weight_list(weights: Any, classes: Sequence[ClassName]) -> Array:
    """Give one weight per class, from a two-column CSV (class, weight) or a dict.

    >>> class_weight_list({"a": 2, "b": 1}, ["a", "b"]).tolist()
    [2.0, 1.0]
    """
    where = "the class weights"
    if isinstance(weights, (str, os.PathLike)):
        where = os.fspath(weights)
        rows = _read_rows(where)[1:]
        if any(len(row) != 2 for row in rows):
            raise WeightError(f"{where} needs two columns, class and weight, and a header")
        weights = dict(rows)
    if not isinstance(weights, Mapping):
        raise WeightError(f"class weights are a file or a dict of class → weight; got {type(weights).__name__}")
    named = {str(name): weight for name, weight in weights.items()}
    missing = [name for name in classes if str(name) not in named]
    if missing:
        raise WeightError(f"{where}: there is no weight for the class {missing[0]!r}; give one to every class")
    return np.array([_number(named[str(name)], f"{where}: the weight of {name!s}", WeightError) for name in classes])


def _cost_array(costs: Any, classes: Sequence[ClassName]) -> Array:
    try:
        found = np.asarray(costs, dtype=float)
    except (TypeError, ValueError) as error:
        raise CostError(
            f"costs are a CSV file, a dict of dicts or a square array; got {type(costs).__name__}"
        ) from error
    if found.shape != (len(classes), len(classes)):
        raise CostError(
            f"the cost table must be {len(classes)} × {len(classes)}, one row per class; got shape {found.shape}"
        )
    if not np.all(np.isfinite(found)):
        raise CostError("every cost must be a finite number; the table has a hole or an infinity")
    return found


def _check_names(where: str, part: str, names: Mapping[str, Any], classes: Sequence[ClassName]) -> None:
    missing = [name for name in classes if str(name) not in names]
    if missing:
        raise CostError(f"{where} has no {part} {missing[0]!r}; it needs every class: {list(classes)[:10]!r}")


def _number(value: Any, what: str, error: type[InputError] = CostError) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise error(f"{what} must be a finite number; got {value!r}")
    return number


def _read_table(path: str) -> dict[str, dict[str, str]]:
    rows = _read_rows(path)
    header = rows[0][1:]
    for at, row in enumerate(rows[1:], start=2):
        if len(row) != len(header) + 1:
            raise CostError(f"{path}, line {at}: {len(header) + 1} values are needed, as in the header; got {len(row)}")
    if len(rows) - 1 != len(header):
        raise CostError(f"{path} is not square: {len(rows) - 1} rows (labels) and {len(header)} columns (predictions)")
    return {row[0]: dict(zip(header, row[1:], strict=True)) for row in rows[1:]}


def _read_rows(path: str) -> list[list[str]]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path} cannot be read ({error}); a CSV file in UTF-8 is needed") from error
    if len(rows) < 2:
        raise FileError(f"{path} has no rows; a header and one row per class are needed")
    return rows
