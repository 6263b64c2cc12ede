"""What every version answered to each item, for figures in which versions share labels or are tested on the same items."""

from typing import Any

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.frames.columns import check_column
from justesse.frames.open_items import count_open_items
from justesse.frames.placed_versions import VersionColumns
from justesse.frames.rows import Rows
from justesse.frames.version_items import count_version_items
from justesse.frames.versions import VersionCounts
from justesse.lifelong.item_patterns import NO_LABEL, NOT_TESTED, ItemPatterns
from justesse.lifelong.periods import Periods


def item_column(table: Rows, on: str | None) -> str | None:
    """Return the column with the ids of items: the one named, else id if there is one."""
    if on is not None:
        return check_column(table.columns, table.name, "on", on)
    return "id" if "id" in table.columns else None


def open_patterns(
    data: Any,
    columns: VersionColumns,
    counts: VersionCounts,
    periods: Periods,
    *,
    on: str | None,
    policy: AnswerPolicy,
    as_text: bool,
) -> ItemPatterns:
    """Group items by period, label and what every version answered, those without a label too.

    Parameters
    ----------
    data
        Table with a row for each item and version.
    columns
        Columns of version and time.
    counts, periods
        Errors of every version, and the test periods.
    on
        Column with the id of each item; `None`: each row is an item of its own.
    policy
        What to do with missing predictions.
    as_text
        Whether to compare classes as text.
    """
    items = count_open_items(
        data, columns, on=on, label=counts.columns[0], prediction=counts.columns[1], policy=policy, as_text=as_text
    )
    place = {written: at for at, written in enumerate(counts.written)}
    parts = []
    for part in (items.labelled, items):
        period = periods.of_moment[np.array([place[text] for text in part.written], dtype=np.int64)[part.moment]]
        answers = np.full((len(part.many), len(counts.versions)), NOT_TESTED)
        for at, name in enumerate(part.versions):
            answers[:, counts.versions.index(name)] = part.answers[:, at]
        parts.append((period, answers))
    none = np.full(len(items.many), NO_LABEL)
    return ItemPatterns.of_items(
        np.concatenate([period for period, _ in parts]),
        np.concatenate([items.labelled.label, none]),
        np.concatenate([answers for _, answers in parts]),
        many=np.concatenate([items.labelled.many, items.many]),
        classes=items.classes,
        periods=len(periods.names),
        shared=on is not None,
    )


def item_patterns(
    data: Any,
    columns: VersionColumns,
    counts: VersionCounts,
    periods: Periods,
    *,
    on: str | None,
    policy: AnswerPolicy,
    as_text: bool,
) -> ItemPatterns:
    """Group items by period, label and what every version answered.

    Parameters
    ----------
    data
        Table with a row for each item and version.
    columns
        Columns of version and time.
    counts, periods
        Errors of every version, and the test periods.
    on
        Column with the id of each item; `None`: each row is an item of its own.
    policy
        What to do with missing labels and predictions.
    as_text
        Whether to compare classes as text.
    """
    items = count_version_items(
        data, columns, on=on, label=counts.columns[0], prediction=counts.columns[1], policy=policy, as_text=as_text
    )
    place = {written: at for at, written in enumerate(counts.written)}
    period = periods.of_moment[np.array([place[text] for text in items.written])[items.moment]]
    answers = np.full((len(items.many), len(counts.versions)), NOT_TESTED)
    answers[:, [counts.versions.index(version) for version in items.versions]] = items.answers
    return ItemPatterns(period, items.label, answers, items.many, items.classes, len(periods.names), on is not None)
