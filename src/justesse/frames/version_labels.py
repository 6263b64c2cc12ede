"""Rows of every version with and without a label, and the probability with which each label was asked."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse.core.answer_policy import AnswerPolicy
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import InputError
from justesse.core.levels import CLUSTERS, RANKS
from justesse.core.quantity import quantity
from justesse.core.recording import remembering
from justesse.core.tally import Tally
from justesse.frames.columns import check_column, resolve
from justesse.frames.count import opened
from justesse.frames.count_axes import count_axes
from justesse.frames.drawn_sample import SMALLEST
from justesse.frames.placed_versions import VERSION, VersionColumns
from justesse.frames.versions import VersionCounts, every_row


@dataclass(frozen=True)
class AskedLabels:
    """Labelled rows in groups of equal ones: version, moment, what they count, and the probability of being asked.

    Groups of no row stand for rows without a label: they show how rarely some rows are asked.
    """

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
    every, rows_of = every_row(tables, columns, roles.prediction, kept, as_text)
    axes = {VERSION: columns.version, CLUSTERS: columns.time, **({RANKS: probability} if probability else {})}
    tally, _ = count_axes(
        tables,
        {"label": roles.label, "prediction": roles.prediction, **axes},
        policy=kept,
        as_text=as_text,
        texts=tuple(axes.values()),
    )
    version, moment = every.places(tally)
    wrong = (tally.codes[:, tally.axis("label")] != tally.codes[:, tally.axis("prediction")]).astype(float)
    errors, sizes = (np.zeros(rows_of.shape) for _ in range(2))
    np.add.at(errors, (version, moment), tally.counts * wrong)
    np.add.at(sizes, (version, moment), tally.counts)
    asked, certain = None, 0
    if probability is not None:
        chances = probabilities(tally, probability, tables[0].name)
        asked = AskedLabels(version, moment, wrong, chances, tally.counts)
        whole, _ = count_axes(tables, {"prediction": roles.prediction, **axes}, policy=kept, texts=tuple(axes.values()))
        own = every.places(whole)
        rows = EveryChance.of(whole, own[1], probability, tables[0].name)
        certain = rows.certain - int(asked.many[asked.probability == 1].sum())
        asked = rows.added_to(asked, own[0])
    counts = VersionCounts(
        every.versions, every.moments, every.written, every.dated, errors, sizes, every.trained,
        (roles.label, roles.prediction), tables[0].name,
    )  # fmt: skip
    return counts, LabelGaps(rows_of - sizes, asked, certain)


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


@dataclass(frozen=True)
class EveryChance:
    """All rows in groups, with and without a label: moment, probability of being asked (NaN: not given), and number."""

    moment: Array
    probability: FloatArray
    many: Array

    @classmethod
    def of(cls, tally: Tally, moment: Array, column: str, where: str) -> "EveryChance":
        """Read the probability of each cell of a tally; refuse rows that are never asked."""
        values = np.array([number_or_nan(level) for level in tally.levels[tally.axis(RANKS)]])
        rows = cls(moment, np.asarray(values[tally.codes[:, tally.axis(RANKS)]]), tally.counts)
        never = int(rows.many[rows.probability < SMALLEST].sum())
        if never:
            raise InputError(
                f"{quantity(never, 'row')} of {where} {'has' if never == 1 else 'have'} a probability below "
                f"{SMALLEST:g} in column {column!r}. "
                "Labels of other rows tell nothing about rows that are never asked. Leave these rows out, or bound "
                "the figure with missing_labels='bound' (--missing-labels bound) and without "
                "probabilities."
            )
        return rows

    @property
    def certain(self) -> int:
        """Number of rows that were asked with probability 1."""
        return int(self.many[self.probability == 1].sum())

    def added_to(self, asked: AskedLabels, version: Array) -> AskedLabels:
        """Add the probabilities of all rows as groups of no row."""
        known = self.probability <= 1
        nothing = np.zeros(int(known.sum()))
        parts = (version[known], self.moment[known], nothing, self.probability[known], nothing.astype(np.int64))
        names = ("version", "moment", "value", "probability", "many")
        return AskedLabels(
            *(np.concatenate([getattr(asked, name), part]) for name, part in zip(names, parts, strict=True))
        )


def number_or_nan(level: Any) -> float:
    """Read a number from a cell; NaN if it holds none."""
    try:
        return float(level)
    except (TypeError, ValueError):
        return float("nan")
