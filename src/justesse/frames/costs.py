"""Cost tables and class weights from files, arrays and dicts, checked against the classes at hand."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import FloatArray
from justesse.core.errors import CostError, InputError, WeightError
from justesse.core.levels import identity, native, spelt_alike
from justesse.core.results import ClassName
from justesse.frames.square import opened_square, read_rows, square_array, without_repeats

LARGEST = 1e100


def cost_table(
    costs: Any, classes: Sequence[ClassName], *, others: Sequence[ClassName] = (), what: str = "cost"
) -> FloatArray:
    """Give the costs as an array, rows labels, columns predictions, in the order of the classes.

    From a CSV whose first column names the labels and whose header names the predictions, a dict
    `{label: {prediction: cost}}`, or a square array in the order of the classes. `others` are those of the classes that
    no label is, a missing answer among them: where the table has no column for one, it costs as much as the costliest
    answer to its label. `what` names the numbers in errors: cost or credit.

    >>> cost_table({"a": {"a": 0, "b": 5}, "b": {"a": 1, "b": 0}}, ["a", "b"]).tolist()
    [[0.0, 5.0], [1.0, 0.0]]
    """
    costs, where = opened_square(costs, f"the {what} table", CostError)
    outside = {identity(name) for name in others}
    judged = np.array([identity(name) not in outside for name in classes], dtype=bool)
    if not isinstance(costs, Mapping):
        named = [name for name, inside in zip(classes, judged, strict=True) if inside]
        return _with_others(_cost_array(costs, named, what), judged) if others else _cost_array(costs, classes, what)
    result = np.zeros((len(classes), len(classes)))
    for i, label in enumerate(classes):
        if not judged[i]:
            continue
        row = _entry(costs, label, f"Label {label!r} not found in {where}", classes)
        if not isinstance(row, Mapping):
            raise CostError(f"Each label in {where} needs a dict of prediction → {what}; got {row!r} for {label!r}.")
        for j, name in enumerate(classes):
            if not judged[j] and not any(spelt_alike(name, native(typed)) for typed in row):
                result[i, j] = np.nan
                continue
            paid = _entry(row, name, f"Prediction {name!r} not found in row {label!s} of {where}", classes)
            result[i, j] = _paid(paid, f"The {what} of predicting {name!s} for {label!s} in {where}")
    return np.where(np.isnan(result), np.nanmax(result, axis=1, keepdims=True), result)


def _paid(value: Any, what: str) -> float:
    """Read a cost; sums and squares of a huge one would overflow."""
    number = _number(value, what)
    if abs(number) > LARGEST:
        raise CostError(f"{what} is {number:g}, and can be at most {LARGEST:g}. Use a larger unit.")
    return number


def _with_others(costs: FloatArray, judged: NDArray[np.bool_]) -> FloatArray:
    """Add a row and a column for each answer outside the classes, as dear as the costliest answer to the label."""
    result = np.zeros((len(judged), len(judged)))
    result[np.ix_(judged, judged)] = costs
    result[np.ix_(judged, ~judged)] = costs.max(axis=1, keepdims=True)
    return result


def class_weight_list(weights: Any, classes: Sequence[ClassName]) -> FloatArray:
    """Give one weight per class, from a two-column CSV (class, weight) or a dict.

    >>> class_weight_list({"a": 2, "b": 1}, ["a", "b"]).tolist()
    [2.0, 1.0]
    """
    where = "the class weights"
    if isinstance(weights, (str, os.PathLike)):
        where = os.fspath(weights)
        header, *rows = read_rows(where)
        if len(header) != 2 or any(len(row) != 2 for row in rows) or _is_number(header[1]):
            raise WeightError(
                f"Class weights in {where} need two columns, class and weight, and a header that names them."
            )
        weights = without_repeats(rows, where, WeightError)
    if not isinstance(weights, Mapping):
        raise WeightError(f"Class weights must be a file or a dict of class → weight; got {type(weights).__name__}.")
    results = []
    for name in classes:
        weight = _entry(weights, name, f"No weight for class {name!r} in {where}", classes, WeightError)
        results.append(_number(weight, f"The weight of class {name!s} in {where}", WeightError))
    return np.array(results)


def _cost_array(costs: Any, classes: Sequence[ClassName], what: str) -> FloatArray:
    result = square_array(costs, classes, f"the {what} table", CostError).astype(float)
    if not np.all(np.isfinite(result)):
        raise CostError(f"Every {what} must be a finite number. The table has a missing or infinite value: correct it.")
    if np.abs(result).max(initial=0) > LARGEST:
        raise CostError(f"A {what} can be at most {LARGEST:g}; got {np.abs(result).max():g}. Use a larger unit.")
    return result


def _entry(
    table: Mapping[Any, Any],
    name: ClassName,
    missing: str,
    classes: Sequence[ClassName],
    error: type[InputError] = CostError,
) -> Any:
    """Find a class by its name, also as a person spells it."""
    for typed, value in table.items():
        if spelt_alike(name, native(typed)):
            return value
    raise error(f"{missing}. Every class is needed: {', '.join(map(repr, classes[:10]))}.")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(value: Any, what: str, error: type[InputError] = CostError) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise error(f"{what} must be a finite number; got {value!r}.")
    return number
