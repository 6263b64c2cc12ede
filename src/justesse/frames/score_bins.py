"""Scores counted in bins by the engine, for rows that do not fit in memory."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import ColumnError, MissingValueError, OptionError, ScoreError
from justesse.core.quantity import quantity
from justesse.core.results import ClassName
from justesse.frames.columns import guess_label
from justesse.frames.rows import DuckRows, Rows
from justesse.frames.scores import find_positive
from justesse.frames.values import named


@dataclass(frozen=True)
class ScoreBins:
    """Positive and negative rows per bin, the highest scores first, with each bin's mean score and lower edge."""

    classes: tuple[ClassName, ...]
    positive: ClassName
    scores: Array
    edges: Array
    positives: Array
    negatives: Array
    width: float

    @property
    def n(self) -> int:
        return int(self.positives.sum() + self.negatives.sum())


def count_score_bins(
    tables: Sequence[Rows], *, label: str | None, score: str, positive: ClassName, bins: int, as_text: bool
) -> ScoreBins:
    """Count rows by label and bin of score: one look for the range, one group-by.

    Parameters
    ----------
    tables
        Tables to count, one after the other.
    label
        Column with labels. Default: guessed.
    score
        Column with scores.
    positive
        The class that the scores are about.
    bins
        Number of bins.
    as_text
        Whether to compare classes as text.
    """
    if not 10 <= bins <= 1_000_000:
        raise OptionError(f"The number of score bins must be between 10 and 1,000,000; got {bins!r}.")
    first = tables[0]
    column = guess_label(first.columns, first.name, label)
    for table in tables:
        if score not in table.columns or column not in table.columns:
            known = ", ".join(map(repr, table.columns[:20]))
            raise ColumnError(f"Columns {column!r} and {score!r} are needed in {table.name}. Columns: {known}.")
    ranges = []
    for table in tables:
        if not isinstance(table, DuckRows):
            raise OptionError(
                "Scores can be counted in bins from files, data frames in memory and DuckDB relations only. "
                "Collect the frame first."
            )
        ranges.append(table.score_range(score))
    low, high = min(range_.low for range_ in ranges), max(range_.high for range_ in ranges)
    bad = sum(range_.bad for range_ in ranges)
    if bad:
        raise ScoreError(f"Column {score!r} has no finite number in {quantity(bad, 'row')}. Correct or remove them.")
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    width = (high - low) / bins if high > low else 1.0
    parts = [table.score_bins(column, score, low, width, bins) for table in tables if isinstance(table, DuckRows)]
    labels = named(np.concatenate([part[0] for part in parts]), form=first.form, column=column, as_text=as_text)
    if labels.missing.any():
        raise MissingValueError(f"Missing labels in column {column!r} of {first.name}. Fill them in first.")
    classes = tuple(dict.fromkeys(labels.names))
    chosen = find_positive(positive, classes)
    which, counts, sums = (np.concatenate([part[at] for part in parts]) for at in (1, 2, 3))
    is_positive = labels.codes == labels.names.index(chosen)
    total = np.bincount(which, counts, bins)
    positives = np.bincount(which, counts * is_positive, bins)
    used = np.flatnonzero(total)[::-1]
    mean = np.bincount(which, sums, bins)[used] / total[used]
    return ScoreBins(classes, chosen, mean, low + used * width, positives[used], (total - positives)[used], width)
