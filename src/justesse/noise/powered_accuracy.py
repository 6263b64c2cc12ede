"""Accuracy from a re-checked sample beside what the re-checked rows alone, or as many drawn at random, would give."""

import numpy as np

from justesse.core.results import Alternative, Interval, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.prediction_powered import About, PredictionPowered, Stratum, prediction_powered
from justesse.measures import Confusion, accuracy
from justesse.noise.counted import counted
from justesse.noise.drawn_sequence import drawn_sequence
from justesse.noise.moved_rows import MeasureSums, Reach, cell_of_each, moves_of, reach_of
from justesse.noise.sample_design import ORDER, STRATUM, SampleDesign


def powered_by_draws(
    rows: Tally, sample: Tally, checked: Tally, design: SampleDesign, level: float, alternative: Alternative
) -> PredictionPowered:
    """Compare the accuracy with that of as many rows drawn at random, and bound it in the order of the draws.

    Parameters
    ----------
    rows
        Counts of all rows by label × prediction.
    sample, checked
        Counts of the re-checked rows with and without the order of the draws.
    design
        Strata that they were drawn from.
    level, alternative
        Confidence level and side of the intervals.
    """
    here, population = (
        _share_by_draws(rows, checked, design, about, tail_levels(level, alternative))
        for about in ("rows", "population")
    )
    label, prediction = rows.codes.T
    measured = float(rows.counts[label == prediction].sum()) / rows.n
    n = checked.n
    right = n * min(max(population.value, 0.0), 1.0)  # corrections that stand for many rows may lead beyond 0 and 1
    alone = prediction_powered(
        [Stratum([0], [rows.n], [1, 0], [0, 0], [right, n - right])],
        tuning="none",
        level=level,
        alternative=alternative,
    ).alone
    method, sides = "recheck-drawn", {"greater": "less", "less": "greater"}
    always = None
    if design.chances is not None:
        ordered = counted(sample, ORDER, "true", "label", "prediction", STRATUM)
        _, true, written, answer, _ = ordered.codes.T
        corrections = (true == answer).astype(int) - (written == answer)
        always = drawn_sequence(
            corrections, design.codes(ordered), design, measured, level=level, alternative=alternative
        )
    return PredictionPowered(
        population.value,
        Interval(
            population.value - population.down, population.value + population.up, level, method, (0, 1), alternative
        ),
        n,
        rows.n,
        (1.0,) * len(design.sizes),
        measured - here.value,
        Interval(
            measured - here.value - here.up, measured - here.value + here.down, level, method, (-1, 1),
            sides.get(alternative, alternative),  # type: ignore[arg-type]
        ),
        alone,
        at_random=False,
        always_valid=always,
    )  # fmt: skip


def _share_by_draws(
    rows: Tally, checked: Tally, design: SampleDesign, about: About, tails: tuple[float, float]
) -> "Reach":
    table, cell = Confusion.of(rows), cell_of_each(rows, checked)
    moves = moves_of(MeasureSums.of(accuracy, -1, table, rows, checked), cell, rows, checked, "none", design)
    return reach_of(accuracy, -1, moves, table, rows, tails, about)


def powered_accuracy(
    rows: Tally, checked: Tally, about: About, level: float, alternative: Alternative
) -> PredictionPowered:
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
