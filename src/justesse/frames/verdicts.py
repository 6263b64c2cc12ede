"""Verdicts of language models and ratings of people: which outputs were judged, by whom, and how."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ColumnError, InputError, OptionError
from justesse.core.first_names import first_names
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.frames.columns import check_column, guess_column, has_column
from justesse.frames.output_lengths import output_lengths
from justesse.frames.ratings import with_ratings
from justesse.frames.rows import Rows
from justesse.frames.table import one_table, row_words
from justesse.frames.values import Named
from justesse.frames.verdict_table import VerdictColumns, Verdicts, longer_outputs, required_names, text_names
from justesse.frames.verdict_words import check_readable, worth_of

ONE_JUDGE = "judge"
YES, NO = {"true", "1", "yes"}, {"false", "0", "no"}


@remembering
def read_verdicts(
    data: Any, human: Any = None, columns: VerdictColumns | None = None, *, one_by_one: bool = False
) -> Verdicts:
    """Read a table of verdicts and, if there is one, a table of people's ratings.

    Parameters
    ----------
    data
        Path, data frame or dict of arrays: a row for each verdict.
    human
        Path, data frame or dict of arrays: a row for each rated unit, or for each person and unit. A row without a
        rating can still give the stratum and the lengths of an item.
    columns
        Names of columns. Default: the usual names.
    one_by_one
        Whether ratings are of units that were asked about: then one is enough, and each must be of a unit of the table.

    Examples
    --------
    >>> rows = {"item": [1, 2, 2], "swapped": [False, False, True], "winner": ["1", "tie", None]}
    >>> verdicts = read_verdicts(rows, {"item": [1, 2], "winner": [2, 1]})
    >>> verdicts.value.tolist(), verdicts.rating.tolist()
    ([1.0, 0.5, nan], [0.0, 1.0])
    """
    asked = columns or VerdictColumns()
    table = one_table(data)
    pairs = _shape(table, asked)
    parts = _parts(table, asked, pairs, ratings=human is not None)
    read = {part: text_names(table, column) for part, column in parts.items() if not part.startswith("length")}
    n = len(read["item"].codes)
    if not n:
        raise InputError(f"{table.name} has no rows. Give a table with a row for each verdict.")
    items = required_names(read["item"], table.name, parts["item"], "item")
    models, first, second = _models(read, table, parts)
    units, first_row, unit = _units(items.codes, first, second)
    flipped = first[first_row][unit] != first  # the same pair, named the other way round
    value = _values(read, parts, table.name, pairs, models, first, second)
    value = np.where(flipped, 1 - value, value)
    swapped = _swapped(read.get("swapped"), parts, table.name, n)
    if asked.as_shown:
        if not (swapped >= 0).any():
            raise OptionError("Winners as shown need a column that says which rows are swapped (--swapped).")
        value = np.where(swapped == 1, 1 - value, value)
    swapped = np.where(flipped & (swapped >= 0), 1 - swapped, swapped)  # by the pair as its first row names it
    judges, families, judge = _judges(read)
    strata, stratum = _of_units(read.get("stratum"), unit, len(units))
    lengths = _lengths(table, parts, unit, len(units), flipped, asked=bool(asked.lengths))
    result = Verdicts(
        table.name, pairs, judges, families, models, strata, judge, unit, value, swapped, items.codes[first_row],
        first[first_row], second[first_row], stratum, np.full(len(units), np.nan), longer_outputs(lengths, pairs),
        tuple(map(str, items.names)), parts,
    )  # fmt: skip
    if human is None:
        return result
    return with_ratings(result, human, asked, lengths, one_by_one=one_by_one)


def _shape(table: Rows, asked: VerdictColumns) -> bool:
    """Tell whether verdicts name winners of pairs; refuse a table with neither winners nor verdicts."""
    if asked.winner is not None and asked.verdict is not None:
        raise OptionError(
            "Name the winners of pairs (--winner) or the verdicts on single answers (--verdict), not both."
        )
    if asked.winner is not None or asked.verdict is not None:
        return asked.winner is not None
    if has_column("winner", table.columns, table.name):
        return True
    if not has_column("verdict", table.columns, table.name):
        raise ColumnError(
            f"No column with verdicts in {table.name}. Columns: {first_names(table.columns, 20)}. Name the winners of "
            "pairs with winner=… (--winner), or the verdicts on single answers with verdict=… (--verdict)."
        )
    return False


def _parts(table: Rows, asked: VerdictColumns, pairs: bool, *, ratings: bool) -> dict[str, str]:
    """Find the column of each part; `ratings` if a table of ratings may have some of them."""
    _check_shape(asked, pairs)
    where, every = table.name, table.columns
    usual = [
        name for name in every if name not in asked.named
    ]  # a column named for one part is no other part's default
    kind = "winner" if pairs else "verdict"
    result = {"item": guess_column("item", every, where, asked.item)}
    result[kind] = guess_column(kind, every, where, getattr(asked, kind))
    optional = {"judge": asked.judge, "prompt": asked.prompt, "stratum": asked.stratum}
    if pairs:
        optional["swapped"] = asked.swapped
        named_models = _both(asked.models, "models", 2)
        optional |= dict(zip(("model_1", "model_2"), named_models or (None, None), strict=True))
        named_lengths = _both(asked.lengths, "lengths", 2)
        optional |= dict(zip(("length_1", "length_2"), named_lengths or (None, None), strict=True))
    else:
        optional |= {"model": asked.model, "length": (_both(asked.lengths, "lengths", 1) or (None,))[0]}
    for part, name in optional.items():
        # the table of ratings may hold strata and lengths, too
        beside = ratings and part in ("stratum", "length", "length_1", "length_2")
        if name is not None and not (beside and name not in every):
            result[part] = check_column(every, where, part, name)
        elif name is None and has_column(part, usual, where):
            result[part] = guess_column(part, usual, where, None)
    if ("model_1" in result) != ("model_2" in result):
        only = result.get("model_1") or result["model_2"]
        raise ColumnError(f"Only one of the two models is named in {where}: {only!r}. Name both columns (--models).")
    taken = [name for part, name in result.items()]
    twice = {name for name in taken if taken.count(name) > 1}
    if twice:
        raise ColumnError(
            f"Column {min(twice)!r} of {where} cannot play two parts. Name another column for one of them."
        )
    return result


def _check_shape(asked: VerdictColumns, pairs: bool) -> None:
    """Refuse columns that verdicts of this shape do not have."""
    others = {"model": asked.model} if pairs else {"models": asked.models, "swapped": asked.swapped}
    shape, other = ("pairs", "single answers") if pairs else ("single answers", "pairs")
    instead = "models=… (--models)" if pairs else "model=… (--model)"
    for option, value in others.items():
        if value:
            advice = "Leave it out." if option == "swapped" else f"Name the column with {instead}."
            if option == "model":
                advice = f"Name the two columns with {instead}."
            raise OptionError(f"{option} (--{option}) is for verdicts on {other}; these are on {shape}. {advice}")


def _both(names: Sequence[str], option: str, number: int) -> Sequence[str] | None:
    if names and len(names) != number:
        raise OptionError(f"{option} (--{option}) takes {quantity(number, 'column')} here; got {', '.join(names)}.")
    return names or None


def _models(read: Mapping[str, Named], table: Rows, parts: Mapping[str, str]) -> tuple[tuple[str, ...], Array, Array]:
    """Give codes to the models of each row; -1 without models."""
    columns = [part for part in ("model", "model_1", "model_2") if part in read]
    n = len(read["item"].codes)
    nothing = np.full(n, -1)
    if not columns:
        return (), nothing, nothing
    for part in columns:
        required_names(read[part], table.name, parts[part], "model")
    names = sorted({str(name) for part in columns for name in read[part].names})
    place = {name: at for at, name in enumerate(names)}
    codes = [np.array([place[str(name)] for name in read[part].names])[read[part].codes] for part in columns]
    if len(codes) == 2 and (same := codes[0] == codes[1]).any():
        raise InputError(
            f"A model is compared with itself in {table.name}: {row_words(np.flatnonzero(same))}. Leave those rows out."
        )
    return tuple(names), codes[0], codes[1] if len(codes) == 2 else nothing


def _units(items: Array, first: Array, second: Array) -> tuple[Array, Array, Array]:
    """Number the units; a pair named the other way round is the same unit."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    keys = np.stack([items, low, high])
    units, first_row, unit = np.unique(keys, axis=1, return_index=True, return_inverse=True)
    return units.T, first_row, unit.ravel()


def _values(
    read: Mapping[str, Named], parts: Mapping[str, str], where: str, pairs: bool, models: tuple[str, ...], first: Array,
    second: Array,
) -> FloatArray:  # fmt: skip
    kind = "winner" if pairs else "verdict"
    written = read[kind]
    worth = worth_of(written.names, pairs=pairs)
    value = worth[written.codes]
    if pairs and models:
        place = {name: at for at, name in enumerate(models)}
        winner = np.array([place.get(str(name), -2) for name in written.names])[written.codes]
        value = np.where(winner == first, 1.0, np.where(winner == second, 0.0, value))
        worth = np.array([0.0 if (winner >= 0).any() else np.nan, *worth])
    check_readable(written.names, worth, pairs=pairs, column=parts[kind], where=where, option=f"{kind}=… (--{kind})")
    return np.asarray(value)


def _swapped(values: Named | None, parts: Mapping[str, str], where: str, n: int) -> Array:
    if values is None:
        return np.full(n, -1)
    texts = ["" if name is None else str(name).strip().lower().removesuffix(".0") for name in values.names]
    codes = np.array([1 if text in YES else 0 if text in NO else -1 if not text else -2 for text in texts])
    if (codes == -2).any():
        strange = values.names[int(np.argmax(codes == -2))]
        raise InputError(
            f"Column {parts['swapped']!r} of {where} has {strange!r}; it must say whether outputs were shown in the "
            "other order: true or false, 1 or 0."
        )
    return np.asarray(codes[values.codes])


def _judges(read: Mapping[str, Named]) -> tuple[tuple[str, ...], tuple[str, ...], Array]:
    """Name judges, and each without its prompt; a judge under several prompts counts once for each."""
    n = len(read["item"].codes)
    columns = [read[part] for part in ("judge", "prompt") if part in read]
    # one prompt for all says nothing of the judge
    columns = [column for column in columns if len(column.names) > 1 or column is read.get("judge")]
    if not columns:
        return (ONE_JUDGE,), (ONE_JUDGE,), np.zeros(n, dtype=int)
    keys, codes = np.unique(np.stack([column.codes for column in columns]), axis=1, return_inverse=True)
    names = [
        [
            "none" if (name := column.names[code]) is None else str(name)
            for column, code in zip(columns, key, strict=True)
        ]
        for key in keys.T.tolist()
    ]
    return tuple(map(", ".join, names)), tuple(parts[0] for parts in names), codes.ravel()


def _of_units(values: Named | None, unit: Array, size: int) -> tuple[tuple[str, ...], Array]:
    """Give each unit the value of its first row that has one."""
    result = np.full(size, -1)
    if values is None:
        return (), result
    codes = np.where(values.missing, -1, values.codes)
    has = codes >= 0
    result[unit[has][::-1]] = codes[has][::-1]
    return tuple("none" if name is None else str(name) for name in values.names), result


def _lengths(
    table: Rows, parts: Mapping[str, str], unit: Array, size: int, flipped: Array, *, asked: bool
) -> FloatArray:
    """Read the length of each output, first and second; NaN where it is not known."""
    result = np.full((size, 2), np.nan)
    columns = [parts[part] for part in ("length", "length_1", "length_2") if part in parts]
    if columns:
        numbers = output_lengths(table, columns, asked=asked)
        both = numbers if numbers.shape[1] == 2 else np.column_stack([numbers[:, 0], np.full(len(numbers), np.nan)])
        both = np.where(flipped[:, None], both[:, ::-1], both)
        result[unit[::-1]] = both[::-1]
    return result
