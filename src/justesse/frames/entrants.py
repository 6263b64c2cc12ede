"""The answers of many classifiers to the same rows, beside labels and true classes: columns of a table, or files."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.codes import recoded
from justesse.core.errors import ClassError, ColumnError, InputError, MissingValueError, OptionError
from justesse.core.levels import check_levels, identity, ordered
from justesse.core.results import ClassName
from justesse.frames.answers import row_ids
from justesse.frames.columns import USUAL, check_column, guess_column
from justesse.frames.count import opened_once
from justesse.frames.rows import DuckRows, Rows
from justesse.frames.table import row_words
from justesse.frames.values import Named, check_kinds_meet, named, without_gaps

Array = NDArray[Any]
AT_ONCE = 4_000_000  # values fetched in one go, so that a thousand columns never are in memory as text together
OTHER_LABELS = re.compile(r"label[_ .-].*", re.IGNORECASE)  # versions that `noise inject` writes


@dataclass(frozen=True, eq=False)
class Entrants:
    """Codes of classes: one row of `answers` for each classifier, `labels` by their column, `true`.

    `difficulty` has a number for each row if a column was named; `kept` are the rows of the data, from 0, that are not
    left out; `ignored` are columns that hold something else than answers.
    """

    names: tuple[str, ...]
    answers: Array
    labels: Mapping[str, Array]
    true: Array
    classes: tuple[ClassName, ...]
    source: Sequence[Rows]
    true_column: str
    kept: Array
    difficulty: Array | None = None
    dropped: int = 0
    ignored: tuple[str, ...] = ()


def read_entrants(
    tables: Mapping[str, Any],
    *,
    true: str | None = None,
    label: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    on: str | None = None,
    prediction: str | None = None,
    difficulty: str | None = None,
    classes: Sequence[ClassName] | None = None,
    drop_missing: bool = False,
    as_text: bool = False,
) -> Entrants:
    """Take classifiers from the columns of one table, or from several tables by name, joined by the column `on`.

    `label` lists columns of labels, guessed if `None`; none are needed if it is empty. Without `models` every other
    column whose values are all classes of the labels or true classes is taken for a classifier.

    >>> columns = {"label": [0, 1, 1], "true": [0, 1, 0], "a": [0, 1, 1], "b": [1, 1, 0], "x": [7, 8, 9]}
    >>> found = read_entrants({"": columns})
    >>> found.names, found.answers.tolist(), found.ignored
    (('a', 'b'), [[0, 1, 1], [1, 1, 0]], ('x',))
    """
    first = opened_once(next(iter(tables.values())))
    where, columns = first[0].name, first[0].columns
    try:
        true_column = guess_column("true", columns, where, true)
    except ColumnError as error:
        raise ColumnError(f"a tournament needs the true classes, to know which decisions are right: {error}") from error
    wanted = [guess_column("label", columns, where, None)] if label is None else list(label)
    for name in wanted:
        check_column(columns, where, "label", name)
    if true_column in wanted:
        raise ColumnError(f"column {true_column!r} of {where} cannot be both a label and the true class")
    if difficulty is not None:
        check_column(columns, where, "difficulty", difficulty)
    base = dict(_named_columns(first, [*wanted, true_column], as_text))
    if not len(base[true_column].codes):
        raise InputError(f"{where} has no rows: only a header or an empty table; there is nothing to judge")
    answers: dict[str, Named]
    ignored: tuple[str, ...] = ()
    if len(tables) > 1:
        if models is not None:
            raise OptionError("models name columns of one table; with several tables each is one classifier")
        answers = _from_tables(tables, first, base, on=on, prediction=prediction, as_text=as_text)
    else:
        if prediction is not None:
            raise OptionError("prediction is for tables of one classifier each; in one table, models name its columns")
        if on is not None:
            check_column(columns, where, "on", on)
        taken = [*wanted, true_column, *(one for one in (on, difficulty) if one)]
        if models is None:
            answers, ignored = _looking_like_answers(first, base, taken, as_text)
        else:
            answers = _asked_for(first, models, taken, as_text)
    if len(answers) < 2:
        left = f"; these hold other values than classes: {', '.join(map(repr, ignored[:10]))}" if ignored else ""
        raise InputError(
            f"a tournament needs at least two classifiers; {where} has {len(answers)}"
            f"{f' ({next(iter(answers))!r})' if answers else ''}{left}. Name their columns with models=… (--models a,b)"
        )
    numbers = None if difficulty is None else _numbers(first, difficulty)
    return _coded(
        base, answers, wanted, true_column, first,
        classes=classes, difficulty=numbers, drop_missing=drop_missing, ignored=ignored,
    )  # fmt: skip


def _asked_for(first: Sequence[Rows], models: Sequence[str], taken: Sequence[str], as_text: bool) -> dict[str, Named]:
    if len(set(models)) < len(models):
        raise OptionError(f"each classifier is given once; got {list(models)!r}")
    for name in models:
        check_column(first[0].columns, first[0].name, "a model", name)
        if name in taken:
            raise ColumnError(f"column {name!r} of {first[0].name} cannot be a classifier and something else")
    return dict(_named_columns(first, models, as_text))


def _looking_like_answers(
    first: Sequence[Rows], base: Mapping[str, Named], taken: Sequence[str], as_text: bool
) -> tuple[dict[str, Named], tuple[str, ...]]:
    """Keep the columns whose values all are classes, as they are or as they are written."""
    known = {str(name) for column in base.values() for name in column.names if name is not None}
    others = [name for name in first[0].columns if name not in taken]
    rest = [name for name in others if name.lower() not in (*USUAL["label"], "id") and not OTHER_LABELS.fullmatch(name)]
    answers = {}
    for name, column in _named_columns(first, rest, as_text, skip=True):
        said = {str(int(x) if isinstance(x, float) else x) for x in column.names if x is not None}
        if said and said <= known:
            answers[name] = column
    return answers, tuple(name for name in others if name not in answers)


def _named_columns(
    tables: Sequence[Rows], columns: Sequence[str], as_text: bool, *, skip: bool = False
) -> Iterator[tuple[str, Named]]:
    """Fetch columns of classes, some at a time; with `skip`, pass over those that can be no classes."""
    columns = list(dict.fromkeys(columns))
    join: Any = np.ma.concatenate
    at_once = len(columns) if not isinstance(tables[0], DuckRows) else 1
    while columns:
        block, columns = columns[:at_once], columns[at_once:]
        try:
            parts = [table.arrays(block, []).keys for table in tables]
        except ClassError:
            if not skip:
                raise
            if len(block) > 1:  # find the column it is about
                for name in block:
                    yield from _named_columns(tables, [name], as_text, skip=True)
            continue
        for at, name in enumerate(block):
            values = parts[0][at] if len(parts) == 1 else join([part[at].astype(object) for part in parts])
            try:
                yield name, named(values, form=tables[0].form, column=name, as_text=as_text)
            except ClassError:
                if not skip:
                    raise
        at_once = max(at_once, AT_ONCE // max(1, sum(len(part[0]) for part in parts)))


def _from_tables(
    tables: Mapping[str, Any], first: Sequence[Rows], base: Mapping[str, Named], *,
    on: str | None, prediction: str | None, as_text: bool,
) -> dict[str, Named]:  # fmt: skip
    """Take one classifier from each table, its rows put in the order of the first."""
    if len(first) > 1:
        raise InputError("with several tables each is one file; name the files instead of a pattern")
    size = len(next(iter(base.values())).codes)
    own = None if on is None else _ids(first[0], on)
    found = {}
    for name, data in tables.items():
        rows = opened_once(data)[0]
        column = guess_column("prediction", rows.columns, rows.name, prediction)
        beside = [one for one in base if one in rows.columns]
        read = dict(_named_columns([rows], [column, *beside], as_text))
        order = _order(first[0], rows, own, on, size, len(read[column].codes))
        for one in beside:
            _check_labels(base[one], read[one], order, one, first[0].name, rows.name)
        if on is None and not beside:
            raise InputError(
                f"{rows.name} has no column {next(iter(base))!r} to check that its rows are in the order of "
                f"{first[0].name}; join them by an id with on=… (--on id)"
            )
        found[name] = Named(read[column].codes[order], read[column].names, read[column].had_gaps)
    return found


def _ids(rows: Rows, on: str) -> list[ClassName]:
    check_column(rows.columns, rows.name, "on", on)
    return row_ids(rows, on)


def _order(
    first: Rows, rows: Rows, own: Sequence[ClassName] | None, on: str | None, size: int, theirs: int
) -> Array | slice:
    """Say where the rows of the first table are in another."""
    if own is None or on is None:
        if theirs != size:
            raise InputError(
                f"{first.name} has {size:,} rows and {rows.name} {theirs:,}: rows can only be taken in order if there "
                "are equally many; join them by an id with on=… (--on id)"
            )
        return slice(None)
    there = {one: row for row, one in enumerate(_ids(rows, on))}
    mine = set(own)
    for absent, where in (([x for x in own if x not in there], rows), ([x for x in there if x not in mine], first)):
        if absent:
            raise InputError(
                f"{len(absent):,} rows are not in {where.name}, such as {on!r} {absent[0]!r}: all classifiers must "
                "answer the same rows; complete the files, or leave those rows out of all"
            )
    return np.array([there[one] for one in own])


def _check_labels(mine: Named, theirs: Named, order: Array | slice, column: str, one: str, other: str) -> None:
    names = [np.array([str(name) for name in part.names], dtype=object) for part in (mine, theirs)]
    differ = np.flatnonzero(names[0][mine.codes] != names[1][theirs.codes[order]])
    if len(differ):
        raise InputError(
            f"{column!r} differs between {one} and {other} in {len(differ):,} rows ({row_words(differ)} of the first): "
            "all classifiers must be judged against the same labels; mend them, or join the rows by an id with on=… "
            "(--on id)"
        )


def _numbers(first: Sequence[Rows], column: str) -> Array:
    values = np.concatenate([rows.arrays([], [column]).numbers[:, 0] for rows in first])
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(f"the difficulty in column {column!r} must be a number; it is not in {row_words(bad)}")
    return values


def _coded(
    base: Mapping[str, Named], answers: Mapping[str, Named], label: Sequence[str], true: str, first: Sequence[Rows], *,
    classes: Sequence[ClassName] | None, difficulty: Array | None, drop_missing: bool, ignored: tuple[str, ...],
) -> Entrants:  # fmt: skip
    every = {**base, **answers}
    gone = np.any([column.missing for column in every.values()], axis=0)
    if gone.any() and not drop_missing:
        which = ", ".join(repr(name) for name, column in every.items() if column.missing.any())
        raise MissingValueError(
            f"{int(gone.sum()):,} rows of {first[0].name} lack a label, a true class or an answer: "
            f"{row_words(np.flatnonzero(gone))}, columns {which[:200]}. Fill them in, or pass drop_missing "
            "(--drop-missing) to leave those rows out"
        )
    if gone.all():
        raise MissingValueError(f"every row of {first[0].name} lacks a value; nothing is left to judge")
    whole = without_gaps(every)
    check_kinds_meet(whole)
    seen = {identity(name): name for column in whole.values() for name in column.names if name is not None}
    target = check_levels("label", ordered(seen.values()) if classes is None else list(classes))
    if strangers := [name for key, name in seen.items() if key not in {identity(one) for one in target}]:
        raise ClassError(f"{strangers[0]!r} occurs in {first[0].name} but not among the classes {list(target)!r}")
    kind = np.min_scalar_type(len(target))

    def codes(column: Named) -> Array:
        names = [target[0] if name is None else name for name in column.names]
        return np.asarray(recoded(names, target)[column.codes][~gone], dtype=kind)

    bases = {name: codes(whole[name]) for name in base}
    matrix = np.array([codes(whole[name]) for name in answers])
    occur = np.unique(bases[true])
    for name, row in zip(answers, matrix, strict=True):
        if classes is None and len(occur) > 1 and not np.isin(row, occur).any():
            raise ClassError(
                f"{name!r} never answers with a true class: it answers {target[int(row[0])]!r}, and the true classes "
                f"are {', '.join(repr(target[code]) for code in occur[:5])}; write both in the same way"
            )
    return Entrants(
        tuple(answers), matrix, {name: bases[name] for name in label}, bases[true], target, first, true,
        np.flatnonzero(~gone), None if difficulty is None else difficulty[~gone], int(gone.sum()), ignored,
    )  # fmt: skip
