"""(f) A random sample of the rows was re-checked: the measured value, put right by what the sample shows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.levels import merged
from justesse.core.results import Alternative, Estimate, Interval, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.prediction_powered import About
from justesse.measures import Confusion, Measure
from justesse.measures.averages import Averaged
from justesse.noise.counted import counted, on_classes
from justesse.noise.moved_rows import MeasureSums, Strata, cell_of_each, mean_of, moves_of, reach_of
from justesse.noise.possible import once_each, possible
from justesse.noise.powered_accuracy import powered_accuracy, powered_by_draws
from justesse.noise.random_sample import sample_chance
from justesse.noise.rung import RECHECKED, Rung
from justesse.noise.sample_design import STRATUM, SampleDesign

FEW = 30
UNLIKELY = 1e-4
FEW_ROWS = "Only {n} re-checked: the intervals are rough."
ODD_SAMPLE = (
    "The re-checked rows do not look like a random sample: their labels and predictions are distributed differently "
    "from the whole set (p < 0.0001). If they were not drawn at random, these estimates are wrong."
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
    design: SampleDesign | None = None,
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
    design
        Strata that the rows were drawn from, if some rows were likelier than others; the sample then has an axis
        `stratum`, and `strata` is not used. Default: a simple random sample.

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
    checked = counted(sample, "true", "label", "prediction", *([STRATUM] if design else []))
    if checked.n < 2:
        raise OptionError(f"At least two rows must be re-checked to compute an interval; got {checked.n}.")
    rows = counted(tally, "label", "prediction")
    classes = merged(rows.classes, checked.classes)
    rows, checked = (on_classes(estimate, classes, what="the list of classes") for estimate in (rows, checked))
    if design:
        design.check(rows.n)
    warnings = sample_warnings(rows, checked, at_random=design is None)
    cell, table = cell_of_each(rows, checked), Confusion.of(rows)
    estimates, unseen, outside = [], [], []
    for measure in measures:
        each = measure.class_measure if isinstance(measure, Averaged) and measure.how == "macro" else measure
        reached = []
        for at in np.flatnonzero(rows.judged).tolist() if each.per_class else (-1,):
            moves = moves_of(MeasureSums.of(each, at, table, rows, checked), cell, rows, checked, strata, design)
            reached.append(reach_of(each, at, moves, table, rows, tails, about))
        names = [name for name, judged in zip(rows.classes, rows.judged, strict=True) if judged]
        for name, reach in zip(names, reached, strict=True) if measure.per_class else [(None, mean_of(reached))]:
            estimate = Estimate.of(measure, reach.value, checked.n, None, NO_ROWS, name)
            if not np.isnan(reach.value):
                low, high = reach.value - reach.down, reach.value + reach.up
                ends = Interval(low, high, level, f"recheck-{strata}", (0.0, 1.0), alternative)
                ends = replace(ends, method="recheck-drawn") if design else ends
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
            drawn_words(checked.n, rows.n, design),
            "the re-check finds the true class",
            *(("the rows are independent draws",) if about == "population" else ()),
        ),
        "the re-checked rows were not drawn at random, or the re-check is wrong too",
        (*warnings, *once_each(outside)),
        powered_by_draws(rows, sample, checked, design, level, alternative)
        if design
        else powered_accuracy(rows, checked, about, level, alternative),
    )


def drawn_words(checked: int, rows: int, design: SampleDesign | None) -> str:
    """Say how the re-checked rows are assumed to have been drawn."""
    if design is None:
        return f"the {checked} re-checked rows are a random sample of the {rows} rows"
    return f"the {checked} re-checked rows were drawn from {len(design.sizes)} strata of the {rows} rows as listed"


def sample_warnings(tally: Tally, sample: Tally, *, at_random: bool = True) -> list[str]:
    """Warn if a sample is small, or distributed differently from all rows over the axes they share.

    >>> whole = Tally.from_dense([[4300, 700], [700, 4300]])
    >>> [warning.split(":")[0] for warning in sample_warnings(whole, Tally.from_dense([[1, 13], [13, 1]]))]
    ['Only 28 rows were re-checked', 'The re-checked rows do not look like a random sample']
    """
    few = [FEW_ROWS.format(n="1 row was" if sample.n == 1 else f"{sample.n} rows were")] if sample.n < FEW else []
    if not at_random:
        return few
    axes = [axis for axis in sample.axes if axis in tally.axes and axis != "true"]
    classes = merged(tally.classes, sample.classes)
    whole, part = (
        on_classes(counts.marginal(*axes), classes, what="the list of classes") for counts in (tally, sample)
    )
    chance = sample_chance(whole, part)
    return few + ([ODD_SAMPLE] if chance < UNLIKELY else [])
