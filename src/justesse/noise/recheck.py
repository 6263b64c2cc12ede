"""(f) A random sample of the rows was re-checked: the measured value, put right by what the sample shows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.levels import merged
from justesse.core.results import Alternative, Estimate, Interval, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.clopper_pearson import clopper_pearson
from justesse.intervals.delta import measure_error
from justesse.intervals.ends import z_value
from justesse.intervals.prediction_powered import About, PredictionPowered, Stratum, prediction_powered
from justesse.intervals.wilson import wilson
from justesse.measures import Confusion, Measure
from justesse.measures.accuracy import Share
from justesse.measures.averages import Averaged
from justesse.measures.confusion import ratio
from justesse.measures.ratio import Ratio
from justesse.noise.counted import counted, on_classes
from justesse.noise.possible import once_each, possible
from justesse.noise.random_sample import cells_of, sample_chance
from justesse.noise.rung import RECHECKED, Rung

Strata = Literal["kinds", "cells", "none"]
FEW = 30
OWN_STRATUM = 20  # re-checked rows that a cell needs to stand alone
UNLIKELY = 1e-4
# right answers and rows that a class gains if a row turns out otherwise than labelled: labelled and predicted so,
# labelled so only, predicted so only, neither
HITS, ROWS = np.array([-1, 0, 1, 0]), np.array([-1, -1, 1, 1])
FEW_ROWS = "Only {n} re-checked: the intervals are rough."
ODD_SAMPLE = (
    "The re-checked rows do not look like a random sample: their labels and predictions are distributed differently "
    "from the whole set (p = {p:.1g}). If they were not drawn at random, these estimates are wrong."
)
UNSEEN = (
    "{title}: none of the {n:g} rows that matter was re-checked. The value assumes that their labels are right; the "
    "interval allows any labels.{more}"
)
NO_ROWS = "the corrected denominator is 0"
ALL_CHECKED = "no interval: every row was re-checked"


def recheck(
    tally: Tally,
    sample: Tally,
    measures: Sequence[Measure],
    *,
    strata: Strata = "kinds",
    about: About = "population",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> Rung[Estimate]:
    """Estimate measures against the true classes from all labels and a random sample of re-checked ones.

        accuracy = mean over all rows of [predicted = label]
                 + mean over the sample of ([predicted = true] - [predicted = label])

    Parameters
    ----------
    tally
        Counts of all rows by label × prediction.
    sample
        Counts of the re-checked rows by true × label × prediction: a part of all rows, drawn without replacement.
    measures
        Accuracy, error, measures of one class, or macro averages of them.
    strata
        Strata of the second mean. "kinds": rows that the label calls right and wrong; for a class, the four kinds of
        rows around it. "cells": (label, prediction), with cells of fewer than 20 re-checked rows pooled with their
        kind. "none".
    about
        "population": the population the rows come from; "rows": these rows only.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.

    Notes
    -----
    Unbiased for any label errors, exactly so with `strata="none"`; measures of one class are ratios of two such sums.
    "kinds" is usually much narrower, because labels that the classifier disputes are wrong more often. "cells" helps
    where wrong labels are concentrated in a few cells. Each stratum has Clopper and Pearson's interval with the
    finite-population correction; they are combined by MOVER, so that a sample without a wrong label does not give an
    interval of width 0. The interval of a macro average averages the distances of the classes' ends: it is never too
    narrow, and often wider than necessary. Do not use it if the rows were not drawn at random. Angelopoulos et al.
    (2023); Zou and Donner (2008).

    Examples
    --------
    >>> from justesse.measures import accuracy
    >>> whole = Tally.from_dense([[4300, 700], [700, 4300]], ["a", "b"])
    >>> cells = [("a", "a", "a", 84), ("b", "a", "a", 2), ("b", "a", "b", 4), ("a", "a", "b", 10)]
    >>> cells += [("b", "b", "b", 85), ("a", "b", "b", 1), ("a", "b", "a", 5), ("b", "b", "a", 9)]
    >>> result = recheck(whole, Tally.of(["true", "label", "prediction"], cells), [accuracy]).figures[0]
    >>> round(result.value, 3), str(result.interval)
    (0.89, '[0.8537, 0.9210]')
    """
    tails = tail_levels(level, alternative)
    for word, choices, chosen in (("strata", Strata, strata), ("about", About, about)):
        if chosen not in get_args(choices):
            raise OptionError(f"{word} must be one of {', '.join(get_args(choices))}; got {chosen!r}.")
    checked = counted(sample, "true", "label", "prediction")
    if checked.n < 2:
        raise OptionError(f"At least two rows must be re-checked to compute an interval; got {checked.n}.")
    rows = counted(tally, "label", "prediction")
    classes = merged(rows.classes, checked.classes)
    rows, checked = (on_classes(estimate, classes, what="the list of classes") for estimate in (rows, checked))
    warnings = sample_warnings(rows, checked)
    cell, table = _cell_of_each(rows, checked), Confusion.of(rows)
    estimates, unseen, outside = [], [], []
    for measure in measures:
        each = measure.class_measure if isinstance(measure, Averaged) and measure.how == "macro" else measure
        reached = []
        for at in np.flatnonzero(rows.judged).tolist() if each.per_class else (-1,):
            moves = _moves(_Sums.of(each, at, table, rows, checked), cell, rows, checked, strata)
            reached.append(_reach(each, at, moves, table, rows, tails, about))
        names = [name for name, judged in zip(rows.classes, rows.judged, strict=True) if judged]
        for name, reach in zip(names, reached, strict=True) if measure.per_class else [(None, _mean(reached))]:
            estimate = Estimate.of(measure, reach.value, checked.n, None, NO_ROWS, name)
            if not np.isnan(reach.value):
                low, high = reach.value - reach.down, reach.value + reach.up
                ends = Interval(low, high, level, f"recheck-{strata}", (0.0, 1.0), alternative)
                known = max(reach.down, reach.up) == 0
                estimate, warning = possible(
                    replace(estimate, interval=None if known else ends, undefined=ALL_CHECKED if known else None)
                )
                outside += [warning] if warning else []
                unseen += [(estimate.title, reach.unseen)] if reach.unseen else []
            estimates.append(estimate)
    if unseen:
        title, n = max(unseen, key=lambda estimate: estimate[1])
        more = (
            f" The same holds for {len(unseen) - 1} other figures, with as many rows or fewer."
            if len(unseen) > 1
            else ""
        )
        warnings.append(UNSEEN.format(title=title, n=n, more=more))
    return Rung(
        RECHECKED,
        tuple(estimates),
        (
            f"the {checked.n} re-checked rows are a random sample of the {rows.n} rows",
            "the re-check finds the true class",
            *(("the rows are independent draws",) if about == "population" else ()),
        ),
        "the re-checked rows were not drawn at random, or the re-check is wrong too",
        (*warnings, *once_each(outside)),
        _powered(rows, checked, about, level, alternative),
    )


def _powered(rows: Tally, checked: Tally, about: About, level: float, alternative: Alternative) -> PredictionPowered:
    """Compare the accuracy with that of the re-checked rows alone, by strata: right and wrong by the label."""
    label, prediction = rows.codes.T
    true, written, answer = checked.codes.T
    strata = [
        Stratum(
            [float(right)],
            [rows.counts[(label == prediction) == right].sum()],
            (true == answer)[kind],
            np.full(int(kind.sum()), float(right)),
            checked.counts[kind],
        )
        for right in (True, False)
        if ((label == prediction) == right).any()
        for kind in [(written == answer) == right]
    ]
    return prediction_powered(strata, about=about, level=level, alternative=alternative)


def sample_warnings(tally: Tally, sample: Tally) -> list[str]:
    """Warn if a sample is small, or distributed differently from all rows over the axes they share.

    >>> whole = Tally.from_dense([[4300, 700], [700, 4300]])
    >>> [warning.split(":")[0] for warning in sample_warnings(whole, Tally.from_dense([[1, 13], [13, 1]]))]
    ['Only 28 rows were re-checked', 'The re-checked rows do not look like a random sample']
    """
    axes = [axis for axis in sample.axes if axis in tally.axes and axis != "true"]
    classes = merged(tally.classes, sample.classes)
    whole, part = (
        on_classes(counts.marginal(*axes), classes, what="the list of classes") for counts in (tally, sample)
    )
    chance = sample_chance(whole, part)
    warnings = [FEW_ROWS.format(n="1 row was" if sample.n == 1 else f"{sample.n} rows were")] if sample.n < FEW else []
    return warnings + ([ODD_SAMPLE.format(p=chance)] if chance < UNLIKELY else [])


def _cell_of_each(rows: Tally, checked: Tally) -> Array:
    """Find the (label, prediction) cell of the whole set for each cell of the sample."""
    pairs = checked.marginal("label", "prediction")
    base = np.array([len(rows.classes), 1])
    order = np.searchsorted(pairs.codes @ base, checked.codes[:, 1:] @ base)
    return np.asarray(cells_of(rows, pairs)[order])


@dataclass(frozen=True)
class _Sums:
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
    def of(cls, measure: Measure, at: int, table: Confusion, rows: Tally, checked: Tally) -> "_Sums":
        label, prediction = rows.codes.T
        true, written, answer = checked.codes.T
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
class _Moves:
    """How many rows of the whole set the truth moves, by stratum, and what each such row does to the value."""

    value: float
    above: float
    below: float
    slope: Array
    share: Array
    size: Array
    worth: Array
    by_kind: Array
    apart: bool

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
        if not self.apart:
            # a row is of one kind only: shares of the same sample lean against each other
            odds = np.sqrt(self.share / np.maximum(1 - self.share, 1e-12))
            lean = np.sign(self.slope) * odds * part
            total -= float(lean.sum() ** 2 - (lean**2).sum())
        return float(np.sqrt(max(total, 0.0)))

    @property
    def unseen(self) -> float:
        return float(self.size[(self.worth == 0) & (self.slope != 0)].sum())


def _moves(sums: _Sums, cell: Array, rows: Tally, checked: Tally, strata: Strata) -> _Moves:
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
    if strata == "none":
        size, seen = np.full(len(size), float(rows.n)), np.full(len(size), float(checked.n))
    share = np.nan_to_num(ratio(wrong, seen))
    above, below = np.array([sums.above, sums.below]) + sums.gains[kind_of].T @ (size * share)
    value = float(ratio(above, max(below, 0.0)))
    slope = (sums.gains[kind_of, 0] - value * sums.gains[kind_of, 1]) / below if below > 0 else np.zeros(len(size))
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(seen > 0, seen * (size - 1) / (size - seen), 0.0)
    worth = np.where(seen == size, np.inf, worth)
    by_kind = np.bincount(kind_of, size * share, minlength=kinds)
    return _Moves(value, float(above), float(below), slope, share, size, worth, by_kind, strata != "none")


@dataclass(frozen=True)
class _Reach:
    """A value, how far below and above it the truth may be, and how many rows matter of which none was re-checked."""

    value: float
    down: float
    up: float
    unseen: float


def _reach(
    measure: Measure, at: int, moves: _Moves, table: Confusion, rows: Tally, tails: tuple[float, float], about: About
) -> _Reach:
    if np.isnan(moves.value):
        return _Reach(moves.value, np.nan, np.nan, 0.0)
    down, up = moves.distance(tails[0], downwards=True), moves.distance(tails[1], downwards=False)
    if about == "population":
        down, up = np.hypot((down, up), _of_population(measure, at, moves, table, rows, tails)).tolist()
    return _Reach(moves.value, down, up, moves.unseen)


def _mean(reached: Sequence[_Reach]) -> _Reach:
    """Average the classes that have a value; the spread of a mean is at most the mean of the spreads."""
    defined = [reach for reach in reached if not np.isnan(reach.value)] or reached
    value, down, up = (float(np.mean([getattr(reach, part) for reach in defined])) for part in ("value", "down", "up"))
    return _Reach(value, down, up, max(reach.unseen for reach in defined))


def _of_population(
    measure: Measure, at: int, moves: _Moves, table: Confusion, rows: Tally, tails: tuple[float, float]
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
