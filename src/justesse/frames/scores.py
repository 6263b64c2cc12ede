"""Scores and probabilities of rows, checked, as arrays; or counted in bins where rows are too many for memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import ClassError, ColumnError, MissingValueError, OptionError, ScoreError
from justesse.core.levels import merged, native, ordered, spelt_alike
from justesse.core.results import ClassName
from justesse.frames.columns import guess_label
from justesse.frames.rows import Rows
from justesse.frames.values import Named, named

Array = NDArray[Any]
SHOWN = 5
OFF_BY = 1e-4  # how far the probabilities of a row may be from adding up to one


@dataclass(frozen=True)
class ScoreRows:
    """A label and one score per class (or one score in all) for every row."""

    classes: tuple[ClassName, ...]
    labels: NDArray[np.int64]
    scores: Array  # rows × columns
    columns: tuple[ClassName, ...]  # the class each column of scores is about
    weights: Array | None = None
    dropped: int = 0


def read_scores(
    tables: Sequence[Rows],
    *,
    label: str | None,
    score: str | None,
    proba: str | None,
    weight: str | None,
    positive: ClassName,
    drop_missing: bool,
    as_text: bool,
) -> ScoreRows:
    """Read labels with a column of scores, or with the columns of probabilities whose names start alike."""
    first = tables[0]
    label_column = guess_label(first.columns, first.name, label)
    wanted = _columns(first, score, proba)
    parts = [table.arrays([label_column], [*wanted, *([weight] if weight else [])]) for table in tables]
    raw = np.ma.concatenate([part.keys[0].astype(object) for part in parts])  # type: ignore[no-untyped-call]
    numbers = np.concatenate([part.numbers for part in parts])
    labels = named(raw if len(parts) > 1 else parts[0].keys[0], form=first.form, column=label_column, as_text=as_text)
    gone = labels.missing
    if gone.any() and not drop_missing:
        rows = ", ".join(str(at + 1) for at in np.flatnonzero(gone)[:SHOWN])
        raise MissingValueError(
            f"{gone.sum():,} missing values in {label_column!r} of {first.name}, the first in rows {rows}. "
            "Fill them in, or pass drop_missing (--drop-missing) to leave those rows out"
        )
    kept = ~gone
    scores, weights = numbers[kept, : len(wanted)], numbers[kept, -1] if weight else None
    _check_finite(scores, wanted, first.name, kept)
    return arranged(
        _used(labels, kept),
        scores,
        wanted if score else [name.removeprefix(proba or "") for name in wanted],
        positive=positive,
        several=score is None,
        weights=weights,
        dropped=int(gone.sum()),
    )


def arranged(
    labels: tuple[NDArray[np.int64], tuple[ClassName, ...]],
    scores: Array,
    names: Sequence[Any],
    *,
    positive: ClassName,
    several: bool,
    weights: Array | None = None,
    dropped: int = 0,
) -> ScoreRows:
    """Put columns of scores and classes together."""
    codes, found = labels
    if not several:
        classes = ordered(found)
        chosen = find_positive(positive, classes)
        return ScoreRows(classes, _recoded(codes, found, classes), scores, (chosen,), weights, dropped)
    columns = tuple(next((c for c in found if spelt_alike(c, name)), name) for name in names)
    without = [c for c in found if c not in columns]
    if without:
        raise ColumnError(
            f"no column of probabilities is about the class {without[0]!r}; there are columns for "
            f"{', '.join(map(str, names))}: name them by the prefix and the class"
        )
    columns = tuple(_like(column, found[0]) for column in columns)
    _check_probabilities(scores, names)
    classes = merged(ordered(found), ordered(columns))
    order = [columns.index(name) for name in classes]
    return ScoreRows(classes, _recoded(codes, found, classes), scores[:, order], classes, weights, dropped)


def _like(name: Any, example: ClassName) -> ClassName:
    """Read the class in a column's name as the labels are: `proba_7` is about 7 where labels are integers."""
    if type(name) is type(example):
        return native(name)
    try:
        readers: dict[type, Callable[[str], ClassName]] = {
            bool: lambda text: text.lower() == "true",
            int: int,
            float: float,
        }
        return readers.get(type(example), str)(str(name))
    except ValueError as error:
        raise ColumnError(f"the column of probabilities for {name!r} is about no class such as {example!r}") from error


def _columns(table: Rows, score: str | None, proba: str | None) -> list[str]:
    known = f"it has {', '.join(map(repr, table.columns[:20]))}"
    if score is not None:
        if score not in table.columns:
            raise ColumnError(f"{table.name} has no column {score!r}, asked for as score; {known}")
        return [score]
    found = [name for name in table.columns if name.startswith(proba or "") and name != proba]
    if len(found) < 2:
        raise ColumnError(f"{table.name} needs one column of probabilities per class, named {proba}<class>; {known}")
    return found


def _used(labels: Named, kept: NDArray[np.bool_]) -> tuple[NDArray[np.int64], tuple[ClassName, ...]]:
    if kept.all() and len(labels.names):
        return labels.codes, labels.names
    used, codes = np.unique(labels.codes[kept], return_inverse=True)
    if not len(used):
        raise MissingValueError("every row lacks a label; nothing is left to evaluate")
    return codes.astype(np.int64), tuple(labels.names[code] for code in used)


def _recoded(codes: NDArray[np.int64], found: Sequence[ClassName], classes: Sequence[ClassName]) -> NDArray[np.int64]:
    return np.array([classes.index(name) for name in found], dtype=np.int64)[codes]


def find_positive(positive: ClassName, classes: Sequence[ClassName]) -> ClassName:
    """Find the class scores are about: the one named, or 1 or true of two."""
    if positive is not None:
        for name in classes:
            if spelt_alike(name, positive):
                return name
        raise OptionError(
            f"the positive class {positive!r} does not occur among the labels: {', '.join(map(repr, classes[:20]))}"
        )
    for natural in (1, True):
        if any(name == natural and not isinstance(name, str) for name in classes) and len(classes) <= 2:
            return next(name for name in classes if name == natural)
    raise OptionError(
        f"scores are about one class: say which with positive=… (--positive); the classes are "
        f"{', '.join(map(repr, classes[:20]))}"
    )


def _check_finite(scores: Array, columns: Sequence[str], where: str, kept: NDArray[np.bool_]) -> None:
    bad = ~np.isfinite(scores).all(axis=1)
    if bad.any():
        rows = ", ".join(str(row + 1) for row in np.flatnonzero(kept)[np.flatnonzero(bad)[:SHOWN]])
        raise ScoreError(
            f"{bad.sum():,} rows of {where} have no finite number in {', '.join(map(repr, columns[:5]))}, the first in "
            f"rows {rows}; mend or remove them"
        )


def _check_probabilities(scores: Array, names: Sequence[Any]) -> None:
    outside = np.flatnonzero(((scores < 0) | (scores > 1)).any(axis=1))
    if len(outside):
        row = outside[0]
        worst = scores[row][np.argmax(np.abs(scores[row] - 0.5))]
        raise ScoreError(
            f"{len(outside):,} rows have probabilities outside [0, 1], the first row {row + 1} with {worst:g}: "
            "give probabilities, or scores of one class with score=… (--score)"
        )
    off = np.abs(scores.sum(axis=1) - 1)
    if len(off) and off.max() > OFF_BY:
        rows = np.flatnonzero(off > OFF_BY)
        raise ScoreError(
            f"the probabilities of {len(rows):,} rows do not add up to 1, by up to {off.max():.4g} (row "
            f"{int(off.argmax()) + 1}); the first is row {rows[0] + 1}. Is a column missing? There are {list(names)!r}"
        )


def labels_of(values: Any, name: str = "label") -> tuple[NDArray[np.int64], tuple[ClassName, ...]]:
    """Code an array of labels as a file's column would be."""
    from justesse.frames.memory import from_arrays

    raw = from_arrays({name: values}).arrays([name], []).keys[0]
    found = named(raw, form="typed", column=name)
    if found.missing.any():
        raise MissingValueError(f"{found.missing.sum():,} labels are missing; leave those rows out first")
    if len(found.codes) == 0:
        raise ClassError("there are no rows; nothing to evaluate")
    return _used(found, ~found.missing)
