"""Scores and probabilities of rows, checked, as arrays; or counted in bins where rows are too many for memory."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ClassError, ColumnError, MissingValueError, OptionError, ScoreError, WeightError
from justesse.core.first_names import first_names
from justesse.core.levels import merged, native, ordered, spelt_alike
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.columns import check_column, guess_label
from justesse.frames.count_checks import LABELS_ADVICE
from justesse.frames.rounded_probabilities import RoundedSums, normalised, row_number
from justesse.frames.rows import Rows
from justesse.frames.table import row_words
from justesse.frames.values import Named, named

LARGEST = 1e70  # the fourth power of a larger number, which intervals need, may not be a number


@dataclass(frozen=True)
class ScoreRows:
    """A label and one score per class (or one score in all) for every row; `slices` holds codes and names by column."""

    classes: tuple[ClassName, ...]
    labels: NDArray[np.int64]
    scores: Array  # rows × columns
    columns: tuple[ClassName, ...]  # the class each column of scores is about
    weights: Array | None = None
    dropped: int = 0
    slices: Mapping[str, tuple[NDArray[np.int64], tuple[ClassName, ...]]] = field(default_factory=dict)
    rounded: RoundedSums | None = None
    clusters: tuple[NDArray[np.int64], tuple[ClassName, ...]] | None = None  # codes and names, if rows come in clusters

    def of_slice(self, column: str, value: ClassName) -> NDArray[np.bool_]:
        """Mark the rows with one value of a column of slices; names may be spelt as another reader does."""
        codes, names = self.slices[column]
        same = [at for at, name in enumerate(names) if name is value or (name is not None and spelt_alike(name, value))]
        return np.isin(codes, same)

    @property
    def n(self) -> int:
        return len(self.labels)

    @property
    def positive(self) -> ClassName:
        """The class the scores are about, `None` if they are about several."""
        return self.columns[0] if len(self.columns) == 1 else None


def read_scores(
    tables: Sequence[Rows],
    *,
    label: str | None,
    score: str | None,
    proba: str | None,
    weight: str | None,
    positive: ClassName,
    drop_labels: bool,
    as_text: bool,
    by: Sequence[str] = (),
    cluster: str | None = None,
) -> ScoreRows:
    """Read labels with a column of scores, or with the columns of probabilities whose names start alike.

    Parameters
    ----------
    tables
        Tables to read, one after the other.
    label
        Column with labels. Default: guessed.
    score
        Column with the scores of one class.
    proba
        Start of the names of the columns with probabilities, such as `proba_`.
    weight
        Column with weights.
    positive
        The class that the scores are about.
    drop_labels
        Whether to leave out rows without a label.
    as_text
        Whether to compare classes as text.
    by
        Columns to slice by.
    cluster
        Column with the cluster of each row.
    """
    first = tables[0]
    label_column = guess_label(first.columns, first.name, label)
    score_columns = _columns(first, score, proba)
    numeric = [*score_columns, *([weight] if weight else [])]
    if cluster is not None and cluster in (label_column, *numeric):
        raise ColumnError(
            f"Column {cluster!r} holds labels, scores or weights and cannot name the clusters. Name another column "
            "with cluster=… (--cluster)."
        )
    further = [*by, *([cluster] if cluster else [])]
    for table in tables:
        absent = [name for name in [label_column, *numeric, *further] if name not in table.columns]
        if absent:
            raise ColumnError(
                f"Column {absent[0]!r} not found in {table.name}. "
                f"Columns: {', '.join(map(repr, table.columns[:20]))}. Name another column."
            )
    parts = [table.arrays([label_column, *further], numeric) for table in tables]
    labels, *sliced = (
        named(
            _joined([part.keys[at] for part in parts]),
            form=first.form,
            column=column,
            as_text=as_text or column == cluster,
        )
        for at, column in enumerate([label_column, *further])
    )
    gone = labels.missing
    at = 0
    for table, part in zip(tables, parts, strict=True):
        unlabelled = gone[at : at + len(part.numbers)]
        at += len(part.numbers)
        if unlabelled.any() and not drop_labels:
            raise MissingValueError(
                f"{quantity(int(gone.sum()), 'missing label')} in column {label_column!r}, first in "
                f"{row_words(np.flatnonzero(unlabelled))} of {table.name}. {LABELS_ADVICE}"
            )
        _check_finite(part.numbers[:, : len(score_columns)], score_columns, table.name, ~unlabelled)
        if weight:
            check_weights(part.numbers[:, -1], f"Column {weight!r} of {table.name}")
    kept = ~gone
    numbers = np.concatenate([part.numbers for part in parts])[kept]
    result = arranged(
        _used(labels, kept),
        numbers[:, : len(score_columns)],
        score_columns if score else [name.removeprefix(proba or "") for name in score_columns],
        positive=positive,
        several=score is None,
        weights=numbers[:, -1] if weight else None,
        dropped=int(gone.sum()),
        where=first.name if len(tables) == 1 else "",
        places=np.flatnonzero(kept),
    )
    slices = {column: (values.codes[kept], values.names) for column, values in zip(by, sliced, strict=False)}
    clusters = (sliced[-1].codes[kept], sliced[-1].names) if cluster else None
    return replace(result, slices=slices, clusters=clusters)


def _joined(parts: Sequence[Array]) -> Array:
    if len(parts) == 1:
        return parts[0]
    join: Any = np.ma.concatenate
    return np.asanyarray(join([part.astype(object) for part in parts]))


def check_weights(weights: Array, where: str) -> None:
    """Refuse weights that are not numbers from 0 up, or all 0."""
    bad = ~((weights == 0) | ((weights >= 1e-100) & (weights <= 1e100)))
    if bad.any():
        row = int(bad.argmax())
        raise WeightError(
            f"Weights must be numbers from 0 up. {where} has other values in {quantity(int(bad.sum()), 'row')} "
            f"(row {row + 1}: {weights[row]:g}). Correct them."
        )
    if not weights.sum() > 0:
        raise WeightError(f"{where} adds up to 0. At least one row needs a weight above 0.")


def arranged(
    labels: tuple[NDArray[np.int64], tuple[ClassName, ...]],
    scores: Array,
    names: Sequence[Any],
    *,
    positive: ClassName,
    several: bool,
    weights: Array | None = None,
    dropped: int = 0,
    where: str = "",
    places: Array | None = None,
) -> ScoreRows:
    """Put columns of scores and classes together.

    Parameters
    ----------
    labels
        Code of each row's label, and the names that the codes stand for.
    scores
        Scores, one column per class.
    names
        Names of the columns.
    positive
        The class that the scores are about.
    several
        Whether each class has a column.
    weights
        Weight of each row.
    dropped
        Number of rows left out before.
    where
        Name of the table, for messages.
    places
        Place of each row in the table. Default: none was left out.
    """
    codes, result = labels
    if not several:
        classes = ordered(result)
        chosen = find_positive(positive, classes)
        return ScoreRows(classes, _recoded(codes, result, classes), scores, (chosen,), weights, dropped)
    columns = tuple(next((c for c in result if spelt_alike(c, name)), name) for name in names)
    without = [c for c in result if c not in columns]
    if without:
        first = np.flatnonzero(codes == result.index(without[0]))[:1]
        raise ColumnError(
            f"No column of probabilities for class {without[0]!r}{f' in {where}' if where else ''}, which is the label "
            f"first in {row_words(first if places is None else places[first])}. There are columns for "
            f"{', '.join(map(str, names))}. Correct the label, or add the column, named by the prefix and the class."
        )
    columns = tuple(_like(column, result[0]) for column in columns)
    repeated = [column for column in columns if columns.count(column) > 1]
    if repeated:
        raise ColumnError(f"Two columns of probabilities are for class {repeated[0]!r}. Keep one of them.")
    scores, rounded = checked_probabilities(scores, names, where, places=places)
    classes = merged(ordered(result), ordered(columns))
    order = [columns.index(name) for name in classes]
    labelled = _recoded(codes, result, classes)
    return ScoreRows(classes, labelled, scores[:, order], classes, weights, dropped, rounded=rounded)


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(text)
    return text.lower() == "true"


def _like(name: Any, example: ClassName) -> ClassName:
    """Read the class in a column's name as the labels are: `proba_7` is about 7 where labels are integers."""
    if type(name) is type(example):
        return native(name)
    try:
        readers: dict[type, Callable[[str], ClassName]] = {
            bool: _boolean,
            int: int,
            float: float,
        }
        return readers.get(type(example), str)(str(name))
    except ValueError as error:
        raise ColumnError(
            f"The column of probabilities for {name!r} matches no class such as {example!r}. Rename or remove it."
        ) from error


def _columns(table: Rows, score: str | None, proba: str | None) -> list[str]:
    if score is not None:
        return [check_column(table.columns, table.name, "score", score)]
    return probability_columns(table, proba or "")


def probability_columns(table: Rows, proba: str) -> list[str]:
    """Find the columns with probabilities: those whose names start alike, two at least."""
    results = [name for name in table.columns if name.startswith(proba) and name != proba]
    if len(results) < 2:
        known = ", ".join(map(repr, table.columns[:20]))
        raise ColumnError(
            f"Too few columns of probabilities in {table.name}: each class needs one, named {proba}<class>. "
            f"Columns: {known}."
        )
    return results


def _used(labels: Named, kept: NDArray[np.bool_]) -> tuple[NDArray[np.int64], tuple[ClassName, ...]]:
    if kept.all() and len(labels.names):
        return labels.codes, labels.names
    used, codes = np.unique(labels.codes[kept], return_inverse=True)
    if not len(used):
        raise MissingValueError(
            "Every row lacks a label, so nothing is left to evaluate. Fill in the labels, or name another "
            "column with label=… (--label)."
        )
    return codes.astype(np.int64), tuple(labels.names[code] for code in used)


def _recoded(codes: NDArray[np.int64], names: Sequence[ClassName], classes: Sequence[ClassName]) -> NDArray[np.int64]:
    return np.array([classes.index(name) for name in names], dtype=np.int64)[codes]


def find_positive(positive: ClassName, classes: Sequence[ClassName]) -> ClassName:
    """Find the class scores are about: the one named, or 1 or true of two."""
    if positive is not None:
        for name in classes:
            if spelt_alike(name, positive):
                return name
        raise OptionError(
            f"The positive class {positive!r} does not occur among the labels: "
            f"{', '.join(map(repr, classes[:20]))}. Name one of them with positive=… (--positive)."
        )
    for natural in (1, True):
        if any(name == natural and not isinstance(name, str) for name in classes) and len(classes) <= 2:
            return next(name for name in classes if name == natural)
    raise OptionError(
        f"Scores need a positive class. Name it with positive=… (--positive). Classes: "
        f"{', '.join(map(repr, classes[:20]))}."
    )


def _check_finite(scores: Array, columns: Sequence[str], where: str, kept: NDArray[np.bool_]) -> None:
    bad = ~np.isfinite(scores).all(axis=1) & kept
    if bad.any():
        raise ScoreError(
            f"No finite number in {not_finite(scores[bad], columns)} in {quantity(int(bad.sum()), 'row')} "
            f"of {where}: {row_words(np.flatnonzero(bad))}. Correct or remove {'it' if bad.sum() == 1 else 'them'}."
        )
    check_not_huge(np.where(kept[:, None], scores, 0.0), where)


def not_finite(numbers: Array, columns: Sequence[str]) -> str:
    """Name the columns that have such numbers, five at most.

    >>> not_finite(np.array([[0.5, np.nan, 0.5], [0.5, np.inf, 0.5]]), ["p_a", "p_b", "p_c"])
    "'p_b'"
    """
    whole = np.atleast_1d(np.isfinite(numbers).all(axis=0))
    return first_names([name for name, finite in zip(columns, whole, strict=True) if not finite], 5)


def check_not_huge(numbers: Array, where: str) -> None:
    """Refuse numbers whose powers cannot be added up.

    >>> check_not_huge(np.array([[1.0], [-1e200]]), "a.csv")
    Traceback (most recent call last):
    justesse.core.errors.ScoreError: a.csv, row 2: -1e+200 is beyond ±1e+70; give the numbers in a larger unit
    """
    beyond = np.abs(numbers) > LARGEST
    if beyond.any():
        row = int(beyond.any(axis=1).argmax())
        value = numbers[row][beyond[row]][0]
        raise ScoreError(
            f"Row {row + 1} of {where}: {value:g} is beyond ±{LARGEST:g}. Give the numbers in a larger unit."
        )


def checked_probabilities(
    scores: FloatArray, names: Sequence[Any], where: str = "", *, places: Array | None = None
) -> tuple[FloatArray, RoundedSums | None]:
    """Return probabilities that add up to 1, and how they were rounded; refuse those outside 0 to 1.

    Parameters
    ----------
    scores
        Probabilities, rows × classes, all finite.
    names
        Names of the columns.
    where
        Name of the table.
    places
        Place of each row in the table. Default: none was left out.

    >>> checked_probabilities(np.array([[0.5, -0.5]]), ["a", "b"], "test.csv")
    Traceback (most recent call last):
    justesse.core.errors.ScoreError: Probabilities must be between 0 and 1. Other values in 1 row of test.csv, first ...
    """
    outside = np.flatnonzero(((scores < 0) | (scores > 1)).any(axis=1))
    if len(outside):
        row = outside[0]
        worst = scores[row][np.argmax(np.abs(scores[row] - 0.5))]
        raise ScoreError(
            f"Probabilities must be between 0 and 1. Other values in {quantity(len(outside), 'row')}"
            f"{f' of {where}' if where else ''}, first in row {row_number(row, places)} ({worst:g}). "
            "Pass probabilities; justesse evaluate --score takes scores of one class."
        )
    return normalised(scores, names, where, places=places)


def labels_of(values: Any, name: str = "label") -> tuple[NDArray[np.int64], tuple[ClassName, ...]]:
    """Code an array of labels as a file's column would be."""
    from justesse.frames.memory import from_arrays

    raw = from_arrays({name: values}).arrays([name], []).keys[0]
    result = named(raw, form="typed", column=name)
    if result.missing.any():
        raise MissingValueError(f"{quantity(int(result.missing.sum()), 'label')} missing. Leave those rows out first.")
    if len(result.codes) == 0:
        raise ClassError("No rows to evaluate. Pass at least one.")
    return _used(result, ~result.missing)
