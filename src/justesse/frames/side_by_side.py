"""Answers of several classifiers to the same rows, without labels: tables joined by an id, or columns of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.arrays import Array
from justesse.core.choices import Missing
from justesse.core.errors import ColumnError, InputError, MissingValueError, OptionError
from justesse.core.first_names import first_names
from justesse.core.levels import identity, merged, ordered
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.columns import check_column, guess_column
from justesse.frames.item_classes import named_items
from justesse.frames.kinds import as_kind_of
from justesse.frames.predicted_items import IDS
from justesse.frames.rows import Rows, no_rows
from justesse.frames.table import one_table, row_words
from justesse.frames.values import Named, named


@dataclass(frozen=True)
class AnswerColumn:
    """Where the answers of one classifier are: its name, its table, and the column. Default: the usual names."""

    name: str
    data: Any
    column: str | None = None


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Counted answers, how they were found, and the answers again on rows that have a label.

    Parameters
    ----------
    patterns
        The answers, counted.
    columns
        Column of each classifier.
    on
        Column with the ids, if there are several tables.
    unmatched
        Rows left out because another table lacks their id.
    dropped
        Rows left out because an answer is missing.
    labelled
        Answers and label of the rows that have a label, the label last; `None` if there is no such row.
    """

    patterns: AnswerPatterns
    columns: tuple[str, ...]
    on: str | None
    unmatched: int = 0
    dropped: int = 0
    labelled: AnswerPatterns | None = None


@remembering
def side_by_side(
    sources: Sequence[AnswerColumn],
    *,
    on: str | None = None,
    common: bool = False,
    missing: Missing | None = None,
    classes: Sequence[ClassName] | None = None,
    label: str | None = None,
    as_text: bool = False,
) -> SideBySide:
    """Read the answers of several classifiers and count the rows by them.

    Parameters
    ----------
    sources
        Where the answers are: one table for all, or a table for each.
    on
        Column with an id that all tables share. Default: the column named id, item, task or question.
    common
        Whether to use only the ids that all tables have, instead of refusing tables that differ.
    missing
        Rows without an answer: refuse the data, or drop the row. Default: refuse.
    classes
        All classes. Default: those of the answers.
    label
        Column of the first table with labels for some of the rows. Default: labels are not read.
    as_text
        Read all answers as text.

    Examples
    --------
    >>> table = {"one": ["x", "y"], "two": ["x", "x"], "three": ["x", "y"]}
    >>> side_by_side([AnswerColumn(name, table, name) for name in table]).patterns.agreement.tolist()
    [0.5, 1.0, 0.5]
    """
    if missing == "wrong":
        raise OptionError(
            "Without labels a missing answer cannot be counted as wrong. Use missing='drop' (--missing drop)."
        )
    tables = [one_table(source.data) for source in sources]
    same = all(source.data is sources[0].data for source in sources)
    columns = [_column(source, table) for source, table in zip(sources, tables, strict=True)]
    for at, name in enumerate(columns):
        if name in columns[:at] and sources[at].data is sources[columns.index(name)].data:
            raise ColumnError(f"Column {name!r} of {tables[at].name} is named twice. Name each classifier once.")
    if label is not None:
        check_column(tables[0].columns, tables[0].name, "label", label)
    id_column = None if same else _id_column(tables, on)
    if same and (on or common):
        raise OptionError("Rows of one table need no joining. Leave out on=… (--on) and common=True (--common).")
    keys = list(dict.fromkeys([*columns, *([label] if label else [])])) if same else []
    shared = tables[0].arrays(keys, []).keys if same else ()
    first: Named | None = None
    read: list[Named] = []
    places: list[dict[Any, int]] = []
    labels: Named | None = None
    ids: Named | None = None
    for at, (table, column) in enumerate(zip(tables, columns, strict=True)):
        wants_label = label is not None and at == 0
        if same:
            values = shared[keys.index(column)]
            marks = shared[keys.index(str(label))] if wants_label else None
        else:
            assert id_column is not None
            read_columns = [id_column, column, *([str(label)] if wants_label else [])]
            own_ids, values, *rest = table.arrays(read_columns, []).keys
            marks = rest[0] if rest else None
            mine = named_items(own_ids, table, id_column)
            mine = mine if ids is None else as_kind_of(ids, mine) or mine
            ids = ids or mine
            places.append(_places(mine, table, id_column))
        if not len(values):
            raise no_rows(table.name)
        answers = named(values, form=table.form, column=column, as_text=as_text)
        first, answers = _alike(first, answers, column, table)
        read.append(answers)
        if marks is not None:
            labels = named(marks, form=table.form, column=str(label), as_text=as_text)
            _, labels = _alike(first, labels, str(label), table)
    rows, unmatched = _rows(read, places, tables, common)
    present = np.all([~answers.missing[where] for answers, where in zip(read, rows, strict=True)], axis=0)
    if not present.all() and missing != "drop":
        at = next(at for at, answers in enumerate(read) if answers.missing[rows[at]].any())
        gone = np.flatnonzero(read[at].missing)
        raise MissingValueError(
            f"{quantity(len(gone), 'missing answer')} in column {columns[at]!r} of {tables[at].name}: "
            f"{row_words(gone)}. Fill them in, or drop these rows with missing='drop' (--missing drop)."
        )
    if not present.any():
        raise MissingValueError(f"No row of {tables[0].name} has an answer of every classifier. Fill them in.")
    names = [source.name for source in sources]
    known = _classes(read if labels is None else [*read, labels], classes, columns[0], tables[0])
    codes = np.stack([_codes(a, known)[where[present]] for a, where in zip(read, rows, strict=True)], axis=1)
    patterns = AnswerPatterns.from_codes(names, known, codes)
    labelled = None
    if labels is not None:
        marks = np.where(labels.missing, -1, _codes(labels, known))[rows[0][present]]
        if (marks >= 0).any():
            chosen = marks >= 0
            both = np.column_stack([codes[chosen], marks[chosen]])
            labelled = AnswerPatterns.from_codes([*names, "label"], known, both)
    return SideBySide(patterns, tuple(columns), id_column, unmatched, int((~present).sum()), labelled)


def _column(source: AnswerColumn, table: Rows) -> str:
    if source.column is None:
        return guess_column("prediction", table.columns, table.name, None)
    return check_column(table.columns, table.name, "prediction", source.column)


def _id_column(tables: Sequence[Rows], on: str | None) -> str:
    if on is None:
        usual = [name for name in tables[0].columns if name.lower() in IDS]
        usual = [name for name in usual if all(name in table.columns for table in tables)]
        if len(usual) != 1:
            raise ColumnError(
                f"Without labels, tables are joined by an id, and {tables[0].name} and the others share no column "
                f"named {', '.join(IDS)}. Name the id column with on=… (--on), or put all predictions into one table."
            )
        on = usual[0]
    for table in tables:
        check_column(table.columns, table.name, "on", on)
    return on


def _places(ids: Named, table: Rows, column: str) -> dict[Any, int]:
    values, counts = np.unique(ids.codes, return_counts=True)
    if (counts > 1).any():
        code = values[counts > 1][0]
        raise InputError(
            f"Id {ids.names[code]!r} in column {column!r} of {table.name} occurs {counts[counts > 1][0]} times: "
            f"{row_words(np.flatnonzero(ids.codes == code))}. Each id needs one row."
        )
    return {identity(ids.names[code]): row for row, code in enumerate(ids.codes)}


def _alike(first: Named | None, answers: Named, column: str, table: Rows) -> tuple[Named, Named]:
    if first is None or first.kind is None:
        return answers, answers
    alike = as_kind_of(first, answers)
    if alike is None:
        ours, theirs = (next(name for name in each.names if name is not None) for each in (first, answers))
        raise InputError(
            f"The answer {theirs!r} in column {column!r} of {table.name} is of another kind than {ours!r}. Use "
            "as_text=True (--as-text), or write them alike."
        )
    return first, alike


def _rows(
    read: Sequence[Named], places: Sequence[dict[Any, int]], tables: Sequence[Rows], common: bool
) -> tuple[list[Array], int]:
    """Find the row of each shared id in each table, and how many rows have no partner."""
    if not places:
        return [np.arange(len(answers.codes)) for answers in read], 0
    keys = set.intersection(*map(set, places))
    for at, place in enumerate(places):
        alone = [key for key in place if key not in keys]
        if alone and not common:
            other = next(j for j, theirs in enumerate(places) if alone[0] not in theirs)
            raise InputError(
                f"{quantity(len(alone), 'id')} of {tables[at].name} not in every table, such as {alone[0][1]!r}, which "
                f"{tables[other].name} lacks. Add the missing rows, or judge on the rows all have with "
                "common=True (--common)."
            )
    if not keys:
        raise InputError(f"No id of {tables[0].name} is in every table. Name the id column with on=… (--on).")
    order = [key for key in places[0] if key in keys]
    return [np.array([place[key] for key in order]) for place in places], sum(map(len, places)) - len(keys) * len(
        places
    )


def _classes(
    read: Sequence[Named], classes: Sequence[ClassName] | None, column: str, table: Rows
) -> tuple[ClassName, ...]:
    known: tuple[ClassName, ...] = tuple(classes or ())
    for answers in read:
        names = [name for name in answers.names if name is not None]
        if classes is None:
            known = merged(known, ordered(names))
            continue
        strangers = [name for name in names if identity(name) not in {identity(each) for each in known}]
        if strangers:
            raise InputError(
                f"{strangers[0]!r} is not among the classes named: {first_names(list(known), 5)}. Add it to classes "
                "(--classes), or correct the answers."
            )
    if len(known) < 2:
        raise InputError(
            f"All answers are {known[0]!r}. Agreement says nothing if there is only one class. Check column "
            f"{column!r} of {table.name}."
        )
    return known


def _codes(answers: Named, known: Sequence[ClassName]) -> Array:
    place = {identity(name): code for code, name in enumerate(known)}
    recoded = np.array([-1 if name is None else place[identity(name)] for name in answers.names])
    return np.asarray(recoded[answers.codes])
