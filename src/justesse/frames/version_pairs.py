"""The same items answered by two systems, counted over time."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.answer_policy import REFUSE, AnswerPolicy
from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS, RANKS
from justesse.core.recording import remembering
from justesse.core.results import ClassName
from justesse.frames.columns import check_column, resolve
from justesse.frames.count import opened_once
from justesse.frames.count_axes import count_axes
from justesse.frames.engine import literal
from justesse.frames.joined import LABEL, THEIRS, JoinedRows, Side
from justesse.frames.placed_versions import VersionColumns
from justesse.frames.rows import DuckRows

TIME, THEIR_TIME = "time", "the candidate's time"


@dataclass(frozen=True)
class MomentPairs:
    """Items that both systems answered, by moment as it is written; `neither_differ`: both wrong, in different ways.

    A label that one table lacks is taken from the other. `no_label` counts items left out as neither has their label.
    `others` are answers that are no class of the labels: system, answer, items.
    """

    written: tuple[str, ...]
    only_first: FloatArray
    only_second: FloatArray
    neither_differ: FloatArray
    sizes: FloatArray
    classes: int = 3
    unmatched: int = 0
    no_label: int = 0
    others: tuple[tuple[str, ClassName, int], ...] = ()


@remembering
def count_version_pairs(
    incumbent: Any,
    candidate: Any,
    columns: VersionColumns,
    versions: tuple[str, str],
    *,
    on: str,
    label: str | None = None,
    prediction: str | None = None,
    policy: AnswerPolicy = REFUSE,
    common: bool = False,
    as_text: bool = False,
) -> MomentPairs:
    """Count the items that one version of each system answered, joined by their id.

    Parameters
    ----------
    incumbent, candidate
        Path, data frame or dict with a row for each item and version, with the same columns in both.
    columns
        Columns of version and time.
    versions
        Version of the incumbent, and of the candidate.
    on
        Column with the id of the item.
    label, prediction
        Columns of labels and predictions. Default: columns with a usual name.
    policy
        What to do with missing labels and predictions.
    common
        Whether to leave out items that only one system answered.
    as_text
        Whether to compare classes as text.

    >>> rows = {"id": [1, 2], "v": ["a", "a"], "t": [1, 1], "label": ["x", "y"], "prediction": ["x", "x"]}
    >>> other = {**rows, "prediction": ["y", "y"]}
    >>> pairs = count_version_pairs(rows, other, VersionColumns("v", "t"), ("a", "a"), on="id")
    >>> pairs.only_first.tolist(), pairs.only_second.tolist(), pairs.sizes.tolist()
    ([1.0], [1.0], [2.0])
    """
    joined = joined_versions(
        incumbent, candidate, columns, versions, on=on, label=label, prediction=prediction, common=common
    )
    return moment_pairs(joined, columns, policy=policy, as_text=as_text)


def joined_versions(
    incumbent: Any,
    candidate: Any,
    columns: VersionColumns,
    versions: tuple[str, str],
    *,
    on: str,
    label: str | None,
    prediction: str | None,
    common: bool,
    more: Mapping[str, tuple[Side, str]] | None = None,
) -> JoinedRows:
    """Join the rows of one version of each system by the id of the item.

    Parameters
    ----------
    incumbent, candidate, columns, versions, on, label, prediction, common
        As in `count_version_pairs`.
    more
        Further columns: side and name of each.
    """
    sides = [
        one_version(data, columns.version, name) for data, name in zip((incumbent, candidate), versions, strict=True)
    ]
    roles = []
    for side in sides:
        further = {name: name for _, name in (more or {}).values()}
        for part, name in {"on": on, "time": columns.time, **further}.items():
            check_column(side.columns, side.name, part, name)
        roles.append(resolve(side.columns, where=side.name, label=label, prediction=prediction))
    return JoinedRows(
        {"incumbent": [sides[0]], "candidate": [sides[1]]},
        {
            LABEL: ("incumbent", roles[0].label),
            THEIRS: ("candidate", roles[1].label),
            "incumbent": ("incumbent", roles[0].prediction),
            "candidate": ("candidate", roles[1].prediction),
            TIME: ("incumbent", columns.time),
            THEIR_TIME: ("candidate", columns.time),
            **(more or {}),
        },
        on,
        common,
        either=True,
    )


def moment_pairs(joined: JoinedRows, columns: VersionColumns, *, policy: AnswerPolicy, as_text: bool) -> MomentPairs:
    """Count joined items by which system is right, at each moment."""
    axes = {"label": LABEL, "incumbent": "incumbent", "candidate": "candidate", CLUSTERS: TIME, RANKS: THEIR_TIME}
    tally, gaps = count_axes([joined], axes, policy=policy, as_text=as_text, texts=(TIME, THEIR_TIME))
    right, first, second, moment, other = (tally.codes[:, tally.axis(axis)] for axis in axes)
    ours, theirs = (np.asarray(tally.levels[tally.axis(axis)], dtype=object) for axis in (CLUSTERS, RANKS))
    if len(apart := np.flatnonzero(ours[moment] != theirs[other])):
        raise InputError(
            f"{joined.name} give different times to the same item, such as "
            f"{ours[moment][apart[0]]!r} and {theirs[other][apart[0]]!r}. Correct the column {columns.time!r} of one "
            "of them."
        )
    kinds = {
        "only_first": (first == right) & (second != right),
        "only_second": (second == right) & (first != right),
        "neither_differ": (first != right) & (second != right) & (first != second),
        "sizes": np.ones(len(right), dtype=bool),
    }
    names = tuple(str(name) for name in tally.levels[tally.axis(CLUSTERS)])
    counted = {
        kind: np.bincount(moment, np.where(inside, tally.counts, 0), minlength=len(names)).astype(float)
        for kind, inside in kinds.items()
    }
    return MomentPairs(
        names,
        **counted,
        classes=len(tally.classes),
        unmatched=sum(joined.unmatched.values()),
        no_label=gaps.labels,
        others=gaps.others,
    )


def one_version(data: Any, column: str, version: str) -> DuckRows:
    """Open a table with the rows of one version only."""
    tables = opened_once(data)
    table = tables[0]
    if len(tables) > 1 or not isinstance(table, DuckRows):
        raise InputError(
            f"{table.name} and others: items are joined from one table for each system. Combine the files."
        )
    check_column(table.columns, table.name, "version", column)
    whole = table.relation

    def rows(asked: Any) -> Any:
        kept = whole([*asked, column]).filter(f"c{len(asked)}::VARCHAR = {literal(version)}")
        return kept.project(", ".join(f"c{at}" for at in range(len(asked))))

    return replace(table, relation=rows)
