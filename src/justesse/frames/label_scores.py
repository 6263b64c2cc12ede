"""How likely the true class of each row is to correct what its pseudo-label says of the prediction."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.core.printable import printable
from justesse.core.recording import remembering
from justesse.frames.columns import check_column, guess_column
from justesse.frames.rounded_probabilities import rounding_error
from justesse.frames.table import TypedTable, read_table, row_words

AGREED, DISPUTED = 0.02, 0.5  # chances of a correction where the pseudo-label agrees with the prediction or not
TOLERANCE = 0.01


@dataclass(frozen=True)
class RowsToChoose:
    """The rows to choose from: ids as they came, chance that the true class corrects each, whether its label agrees."""

    name: str
    on: str
    ids: Any
    scores: FloatArray
    agreed: Array

    def without_rows(self) -> "RowsToChoose":
        """Give the same without the table that the ids came from."""
        return replace(self, ids=self.ids.to_pylist())

    def chosen(self, rows: Array) -> Any:
        """Give the ids of some rows, as an Arrow array."""
        import pyarrow as pa

        return (pa.array(self.ids) if isinstance(self.ids, list) else self.ids).take(pa.array(rows))


@remembering
def label_scores(
    data: Any, *, on: str | None, prediction: str | None, label: str | None, proba: str | None
) -> RowsToChoose:
    """Read the ids and how likely each row is to be corrected, from probabilities, pseudo-labels or both.

        label = prediction (or no labels): 1 - p(prediction);   otherwise: p(prediction)

    Parameters
    ----------
    data
        Path, data frame or dict of arrays.
    on, prediction, label, proba
        Columns of the ids, predictions and pseudo-labels, and prefix of the columns of probabilities.

    >>> rows = {"id": [1, 2], "prediction": ["a", "b"], "p_a": [0.9, 0.6], "p_b": [0.1, 0.4]}
    >>> label_scores(rows, on=None, prediction=None, label=None, proba="p_").scores.round(2).tolist()
    [0.1, 0.6]
    """
    if label is None and proba is None:
        raise OptionError(
            "Name what says where a label tells most: probabilities (--proba p_), pseudo-labels (--label), or both."
        )
    table = read_table(data)
    if on is None and "id" not in table.columns:
        raise ColumnError(
            f"No column 'id' in {table.name}. Columns: {', '.join(map(repr, table.columns[:20]))}. Name the column "
            "with the id of each row with --on."
        )
    key = check_column(table.columns, table.name, "on", on or "id")
    ids = table.raw[key].to_pylist()
    if missing := [at for at, name in enumerate(ids) if name is None or name == ""]:
        raise InputError(f"An id is missing in column {key!r} of {table.name}: {row_words(np.array(missing))}.")
    if len(set(ids)) < len(ids):
        twice = Counter(ids).most_common(1)[0][0]
        raise InputError(f"Id {twice!r} occurs more than once in column {key!r} of {table.name}. Keep one row per id.")
    predicted = table.labels(guess_column("prediction", table.columns, table.name, prediction))
    agreed = np.ones(len(table), dtype=bool)
    if label is not None:
        written = table.labels(check_column(table.columns, table.name, "label", label))
        agreed = np.array(
            [printable(mine) == printable(theirs) for mine, theirs in zip(written, predicted, strict=True)]
        )
    if proba is None:
        return RowsToChoose(table.name, key, table.raw[key], np.where(agreed, AGREED, DISPUTED), agreed)
    chance = _probability(table, predicted, proba)
    return RowsToChoose(table.name, key, table.raw[key], np.where(agreed, 1 - chance, chance), agreed)


def _probability(table: TypedTable, predicted: Array, prefix: str) -> FloatArray:
    """Give the probability of the predicted class of each row."""
    columns = [name for name in table.columns if name.startswith(prefix)]
    needed = list(dict.fromkeys(f"{prefix}{name}" for name in predicted))
    if absent := [name for name in needed if name not in columns]:
        raise ColumnError(
            f"No column {absent[0]!r} with the probability of a predicted class in {table.name}. Columns: "
            f"{', '.join(map(repr, table.columns[:20]))}. Name the prefix with --proba."
        )
    parts = [table.typed[name].to_pylist() for name in columns]
    numbers = np.array([[np.nan if not isinstance(n, int | float) else n for n in part] for part in parts], dtype=float)
    allowed = max(TOLERANCE, rounding_error(numbers.T))
    wrong = ~np.isfinite(numbers).all(0) | (numbers < 0).any(0) | (abs(numbers.sum(0) - 1) > allowed)
    if wrong.any():
        raise InputError(
            f"Probabilities of a row must be numbers from 0 up that add up to 1 in {table.name}: "
            f"{row_words(np.flatnonzero(wrong))}. Correct them."
        )
    at = {name: place for place, name in enumerate(columns)}
    chosen = np.array([at[f"{prefix}{name}"] for name in predicted])
    return np.asarray(np.clip((numbers / numbers.sum(0))[chosen, np.arange(len(chosen))], 0.0, 1.0))
