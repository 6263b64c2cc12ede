"""Predictions with their confidence: labelled rows of a reference, and rows of a target of which few or none are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.choices import Missing
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError, OptionError, ScoreError
from justesse.core.first_names import first_names
from justesse.core.levels import identity, ordered, spelt_alike
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.columns import check_column, guess_column, guess_label, has_prediction
from justesse.frames.kinds import as_kind_of
from justesse.frames.rounded_probabilities import RoundedSums
from justesse.frames.rows import Rows, no_rows
from justesse.frames.scores import checked_probabilities, not_finite, probability_columns
from justesse.frames.table import one_table, row_words
from justesse.frames.values import Named, canonical, named

NOT_LABELLED = -1


@dataclass(frozen=True, eq=False)
class ConfidenceRows:
    """Predictions of one table.

    Parameters
    ----------
    name
        Name of the table.
    confidence
        Probability of the predicted class of each row.
    predictions, labels
        Codes of classes; -1 where a row has no label.
    probabilities
        Probability of every class, rows × classes, if they were given.
    dropped
        Rows left out because a value is missing.
    rounded
        How the probabilities were rounded, if they had to be normalised.
    """

    name: str
    confidence: FloatArray
    predictions: Array
    labels: Array
    probabilities: FloatArray | None = None
    dropped: int = 0
    rounded: RoundedSums | None = None

    def __len__(self) -> int:
        return len(self.confidence)

    @property
    def labelled(self) -> Array:
        """Which rows have a label."""
        return np.asarray(self.labels != NOT_LABELLED)

    @property
    def right(self) -> Array:
        """Which predictions are right; those without a label are not."""
        return np.asarray(self.predictions == self.labels)


@dataclass(frozen=True, eq=False)
class ReferenceAndTarget:
    """Both tables, their classes, and the columns that were read; `prediction` is None if probabilities decide."""

    reference: ConfidenceRows
    target: ConfidenceRows
    classes: tuple[ClassName, ...]
    label: str
    prediction: str | None


@remembering
def reference_and_target(
    reference: Any,
    target: Any,
    *,
    label: str | None = None,
    prediction: str | None = None,
    proba: str | None = None,
    confidence: str | None = None,
    as_text: bool = False,
    missing: Missing | None = None,
) -> ReferenceAndTarget:
    """Read predictions with their confidence from a labelled table and from one with few labels or none.

    Parameters
    ----------
    reference, target
        Path, data frame or dict of arrays.
    label
        Column with labels; the target may have it, too, filled in for some rows. Default: the usual names.
    prediction
        Column with predictions. Default: the usual names; with probabilities, else the most probable class.
    proba
        Start of the names of the columns with probabilities.
    confidence
        Column with the probability of the predicted class, if there are no probabilities of all classes.
    as_text
        Read all classes as text.
    missing
        Rows with a missing value: refuse the data, or drop the row. Default: refuse. A target's row needs no label.

    Examples
    --------
    >>> labelled = {"y": ["a", "b"], "p_a": [0.9, 0.6], "p_b": [0.1, 0.4]}
    >>> rows = reference_and_target(labelled, {"p_a": [0.2], "p_b": [0.8]}, label="y", proba="p_")
    >>> rows.classes, rows.reference.right.tolist(), rows.target.confidence.tolist()
    (('a', 'b'), [True, False], [0.8])
    """
    if (proba is None) == (confidence is None):
        raise OptionError(
            "Name the columns with probabilities (proba='p_', --proba p_), or the one with the confidence of the "
            "prediction (confidence=…, --confidence); one of the two."
        )
    if missing == "wrong":
        raise OptionError(
            "Without labels a missing answer cannot be counted as wrong. Use missing='drop' (--missing drop)."
        )
    tables = one_table(reference), one_table(target)
    label_column = guess_label(tables[0].columns, tables[0].name, label)
    answers: str | None = None
    if prediction is not None or confidence is not None or all(has_prediction(t.columns, t.name, None) for t in tables):
        answers = guess_column("prediction", tables[0].columns, tables[0].name, prediction)
        check_column(tables[1].columns, tables[1].name, "prediction", answers)
    numbers = probability_columns(tables[0], proba) if proba is not None else [str(confidence)]
    for table in tables:
        for name in numbers:
            check_column(table.columns, table.name, "proba" if proba is not None else "confidence", name)
    has_labels = label_column in tables[1].columns
    read = [
        _ReadColumns.of(table, label_column if table is tables[0] or has_labels else None, answers, numbers, as_text)
        for table in tables
    ]
    first = read[0].labels
    assert first is not None
    if first.kind is None:
        raise MissingValueError(f"Every row of {tables[0].name} lacks a label. Fill them in, or name another column.")
    read = [item.alike(first) for item in read]
    about = None if proba is None else [_about(name.removeprefix(proba), first) for name in numbers]
    classes = _classes(read, about)
    order = None if about is None else [about.index(name) for name in classes]
    ours, theirs = (
        item.rows(classes, numbers, order, missing, labelled=item is read[0]) for item in read
    )  # fmt: skip
    return ReferenceAndTarget(ours, theirs, classes, label_column, answers)


@dataclass(frozen=True, eq=False)
class _ReadColumns:
    """The columns of one table as they came."""

    table: Rows
    labels: Named | None
    answers: Named | None
    numbers: FloatArray

    @classmethod
    def of(
        cls, table: Rows, label: str | None, prediction: str | None, numbers: Sequence[str], as_text: bool
    ) -> "_ReadColumns":
        keys = [name for name in (label, prediction) if name is not None]
        columns = table.arrays(keys, numbers)
        if not len(columns.numbers):
            raise no_rows(table.name)
        names = {
            name: named(values, form=table.form, column=name, as_text=as_text)
            for name, values in zip(keys, columns.keys, strict=True)
        }
        return cls(table, names.get(label or ""), names.get(prediction or ""), columns.numbers)

    def alike(self, first: Named) -> "_ReadColumns":
        """Write the classes as the labels of the reference are written."""

        def written(column: Named | None) -> Named | None:
            if column is None:
                return None
            alike = as_kind_of(first, column)
            if alike is None:
                ours, theirs = (next(name for name in part.names if name is not None) for part in (first, column))
                raise InputError(
                    f"Class {theirs!r} of {self.table.name} is of another kind than the label {ours!r}. Write them "
                    "alike, or use as_text=True (--as-text)."
                )
            return alike

        return _ReadColumns(self.table, written(self.labels), written(self.answers), self.numbers)

    def rows(
        self,
        classes: Sequence[ClassName],
        columns: Sequence[str],
        order: Sequence[int] | None,
        missing: Missing | None,
        *,
        labelled: bool,
    ) -> ConfidenceRows:
        n, name = len(self.numbers), self.table.name
        labels = np.full(n, NOT_LABELLED) if self.labels is None else _codes(self.labels, classes)
        answers = None if self.answers is None else _codes(self.answers, classes)
        gone = np.zeros(n, dtype=bool)
        needed = [("label", labels)] if labelled else []
        for part, codes in [*needed, *([("prediction", answers)] if answers is not None else [])]:
            empty = np.asarray(codes == NOT_LABELLED)
            if empty.any() and missing != "drop":
                raise MissingValueError(
                    f"{quantity(int(empty.sum()), f'missing {part}')} in {name}: {row_words(np.flatnonzero(empty))}. "
                    "Fill them in, or drop these rows with missing='drop' (--missing drop)."
                )
            gone |= empty
        finite = np.asarray(np.isfinite(self.numbers).all(axis=1))
        if not finite.all() and missing != "drop":
            raise ScoreError(
                f"No finite number in {not_finite(self.numbers[~finite], columns)} in "
                f"{quantity(int((~finite).sum()), 'row')} of {name}: {row_words(np.flatnonzero(~finite))}. "
                "Correct them, or drop these rows with missing='drop' (--missing drop)."
            )
        kept = finite & ~gone
        if not kept.any():
            raise MissingValueError(f"No row of {name} has all values that are needed. Fill them in.")
        numbers, labels = self.numbers[kept], labels[kept]
        if order is None:
            _check_confidence(np.where(finite, self.numbers[:, 0], 0.5), name, columns[0])
            assert answers is not None
            return ConfidenceRows(name, numbers[:, 0], answers[kept], labels, None, int((~kept).sum()))
        whole = np.where(finite[:, None], self.numbers, np.eye(1, len(columns)))
        shares, rounded = checked_probabilities(whole, columns, name)
        numbers = shares[kept][:, list(order)]
        codes = numbers.argmax(axis=1) if answers is None else answers[kept]
        sure = numbers[np.arange(len(codes)), codes]
        return ConfidenceRows(name, sure, codes, labels, numbers, int((~kept).sum()), rounded)


def _about(name: str, labels: Named) -> ClassName:
    """Return the class that a column of probabilities is about, written as the labels are."""
    for label in labels.names:
        if label is not None and spelt_alike(label, name):
            return label
    alike = as_kind_of(labels, Named(np.zeros(1, dtype=np.int64), tuple(canonical([name]))))
    if alike is None:
        example = next(label for label in labels.names if label is not None)
        raise ColumnError(
            f"The column of probabilities for {name!r} matches no class such as {example!r}. Rename or remove it."
        )
    return alike.names[0]


def _classes(read: Sequence[_ReadColumns], about: Sequence[ClassName] | None) -> tuple[ClassName, ...]:
    """List the classes: those of the columns of probabilities, or all that occur."""
    if about is not None and len(set(about)) < len(about):
        twice = next(name for name in about if about.count(name) > 1)
        raise ColumnError(f"Two columns of probabilities are for class {twice!r}. Keep one of them.")
    occur = [
        (name, item.table.name)
        for item in read
        for column in (item.labels, item.answers)
        if column is not None
        for name in column.names
        if name is not None
    ]
    if about is None:
        return ordered(dict.fromkeys(name for name, _ in occur))
    for name, where in occur:
        if name not in about:
            raise ClassError(
                f"No column of probabilities for class {name!r}, which occurs in {where}. There are columns for "
                f"{first_names(list(about), 20)}. Name each column by the prefix and the class."
            )
    return ordered(about)


def _codes(column: Named, classes: Sequence[ClassName]) -> Array:
    place = {identity(name): code for code, name in enumerate(classes)}
    codes = np.array([NOT_LABELLED if name is None else place[identity(name)] for name in column.names])
    return np.asarray(codes[column.codes])


def _check_confidence(values: FloatArray, where: str, column: str) -> None:
    outside = np.flatnonzero((values < 0) | (values > 1))
    if len(outside):
        raise ScoreError(
            f"Confidences must be between 0 and 1. Column {column!r} of {where} has other values in "
            f"{quantity(len(outside), 'row')}, first in row {outside[0] + 1} ({values[outside[0]]:g}). Pass "
            "probabilities of the predicted class."
        )
