"""Rows of every version with and without a label, and the probability with which each label was asked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS, RANKS
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.frames.columns import check_column, resolve
from justesse.frames.count import opened
from justesse.frames.count_axes import count_axes
from justesse.frames.drawn_sample import SMALLEST
from justesse.frames.rows import Rows
from justesse.frames.versions import TRAINED, VERSION, VersionColumns, VersionCounts, placed_versions


@dataclass(frozen=True)
class AskedLabels:
    """Labelled rows in groups of equal ones: version, moment, what they count, and the probability of being asked."""

    version: Array
    moment: Array
    value: FloatArray
    probability: FloatArray
    many: Array


@dataclass(frozen=True)
class LabelGaps:
    """Rows without a label, versions down and moments across, and how labels were asked.

    Parameters
    ----------
    unlabelled
        Rows without a label.
    asked
        Labelled rows with their probabilities, if there is a column of them.
    certain
        Rows without a label although it was asked with probability 1.
    """

    unlabelled: FloatArray
    asked: AskedLabels | None = None
    certain: int = 0


@remembering
def count_labels(
    data: Any,
    columns: VersionColumns,
    *,
    label: str | None = None,
    prediction: str | None = None,
    policy: AnswerPolicy,
    as_text: bool = False,
    probability: str | None = None,
) -> tuple[VersionCounts, LabelGaps]:
    """Count the errors among labelled rows, and the rows without a label, of every version at every moment.

    Parameters
    ----------
    data
        Path, data frame or dict with a row for each item and version.
    columns
        Columns of the version, the time and, if there is one, the time of training.
    label, prediction
        Columns of labels and predictions. Default: columns with a usual name.
    policy
        What to do with missing predictions.
    as_text
        Whether to compare classes as text.
    probability
        Column with the probability with which the label of a row was asked.

    >>> rows = {"v": ["a", "a"], "t": [1, 1], "label": ["x", None], "prediction": ["y", "y"]}
    >>> counts, gaps = count_labels(rows, VersionColumns("v", "t"), policy=AnswerPolicy())
    >>> counts.errors.tolist(), counts.sizes.tolist(), gaps.unlabelled.tolist()
    ([[1.0]], [[1.0]], [[1.0]])
    """
    tables = opened(data)
    roles = resolve(tables[0].columns, where=tables[0].name, label=label, prediction=prediction)
    for table in tables:
        if probability is not None:
            check_column(table.columns, table.name, "probability", probability)
    kept = AnswerPolicy(policy.missing, "drop", "class")
    every = _every_row(tables, columns, roles.prediction, kept, as_text)
    axes = {VERSION: columns.version, CLUSTERS: columns.time, **({RANKS: probability} if probability else {})}
    tally, _ = count_axes(
        tables,
        {"label": roles.label, "prediction": roles.prediction, **axes},
        policy=kept,
        as_text=as_text,
        texts=tuple(axes.values()),
    )
    version = placed(tally, VERSION, every.versions)
    moment = placed(tally, CLUSTERS, every.written)
    wrong = (tally.codes[:, tally.axis("label")] != tally.codes[:, tally.axis("prediction")]).astype(float)
    errors, sizes = (np.zeros(every.sizes.shape) for _ in range(2))
    np.add.at(errors, (version, moment), tally.counts * wrong)
    np.add.at(sizes, (version, moment), tally.counts)
    asked, certain = None, 0
    if probability is not None:
        chances = probabilities(tally, probability, tables[0].name)
        asked = AskedLabels(version, moment, wrong, chances, tally.counts)
        certain = unlabelled_for_sure(tables, roles.prediction, probability, asked, kept)
    counts = replace(every, errors=errors, sizes=sizes, columns=(roles.label, roles.prediction))
    return counts, LabelGaps(every.sizes - sizes, asked, certain)


def _every_row(
    tables: Sequence[Rows], columns: VersionColumns, prediction: str, policy: AnswerPolicy, as_text: bool
) -> VersionCounts:
    """Count the rows of every version at every moment, whether they have a label or not."""
    axes = {VERSION: columns.version, CLUSTERS: columns.time}
    if columns.trained is not None:
        axes[TRAINED] = columns.trained
    for table in tables:
        for part, name in zip(("version", "time", "trained"), axes.values(), strict=False):
            check_column(table.columns, table.name, part, name)
    tally, _ = count_axes(
        tables, {"prediction": prediction, **axes}, policy=policy, as_text=as_text, texts=tuple(axes.values())
    )
    version, moment, *trained = ((tally.codes[:, tally.axis(axis)], tally.levels[tally.axis(axis)]) for axis in axes)
    place = placed_versions(version, moment, trained[0] if trained else None, columns, tables[0].name)
    sizes = place.sums(tally.counts)
    return VersionCounts(
        place.versions, place.moments, place.written, place.dated, 0 * sizes, sizes, place.trained,
        (prediction, prediction), tables[0].name,
    )  # fmt: skip


def placed(tally: Any, axis: str, names: Sequence[str]) -> Array:
    """Return the place of each cell of a tally among these names."""
    place = {name: at for at, name in enumerate(names)}
    own = np.array([place[str(name)] for name in tally.levels[tally.axis(axis)]], dtype=np.int64)
    return np.asarray(own[tally.codes[:, tally.axis(axis)]])


def probabilities(tally: Any, column: str, where: str) -> FloatArray:
    """Read the probability of each cell of a tally; refuse what is none."""
    codes, levels = tally.codes[:, tally.axis(RANKS)], tally.levels[tally.axis(RANKS)]
    values = np.array([number_or_nan(level) for level in levels])
    wrong = ~((values >= SMALLEST) & (values <= 1))
    if wrong.any():
        rows = int(tally.counts[wrong[codes]].sum())
        shown = next(level for level, bad in zip(levels, wrong.tolist(), strict=True) if bad)
        raise InputError(
            f"Column {column!r} of {where} must hold a probability of at least {SMALLEST:g} and at most 1 in every row "
            f"with a label; {quantity(rows, 'row')} {'has' if rows == 1 else 'have'} none, such as "
            f"{'an empty value' if shown is None else repr(shown)}. Write how likely the label was asked."
        )
    return np.asarray(values[codes])


def unlabelled_for_sure(
    tables: Sequence[Rows], prediction: str, probability: str, asked: AskedLabels, policy: AnswerPolicy
) -> int:
    """Count the rows without a label that were asked with probability 1."""
    tally, _ = count_axes(tables, {"prediction": prediction, RANKS: probability}, policy=policy, texts=(probability,))
    values = np.array([number_or_nan(level) for level in tally.levels[tally.axis(RANKS)]])
    every = int(tally.counts[values[tally.codes[:, tally.axis(RANKS)]] == 1].sum())
    return every - int(asked.many[asked.probability == 1].sum())


def number_or_nan(level: Any) -> float:
    """Read a number from a cell; NaN if it holds none."""
    try:
        return float(level)
    except (TypeError, ValueError):
        return float("nan")
