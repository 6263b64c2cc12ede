"""The rows on which two classifiers disagree, one by one: what an expert is asked about."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from justesse.core.errors import InputError, ScoreError
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.any_of import split_set
from justesse.frames.columns import check_column
from justesse.frames.joined import JoinedRows
from justesse.frames.kinds import texts_of_classes
from justesse.frames.rows import DuckRows, without_value
from justesse.frames.together import Together
from justesse.frames.values import named

if TYPE_CHECKING:
    import duckdb

ANSWERS = ("label", "incumbent", "candidate")
SHOWN = 5


@dataclass(frozen=True)
class DisagreeingRows:
    """One entry for each row on which the two disagree, classes as codes of `classes`.

    `true` is as it is written: an expert may know classes that neither labels nor answers have. A label that accepts
    several classes is in `label_sets`, by its place, and `label` has the first of them.
    """

    classes: tuple[ClassName, ...]
    ids: tuple[str, ...]
    label: NDArray[np.int64]
    incumbent: NDArray[np.int64]
    candidate: NDArray[np.int64]
    true: tuple[str | None, ...] | None = None
    suspicion: NDArray[np.float64] | None = None
    shown: tuple[str | None, ...] | None = None
    label_sets: Mapping[int, tuple[ClassName, ...]] = field(default_factory=dict)


def disagreeing_rows(
    table: Together,
    classes: Sequence[ClassName],
    *,
    on: str,
    true: str | None = None,
    suspicion: str | None = None,
    shown: Mapping[str, str] | None = None,
    any_of: str | None = None,
    chosen_pairs: NDArray[np.bool_] | None = None,
) -> DisagreeingRows:
    """Fetch the rows whose two answers differ, or those of the chosen pairs, in the order of their ids.

    Only rows whose answers differ are fetched, so that a table need not fit in memory; all, if others are chosen.

    Parameters
    ----------
    table
        Answers of both classifiers.
    classes
        The classes counted on all rows: the same text means the same class.
    on
        Column with ids.
    true, suspicion
        Columns with the true class and with the suspicion of a wrong label.
    shown
        Columns to show to the expert, by the name that people know. Several are shown as `name: value`, one to a
        line.
    any_of
        Separator of labels that accept several classes. A row stays disputed if its label accepts both answers.
    chosen_pairs
        Which pairs of answers to fetch, by the codes of both. Default: those that differ.
    """
    codes = texts_of_classes(classes)
    missing = next((code for code, name in enumerate(classes) if name is None), -1)  # a missing answer, if it counts
    shown = shown or {}
    extra = list(dict.fromkeys(name for name in (true, suspicion, *shown.values()) if name is not None))
    alike = chosen_pairs is not None and bool(chosen_pairs.diagonal().any())
    answers = [table.columns[part] for part in ANSWERS]
    parts = [_fetched(rows, on, answers, extra, alike=alike) for rows in _with_ids(table, on)]
    columns: list[list[Any]] = [list(values) for values in zip(*(row for part in parts for row in part), strict=True)]
    columns = columns or [[] for _ in range(4 + len(extra))]
    form = table.tables[0].form

    def written(values: list[Any], column: str) -> list[str | None]:
        raw = named(np.array([*values, None], dtype=object)[:-1], form=form, column=column, as_text=True)
        return [None if (name := raw.names[code]) is None else str(name) for code in raw.codes.tolist()]

    def coded(values: list[Any], column: str) -> NDArray[np.int64]:
        other = -1 if column == "label" else missing
        return np.array(
            [other if name is None else codes.get(name, other) for name in written(values, column)], dtype=np.int64
        )

    item, other = (coded(columns[at], part) for at, part in ((2, "incumbent"), (3, "candidate")))
    sets: dict[int, tuple[ClassName, ...]] = {}
    if any_of is None:
        label = coded(columns[1], "label")
    else:
        split = [split_set(text or "", any_of) for text in written(columns[1], "label")]
        sets = {
            at: tuple(classes[codes[part]] if part in codes else part for part in parts)
            for at, parts in enumerate(split)
            if len(parts) > 1
        }
        first = [max(codes.get(parts[0], -1), 0 if at in sets else -1) for at, parts in enumerate(split)]
        label = np.array(first, dtype=np.int64)
    apart = item != other if chosen_pairs is None else chosen_pairs[item, other]
    kept = np.flatnonzero((label >= 0) & (item >= 0) & (other >= 0) & apart)
    # an engine joins in any order, and the same data must give the same questions
    kept = np.array(sorted(kept.tolist(), key=lambda at: str(columns[0][at])), dtype=np.int64)
    chosen = kept.tolist()
    ids = tuple(str(columns[0][at]) for at in chosen)
    if twice := next((name for name, size in Counter(ids).items() if size > 1), None):
        raise InputError(f"Duplicate ids in column {on!r} of different files, such as {twice!r}. Keep one row per id.")
    result = dict(zip(extra, columns[4:], strict=True))
    return DisagreeingRows(
        tuple(classes),
        ids,
        label[kept],
        item[kept],
        other[kept],
        None if true is None else tuple(written([result[true][at] for at in chosen], true)),
        None if suspicion is None else _numbers([result[suspicion][at] for at in chosen], suspicion),
        tuple(_shown({name: result[place][at] for name, place in shown.items()}) for at in chosen) if shown else None,
        {place: sets[at] for place, at in enumerate(chosen) if at in sets},
    )


def _shown(values: Mapping[str, Any]) -> str | None:
    """Write what the expert is shown of a row."""
    texts = {name: str(value) for name, value in values.items() if value is not None}
    if len(values) == 1 or not texts:
        return next(iter(texts.values()), None)
    return "\n".join(f"{name}: {text}" for name, text in texts.items())


def _with_ids(table: Together, on: str) -> Iterator[DuckRows]:
    for rows in table.tables:
        result = rows.with_ids() if isinstance(rows, JoinedRows) else rows
        if not isinstance(result, DuckRows):
            raise InputError("Rows of a lazy frame cannot be used here. Collect the frame first.")
        check_column(result.columns, result.name, "on", on)
        yield result


def _fetched(
    rows: DuckRows, on: str, answers: Sequence[str], extra: Sequence[str], *, alike: bool = False
) -> list[tuple[Any, ...]]:
    """Fetch id, label, both answers and what comes along; differences of spelling are sorted out later.

    Rows with two equal answers are left out unless they are asked for (`alike`).
    """
    try:
        relation = rows.relation([on, *answers, *extra])
        kinds = [str(kind) for kind in relation.types]
        ids = relation.project("c0")
        if int(ids.filter(without_value(kinds[:1])).aggregate("count(*)").fetchall()[0][0]):
            first = ", ".join(map(str, rows.first_missing([on], SHOWN)))
            raise InputError(f"Missing {on!r} in {rows.name}, first in row {first}. Every row needs an id: fill it in.")
        _check_once(rows.name, on, ids)
        apart = relation if alike else relation.filter("c2::VARCHAR IS DISTINCT FROM c3::VARCHAR")
        written = ", ".join(_text(at, kind) for at, kind in enumerate(kinds))
        return list(apart.project(written).fetchall())
    except InputError:
        raise
    except Exception as error:
        raise rows.explain(error) from error


def _text(at: int, kind: str) -> str:
    """Hand over classes as they are, ids and what is shown as text; JSON is unwrapped except for classes."""
    if 1 <= at <= 3 or (kind != "JSON" and at):
        return f"c{at}::VARCHAR" if kind == "JSON" else f"c{at}"
    if kind in ("DOUBLE", "FLOAT") and not at:  # 7.0 is answered as 7
        return "CASE WHEN c0 = trunc(c0) THEN printf('%.0f', c0::DOUBLE) ELSE c0::VARCHAR END"
    return f"c{at} ->> '$'" if kind == "JSON" else f"c{at}::VARCHAR"


def _check_once(where: str, on: str, ids: "duckdb.DuckDBPyRelation") -> None:
    twice = ids.aggregate("c0::VARCHAR AS id, count(*) AS n", "c0").filter("n > 1").order("n DESC, id").limit(SHOWN)
    if first := twice.fetchall():
        shown = ", ".join(f"{name!r} ({size} times)" for name, size in first)
        raise InputError(f"Duplicate ids in column {on!r} of {where}: {shown}. Keep one row per id.")


def _numbers(values: Sequence[Any], column: str) -> NDArray[np.float64]:
    try:
        result = np.array([float("nan") if value is None else float(value) for value in values])
    except (TypeError, ValueError) as error:
        raise ScoreError(
            f"Column {column!r} must contain numbers, higher for more suspect labels ({error}). Correct it, or "
            "name another column."
        ) from error
    if not np.isfinite(result).all():
        gaps = int((~np.isfinite(result)).sum())
        raise ScoreError(f"Column {column!r} has no finite number in {quantity(gaps, 'disputed row')}. Fill it in.")
    return result
