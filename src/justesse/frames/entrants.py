"""The answers of many classifiers to the same rows, beside labels and true classes: columns of a table, or files."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.errors import ClassError, ColumnError, InputError, OptionError
from justesse.core.levels import KINDS
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.answers import row_ids
from justesse.frames.any_of import split_set
from justesse.frames.columns import USUAL, check_column, guess_column
from justesse.frames.count import opened_once
from justesse.frames.entrant_codes import Entrants, coded_entrants
from justesse.frames.rows import DuckRows, Rows, no_rows
from justesse.frames.table import row_words
from justesse.frames.values import Named, named

AT_ONCE = 4_000_000  # values fetched in one go, so that a thousand columns never are in memory as text together
ASSESSED = ("row", "repetition", "fold")  # columns beside the predictions that assess writes
OTHER_LABELS = re.compile(r"label[_ .-].*", re.IGNORECASE)  # versions that `noise inject` writes


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
    policy: AnswerPolicy = REFUSE,
    as_text: bool = False,
    beside: Sequence[str] = (),
    needs_true: bool = True,
    free: bool = False,
) -> Entrants:
    """Take classifiers from the columns of one table, or from several tables by name, joined by the column `on`.

    Parameters
    ----------
    tables
        Tables by name; one table may have all classifiers.
    true
        Column with the true classes.
    label
        Columns with labels. Default: guessed. No labels are needed if the list is empty.
    models
        Columns with classifiers. Default: every other column in which at least half of the values (95 % if classes
        are numbers) are classes of the labels or true classes.
    on
        Column with ids, to join several tables.
    prediction
        Column with the predictions, if there are several tables.
    difficulty
        Column with the difficulty of each row.
    classes
        List of classes. Default: those of the labels.
    policy
        What to do with missing answers.
    as_text
        Whether to compare classes as text.
    beside
        Columns that are no classifiers, such as clusters or tasks.
    needs_true
        Whether true classes are needed. If not, and there are none, the labels count as true.
    free
        Whether answers may be free text, which no label need be.

    Examples
    --------
    >>> columns = {"label": [0, 1, 1], "true": [0, 1, 0], "a": [0, 1, 1], "b": [1, 1, 0], "x": [7, 8, 9]}
    >>> result = read_entrants({"": columns})
    >>> result.names, result.answers.tolist(), result.ignored
    (('a', 'b'), [[0, 1, 1], [1, 1, 0]], ('x',))
    """
    first = opened_once(next(iter(tables.values())))
    where, columns = first[0].name, first[0].columns
    for name in beside:
        check_column(columns, where, "cluster or task", name)
    try:
        true_column = guess_column("true", columns, where, true)
    except ColumnError as error:
        if not needs_true and true is None and label != []:
            true_column = guess_column("label", columns, where, None) if label is None else label[0]
        else:
            raise _needs_truth(error) from error
    label_columns = [guess_column("label", columns, where, None)] if label is None else list(label)
    for name in label_columns:
        check_column(columns, where, "label", name)
    if needs_true and true_column in label_columns:
        raise ColumnError(
            f"Column {true_column!r} of {where} cannot be both a label and the true class. To make some of them wrong, "
            "add noise_rates=… (--noise-rates 0.05)."
        )
    if difficulty is not None:
        check_column(columns, where, "difficulty", difficulty)
    base = dict(_named_columns(first, [*label_columns, true_column], as_text))
    if not len(base[true_column].codes):
        raise no_rows(where)
    answers: dict[str, Named]
    ignored: tuple[str, ...] = ()
    if len(tables) > 1:
        if models is not None:
            raise OptionError(
                "With several tables each is one classifier, so models=… (--model) cannot be used. Leave it out."
            )
        answers = _from_tables(tables, first, base, on=on, prediction=prediction, as_text=as_text)
    else:
        if prediction is not None:
            raise OptionError(
                "With one table, name the columns of the classifiers with models=… (--model), not with "
                "prediction=… (--prediction)."
            )
        if on is not None:
            check_column(columns, where, "on", on)
        taken = [*label_columns, true_column, *beside, *(item for item in (on, difficulty) if item)]
        if models is None:
            answers, ignored = _looking_like_answers(first, base, taken, as_text, policy.any_of)
        else:
            answers = _asked_for(first, models, taken, as_text)
    if len(answers) < 2:
        left = f". Columns with other values than classes: {', '.join(map(repr, ignored[:10]))}" if ignored else ""
        raise InputError(
            f"A comparison of many needs at least two classifiers; got {len(answers)}"
            f"{f' ({next(iter(answers))!r})' if answers else ''} from {where}{left}. Name their columns with models=… "
            "(--model a,b)."
        )
    numbers = None if difficulty is None else _numbers(first, difficulty)
    return coded_entrants(
        base, answers, label_columns, true_column, first,
        classes=classes, difficulty=numbers, policy=policy, ignored=ignored, free=free,
    )  # fmt: skip


def _needs_truth(error: ColumnError) -> ColumnError:
    return ColumnError(
        f"Judges need the true classes. {error} If the labels are right, take them as true classes and make "
        "some wrong with noise_rates=… (--true label --noise-rates 0.05)."
    )


def _asked_for(tables: Sequence[Rows], models: Sequence[str], taken: Sequence[str], as_text: bool) -> dict[str, Named]:
    if len(set(models)) < len(models):
        raise OptionError(f"Name each classifier once; got {', '.join(map(repr, models))}.")
    for name in models:
        check_column(tables[0].columns, tables[0].name, "a model", name)
        if name in taken:
            raise ColumnError(
                f"Column {name!r} of {tables[0].name} cannot be a classifier and have another role. Leave it out of "
                "models=… (--model)."
            )
    return dict(_named_columns(tables, models, as_text))


def _looking_like_answers(
    tables: Sequence[Rows], base: Mapping[str, Named], taken: Sequence[str], as_text: bool, any_of: str | None
) -> tuple[dict[str, Named], tuple[str, ...]]:
    """Keep the columns whose values are classes, as they are or as they are written, but for a few stray answers."""
    known = {
        part
        for column in base.values()
        for name in column.names
        if name is not None
        for part in (split_set(str(name), any_of) if any_of else (str(name),))
    }
    others = [name for name in tables[0].columns if name not in taken]
    no_answers = (*USUAL["label"], *USUAL["true"], "id", *(ASSESSED if {*ASSESSED} <= {*others} else ()))
    rest = [name for name in others if name.lower() not in no_answers and not OTHER_LABELS.fullmatch(name)]
    answers = {}
    for name, column in _named_columns(tables, rest, as_text, skip=True):
        is_class = np.array([str(int(x) if isinstance(x, float) else x) in known for x in column.names], dtype=bool)
        present = ~column.missing
        enough = 0.5 if column.kind == KINDS[str] else 0.95  # a column of numbers may be a count or a measurement
        if present.any() and is_class[column.codes[present]].mean() >= enough:
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
        raise InputError("With several tables each must be one file. Name the files instead of a pattern.")
    size = len(next(iter(base.values())).codes)
    own = None if on is None else _ids(first[0], on)
    result = {}
    for name, data in tables.items():
        rows = opened_once(data)[0]
        column = guess_column("prediction", rows.columns, rows.name, prediction)
        beside = [entry for entry in base if entry in rows.columns]
        read = dict(_named_columns([rows], [column, *beside], as_text))
        order = _order(first[0], rows, own, on, size, len(read[column].codes))
        for item in beside:
            _check_labels(base[item], read[item], order, item, first[0].name, rows.name)
        if on is None and not beside:
            raise InputError(
                f"No column {next(iter(base))!r} in {rows.name}, so nothing shows that its rows are in the order "
                f"of {first[0].name}. Join them by an id with on=… (--on id)."
            )
        result[name] = Named(read[column].codes[order], read[column].names, read[column].had_gaps)
    return result


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
                f"Different numbers of rows: {size:,} in {first.name}, {theirs:,} in {rows.name}. Join them by an "
                "id with on=… (--on id)."
            )
        return slice(None)
    row_of = {name: row for row, name in enumerate(_ids(rows, on))}
    mine = set(own)
    for absent, where in (([x for x in own if x not in row_of], rows), ([x for x in row_of if x not in mine], first)):
        if absent:
            raise InputError(
                f"{quantity(len(absent), 'row')} not found in {where.name}, such as {on} {absent[0]!r}. All "
                "classifiers must answer the same rows: add the missing ones, or remove them from all files."
            )
    return np.array([row_of[name] for name in own])


def _check_labels(mine: Named, theirs: Named, order: Array | slice, column: str, first: str, other: str) -> None:
    names = [np.array([str(name) for name in part.names], dtype=object) for part in (mine, theirs)]
    differ = np.flatnonzero(names[0][mine.codes] != names[1][theirs.codes[order]])
    if len(differ):
        remedy = ", or join the rows by an id with on=… (--on id)" if isinstance(order, slice) else ""
        raise InputError(
            f"Column {column!r} differs between {first} and {other} in {quantity(len(differ), 'row')} "
            f"({row_words(differ)} of {first}). All files need the same labels. Correct them{remedy}."
        )


def _numbers(tables: Sequence[Rows], column: str) -> Array:
    values = np.concatenate([rows.arrays([], [column]).numbers[:, 0] for rows in tables])
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(f"Difficulties must be numbers. Correct {row_words(bad)} of column {column!r}.")
    return values
