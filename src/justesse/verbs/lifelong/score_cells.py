"""Errors of every version at every moment, added up by test period and by block of time."""

from dataclasses import replace

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.frames.versions import VersionCounts
from justesse.lifelong.periods import Periods, blocks_of
from justesse.lifelong.score_matrix import ScoreMatrix, TimeBlocks


def score_matrix(counts: VersionCounts, periods: Periods, after: list[int]) -> ScoreMatrix:
    """Make the matrix of error rates, or of penalised error rates if the counts say what was touched.

    Parameters
    ----------
    counts
        Errors and items of every version at every moment.
    periods
        The test periods.
    after
        First test period after the training of each version.
    """
    amounts = counts.errors if counts.help is None else counts.errors + counts.help.touched
    errors, sizes = (_added(part, periods.of_moment) for part in (amounts, counts.sizes))
    values = np.divide(errors, sizes, out=np.full(sizes.shape, np.nan), where=sizes > 0)
    block = _blocks(counts, periods)
    first = np.unique(block, return_index=True)[1]
    blocks = TimeBlocks(periods.of_moment[first], _added(amounts, block), _added(counts.sizes, block))
    if counts.help is not None:  # an item that is wrong and touched counts 2, its square 4
        blocks = replace(blocks, squares=_added(amounts + 2 * counts.help.touched_errors, block))
    return ScoreMatrix(counts.versions, periods.names, values, tuple(after), False, blocks)


def given_matrix(counts: VersionCounts, periods: Periods, after: list[int], *, higher_is_better: bool) -> ScoreMatrix:
    """Make the matrix of given scores: their mean in each period, without the counts behind them.

    Parameters
    ----------
    counts
        Scores of every version at every moment.
    periods
        The test periods.
    after
        First test period after the training of each version.
    higher_is_better
        Whether a higher score is better.
    """
    return replace(score_matrix(counts, periods, after), higher_is_better=higher_is_better, blocks=None)


def base_errors(counts: VersionCounts, periods: Periods) -> FloatArray | None:
    """Add up the errors before any help by block of time; `None` if they are not known."""
    if counts.help is None or counts.help.base_errors is None:
        return None
    return _added(counts.help.base_errors, _blocks(counts, periods))


def _blocks(counts: VersionCounts, periods: Periods) -> Array:
    return blocks_of(counts.moments, periods.of_moment, counts.dated)


def _added(amounts: FloatArray, place: Array) -> FloatArray:
    """Add up amounts, versions down and moments across, that have the same place."""
    sums = np.zeros((len(amounts), int(place.max()) + 1))
    for version, row in enumerate(amounts):
        np.add.at(sums[version], place, row)
    return sums
