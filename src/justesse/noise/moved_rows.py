"""How many rows the truth moves into and out of a measure, by stratum, and how far its value may lie."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.tally import Tally
from justesse.intervals.clopper_pearson import clopper_pearson
from justesse.intervals.delta import measure_error
from justesse.intervals.ends import z_value
from justesse.intervals.prediction_powered import About
from justesse.intervals.wilson import wilson
from justesse.measures import Confusion, Measure
from justesse.measures.accuracy import Share
from justesse.measures.confusion import ratio
from justesse.measures.ratio import Ratio
from justesse.noise.random_sample import cells_of
from justesse.noise.sample_design import SampleDesign

Strata = Literal["kinds", "cells", "none"]
OWN_STRATUM = 20  # re-checked rows that a cell needs to stand alone
# right answers and rows that a class gains if a row turns out otherwise than labelled: labelled and predicted so,
# labelled so only, predicted so only, neither
HITS, ROWS = np.array([-1, 0, 1, 0]), np.array([-1, -1, 1, 1])


def cell_of_each(rows: Tally, checked: Tally) -> Array:
    """Find the (label, prediction) cell of the whole set for each cell of the sample."""
    pairs = checked.marginal("label", "prediction")
    base = np.array([len(rows.classes), 1])
    order = np.searchsorted(pairs.codes @ base, checked.codes[:, 1:3] @ base)
    return np.asarray(cells_of(rows, pairs)[order])


@dataclass(frozen=True)
class MeasureSums:
    """A measure as one sum over another against the labels, and what the truth of a row changes in both.

    `kind` belongs to cells of the whole set and `wrong`, whether their truth changes the sums, to cells of the sample.
    `gains` are what it adds above and below, per kind.
    """

    above: float
    below: float
    gains: Array
    kind: Array
    wrong: Array

    @classmethod
    def of(cls, measure: Measure, at: int, table: Confusion, rows: Tally, checked: Tally) -> "MeasureSums":
        label, prediction = rows.codes.T
        true, written, answer = checked.codes[:, :3].T
        if isinstance(measure, Share):
            sign = 1.0 if measure.right else -1.0
            share = measure.proportion(table)
            kind, wrong = (
                (label != prediction).astype(int),
                np.where(written == answer, true != written, true == answer),
            )
            return cls(float(share.successes), rows.n, np.array([[-sign, 0.0], [sign, 0.0]]), kind, wrong)
        if isinstance(measure, Ratio):
            top, bottom = measure.numerator, measure.denominator
            gains = np.stack([part.hits * HITS + part.labelled * ROWS for part in (top, bottom)], axis=1)
            kind, wrong = 2 * (label != at) + (prediction != at), (true == at) != (written == at)
            return cls(float(top.of(table)[at]), float(bottom.of(table)[at]), gains, kind, wrong)
        raise OptionError(
            f"{measure.name!r} cannot be estimated from a re-checked sample. Ask for accuracy, error, macro averages "
            "or measures of one class."
        )


@dataclass(frozen=True)
class Moves:
    """How many rows of the whole set the truth moves, by stratum, and what each such row does to the value."""

    value: float
    above: float
    below: float
    slope: Array
    share: Array
    size: Array
    worth: Array
    by_kind: Array
    group: Array  # rows of one sample, of which each is of one kind only

    def distance(self, tail: float, *, downwards: bool) -> float:
        """Return how far the value can lie to one side; infinite where a one-sided bound leaves it open."""
        if not tail:
            return float("inf")
        known = np.isfinite(self.worth) & (self.worth > 0)
        worth = np.where(known, self.worth, 1.0)
        right = self.share * worth
        low = clopper_pearson(right, worth, level=1 - tail, alternative="greater").low
        high = clopper_pearson(right, worth, level=1 - tail, alternative="less").high
        nothing = self.worth == 0
        down = np.where(known, self.share - low, 0.0)
        up = np.where(known, high - self.share, np.where(nothing, 1.0, 0.0))
        part = np.abs(self.slope) * self.size * np.where((self.slope > 0) == downwards, down, up)
        total = float((part**2).sum())
        # a row is of one kind only: shares of the same sample lean against each other
        odds = np.sqrt(self.share / np.maximum(1 - self.share, 1e-12))
        lean = np.sign(self.slope) * odds * part
        total -= float((np.bincount(self.group, lean) ** 2).sum() - (lean**2).sum())
        return float(np.sqrt(max(total, 0.0)))

    @property
    def unseen(self) -> float:
        return float(self.size[(self.worth == 0) & (self.slope != 0)].sum())


def moves_of(
    sums: MeasureSums, cell: Array, rows: Tally, checked: Tally, strata: Strata, design: SampleDesign | None
) -> Moves:
    """Count the rows that the truth moves, by stratum.

    Parameters
    ----------
    sums
        The measure as one sum over another.
    cell
        Cell of the whole set for each cell of the sample.
    rows, checked
        Counts of all rows and of the re-checked ones.
    strata
        Strata of the estimate, for a simple random sample.
    design
        Strata that the rows were drawn from, if some were likelier than others.
    """
    kinds, cells = len(sums.gains), len(rows.counts)
    count = checked.counts.astype(float)
    group, kind_of = sums.kind, np.arange(kinds)
    if strata == "cells":
        alone = np.bincount(cell, count, minlength=cells) >= OWN_STRATUM
        group, kind_of = np.where(alone, kinds + np.arange(cells), sums.kind), np.append(kind_of, sums.kind)
    total = len(kind_of)
    size = np.bincount(group, rows.counts, minlength=total)
    seen = np.bincount(group[cell], count, minlength=total)
    wrong = np.bincount(group[cell[sums.wrong]], count[sums.wrong], minlength=total)
    keep = size > 0
    size, seen, wrong, kind_of = size[keep], seen[keep], wrong[keep], kind_of[keep]
    together = np.arange(len(size))
    if design:
        # kinds within each stratum drawn from; how many rows of a kind a stratum has is not known
        drawn, stratum = np.unique(sums.kind), design.codes(checked)
        many = len(design.sizes)
        together, kind_of = np.tile(np.arange(many), len(drawn)), np.repeat(drawn, many)
        size, seen = np.tile(np.array(design.sizes, dtype=float), len(drawn)), np.tile(design.seen(checked), len(drawn))
        at = np.searchsorted(drawn, sums.kind[cell]) * many + stratum
        wrong = np.bincount(at[sums.wrong], count[sums.wrong], minlength=len(size))
        if (kind := _kind_of_strata(sums, cell, rows, design, stratum)) is not None:
            only = kind_of == np.append(kind, -1)[together]
            size, seen, wrong, together, kind_of = (part[only] for part in (size, seen, wrong, together, kind_of))
    elif strata == "none":
        together = np.zeros(len(size), dtype=int)
        size, seen = np.full(len(size), float(rows.n)), np.full(len(size), float(checked.n))
    share = np.nan_to_num(ratio(wrong, seen))
    above, below = np.array([sums.above, sums.below]) + sums.gains[kind_of].T @ (size * share)
    value = float(ratio(above, max(below, 0.0)))
    slope = (sums.gains[kind_of, 0] - value * sums.gains[kind_of, 1]) / below if below > 0 else np.zeros(len(size))
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(seen > 0, seen * (size - 1) / (size - seen), 0.0)
    worth = np.where(seen == size, np.inf, worth)
    by_kind = np.bincount(kind_of, size * share, minlength=kinds)
    return Moves(value, float(above), float(below), slope, share, size, worth, by_kind, together)


def _kind_of_strata(sums: MeasureSums, cell: Array, rows: Tally, design: SampleDesign, stratum: Array) -> Array | None:
    """Return the only kind of rows in each stratum drawn from; nothing if a stratum mixes kinds or was not seen.

    Strata that were cut within kinds show one kind each, and their sizes add up to the rows of the kind.
    """
    many = len(design.sizes)
    seen = [np.unique(sums.kind[cell[stratum == s]]) for s in range(many)]
    if any(len(kinds) != 1 for kinds in seen):
        return None
    kind = np.concatenate(seen)
    sizes = np.bincount(kind, design.sizes, minlength=len(sums.gains))
    return kind if (sizes == np.bincount(sums.kind, rows.counts, minlength=len(sums.gains))).all() else None


@dataclass(frozen=True)
class Reach:
    """A value, how far below and above it the truth may be, and how many rows matter of which none was re-checked."""

    value: float
    down: float
    up: float
    unseen: float


def reach_of(
    measure: Measure, at: int, moves: Moves, table: Confusion, rows: Tally, tails: tuple[float, float], about: About
) -> Reach:
    """Return a value and how far below and above it the truth may be.

    Parameters
    ----------
    measure, at
        The measure, and the position of its class, -1 for none.
    moves
        Rows that the truth moves.
    table, rows
        Confusion and counts of all rows, by their labels.
    tails
        Probabilities left out below and above.
    about
        "population" adds the sampling error of the rows.
    """
    if np.isnan(moves.value):
        return Reach(moves.value, np.nan, np.nan, 0.0)
    down, up = moves.distance(tails[0], downwards=True), moves.distance(tails[1], downwards=False)
    if about == "population":
        down, up = np.hypot((down, up), _of_population(measure, at, moves, table, rows, tails)).tolist()
    return Reach(moves.value, down, up, moves.unseen)


def mean_of(reached: Sequence[Reach]) -> Reach:
    """Average the classes that have a value; the spread of a mean is at most the mean of the spreads."""
    defined = [reach for reach in reached if not np.isnan(reach.value)] or reached
    value, down, up = (float(np.mean([getattr(reach, part) for reach in defined])) for part in ("value", "down", "up"))
    return Reach(value, down, up, max(reach.unseen for reach in defined))


def _of_population(
    measure: Measure, at: int, moves: Moves, table: Confusion, rows: Tally, tails: tuple[float, float]
) -> tuple[float, float]:
    """Return how far these rows may be from their population, if all their labels are right."""
    if measure.proportion(table):
        trials = moves.below
        right = min(max(moves.above, 0.0), trials)
        low = wilson(right, trials, level=1 - tails[0], alternative="greater").low if tails[0] else -np.inf
        high = wilson(right, trials, level=1 - tails[1], alternative="less").high if tails[1] else np.inf
        return right / trials - float(low), float(high) - right / trials
    truth = Confusion(
        table.hits[[at]] + HITS @ moves.by_kind,
        table.labelled[[at]] + ROWS @ moves.by_kind,
        table.predicted[[at]],
        table.n,
    )
    error = float(measure_error(rows, measure, truth, truth)[0])
    return z_value(tails[0]) * error, z_value(tails[1]) * error
