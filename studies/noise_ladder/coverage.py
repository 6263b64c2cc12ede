"""How often the interval of a re-checked sample covers, over many samples of the same images."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from justesse import Tally
from justesse.core.results import Estimate
from justesse.core.seeds import stream
from justesse.intervals.estimate import estimate
from justesse.intervals.prediction_powered import About
from justesse.measures import Measure, accuracy, precision, recall
from justesse.noise.moved_rows import Strata
from justesse.noise.recheck import recheck
from studies.noise_ladder.rungs import sampled

STRATA: tuple[Strata, ...] = ("none", "kinds", "cells")
ABOUT: tuple[About, ...] = ("rows", "population")


@dataclass(frozen=True)
class Trial:
    """One way to use re-checked samples: how often it covers, how far off it is, how wide it is."""

    way: str
    about: About
    covered: float
    error: float
    width: float

    @classmethod
    def of(cls, way: str, about: About, found: Sequence[Estimate], truth: float) -> "Trial":
        ends = np.array([(one.interval.low, one.interval.high) if one.interval else (0.0, 1.0) for one in found])
        inside = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        error = np.sqrt(np.mean((np.array([one.value for one in found]) - truth) ** 2))
        return cls(way, about, float(inside.mean()), float(error), float(np.ptp(ends, axis=1).mean()))


def trials(rows: Tally, many: int, *, repetitions: int, seed: int) -> Iterator[Trial]:
    """Re-check samples of these rows, or of rows drawn from them as from a population.

    Beside the three kinds of strata stands what the sample says alone, its labels never looked at.
    """
    truth = float(accuracy(against_truth(rows)))
    for about in ABOUT:
        rng = stream(seed, "recheck", about)
        found: dict[str, list[Estimate]] = {name: [] for name in ("sample alone", *STRATA)}
        for _ in range(repetitions):
            whole = rows if about == "rows" else _drawn(rows, rng)
            sample, seen = sampled(whole, many, rng), whole.marginal("label", "prediction")
            found["sample alone"] += estimate(against_truth(sample), [accuracy])
            for strata in STRATA:
                found[strata] += recheck(seen, sample, [accuracy], strata=strata, about=about).figures
        for name, some in found.items():
            yield Trial.of(name, about, some, truth)


def by_class(rows: Tally, many: int, *, repetitions: int, seed: int) -> dict[str, list[float]]:
    """Give the coverage of the precision and the recall of each class, with the default strata."""
    measures: list[Measure] = [precision, recall]
    truth = np.concatenate([np.atleast_1d(measure(against_truth(rows))) for measure in measures])
    rng, seen = stream(seed, "by-class"), rows.marginal("label", "prediction")
    found = [recheck(seen, sampled(rows, many, rng), measures, about="rows").figures for _ in range(repetitions)]
    covered = [_covers(column, value) for column, value in zip(zip(*found, strict=True), truth.tolist(), strict=True)]
    size = len(rows.classes)
    return {"precision": covered[:size], "recall": covered[size:]}


def _covers(found: Sequence[Any], truth: float) -> float:
    return float(
        np.mean([one.interval is not None and one.interval.low <= truth <= one.interval.high for one in found])
    )


def against_truth(rows: Tally) -> Tally:
    """Take the true classes for the labels."""
    return rows.marginal("true", "prediction").renamed(true="label")


def _drawn(rows: Tally, rng: np.random.Generator) -> Tally:
    return Tally.canonical(rows.axes, rows.levels, rows.codes, rng.multinomial(rows.n, rows.counts / rows.n))
