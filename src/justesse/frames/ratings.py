"""People's ratings of units that a language model judged."""

from dataclasses import replace
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ColumnError, InputError
from justesse.core.first_names import first_names
from justesse.core.quantity import quantity
from justesse.frames.columns import check_column, guess_column, has_column
from justesse.frames.drawn_sample import is_drawn
from justesse.frames.output_lengths import output_lengths
from justesse.frames.rows import Rows, no_rows
from justesse.frames.table import one_table, row_words
from justesse.frames.verdict_table import VerdictColumns, Verdicts, longer_outputs, required_names, text_names
from justesse.frames.verdict_words import check_readable, worth_of

FEW = 2


def with_ratings(
    verdicts: Verdicts, human: Any, asked: VerdictColumns, lengths: FloatArray, *, one_by_one: bool = False
) -> Verdicts:
    """Add people's ratings, and what their table knows of items: strata and lengths.

    Parameters
    ----------
    verdicts
        The verdicts.
    human
        Path, data frame or dict of arrays: a row for each rating.
    asked
        Names of columns.
    lengths
        Lengths of the outputs of each unit, as the table of verdicts gives them.
    one_by_one
        Whether ratings are of units that were asked about: then one is enough, and each must be of a unit of the table.
    """
    table = one_table(human)
    if is_drawn(table.columns):
        raise InputError(
            f"The rows of {table.name} were drawn with different probabilities; llm-judge needs a random sample of the "
            "items. Draw one, or remove the columns of the draw if it was one."
        )
    item_column = asked.item if asked.item in table.columns else guess_column("item", table.columns, table.name, None)
    items = required_names(text_names(table, item_column), table.name, item_column, "item")
    if not len(items.codes):
        raise no_rows(table.name)
    place = {name: at for at, name in enumerate(verdicts.items)}
    item = np.array([place.get(str(name), -1) for name in items.names])[items.codes]
    if not (item >= 0).any():
        raise InputError(
            f"No item of {table.name} is in {verdicts.name}: {items.names[0]!r} against {verdicts.items[0]!r}. Items "
            "must be written alike in both."
        )
    first, second = _models_of(table, verdicts, asked)
    if first is None:
        _check_one_unit(verdicts, table)
    unit, flipped = _matched(verdicts, item, first, second)
    column = _rating_column(table, asked, item_column, verdicts.pairs)
    written = text_names(table, column)
    value = _rating_values(written, verdicts, table, column, first, second)
    lost = (unit < 0) & ~np.isnan(value)
    if one_by_one and lost.any():
        names = list(dict.fromkeys(str(items.names[code]) for code in items.codes[lost].tolist()))
        raise InputError(
            f"{table.name} rates what {verdicts.name} has no verdict on: {first_names(names, 5)} "
            f"({row_words(np.flatnonzero(lost))}). Correct the names, or leave those rows out."
        )
    rated = ~np.isnan(value) & (unit >= 0)
    value = np.where(flipped, 1 - value, value)
    rating, apart = _settled(unit[rated], value[rated], len(verdicts.item))
    unknown = len(np.unique(item[lost]))
    if not one_by_one and np.isfinite(rating).sum() < FEW:
        raise InputError(
            f"People rated {quantity(int(np.isfinite(rating).sum()), 'unit')} that {verdicts.name} has; at least {FEW} "
            "are needed, and better 100. Add ratings."
        )
    result = replace(verdicts, rating=rating, unknown=int(unknown), disagreements=apart)
    result = replace(result, columns={**verdicts.columns, "rating": column})
    return _beside(result, table, asked, unit, flipped, lengths)


def _models_of(table: Rows, verdicts: Verdicts, asked: VerdictColumns) -> tuple[Array | None, Array | None]:
    """Give codes to the models of ratings; -2 for a model without verdicts."""
    if not verdicts.models:
        return None, None
    parts = ("model_1", "model_2") if verdicts.pairs else ("model",)
    asked_columns = asked.models if verdicts.pairs else (asked.model,)
    place = {name: at for at, name in enumerate(verdicts.models)}
    result = []
    for part, name in zip(parts, asked_columns or (None,) * len(parts), strict=True):
        own = name if name in table.columns else verdicts.columns.get(part)
        if own not in table.columns:
            if not has_column(part, table.columns, table.name):
                return None, None
            own = guess_column(part, table.columns, table.name, None)
        read = required_names(text_names(table, str(own)), table.name, str(own), "model")
        result.append(np.array([place.get(str(value), -2) for value in read.names])[read.codes])
    return result[0], result[1] if len(result) == 2 else np.full(len(result[0]), -1)


def _check_one_unit(verdicts: Verdicts, table: Rows) -> None:
    """Refuse ratings without models if an item has several units."""
    if len(np.unique(verdicts.item)) < len(verdicts.item):
        what = "the two models (--models)" if verdicts.pairs else "the model (--model)"
        raise ColumnError(
            f"Several models were judged on the same items, but {table.name} does not say which one people rated. Add "
            f"a column with {what}. Columns: {first_names(table.columns, 20)}."
        )


def _matched(verdicts: Verdicts, item: Array, first: Array | None, second: Array | None) -> tuple[Array, Array]:
    """Find the unit of each rating, -1 if there is none, and whether its pair is named the other way round."""
    if first is None or second is None:
        of_item = np.full(len(verdicts.items) + 1, -1)
        of_item[verdicts.item] = np.arange(len(verdicts.item))
        return of_item[item], np.zeros(len(item), dtype=bool)
    size = len(verdicts.models) + 3

    def keys(items: Array, left: Array, right: Array) -> Array:
        return np.asarray((items * size + np.minimum(left, right) + 2) * size + np.maximum(left, right) + 2)

    own = keys(verdicts.item, verdicts.first, verdicts.second)
    order = np.argsort(own)
    theirs = keys(item, first, second)
    at = np.minimum(np.searchsorted(own[order], theirs), len(own) - 1)
    unit = np.where((own[order][at] == theirs) & (item >= 0), order[at], -1)
    return unit, np.asarray((unit >= 0) & (verdicts.first[unit] != first))


def _rating_column(table: Rows, asked: VerdictColumns, item_column: str, pairs: bool) -> str:
    if asked.rating is not None:
        return check_column(table.columns, table.name, "rating", asked.rating)
    own = asked.winner if pairs else asked.verdict
    for name in (own, "winner" if pairs else "verdict"):
        if name in table.columns:
            return str(name)
    others = [name for name in table.columns if name != item_column]
    return others[0] if len(others) == 1 else guess_column("rating", table.columns, table.name, None)


def _rating_values(
    written: Any, verdicts: Verdicts, table: Rows, column: str, first: Array | None, second: Array | None
) -> FloatArray:
    worth = worth_of(written.names, pairs=verdicts.pairs)
    value = worth[written.codes]
    if verdicts.pairs and first is not None and second is not None:
        place = {name: at for at, name in enumerate(verdicts.models)}
        winner = np.array([place.get(str(name), -3) for name in written.names])[written.codes]
        value = np.where(winner == first, 1.0, np.where(winner == second, 0.0, value))
        worth = np.array([0.0 if (winner >= 0).any() else np.nan, *worth])
    check_readable(
        written.names, worth, pairs=verdicts.pairs, column=column, where=table.name, option="rating=… (--rating)"
    )
    strange = np.isnan(value) & ~written.missing
    if strange.any():
        at = np.flatnonzero(strange)
        shown = str(written.names[written.codes[at[0]]])
        expected = "1, 2 or tie, or the name of a model" if verdicts.pairs else "1 or 0, right or wrong"
        raise InputError(
            f"The rating {shown!r} in column {column!r} of {table.name} cannot be read ({row_words(at)}). Write "
            f"{expected}; leave the cell empty if nobody rated it."
        )
    return np.asarray(value)


def _settled(unit: Array, value: FloatArray, size: int) -> tuple[FloatArray, int]:
    """Take what most people say; a tie if none is said more often."""
    n = np.bincount(unit, minlength=size)
    mean = np.bincount(unit, value, minlength=size) / np.maximum(n, 1)
    spread = np.bincount(unit, (value - mean[unit]) ** 2, minlength=size)
    rating = np.where(np.isclose(mean, 0.5), 0.5, (mean > 0.5).astype(float))
    return np.where(n > 0, rating, np.nan), int((spread > 1e-12).sum())


def _beside(
    verdicts: Verdicts, table: Rows, asked: VerdictColumns, unit: Array, flipped: Array, lengths: FloatArray
) -> Verdicts:
    """Take strata and lengths from the table of ratings, if only that has them."""
    known = unit >= 0
    if "stratum" not in verdicts.columns:
        name = asked.stratum
        if name is None and has_column("stratum", table.columns, table.name):
            name = guess_column("stratum", table.columns, table.name, None)
        if name is not None:
            column = check_column(table.columns, table.name, "stratum", name)
            read = text_names(table, column)
            codes = np.full(len(verdicts.item), -1)
            has = known & ~read.missing
            codes[unit[has]] = read.codes[has]
            names = tuple("none" if name is None else str(name) for name in read.names)
            verdicts = replace(verdicts, strata=names, stratum=codes, columns={**verdicts.columns, "stratum": column})
    parts = ("length_1", "length_2") if verdicts.pairs else ("length",)
    if parts[0] not in verdicts.columns:
        asked_columns: Any = asked.lengths or (None,) * len(parts)
        columns = [
            check_column(table.columns, table.name, part, name)
            if name is not None
            else guess_column(part, table.columns, table.name, None)
            for part, name in zip(parts, asked_columns, strict=False)
            if name is not None or has_column(part, table.columns, table.name)
        ]
        if len(columns) == len(parts):
            numbers = output_lengths(table, columns, asked=bool(asked.lengths))
            both = numbers if len(parts) == 2 else np.column_stack([numbers, np.full(len(numbers), np.nan)])
            both = np.where(flipped[:, None], both[:, ::-1], both)
            lengths = lengths.copy()
            lengths[unit[known]] = both[known]
            added = dict(zip(parts, columns, strict=True))
            verdicts = replace(
                verdicts, longer=longer_outputs(lengths, verdicts.pairs), columns={**verdicts.columns, **added}
            )
    return verdicts
