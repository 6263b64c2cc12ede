"""Items of several versions, some without a label: a label that one row of an item has counts for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.arrays import Array
from justesse.core.levels import CLUSTERS, RANKS
from justesse.core.recording import forgetting, remembering
from justesse.frames.columns import resolve
from justesse.frames.count import opened
from justesse.frames.count_axes import count_axes
from justesse.frames.placed_versions import VERSION, VersionColumns
from justesse.frames.rows import DuckRows, is_missing
from justesse.frames.version_items import NO_ANSWER, VersionItems, count_version_items

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, eq=False)
class OpenItems:
    """Items with a label, and items without one.

    Parameters
    ----------
    labelled
        Items with a label.
    written, versions
        Times and names of versions of the items without a label.
    moment, answers, many
        Place of their time in `written`, what each version answered (-1 where it was not tested), and their number.
    classes
        Number of classes of all items.
    """

    labelled: VersionItems
    written: tuple[str, ...]
    versions: tuple[str, ...]
    moment: Array
    answers: Array
    many: Array
    classes: int


@forgetting
def with_shared_labels(data: Any, label: str | None, prediction: str | None, on: str | None) -> Any:
    """Give rows without a label the label that another row of the same item has.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each item and version.
    label, prediction
        Columns of labels and predictions. Default: columns with a usual name.
    on
        Column with the id of an item; `None`: nothing is shared.

    >>> rows = {"id": [1, 1, 2], "label": ["x", None, None], "prediction": ["x", "y", "y"]}
    >>> sorted(opened(with_shared_labels(rows, None, None, "id"))[0].group(["label"], None, False).counts.tolist())
    [1, 2]
    """
    tables = opened(data)
    table = tables[0]
    if on is None or len(tables) > 1 or not isinstance(table, DuckRows):
        return data
    name = resolve(table.columns, where=table.name, label=label, prediction=prediction).label
    whole = table.relation

    def rows(asked: Sequence[str]) -> "duckdb.DuckDBPyRelation":
        if name not in asked:
            return whole(list(asked))
        relation = whole([*asked, on])
        key, at = len(asked), list(asked).index(name)
        gap = is_missing(f"c{at}", str(relation.types[at]))
        lonely = is_missing(f"c{key}", str(relation.types[key]))
        known = f"max(CASE WHEN NOT ({gap}) THEN c{at} END) OVER (PARTITION BY c{key})"
        filled = f"CASE WHEN ({gap}) AND NOT ({lonely}) THEN {known} ELSE c{at} END"
        chosen = ", ".join(f"{filled if place == at else f'c{place}'} AS c{place}" for place in range(len(asked)))
        numbered = relation.project("*, row_number() OVER () AS place").project(f"{chosen}, place").order("place")
        return numbered.project(", ".join(f"c{place}" for place in range(len(asked))))

    return replace(table, relation=rows)


@remembering
def count_open_items(
    data: Any,
    columns: VersionColumns,
    *,
    on: str | None,
    label: str,
    prediction: str,
    policy: AnswerPolicy,
    as_text: bool = False,
) -> OpenItems:
    """Collect what every version answered to each item, with or without a label.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each item and version; labels are shared by the rows of an item.
    columns
        Columns of the version and the time.
    on
        Column with the id of the item; `None` if it has none: each row is then an item of its own.
    label, prediction
        Columns of labels and predictions.
    policy
        What to do with missing predictions.
    as_text
        Whether to compare classes as text.

    >>> rows = {"id": [1, 1, 2], "v": ["a", "b", "a"], "t": [1, 1, 1], "y": ["x", "x", None], "p": ["x", "y", "y"]}
    >>> options = {"on": "id", "label": "y", "prediction": "p", "policy": AnswerPolicy()}
    >>> items = count_open_items(rows, VersionColumns("v", "t"), **options)
    >>> items.labelled.answers.tolist(), items.answers.tolist(), items.many.tolist()
    ([[0, 1]], [[1, -1]], [1])
    """
    kept = AnswerPolicy(policy.missing, "drop", "class")
    labelled = count_version_items(
        data, columns, on=on, label=label, prediction=prediction, policy=kept, as_text=as_text
    )
    axes = {VERSION: columns.version, CLUSTERS: columns.time, **({RANKS: on} if on is not None else {})}
    tally, _ = count_axes(
        opened(data), {"prediction": prediction, **axes}, policy=kept, as_text=as_text, texts=tuple(axes.values())
    )
    answer, version, moment = (tally.codes[:, tally.axis(axis)] for axis in ("prediction", VERSION, CLUSTERS))
    versions = tuple(str(name) for name in tally.levels[tally.axis(VERSION)])
    written = tuple(str(name) for name in tally.levels[tally.axis(CLUSTERS)])
    names = {_key(name) for name in (*labelled.names, *tally.classes)}
    if on is not None:
        item, ids = tally.codes[:, tally.axis(RANKS)], tuple(map(str, tally.levels[tally.axis(RANKS)]))
        known = set(labelled.ids)
        missing = np.array([id not in known for id in ids], dtype=bool)
        answers = np.full((len(ids), len(versions)), NO_ANSWER)
        answers[item, version] = answer
        times = np.zeros(len(ids), dtype=np.int64)
        times[item] = moment
        ones = np.ones(int(missing.sum()), dtype=np.int64)
        return OpenItems(labelled, written, versions, times[missing], answers[missing], ones, len(names))
    counts = {
        (versions[v], written[m], _key(tally.classes[p])): int(n)
        for v, m, p, n in zip(version.tolist(), moment.tolist(), answer.tolist(), tally.counts.tolist(), strict=True)
    }
    for group in range(len(labelled.many)):
        place = int(np.argmax(labelled.answers[group] != NO_ANSWER))
        name = labelled.names[labelled.answers[group, place]]
        counts[labelled.versions[place], labelled.written[labelled.moment[group]], _key(name)] -= int(
            labelled.many[group]
        )
    codes = {_key(name): code for code, name in enumerate(tally.classes)}
    left = [(group, n) for group, n in counts.items() if n > 0]
    answers = np.full((len(left), len(versions)), NO_ANSWER)
    for row, ((v, _, name), _) in enumerate(left):
        answers[row, versions.index(v)] = codes[name]
    times = np.array([written.index(m) for (_, m, _), _ in left], dtype=np.int64)
    many = np.array([n for _, n in left], dtype=np.int64)
    return OpenItems(labelled, written, versions, times, answers, many, len(names))


def _key(name: Any) -> str:
    """Write a class in one way: 1, 1.0 and True are the same.

    >>> [_key(name) for name in (1, 1.0, True, "a")]
    ['1', '1', '1', 'a']
    """
    return str(int(name)) if isinstance(name, bool) or (isinstance(name, float) and name.is_integer()) else str(name)
