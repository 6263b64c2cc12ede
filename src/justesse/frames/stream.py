"""Answers of a system in the order in which it gave them, with the time at which each label became known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import ColumnError, InputError, MissingValueError
from justesse.core.levels import identity
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.columns import check_column, guess_column, resolve
from justesse.frames.count import opened_once
from justesse.frames.count_checks import missing_values
from justesse.frames.event_rows import explained_rows
from justesse.frames.kinds import check_classes, in_kind_of
from justesse.frames.read_times import read_times
from justesse.frames.rows import DuckRows, no_rows
from justesse.frames.table import row_words
from justesse.frames.time_zones import check_zones, zone_of
from justesse.frames.values import Named, named, without_gaps

DAY = 86400.0


@dataclass(frozen=True)
class StreamColumns:
    """Which columns of a stream hold what; `None` where there is none, or where a usual name is looked for."""

    label: str | None = None
    prediction: str | None = None
    time: str | None = None
    known: str | None = None
    version: str | None = None
    trained: str | None = None
    id: str | None = None

    @property
    def own(self) -> dict[str, str]:
        """Columns beside label and prediction, by part."""
        parts = ("time", "known", "version", "trained", "id")
        return {part: name for part in parts if (name := getattr(self, part)) is not None}


@dataclass(frozen=True, eq=False)
class StreamRows:
    """Items in the order of time, those of the same time in the order of the table.

    Parameters
    ----------
    labels, predictions
        Codes of the classes; a missing prediction that counts as wrong is a class of its own.
    classes
        Their names; `None` for a missing prediction.
    moments
        Time of each item: numbers as they are, dates in days since 1970, or its place in the table from 1.
    dated
        Whether times are dates.
    known
        Time at which each label became known, if there is a column.
    pending
        Items whose label is not known yet; left out.
    dropped
        Items left out because their label or prediction is missing.
    untrained
        Items answered only by versions trained at their time or later; left out.
    superseded
        Rows left out because a later version, trained before the item too, answered it.
    columns
        Names of the columns used, by part.
    where
        Name of the table.
    zoned
        Whether times have a time zone.
    """

    labels: Array
    predictions: Array
    classes: tuple[ClassName, ...]
    moments: FloatArray
    dated: bool
    known: FloatArray | None
    pending: int
    dropped: int
    untrained: int
    superseded: int
    columns: Mapping[str, str]
    where: str
    zoned: bool = False

    @property
    def others(self) -> tuple[tuple[ClassName, int], ...]:
        """Predictions that are no class of the labels, and how many items have each."""
        codes, sizes = np.unique(self.predictions[~np.isin(self.predictions, self.labels)], return_counts=True)
        named = zip((self.classes[code] for code in codes.tolist()), sizes.tolist(), strict=True)
        return tuple((name, n) for name, n in named if name is not None)


@remembering
def read_stream(
    data: Any, columns: StreamColumns, *, policy: AnswerPolicy = REFUSE, as_text: bool = False
) -> StreamRows:
    """Read the answers of a stream, in order.

    With a column of versions, each item counts once: as answered by the latest version trained before it.

    Parameters
    ----------
    data
        Path or pattern, data frame or dict with a row for each item, or for each item and version.
    columns
        Columns of label, prediction, time and so on.
    policy
        What to do with missing labels and predictions.
    as_text
        Whether to compare classes as text.

    >>> rows = {"t": [2, 1, 3], "label": ["a", "b", "a"], "prediction": ["a", "a", "a"]}
    >>> stream = read_stream(rows, StreamColumns(time="t"))
    >>> stream.labels.tolist(), stream.predictions.tolist(), stream.moments.tolist()
    ([1, 0, 0], [0, 0, 0], [1.0, 2.0, 3.0])
    """
    tables = [table for table in opened_once(data) if isinstance(table, DuckRows)]
    where, own = tables[0].name, columns.own
    for table in tables:
        for part, name in own.items():
            check_column(table.columns, table.name, part, name)
    roles = resolve(tables[0].columns, where=where, label=columns.label, prediction=columns.prediction)
    asked = list(dict.fromkeys([roles.label, roles.prediction, *own.values()]))
    fetched = _fetched(tables, asked)
    n = len(fetched[asked[0]])
    if not n:
        raise no_rows(where)
    names = _class_names(fetched, roles.label, roles.prediction, tables, as_text)
    times: dict[str, FloatArray] = {}
    dated: dict[str, bool] = {}
    for part in ("time", "known", "trained"):
        if part in own:
            times[part], dated[part] = _times(fetched[own[part]], own[part], where, part == "known")
    _check_alike(dated, own, where)
    zones = {own[part]: _zone(fetched[own[part]]) for part, days in dated.items() if days}
    check_zones(zones, where)
    kept = np.ones(n, dtype=bool)
    pending = names[roles.label].missing & np.isnan(times["known"]) if "known" in own else np.zeros(n, dtype=bool)
    kept &= ~pending
    complete = _complete(tables, roles.label, roles.prediction, names, kept, policy)
    dropped = int((kept & ~complete).sum())
    kept &= complete
    moments = times.get("time", np.arange(1.0, n + 1))
    untrained = superseded = 0
    if "version" in own:
        kept, untrained, superseded = _in_charge(fetched, times, own, kept, where)
    if not kept.any():
        raise MissingValueError(
            f"No item of {where} can be counted: none has a label and a prediction of a version trained before it. "
            "Check the columns."
        )
    if "known" in own:
        _check_known(times["known"], moments, kept, own["known"], where)
    rows = np.flatnonzero(kept)
    rows = rows[np.argsort(moments[rows], kind="stable")]
    labels, predictions, classes = _codes(names[roles.label], names[roles.prediction], rows)
    return StreamRows(
        labels,
        predictions,
        classes,
        moments[rows],
        dated.get("time", False),
        times["known"][rows] if "known" in own else None,
        int(pending.sum()),
        dropped,
        untrained,
        superseded,
        {"label": roles.label, "prediction": roles.prediction, **own},
        where,
        "time" in own and bool(zones.get(own["time"])),
    )


def guess_time(columns: Sequence[str], where: str, time: str | None) -> str | None:
    """Find the column of times: the one named, or one with a usual name; `None` if there is none."""
    try:
        return guess_column("time", columns, where, time)
    except ColumnError:
        if time is not None:
            raise
        return None


def _fetched(tables: Sequence[DuckRows], columns: Sequence[str]) -> dict[str, Any]:
    """Fetch columns as Arrow, those of JSON lines as the text they hold."""
    import pyarrow as pa

    parts = []
    for table in tables:
        with explained_rows(table):
            relation = table.relation(columns)
            if table.form == "json":
                relation = relation.project(", ".join(f"c{at} ->> '$' AS c{at}" for at in range(len(columns))))
            parts.append(relation.to_arrow_table())
    whole = pa.concat_tables(parts, promote_options="permissive")
    return {name: whole.column(at).combine_chunks() for at, name in enumerate(columns)}


def _distinct(column: Any) -> tuple[Array, list[Any]]:
    """Give each row the number of its value, and list the values; a missing one is `None`."""
    import pyarrow as pa

    plain = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    coded = plain.dictionary_encode(null_encoding="encode")
    return np.asarray(coded.indices.to_numpy(zero_copy_only=False), dtype=np.int64), coded.dictionary.to_pylist()


def _class_names(
    fetched: Mapping[str, Any], label: str, prediction: str, tables: Sequence[DuckRows], as_text: bool
) -> dict[str, Named]:
    names = {}
    for column in (label, prediction):
        codes, values = _distinct(fetched[column])
        form = "text" if tables[0].form == "json" else tables[0].form
        distinct = named(_objects(values), form=form, column=column, as_text=as_text)
        names[column] = Named(distinct.codes[codes], distinct.names, distinct.had_gaps)
    names = in_kind_of(label, without_gaps(names))
    if not as_text:
        check_classes(label, names)
    return names


def _objects(values: Sequence[Any]) -> Array:
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


def _times(column: Any, name: str, where: str, gaps: bool) -> tuple[FloatArray, bool]:
    """Read times: numbers, or days since 1970; NaN where there is none, if gaps are allowed."""
    import pyarrow as pa

    numeric = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    if numeric:
        times, dated = np.asarray(column.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=float), False
    elif pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        exact = column.cast(pa.timestamp("us")).cast(pa.int64()).cast(pa.float64(), safe=False)
        times = np.asarray(exact.to_numpy(zero_copy_only=False), dtype=float) / (1e6 * DAY)
        dated = True
    else:
        codes, values = _distinct(column)
        texts = [None if value is None or str(value).strip() == "" else str(value) for value in values]
        read, dated = read_times([text for text in texts if text is not None] or ["0"], name, where)
        filled = np.full(len(texts), np.nan)
        filled[[at for at, text in enumerate(texts) if text is not None]] = read[
            : sum(text is not None for text in texts)
        ]
        times = filled[codes]
    missing = np.flatnonzero(~np.isfinite(times))
    if len(missing) and not gaps:
        raise MissingValueError(
            f"Column {name!r} of {where} has no time in {row_words(missing)}. Fill in the gaps, or remove those rows."
        )
    return times, dated


def _zone(column: Any) -> bool | None:
    """Tell whether times have a zone; `None` if there are only days. Of texts, the first with a time of day tells."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        return None if pa.types.is_date(column.type) else column.type.tz is not None
    plain = column.cast(pa.string())
    at = pc.index(pc.fill_null(pc.match_substring(plain, ":"), False), True).as_py()
    return zone_of([plain[at].as_py()]) if at >= 0 else None


def _check_alike(dated: Mapping[str, bool], own: Mapping[str, str], where: str) -> None:
    if len(set(dated.values())) > 1:
        names = ", ".join(repr(own[part]) for part in dated)
        raise ColumnError(f"Columns {names} of {where} must all contain dates, or all numbers.")


def _complete(
    tables: Sequence[DuckRows],
    label: str,
    prediction: str,
    names: Mapping[str, Named],
    kept: Array,
    policy: AnswerPolicy,
) -> Array:
    """Mark the rows that count; refuse missing values that the policy does not allow."""
    no_label, no_answer = (kept & names[column].missing for column in (label, prediction))
    if (no_label.any() and not policy.drops_labels) or ((no_answer & ~no_label).any() and policy.missing == "refuse"):
        counts = np.asarray(kept, dtype=np.int64)
        raise missing_values(tables, [label], [prediction], names, counts, (), policy)
    return ~no_label & (~no_answer if policy.missing == "drop" else True)


def _in_charge(
    fetched: Mapping[str, Any],
    times: Mapping[str, FloatArray],
    own: Mapping[str, str],
    kept: Array,
    where: str,
) -> tuple[Array, int, int]:
    """Keep for each item the row of the latest version trained before it; count the items and rows left out."""
    items, _ = _distinct(fetched[own["id"]])
    versions, named_versions = _distinct(fetched[own["version"]])
    trained = times["trained"]
    first = np.full(len(named_versions), np.nan)
    first[versions] = trained
    if len(apart := np.flatnonzero(trained != first[versions])):
        name = named_versions[versions[apart[0]]]
        raise InputError(
            f"Version {name!r} in {where} has more than one time of training (column {own['trained']!r}). Give each "
            "version one time."
        )
    fair = np.flatnonzero(kept & (trained < times["time"]))
    order = fair[np.lexsort((trained[fair], items[fair]))]
    same = items[order][1:] == items[order][:-1]
    if len(twice := np.flatnonzero(same & (versions[order][1:] == versions[order][:-1]))):
        row = order[twice[0] + 1]
        raise InputError(
            f"{where}: version {named_versions[versions[row]]!r} answers item {fetched[own['id']][int(row)].as_py()!r} "
            "twice. Keep one row for each item and version."
        )
    last = np.concatenate([~same, [True]])[: len(order)]
    chosen = np.zeros(len(kept), dtype=bool)
    chosen[order[last]] = True
    untrained = len(np.setdiff1d(items[kept], items[fair]))
    return chosen, untrained, int((~last).sum())


def _check_known(known: FloatArray, moments: FloatArray, kept: Array, column: str, where: str) -> None:
    """Refuse a label without the time at which it was known, or known before its item."""
    gone = np.flatnonzero(kept & np.isnan(known))
    if len(gone):
        raise MissingValueError(
            f"{quantity(len(gone), 'row')} of {where} {'has' if len(gone) == 1 else 'have'} a label but no time in "
            f"column {column!r} ({row_words(gone)}). Fill it in, or leave the label empty until it is known."
        )
    early = np.flatnonzero(kept & (known < moments))
    if len(early):
        raise InputError(
            f"{where}: the label of {row_words(early)} is known before the time of the item (column {column!r}). "
            "Correct one of both times."
        )


def _codes(label: Named, prediction: Named, rows: Array) -> tuple[Array, Array, tuple[ClassName, ...]]:
    """Give labels and predictions of these rows common codes, labels first."""
    place: dict[Any, int] = {}
    classes: list[ClassName] = []
    coded = []
    for column in (label, prediction):
        used = np.flatnonzero(np.bincount(column.codes[rows]))
        code = np.zeros(len(column.names), dtype=np.int64)
        for at in used.tolist():
            key = identity(column.names[at])
            if key not in place:
                place[key] = len(classes)
                classes.append(column.names[at])
            code[at] = place[key]
        coded.append(code[column.codes[rows]])
    return coded[0], coded[1], tuple(classes)
