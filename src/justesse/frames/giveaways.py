"""Columns that give the label away: predictions, probabilities, and the label under another name."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.coded import coded
from justesse.frames.columns import USUAL

PREDICTED = frozenset({"pred", "preds", "predict", "predicted", "prediction", "predictions", "yhat"})
CHANCES = frozenset({"p", "prob", "probs", "proba", "probability", "score", "logit", "softmax", "confidence"})
UNBOUNDED = frozenset({"score", "logit"})
LABELS = frozenset({*USUAL["label"], *USUAL["true"], "labels", "truth", "actual", "gold", "ground_truth"})
ANSWERS = frozenset({"yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "-1", "+", "-", "none", "unknown"})
ROWS_PER_VALUE = 5  # fewer, and values that have one class only are no surprise
AGREES, AGREES_WIDELY = 0.4, 0.8  # Cohen's kappa from which a column of class names is a prediction; for yes and no
SUMS_TO_ONE = 0.02


def giveaways(columns: Mapping[str, Any], target: str, labels: Array) -> dict[str, str]:
    """Say of each column (name → Arrow array) that may give the label away why it may.

    A column may do so by its name (prediction, y_hat, proba_cat), as one of a probability for each class, by holding
    the classes and agreeing with the label (Cohen's kappa of 0.4, or 0.8 for answers such as yes and no), or by values
    each of which goes with one class only (names or whole numbers, 5 rows for each value or more).

    >>> import pyarrow as pa
    >>> labels = np.array(["cat", "dog"] * 10)
    >>> table = {"code": pa.array([4, 7] * 10), "size": pa.array([1, 2, 3, 4] * 5), "old_pred": pa.array(["x"] * 20)}
    >>> giveaways(table | {"weight": pa.array([1, 2, 2, 1] * 5)}, "animal", labels)
    {'code': "its values match those of 'animal' one to one",
     'size': "each of its 4 values occurs with only one class of 'animal'",
     'old_pred': 'named like a prediction'}
    """
    codes, classes = coded(labels)
    names = [_word(name) for name in classes]
    families = _families(columns, names)
    result = {}
    for name, column in columns.items():
        why = _by_name(name, column, target, names)
        if why is None and name in families:
            why = f"a probability for each class of {target!r}"
        if why is None:
            why = _by_content(name, column, target, codes, names)
        if why is not None:
            result[name] = why
    return result


def _parts(name: str) -> list[str]:
    """Take a column's name apart.

    >>> _parts("pSpeciesHat_2"), _parts("y_hat")
    (['p', 'species', 'hat', '2'], ['y', 'hat'])
    """
    return [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]


def _by_name(name: str, column: Any, target: str, classes: Sequence[str]) -> str | None:
    import pyarrow.compute as pc

    parts = _parts(name)
    if PREDICTED.intersection(parts) or "".join(parts) in PREDICTED:
        return "named like a prediction"
    rest = [part for part in parts if part not in CHANCES]
    about = [[], ["y"], *map(_parts, (target, *classes))]
    if len(rest) < len(parts) and rest in about and parts != ["p"] and _is_number(column):
        low_high = pc.min_max(column).as_py().values()
        if UNBOUNDED.intersection(parts) or all(value is not None and 0 <= value <= 1 for value in low_high):
            return "named like a probability or score"
    return None


def _families(columns: Mapping[str, Any], classes: Sequence[str]) -> set[str]:
    """Give the columns that hold, under names that differ in the class alone, shares that add up to 1."""
    result: set[str] = set()
    for name in columns:
        if not name.endswith(classes[0]) and not name.startswith(classes[0]):
            continue
        before, after = (name[: -len(classes[0])], "") if name.endswith(classes[0]) else ("", name[len(classes[0]) :])
        family = [f"{before}{class_name}{after}" for class_name in classes]
        if not all(item in columns and _is_number(columns[item]) for item in family):
            continue
        shares = np.column_stack([np.asarray(columns[item].to_pylist(), dtype=float) for item in family])
        kept = shares[np.isfinite(shares).all(axis=1)]
        if len(kept) and kept.min() >= 0 and np.abs(kept.sum(axis=1) - 1).max() < SUMS_TO_ONE:
            result.update(family)
    return result


def _by_content(name: str, column: Any, target: str, codes: Array, classes: Sequence[str]) -> str | None:
    import pyarrow.compute as pc

    if not _is_plain(column) or pc.count_distinct(column).as_py() > len(codes) / ROWS_PER_VALUE:
        return None
    values = column.to_pylist()
    if any(isinstance(value, float) and value == value and value % 1 for value in values):
        return None  # a measurement may well separate classes
    there = np.array([value is not None and value != "" and value == value for value in values])
    if there.sum() < 2 * ROWS_PER_VALUE:
        return None
    words = np.array([_word(value) for value in values], dtype=object)[there]
    distinct, own = np.unique(words, return_inverse=True)
    table = np.zeros((len(distinct), len(classes)), dtype=np.int64)
    np.add.at(table, (own, codes[there]), 1)
    present = int((table.sum(axis=0) > 0).sum())
    if present > 1 and len(distinct) <= there.sum() / ROWS_PER_VALUE and ((table > 0).sum(axis=1) == 1).all():
        if len(distinct) == present:
            return f"its values match those of {target!r} one to one"
        return f"each of its {len(distinct)} values occurs with only one class of {target!r}"
    if len(distinct) > 1 and set(distinct) <= set(classes):
        kappa, agreement = _agreement(table, list(distinct), classes)
        if name.lower() in LABELS:
            return f"its name and values are those of a label, like {target!r}"
        if kappa >= (AGREES_WIDELY if {class_name.lower() for class_name in classes} <= ANSWERS else AGREES):
            return f"it has the classes of {target!r} and agrees with it in {100 * agreement:.0f} % of rows"
    return None


def _agreement(table: Array, distinct: Sequence[str], classes: Sequence[str]) -> tuple[float, float]:
    square = np.zeros((len(classes), len(classes)))
    square[[classes.index(item) for item in distinct]] = table / table.sum()
    observed, expected = float(np.trace(square)), float(square.sum(axis=0) @ square.sum(axis=1))
    return (observed - expected) / (1 - expected) if expected < 1 else 0.0, observed


def _word(value: Any) -> str:
    """Write a value as text, 1.0 as 1 and True as true."""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _is_plain(column: Any) -> bool:
    import pyarrow as pa

    kind = column.type
    words = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    return bool(words or pa.types.is_boolean(kind)) or _is_number(column)


def _is_number(column: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(column.type) or pa.types.is_floating(column.type))
