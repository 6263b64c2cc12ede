"""A table of verdicts in memory: which columns it comes from, and what it holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import MissingValueError
from justesse.core.quantity import quantity
from justesse.frames.rows import Rows
from justesse.frames.table import row_words
from justesse.frames.values import Named, named


@dataclass(frozen=True)
class VerdictColumns:
    """Names of columns, where the caller knows them; the usual names are guessed."""

    item: str | None = None
    judge: str | None = None
    prompt: str | None = None
    winner: str | None = None
    verdict: str | None = None
    rating: str | None = None
    model: str | None = None
    models: tuple[str, ...] = ()
    swapped: str | None = None
    stratum: str | None = None
    lengths: tuple[str, ...] = ()
    as_shown: bool = False

    @property
    def named(self) -> frozenset[str]:
        """Every column that the caller names for a part of the table of verdicts."""
        single = (self.item, self.judge, self.prompt, self.winner, self.verdict, self.model, self.swapped, self.stratum)
        return frozenset(name for name in (*single, *self.models, *self.lengths) if name is not None)


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Verdicts on units: an output of an item, or two outputs of an item that are compared.

    Parameters
    ----------
    name
        Name of the table.
    pairs
        Whether two outputs are compared.
    judges, families, models, strata
        Names; a family is the judge without the prompt; no models if the table names none.
    judge, unit, value, swapped
        For each verdict: codes of judge and unit, 1, 0.5 or 0 (NaN: cannot be read), and whether the outputs were shown
        in the other order (-1: not known).
    item, first, second, stratum, rating
        For each unit: codes of item, models and stratum (-1: none), and people's rating (NaN: not rated).
    longer
        Whether the first output of a pair is longer, or an output is longer than the median one; NaN: not known.
    columns
        Column of each part that was read.
    unknown, disagreements
        Rated units without a verdict; units that people rated differently.
    """

    name: str
    pairs: bool
    judges: tuple[str, ...]
    families: tuple[str, ...]
    models: tuple[str, ...]
    strata: tuple[str, ...]
    judge: Array
    unit: Array
    value: FloatArray
    swapped: Array
    item: Array
    first: Array
    second: Array
    stratum: Array
    rating: FloatArray
    longer: FloatArray
    items: tuple[str, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    unknown: int = 0
    disagreements: int = 0

    @property
    def rated(self) -> Array:
        """Which units people rated."""
        return ~np.isnan(self.rating)


def text_names(table: Rows, column: str) -> Named:
    return named(table.arrays([column], []).keys[0], form=table.form, column=column, as_text=True)


def required_names(values: Named, where: str, column: str, part: str) -> Named:
    if values.missing.any():
        gone = np.flatnonzero(values.missing)
        raise MissingValueError(
            f"{quantity(len(gone), f'missing {part}')} in column {column!r} of {where}: {row_words(gone)}. Fill them "
            "in, or remove those rows."
        )
    return values


def longer_outputs(lengths: FloatArray, pairs: bool) -> FloatArray:
    first, second = lengths.T
    if not pairs:
        second = np.full(len(first), np.nanmedian(first) if np.isfinite(first).any() else np.nan)
    known = np.isfinite(first) & np.isfinite(second) & (first != second)
    return np.asarray(np.where(known, (first > second).astype(float), np.nan))
