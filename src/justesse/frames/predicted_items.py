"""Predictions of one or several classifiers by item, joined with annotators' answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.annotations import Annotations
from justesse.core.arrays import Array
from justesse.core.choices import Missing
from justesse.core.errors import ColumnError, InputError, MissingValueError
from justesse.core.first_names import first_names
from justesse.core.levels import identity
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.columns import USUAL, check_column, guess_column
from justesse.frames.item_classes import named_items
from justesse.frames.kinds import as_kind_of
from justesse.frames.rows import Rows, no_rows
from justesse.frames.table import one_table, row_words
from justesse.frames.values import Named, named

IDS = ("id", *USUAL["item"])
SHOWN = 5


@dataclass(frozen=True)
class PredictionSource:
    """Where the predictions of a classifier are: a table, and the column. Default: the usual names."""

    data: Any
    column: str | None = None
    part: str = "prediction"

    @property
    def noun(self) -> str:
        """What the column has, for messages."""
        return "true class" if self.part == "true" else "prediction"


@dataclass(frozen=True, eq=False)
class JoinedPredictions:
    """A class code for each classifier and item: -1 where there is none, the number of classes for another class.

    Parameters
    ----------
    codes
        Codes, classifiers × items.
    columns
        Column of the predictions of each classifier.
    on
        Column with the ids.
    rows
        Number of ids with a prediction of every classifier.
    unanswered
        Number of these that nobody answered.
    unpredicted
        Number of answered items without a prediction.
    dropped
        Number of answered items left out because a prediction is missing.
    missing
        Number of missing predictions counted as wrong.
    strangers
        Predicted classes that nobody answered.
    stray
        Number of predictions of such a class.
    """

    codes: Array
    columns: tuple[str, ...]
    on: str
    rows: int
    unanswered: int
    unpredicted: int
    dropped: int = 0
    missing: int = 0
    strangers: tuple[ClassName, ...] = ()
    stray: int = 0

    @property
    def n(self) -> int:
        """Number of items that have answers and all predictions."""
        return int((self.codes >= 0).all(axis=0).sum())


@remembering
def joined_predictions(
    sources: Sequence[PredictionSource],
    annotations: Annotations,
    where: str,
    *,
    on: str | None = None,
    common: bool = False,
    missing: Missing | None = None,
    as_text: bool = False,
) -> JoinedPredictions:
    """Find the prediction of every classifier for every answered item.

    Parameters
    ----------
    sources
        Where the predictions are.
    annotations
        Who answered what.
    where
        Name of the answers, for messages.
    on
        Column of the predictions with the id of the item. Default: the column named id, item, task or question.
    common
        Use only the ids that all tables have.
    missing
        Items without a prediction in a row that is there: refuse, count as wrong, or drop. Default: refuse.
    as_text
        Read classes as text.

    Examples
    --------
    >>> notes = Annotations.of([(1, "ann", "x"), (2, "ann", "y"), (2, "bob", "y")])
    >>> predictions = PredictionSource({"id": [1, 2, 3], "prediction": ["x", "x", "x"]})
    >>> joined = joined_predictions([predictions], notes, "answers")
    >>> joined.codes.tolist(), joined.unanswered
    ([[0, 0]], 1)
    """
    items = Named(np.arange(annotations.n_items), tuple(annotations.items))
    classes = Named(np.arange(annotations.n_classes), annotations.classes)
    answered = annotations.per_item > 0
    read = [_read(source, items, classes, on, as_text) for source in sources]
    _check_same_ids(read, common)
    keys = set.intersection(*(set(each.place) for each in read))
    position = {identity(name): at for at, name in enumerate(annotations.items) if answered[at]}
    shared = [key for key in read[0].place if key in keys and key in position]
    if not shared:
        ours, theirs = first_names(list(annotations.items), 3), first_names(read[0].names, 3)
        raise InputError(
            f"No id of {read[0].where} is among the items of {where}: {theirs} against {ours}. Name the id column with "
            "on=… (--on) and the column of items with item=… (--item), or write both alike."
        )
    at_item = np.array([position[key] for key in shared])
    codes = np.full((len(read), annotations.n_items), -1)
    code_of = {identity(name): code for code, name in enumerate(annotations.classes)}
    beyond, strangers, stray = annotations.n_classes, dict[Any, ClassName](), 0
    empty = np.zeros(len(shared), dtype=bool)
    for which, each in enumerate(read):
        rows = np.array([each.place[key] for key in shared])
        names = [identity(name) for name in each.classes.names]
        recoded = np.array([code_of.get(name, beyond) for name in names])
        values = recoded[each.classes.codes[rows]]
        gone = each.classes.missing[rows]
        for code in np.unique(each.classes.codes[rows][(values == beyond) & ~gone]):
            strangers.setdefault(names[code], each.classes.names[code])
        stray += int(((values == beyond) & ~gone).sum())
        if gone.any() and (missing or "refuse") == "refuse":
            raise MissingValueError(
                f"{quantity(int(gone.sum()), f'missing {each.noun}')} in column {each.column!r} of {each.where}: "
                f"{row_words(np.sort(rows[gone]))}. Fill them in, or use missing='drop' or missing='wrong' (--missing)."
            )
        codes[which, at_item] = np.where(gone, beyond, values)
        empty |= gone
    dropped = wrong = 0
    if missing == "drop":
        codes[:, at_item[empty]] = -1
        dropped = int(empty.sum())
    else:
        wrong = int(empty.sum())
    if not (codes >= 0).any():
        raise MissingValueError(
            f"No answered item of {read[0].where} has a {read[0].noun}. Fill in column {read[0].column!r}."
        )
    if stray and all((codes[which][codes[which] >= 0] == beyond).all() for which in range(len(read))):
        raise InputError(
            f"No {read[0].noun} is a class of the answers. They are {first_names(list(strangers.values()), 3)}; the "
            f"answers are {first_names(list(annotations.classes), 3)}. Write both in the same way."
        )
    return JoinedPredictions(
        codes,
        tuple(each.column for each in read),
        read[0].on,
        len(keys),
        len(keys) - len(shared),
        int(answered.sum()) - len(shared),
        dropped,
        wrong,
        tuple(strangers.values()),
        stray,
    )


@dataclass(frozen=True, eq=False)
class _Read:
    where: str
    on: str
    column: str
    noun: str
    names: list[ClassName]
    place: dict[tuple[type, ClassName], int]  # row of each id
    classes: Named


def _read(source: PredictionSource, items: Named, classes: Named, on: str | None, as_text: bool) -> _Read:
    table = one_table(source.data)
    id_column = _id_column(table, on)
    if source.part == "prediction":
        column = guess_column("prediction", table.columns, table.name, source.column)
    else:
        column = check_column(table.columns, table.name, source.part, str(source.column))
    if column == id_column:
        raise ColumnError(
            f"Column {column!r} of {table.name} cannot be both the id and the {source.noun}. Name another one "
            "for one of them."
        )
    ids, values = table.arrays([id_column, column], []).keys
    if not len(ids):
        raise no_rows(table.name)
    theirs = named_items(ids, table, id_column)
    theirs = as_kind_of(items, theirs) or theirs
    _check_once(theirs, table, id_column)
    predicted = named(values, form=table.form, column=column, as_text=as_text)
    alike = as_kind_of(classes, predicted)
    if alike is None:
        raise InputError(
            f"The {source.noun} {_example(predicted)!r} in column {column!r} of {table.name} is of another kind than "
            f"the answer {_example(classes)!r}. Use as_text=True (--as-text), or write them alike."
        )
    names = [theirs.names[code] for code in theirs.codes]
    place = {identity(name): row for row, name in enumerate(names)}
    return _Read(table.name, id_column, column, source.noun, names, place, alike)


def _id_column(table: Rows, on: str | None) -> str:
    if on is not None:
        return check_column(table.columns, table.name, "on", on)
    usual = [name for name in table.columns if name.lower() in IDS]
    if len(usual) != 1:
        state = "No id column found" if not usual else f"Several columns could be the id ({', '.join(usual)})"
        raise ColumnError(
            f"{state} in {table.name}. Usual names: {', '.join(IDS)}. Columns: {first_names(table.columns, 20)}. Name "
            "the id column with on=… (--on): it joins the table with the answers."
        )
    return usual[0]


def _check_once(ids: Named, table: Rows, column: str) -> None:
    values, counts = np.unique(ids.codes, return_counts=True)
    if (counts > 1).any():
        code = values[counts > 1][0]
        raise InputError(
            f"Id {ids.names[code]!r} in column {column!r} of {table.name} occurs {counts[counts > 1][0]} times: "
            f"{row_words(np.flatnonzero(ids.codes == code))}. Each id needs one row."
        )


def _check_same_ids(read: Sequence[_Read], common: bool) -> None:
    first = read[0]
    for other in read[1:]:
        if common or other.place.keys() == first.place.keys():
            continue
        alone = [name for name in first.names if identity(name) not in other.place]
        theirs = [name for name in other.names if identity(name) not in first.place]
        side, names, missing = (first, alone, other) if alone else (other, theirs, first)
        raise InputError(
            f"{quantity(len(names), 'id')} of {side.where} not in {missing.where}, such as {names[0]!r}. Add the "
            "missing rows, or compare on the rows both have with common=True (--common)."
        )


def _example(values: Named) -> ClassName:
    return next(name for name in values.names if name is not None)
