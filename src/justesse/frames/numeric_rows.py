"""Numeric labels and the numeric predictions of one model, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError, ScoreError
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.columns import resolve
from justesse.frames.count import opened
from justesse.frames.rows import LARGEST_EXACT, check_exact, no_rows
from justesse.frames.scores import check_not_huge, check_weights
from justesse.frames.table import row_words
from justesse.frames.values import named


@dataclass(frozen=True)
class NumericRows:
    """Label, prediction and weight of every row, and the slices each row is in.

    Parameters
    ----------
    names
        Columns of labels, predictions and, if there are any, weights.
    label, prediction, weights
        A number for each row.
    slices
        By column: the code of each row, and the value of each code.
    dropped
        Number of rows left out because a number is missing.
    """

    names: tuple[str, ...]
    label: FloatArray
    prediction: FloatArray
    weights: FloatArray
    slices: Mapping[str, tuple[Array, tuple[ClassName, ...]]]
    dropped: int = 0


@remembering
def read_numbers(
    data: Any,
    *,
    label: Any = None,
    prediction: Any = None,
    weight: Any = None,
    by: str | Sequence[str] | Mapping[str, Any] | None = None,
    drops: bool = False,
) -> NumericRows:
    """Read numeric labels and predictions.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays; `None` if labels and predictions are arrays.
    label, prediction, weight
        Columns, or arrays.
    by
        Columns of slices, or a dict of arrays.
    drops
        Whether to leave out rows with a missing number.

    Examples
    --------
    >>> rows = read_numbers({"y": [1.0, 2.0], "pred": [1.5, 2.0]})
    >>> rows.names, rows.prediction.tolist()
    (('y', 'pred'), [1.5, 2.0])
    """
    if data is None:
        if label is None or prediction is None:
            raise InputError("Pass data, or arrays for both labels and predictions.")
        in_arrays = {"label": label, "prediction": prediction} | ({} if weight is None else {"weight": weight})
        data = {name: _numbers(values, name) for name, values in in_arrays.items()}
        if isinstance(by, Mapping):
            data |= dict(by)
        elif by:
            raise InputError("With arrays, by must be a dict of name → array, such as by={'site': sites}.")
        label, prediction, weight = "label", "prediction", None if weight is None else "weight"
    tables = opened(data)
    for table in tables[1:]:
        if not set(tables[0].columns) <= set(table.columns):
            raise InputError(f"{table.name} lacks columns of {tables[0].name}. All files need the same columns.")
    slices = (by,) if isinstance(by, str) else tuple(by or ())
    roles = resolve(
        tables[0].columns, where=tables[0].name, label=label, prediction=prediction, weight=weight, by=slices
    )
    names = [roles.label, roles.prediction, *([weight] if weight else [])]
    parts = [table.arrays(roles.by, names) for table in tables]
    numbers, kept = _kept(np.concatenate([part.numbers for part in parts]), names, tables[0].name, drops)
    weights = numbers[:, 2] if weight else np.ones(len(numbers))
    if weight:
        check_weights(weights, f"column {weight!r} of {tables[0].name}")
    sliced = {}
    for at, column in enumerate(roles.by):
        own = named(np.concatenate([part.keys[at] for part in parts])[kept], form=tables[0].form, column=column)
        sliced[column] = (own.codes, own.names)
    return NumericRows(tuple(names), numbers[:, 0], numbers[:, 1], weights, sliced, int((~kept).sum()))


def _numbers(values: Any, name: str) -> Array:
    try:
        raw = np.asarray(values)
        result = raw.astype(float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be numbers, one per row ({error}). Correct them.") from error
    if raw.dtype.kind in "iu" and (np.abs(result) >= LARGEST_EXACT).any():
        check_exact(((row, int(value)) for row, value in enumerate(raw.ravel(), start=1)), "the arrays", name)
    return result.ravel() if result.ndim == 2 and 1 in result.shape else result


def _kept(numbers: Array, names: Sequence[str], where: str, drops: bool) -> tuple[Array, Array]:
    """Give the rows that have all numbers, and which they are."""
    if not len(numbers):
        raise no_rows(where)
    infinite = np.isinf(numbers).any(axis=1)
    if infinite.any():
        raise ScoreError(f"Infinite number in row {int(infinite.argmax()) + 1} of {where}. Correct or remove it.")
    check_not_huge(numbers[:, :2], where)
    bad = np.isnan(numbers).any(axis=1)
    if (empty := np.isnan(numbers).all(axis=0)).any():
        raise InputError(
            f"Column {names[int(empty.argmax())]!r} of {where} holds text or nothing, no number. For classes leave out "
            "--regression (justesse.evaluate); otherwise name a column with numbers."
        )
    if bad.any() and not drops:
        raise ScoreError(
            f"Missing numbers in {quantity(int(bad.sum()), 'row')} of {where}: {row_words(np.flatnonzero(bad))}, "
            f"columns {' or '.join(map(repr, names))}. Correct them, or drop these rows with missing='drop' (--missing "
            "drop)."
        )
    if bad.all():
        raise InputError(f"No row of {where} has numbers in {' and '.join(map(repr, names))}. Name the right columns.")
    return numbers[~bad], np.asarray(~bad)
