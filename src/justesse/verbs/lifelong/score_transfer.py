"""Forgetting and transfer of the versions of one system, with intervals and the references that some figures need."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.errors import InputError, OptionError
from justesse.core.first_names import first_names
from justesse.frames.versions import VersionCounts
from justesse.lifelong.item_patterns import ItemPatterns
from justesse.lifelong.missing_transfer import TransferBounds
from justesse.lifelong.periods import Periods, blocks_of
from justesse.lifelong.policy_score import share_ends
from justesse.lifelong.score_matrix import ScoreMatrix
from justesse.lifelong.transfer import SCORE_MISSING, TransferFigure, transfer_figures
from justesse.lifelong.transfer_intervals import transfer_intervals

NO_LABELS = "labels are missing: only its lowest and highest value are known"
NOT_BOUNDED = "labels are missing, and figures of other tables are not bounded over them (see --probability)"
WORDS = {"start": ("untrained", "--untrained"), "joint": ("joint", "--joint")}


@dataclass(frozen=True)
class PeriodMemory:
    """One period: its score just after it was learnt and with the latest version, each with the ends of its interval.

    Parameters
    ----------
    period
        Name of the period.
    versions
        The version trained just before it, and the latest one.
    learnt, latest
        Their scores, each with the ends of its interval, NaN if there is none.
    """

    period: str
    versions: tuple[str, str]
    learnt: tuple[float, float, float]
    latest: tuple[float, float, float]


def reference_counts(kind: str, counts: VersionCounts, main: VersionCounts, periods: Periods) -> VersionCounts:
    """Take a reference's counts in the moments of the main table: one row, of the version that belongs to each period.

    Parameters
    ----------
    kind
        "start" (an untrained system) or "joint" (trained on all data up to each period at once).
    counts
        Errors and items of the reference.
    main
        Errors and items of the system.
    periods
        The test periods.
    """
    name, option = WORDS[kind]
    place = {moment: at for at, moment in enumerate(main.moments.tolist())}
    if strangers := [text for text, at in zip(counts.written, counts.moments.tolist(), strict=True) if at not in place]:
        raise InputError(
            f"{counts.where} ({name}=…, {option}) has items at times that {main.where} has not: "
            f"{first_names(strangers)}. Test both on the same items."
        )
    at = np.array([place[moment] for moment in counts.moments.tolist()])
    if len(counts.versions) == 1:
        rows = np.zeros(len(at), dtype=np.int64)
    elif kind == "start":
        raise InputError(
            f"{counts.where} ({name}=…, {option}) has {len(counts.versions)} versions. Keep one: the system before any "
            "training."
        )
    else:
        if absent := [version for version in main.versions if version not in counts.versions]:
            raise InputError(
                f"{counts.where} ({name}=…, {option}) has no version {absent[0]!r}. It needs one version for all "
                f"periods, or those of {main.where}."
            )
        own = np.array([counts.versions.index(version) for version in main.versions])
        rows = own[np.minimum(periods.of_moment[at], len(own) - 1)]
    errors, sizes = (np.zeros((1, len(main.moments))) for _ in range(2))
    errors[0, at], sizes[0, at] = counts.errors[rows, np.arange(len(at))], counts.sizes[rows, np.arange(len(at))]
    return replace(main, versions=(name,), errors=errors, sizes=sizes, trained=None, help=None)


def check_references(references: Mapping[str, Any], matrix: ScoreMatrix, touched: str | None) -> None:
    """Refuse references where forgetting and transfer cannot be computed."""
    used = [WORDS[kind] for kind, table in references.items() if table is not None]
    if used and touched is not None:
        raise OptionError(
            f"{used[0][0]} ({used[0][1]}) belongs to forgetting and transfer, which penalised scores do not have. Leave "
            "out touched (--touched)."
        )
    if used and not matrix.alternates:
        raise OptionError(
            f"{used[0][0]} ({used[0][1]}) belongs to forgetting and transfer, which need as many versions as periods, "
            f"version i trained just before period i; got {len(matrix.versions)} versions and {len(matrix.periods)} "
            "periods. Choose other periods (period=…, --period)."
        )


def transfer_of(
    matrix: ScoreMatrix,
    counts: VersionCounts,
    periods: Periods,
    references: Mapping[str, VersionCounts],
    *,
    level: float,
    items: ItemPatterns | None = None,
) -> list[TransferFigure]:
    """Compute forgetting and transfer, of accuracy with intervals if the matrix has counts.

    Parameters
    ----------
    matrix
        Scores of every version in every period.
    counts, periods
        Errors and items of every version, and the test periods.
    references
        The same of the references, by kind, in the moments of the system.
    level
        Confidence level.
    items
        What every version answered to each item, if items are known by their id.
    """
    share = matrix.blocks is not None
    if not matrix.alternates or not (share or matrix.higher_is_better):
        return []
    scores = {kind: _by_period(part, periods) for kind, part in references.items()}
    if not share:
        return transfer_figures(matrix.values, **scores)
    figures = transfer_figures(1 - matrix.values, **{kind: 1 - part for kind, part in scores.items()})
    blocks = matrix.blocks
    assert blocks is not None
    block = blocks_of(counts.moments, periods.of_moment, counts.dated)
    for part in references.values():
        totals, sizes = (np.bincount(block, row[0])[None, :] for row in (part.errors, part.sizes))
        blocks = replace(blocks, totals=np.vstack([blocks.totals, totals]), sizes=np.vstack([blocks.sizes, sizes]))
    rows = {kind: len(matrix.versions) + at for at, kind in enumerate(references)}
    return transfer_intervals(figures, blocks, level=level, items=items, references=rows)


def without_labels(figure: TransferFigure, bounds: TransferBounds) -> TransferFigure:
    """Give a figure by its bounds: its value would be that of the rows that have a label, whatever the others are."""
    if figure.undefined and figure.undefined != SCORE_MISSING:
        return replace(figure, value=np.nan, interval=None)
    if np.isnan(bounds.low):
        return replace(figure, value=np.nan, interval=None, undefined=NOT_BOUNDED)
    ends = (bounds.low, bounds.high)
    return replace(figure, value=np.nan, interval=None, undefined=NO_LABELS, bounds=ends, sharp=bounds.sharp)


def memory_of(matrix: ScoreMatrix, level: float) -> list[PeriodMemory]:
    """Compare each period's score just after it was learnt with that of the latest version.

    Parameters
    ----------
    matrix
        Scores of every version in every period.
    level
        Confidence level.
    """
    last = len(matrix.versions) - 1
    memories = []
    for version, period in enumerate(matrix.next_period):
        if version == last or period >= len(matrix.periods):
            continue
        ends = [_cell(matrix, row, period, level) for row in (version, last)]
        if not np.isnan([ends[0][0], ends[1][0]]).any():
            names = matrix.versions[version], matrix.versions[last]
            memories.append(PeriodMemory(matrix.periods[period], names, ends[0], ends[1]))
    return memories


def _cell(matrix: ScoreMatrix, version: int, period: int, level: float) -> tuple[float, float, float]:
    value = float(matrix.values[version, period])
    if matrix.blocks is None or matrix.blocks.squares is not None or np.isnan(value):
        return value, np.nan, np.nan
    ends = share_ends(*matrix.blocks.of_period(version, period), level=level)
    return value, float(ends.low[0]), float(ends.high[0])


def _by_period(part: VersionCounts, periods: Periods) -> FloatArray:
    errors, sizes = (np.bincount(periods.of_moment, row[0]) for row in (part.errors, part.sizes))
    return np.asarray(np.divide(errors, sizes, out=np.full(len(sizes), np.nan), where=sizes > 0))
