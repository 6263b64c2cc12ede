"""Score the four systems under three policies, and compare them: at the end of the stream, and at every version."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

import justesse
from justesse.core.results import Interval
from studies.lifelong_policies.streams import Stream
from studies.lifelong_policies.systems import SYSTEMS, answers, lessons

POLICIES = ("past", "uniform", "recent")
PAIR = ("cumulative", "last block")
LABELS, ERROR, MAPPED, FLIP, COMPARED = "labels", "error", "mapped difference", "flip", "difference"
PREQUENTIAL, NO_CHANGE = "prequential error", "error of repeating the last label"


@dataclass(frozen=True)
class Figure:
    """One number about one system, or about two of them (second minus first), with its interval and the answer."""

    data: str
    figure: str
    about: str
    version: str
    policy: str
    value: float
    low: float | None = None
    high: float | None = None
    answer: str = ""


def measured(stream: Stream) -> Iterator[Figure]:
    """Measure everything that the page shows about one data set."""
    table = answers(stream)
    by_system = {name: rows.drop(columns="system") for name, rows in table.groupby("system")}
    last = f"v{stream.blocks}"
    for system in SYSTEMS:
        paid = np.unique(np.concatenate(list(lessons(stream, system))))
        yield Figure(stream.name, LABELS, system, last, "", len(paid))
        for policy in POLICIES:
            score = justesse.lifelong_score(by_system[system], trained="trained", policy=policy).scores[-1]
            yield Figure(stream.name, ERROR, system, last, policy, score.value, *_ends(score.interval))
    yield from _mapped(stream, table, last)
    yield from _compared(stream, *(by_system[name] for name in PAIR))
    for system in SYSTEMS:
        result = justesse.lifelong_prequential(by_system[system], version="version", trained="trained")
        for figure, estimate in ((PREQUENTIAL, result.error), (NO_CHANGE, result.baselines["no_change"])):
            yield Figure(stream.name, figure, system, "", "", estimate.value, *_ends(estimate.interval))


def _mapped(stream: Stream, table: pd.DataFrame, last: str) -> Iterator[Figure]:
    """Every two systems at the last version, with intervals that hold together."""
    result = justesse.lifelong_map(table, system="system", trained="trained", policies=POLICIES)
    for pair in result.pairs:
        about = f"{result.systems[pair.first]}, {result.systems[pair.second]}"
        for policy, cell in zip(POLICIES, pair.cells, strict=True):
            answer = "sure" if cell.sure else "cannot_tell"
            yield Figure(stream.name, MAPPED, about, last, policy, cell.value, *_ends(cell.interval), answer)
        for flip in pair.flips:
            yield Figure(stream.name, FLIP, about, last, "", flip)


def _compared(stream: Stream, first: pd.DataFrame, second: pd.DataFrame) -> Iterator[Figure]:
    """Two systems at each version; the first versions are the same."""
    for block in range(1, stream.blocks):
        version = f"v{block + 1}"
        for policy in POLICIES:
            result = justesse.lifelong_compare(first, second, at=version, trained="trained", policy=policy)
            difference = result.difference
            yield Figure(
                stream.name, COMPARED, ", ".join(PAIR), version, policy, difference.value, *_ends(difference.interval),
                result.decision,
            )  # fmt: skip


def _ends(interval: Interval | None) -> tuple[float, float]:
    assert interval is not None
    return interval.low, interval.high
