"""Items that several versions of a system were tested on, known by their id, so that they share one label."""

from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS, RANKS
from justesse.core.recording import forgetting, remembering
from justesse.frames.columns import check_column, resolve
from justesse.frames.count import opened
from justesse.frames.count_axes import count_axes
from justesse.frames.placed_versions import VERSION, VersionColumns
from justesse.frames.rows import DuckRows

NO_ANSWER = -1


@dataclass(frozen=True)
class VersionItems:
    """Labels and answers of items, one group of equal items per row.

    Parameters
    ----------
    written
        Times of the items, as they are written.
    moment
        Place of the time of each group in `written`.
    versions
        Names of the versions.
    label
        Code of the label of each group.
    answers
        Codes of the answers, groups down, versions across; -1 where a version was not tested.
    many
        Number of items of each group.
    classes
        Number of classes.
    names
        Their names.
    ids
        Id of each group, if items are known by their id.
    """

    written: tuple[str, ...]
    moment: Array
    versions: tuple[str, ...]
    label: Array
    answers: Array
    many: Array
    classes: int
    names: tuple[Any, ...] = ()
    ids: tuple[str, ...] = ()


@remembering
def count_version_items(
    data: Any,
    columns: VersionColumns,
    *,
    on: str | None,
    label: str | None = None,
    prediction: str | None = None,
    policy: AnswerPolicy = REFUSE,
    as_text: bool = False,
) -> VersionItems:
    """Collect what every version answered to each item.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each item and version.
    columns
        Columns of the version and the time.
    on
        Column with the id of the item; `None` if it has none: each row is then an item of its own.
    label, prediction
        Columns of labels and predictions. Default: columns with a usual name.
    policy
        What to do with missing labels and predictions.
    as_text
        Whether to compare classes as text.

    >>> rows = {"id": [1, 1], "v": ["a", "b"], "t": [1, 1], "label": ["x", "x"], "prediction": ["x", "y"]}
    >>> items = count_version_items(rows, VersionColumns("v", "t"), on="id")
    >>> items.label.tolist(), items.answers.tolist(), items.many.tolist()
    ([0], [[0, 1]], [1])
    """
    tables = opened(data)
    axes = {VERSION: columns.version, CLUSTERS: columns.time, **({RANKS: on} if on is not None else {})}
    for table in tables:
        for part, name in zip(("version", "time", "on"), axes.values(), strict=False):
            check_column(table.columns, table.name, part, name)
    roles = resolve(tables[0].columns, where=tables[0].name, label=label, prediction=prediction)
    tally, _ = count_axes(
        tables,
        {"label": roles.label, "prediction": roles.prediction, **axes},
        policy=policy,
        as_text=as_text,
        texts=tuple(axes.values()),
    )
    truth, answer, version, moment = (
        tally.codes[:, tally.axis(axis)] for axis in ("label", "prediction", VERSION, CLUSTERS)
    )
    versions = tuple(str(name) for name in tally.levels[tally.axis(VERSION)])
    written = tuple(str(name) for name in tally.levels[tally.axis(CLUSTERS)])
    if on is None:
        answers = np.full((len(truth), len(versions)), NO_ANSWER)
        answers[np.arange(len(truth)), version] = answer
        return VersionItems(
            written, moment, versions, truth, answers, tally.counts, len(tally.classes), tuple(tally.classes)
        )
    item = tally.codes[:, tally.axis(RANKS)]
    names, where = tally.levels[tally.axis(RANKS)], tables[0].name
    first = np.zeros(len(names), dtype=np.int64)
    first[item[::-1]] = np.arange(len(item))[::-1]
    for what, codes, levels in (("labels", truth, tally.classes), ("times", moment, written)):
        if len(apart := np.flatnonzero(codes != codes[first[item]])):
            at = int(apart[0])
            raise InputError(
                f"Item {names[item[at]]!r} has two {what} in {where}: {levels[codes[first[item[at]]]]!r} and "
                f"{levels[codes[at]]!r}. Correct them: an item has one for all versions."
            )
    pairs = np.bincount(item * len(versions) + version, tally.counts, minlength=len(names) * len(versions))
    if pairs.max(initial=0) > 1:
        at = int(np.argmax(pairs > 1))
        raise _twice(str(versions[at % len(versions)]), str(names[at // len(versions)]), where)
    answers = np.full((len(names), len(versions)), NO_ANSWER)
    answers[item, version] = answer
    return VersionItems(
        written, moment[first], versions, truth[first], answers, np.ones(len(names), dtype=np.int64),
        len(tally.classes), tuple(tally.classes), tuple(map(str, names)),
    )  # fmt: skip


@forgetting
def check_once(data: Any, version: str, on: str) -> None:
    """Refuse a version that answered an item more than once, which would count it again.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each item and version.
    version
        Column with the version.
    on
        Column with the id of the item.
    """
    for table in opened(data):
        if not {version, on} <= set(table.columns):
            continue
        if isinstance(table, DuckRows):
            try:
                rows = table.relation([version, on]).aggregate("c0, c1, count(*) AS n", "c0, c1")
                twice = rows.filter("n > 1 AND c0 IS NOT NULL AND c1 IS NOT NULL").order("c0, c1").limit(1).fetchall()
            except duckdb.Error as error:
                raise table.explain(error) from error
        else:
            cells = table.group([version, on], None, True)
            keys = (np.ma.filled(key.astype(object), None)[cells.counts > 1] for key in cells.keys)
            twice = [pair for pair in zip(*keys, strict=True) if None not in pair][:1]
        if twice:
            raise _twice(str(twice[0][0]), str(twice[0][1]), table.name)


def _twice(version: str, item: str, where: str) -> InputError:
    return InputError(
        f"Version {version!r} answered item {item!r} more than once in {where}. Keep one row for each item and "
        "version, or name another id (on=…, --on)."
    )
