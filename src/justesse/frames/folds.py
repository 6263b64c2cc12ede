"""Scores per fold: one column per model, or one row per fold and model."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ColumnError, InputError
from justesse.core.quantity import quantity
from justesse.frames.columns import check_column
from justesse.frames.count import opened
from justesse.frames.rows import Rows, no_rows
from justesse.frames.scores import check_not_huge
from justesse.frames.values import named

FOLD = ("fold", "split", "dataset")
REPETITION = ("repetition", "repeat", "rep", "run", "seed")
MODEL = ("model", "algorithm", "classifier", "learner", "name")
SCORE = ("score", "value")
SHOWN = 5


@dataclass(frozen=True)
class FoldScores:
    """Scores of every model (columns) on every fold (rows), and which repetition each fold belongs to."""

    models: tuple[str, ...]
    scores: Array
    repetitions: tuple[Any, ...] | None = None

    @property
    def folds_per_repetition(self) -> int:
        """Give k of a k-fold cross-validation; all rows if there is no repetition."""
        if self.repetitions is None:
            return len(self.scores)
        sizes = {self.repetitions.count(repetition) for repetition in self.repetitions}
        if len(sizes) > 1:
            raise InputError(
                f"Every repetition needs the same number of folds; got {', '.join(map(str, sorted(sizes)))}."
            )
        return sizes.pop()

    def of(self, model: str) -> list[float]:
        """Give the scores of one model."""
        if model not in self.models:
            raise ColumnError(f"No scores found for model {model!r}. Models: {', '.join(map(repr, self.models))}.")
        return list(self.scores[:, self.models.index(model)])


def read_folds(data: Any) -> FoldScores:
    """Read scores from a path, a data frame or a dict of lists.

    >>> result = read_folds({"fold": [1, 2], "svm": [0.8, 0.9], "tree": [0.7, 0.8]})
    >>> result.models, result.scores.tolist()
    (('svm', 'tree'), [[0.8, 0.7], [0.9, 0.8]])
    >>> read_folds({"fold": [1, 1], "model": ["svm", "tree"], "score": [0.8, 0.7]}).scores.tolist()
    [[0.8, 0.7]]
    """
    if not isinstance(data, (str, os.PathLike, Mapping)) and not hasattr(type(data), "columns"):
        raise InputError(f"Fold scores must be a path, a data frame or a dict of lists; got {type(data).__name__}.")
    tables = opened(data)
    if len(tables) > 1:
        raise InputError("Fold scores must come from one file. Combine the files first.")
    table = tables[0]
    fold, repetition, model, score = (_usual(table, names) for names in (FOLD, REPETITION, MODEL, SCORE))
    if model and score:
        return _long(table, fold, repetition, model, score)
    models = [name for name in table.columns if name not in (fold, repetition)]
    if not models:
        raise ColumnError(f"No column of scores in {table.name}. Add one column per model.")
    keys = [key for key in (repetition, fold) if key]
    result = table.arrays(keys, models)
    _check(table, result.numbers, models)
    columns = [_named(table, values, key) for values, key in zip(result.keys, keys, strict=True)]
    if fold:
        _check_differ(table, columns, with_repetition=repetition is not None)
    return FoldScores(tuple(models), result.numbers, tuple(columns[0]) if repetition else None)


def _check_differ(table: Rows, columns: Sequence[Sequence[Any]], *, with_repetition: bool) -> None:
    """Refuse a fold that comes twice."""
    first: dict[tuple[Any, ...], int] = {}
    for row, place in enumerate(zip(*columns, strict=True), start=1):
        before = first.setdefault(place, row)
        if before != row:
            where = f" of repetition {place[0]!r}" if with_repetition else ""
            advice = "" if with_repetition else ", or number the repetitions in a column 'repetition'"
            raise InputError(
                f"{table.name}, row {row}: fold {place[-1]!r}{where} occurs twice, first in row {before}. Keep one row "
                f"per fold{advice}."
            )


def _long(table: Rows, fold: str | None, repetition: str | None, model: str, score: str) -> FoldScores:
    if fold is None:
        raise ColumnError(f"No column 'fold' in {table.name}. A table with one row per model and fold needs it.")
    keys = [*([repetition] if repetition else []), fold, model]
    result = table.arrays(keys, [score])
    _check(table, result.numbers, [score])
    columns = [_named(table, values, key) for values, key in zip(result.keys, keys, strict=True)]
    names = tuple(dict.fromkeys(map(str, columns[-1])))
    places = list(zip(*columns[:-1], strict=True))
    rows = list(dict.fromkeys(places))
    scores = np.full((len(rows), len(names)), np.nan)
    for row, (place, name, value) in enumerate(zip(places, columns[-1], result.numbers[:, 0], strict=True), start=1):
        at = rows.index(place), names.index(str(name))
        if not np.isnan(scores[at]):
            raise InputError(
                f"{table.name}, row {row}: a second score of {name!r} for fold {place[-1]!r}. Keep one of them."
            )
        scores[at] = value
    gaps = np.argwhere(np.isnan(scores))
    if len(gaps):
        row, column = gaps[0]
        raise InputError(
            f"No score of model {names[column]!r} for fold {rows[row][-1]!r} in {table.name}. Every model "
            "needs a score for every fold."
        )
    return FoldScores(names, scores, tuple(row[0] for row in rows) if repetition else None)


def _named(table: Rows, values: Any, column: str) -> list[Any]:
    """Give the values of a column that must have no gap."""
    result = named(values, form=table.form, column=column, as_text=True)
    gaps = np.flatnonzero(result.missing)
    if len(gaps):
        raise InputError(f"Missing {column!r} in row {gaps[0] + 1} of {table.name}. Fill it in, or remove the row.")
    return [result.names[code] for code in result.codes]


def _usual(table: Rows, names: Sequence[str]) -> str | None:
    return next((column for column in table.columns if column.lower() in names), None)


def _check(table: Rows, numbers: Array, columns: Sequence[str]) -> None:
    if not len(numbers):
        raise no_rows(table.name)
    bad = np.argwhere(~np.isfinite(numbers))
    if len(bad):
        row, column = bad[0]
        raise InputError(
            f"Scores must be finite numbers. {table.name} has {quantity(len(bad), 'other value')}, first in "
            f"column {columns[column]!r}, row {row + 1}. Correct the file, remove that fold, or remove the column "
            "if it is not a model's."
        )
    check_not_huge(numbers, table.name)
    check_column(table.columns, table.name, "score", columns[0])
