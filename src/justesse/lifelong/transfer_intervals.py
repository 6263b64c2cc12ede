"""Intervals of forgetting and transfer, from the items of every version and period."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from justesse.core.arrays import FloatArray
from justesse.core.results import Interval
from justesse.intervals.ends import z_value
from justesse.lifelong.item_patterns import NOT_TESTED, ItemPatterns
from justesse.lifelong.policy_score import share_ends
from justesse.lifelong.score_matrix import TimeBlocks
from justesse.lifelong.transfer import ALL, TransferConvention, TransferFigure, followed

METHOD, BEST = "mover-paired-blocks", "best-of-versions"
FEWEST = 3  # blocks of a period from which correlations of versions are estimated


@dataclass(frozen=True)
class PeriodCells:
    """Accuracies of several versions in one period, with their intervals and how they go together.

    Parameters
    ----------
    values, low, high
        Accuracy of each version and the ends of its interval; NaN where it was not tested.
    correlation
        Correlations of the sampling errors of the accuracies; `None` if too few blocks show them.
    """

    values: FloatArray
    low: FloatArray
    high: FloatArray
    correlation: FloatArray | None

    def reach(self, weights: FloatArray) -> tuple[float, float]:
        """Return how far Σ_i c_i·R_i may lie above and below its true value.

        sqrt(Σ_ab d_a·d_b·ρ_ab),   d_a = c_a·(R_a - l_a), or c_a·(u_a - R_a) if c_a < 0

        Correlations that are not known are taken as the worst from 0 to 1: 1 in sums, 0 in differences.
        """
        used = weights != 0
        if not used.any():
            return 0.0, 0.0
        c = weights[used]
        rho = np.equal.outer(c > 0, c > 0) if self.correlation is None else self.correlation[np.ix_(used, used)]
        down, up = (self.values - self.low)[used], (self.high - self.values)[used]
        ends = (c * np.where(c > 0, down, up), c * np.where(c > 0, up, down))
        below, above = (math.sqrt(max(float(part @ rho @ part), 0.0)) for part in ends)
        return below, above

    def falls(self, to: int) -> tuple[FloatArray, FloatArray]:
        """Return the same for the fall R_i - R_to from every version i, all at once.

        >>> cells = PeriodCells(np.array([0.9, 0.6]), np.array([0.8, 0.5]), np.array([0.95, 0.7]), None)
        >>> [round(float(part[0]), 4) for part in cells.falls(1)], [round(x, 4) for x in cells.reach(np.array([1, -1]))]
        ([0.1414, 0.1118], [0.1414, 0.1118])
        """
        rho = 0.0 if self.correlation is None else self.correlation[:, to]
        down, up = self.values - self.low, self.high - self.values
        below, above = (
            np.sqrt(np.maximum(own**2 + last[to] ** 2 - 2 * rho * own * last[to], 0.0))
            for own, last in ((down, up), (up, down))
        )
        return below, above


def period_cells(blocks: TimeBlocks, *, level: float, items: ItemPatterns | None = None) -> list[PeriodCells]:
    """Compute the accuracies of all versions in each period, with intervals and correlations.

    Parameters
    ----------
    blocks
        Errors and items of every version in every block of time.
    level
        Confidence level.
    items
        What every version answered to each item, for periods with a single block. Default: versions are then taken to
        be independent.

    Notes
    -----
    Versions that are tested on the same items, or on items of the same days, err together. In a period with several
    blocks of time, correlations are those of the bias-reduced residuals of the blocks, which hold both. Two blocks
    always show correlations of 1 or -1: the worst from 0 to 1 is then taken.
    """
    cells = []
    for period in range(int(blocks.period.max()) + 1):
        inside = blocks.period == period
        sizes = blocks.sizes[:, inside]
        right = sizes - blocks.totals[:, inside]
        values, low, high = (np.full(len(sizes), np.nan) for _ in range(3))
        for row in np.flatnonzero(sizes.sum(axis=1) > 0).tolist():
            tested = sizes[row] > 0
            ends = share_ends(right[row, tested], sizes[row, tested], level=level)
            values[row] = right[row].sum() / sizes[row].sum()
            low[row], high[row] = float(ends.low[0]), float(ends.high[0])
        residuals = _item_residuals(items, period) if inside.sum() == 1 else _block_residuals(right, sizes, values)
        seen = (sizes > 0).sum(axis=1)
        few = inside.sum() > 1 and seen[seen > 0].min(initial=len(sizes[0])) < FEWEST
        cells.append(PeriodCells(values, low, high, None if few else _correlation(residuals, len(values))))
    return cells


def _block_residuals(right: FloatArray, sizes: FloatArray, values: FloatArray) -> FloatArray:
    """Residual of each block, blocks down and versions across, as in `clustered_mean`."""
    total = np.maximum(sizes.sum(axis=1, keepdims=True), 1.0)
    left = np.maximum(1 - sizes / total, 1e-12)
    return np.asarray(((right - np.nan_to_num(values)[:, None] * sizes) / (total * np.sqrt(left))).T)


def _item_residuals(items: ItemPatterns | None, period: int) -> FloatArray:
    """Residual of each group of equal items, groups down and versions across."""
    if items is None:
        return np.zeros((0, 0))
    inside = items.period == period
    answers, many = items.answers[inside], items.many[inside]
    tested = answers != NOT_TESTED
    right = answers == items.label[inside][:, None]
    n = np.maximum((tested * many[:, None]).sum(axis=0), 1)
    share = (right * many[:, None]).sum(axis=0) / n
    return np.asarray(tested * (right - share) / n * np.sqrt(many)[:, None])


def _correlation(residuals: FloatArray, versions: int) -> FloatArray:
    """Correlations of the columns; 0 where one of them does not vary or there is no column."""
    rho = np.eye(versions)
    if residuals.shape[1]:
        lengths = np.sqrt((residuals**2).sum(axis=0))
        lengths[lengths < 1e-12] = np.inf
        size = residuals.shape[1]
        rho[:size, :size] = (residuals.T @ residuals) / np.outer(lengths, lengths)
        np.fill_diagonal(rho, 1.0)
    return rho


def transfer_intervals(
    figures: Sequence[TransferFigure],
    blocks: TimeBlocks,
    *,
    level: float = 0.95,
    items: ItemPatterns | None = None,
    references: Mapping[str, int] | None = None,
) -> list[TransferFigure]:
    """Add a confidence interval to each figure of forgetting and transfer of accuracy.

    Parameters
    ----------
    figures
        The figures, as `transfer_figures` gives them.
    blocks
        Errors and items of every version in every block of time, version i trained just before period i; below them
        a row for each reference.
    level
        Confidence level.
    items
        What every version answered to each item, for periods with a single block.
    references
        Row of each reference: "start" and "joint".

    Notes
    -----
    Most figures are weighted sums of accuracies, Σ c_ij·R_ij: each accuracy has Wilson's interval, cluster-robust over
    blocks of time, and squared half-widths add up with their correlations within a period (MOVER; Zou and Donner
    2008); periods are independent. Remembering follows from the backward transfer.

    The fall from the best version (Chaudhry et al.) is a mean of maxima, and too large on average: the best of k
    versions is partly the luckiest. Its upper end adds the largest reach of any single version in each period, since
    the truly best one is fixed. Its lower end is the higher of two bounds, each at half the error rate: that of the
    fall from each period's own version, which no maximum chose; and the observed fall less what the choice of the
    luckiest of k can add, σ_j·sqrt(2·ln k) on average in period j, and the reach.

    >>> from justesse.lifelong.transfer import transfer_figures
    >>> period, sizes = np.array([0, 1]), np.full((2, 2), 200.0)
    >>> blocks = TimeBlocks(period, np.array([[20.0, 90.0], [40.0, 24.0]]), sizes)
    >>> figures = transfer_intervals(transfer_figures(1 - blocks.totals / sizes), blocks)
    >>> [str(figure.interval) for figure in figures if figure.name == "forgetting"]
    ['[0.0300, 0.1699]', '[0.0300, 0.1699]']
    """
    rows = {} if references is None else references
    cells = period_cells(blocks, level=level, items=items)
    stricter = period_cells(blocks, level=(1 + level) / 2, items=items)
    return [
        figure
        if figure.undefined
        else replace(figure, interval=_interval(convention, figure.value, cells, stricter, rows, level))
        for convention, figure in zip(ALL, figures, strict=True)
    ]


def _interval(
    convention: TransferConvention,
    value: float,
    cells: Sequence[PeriodCells],
    stricter: Sequence[PeriodCells],
    references: Mapping[str, int],
    level: float,
) -> Interval:
    size = len(cells)
    if convention.weights is None:
        return _best(value, cells, stricter, level)
    full = np.zeros((len(cells[0].values), size))
    full[:size] = convention.weights(size)
    if convention.needs:
        full[references[convention.needs]] += convention.of_reference(size)
    linear, below, above = _reaches(full, cells)
    low, high = (followed(convention, end) for end in (linear - below, linear + above))
    limits = (-1.0, 1.0) if convention.shape == "linear" and (full < 0).any() else (0.0, 1.0)
    return Interval(low, high, level, METHOD, limits)


def _reaches(weights: FloatArray, cells: Sequence[PeriodCells]) -> tuple[float, float, float]:
    """Value of a weighted sum of accuracies, and how far it may lie above and below its true value."""
    parts = [cell.reach(weights[:, period]) for period, cell in enumerate(cells)]
    value = sum(
        float(np.nansum(np.where(weights[:, period] != 0, weights[:, period] * cell.values, 0.0)))
        for period, cell in enumerate(cells)
    )
    below, above = (math.sqrt(sum(part[side] ** 2 for part in parts)) for side in (0, 1))
    return value, below, above


def _best(value: float, cells: Sequence[PeriodCells], stricter: Sequence[PeriodCells], level: float) -> Interval:
    last, versions = len(cells) - 1, len(cells[0].values)

    above = [float(cell.falls(last)[1][:last].max()) for cell in cells[:last]]
    high = value + math.sqrt(sum(reach**2 for reach in above)) / last
    own = np.zeros((versions, last + 1))
    for period in range(last):
        own[period, period], own[last, period] = 1 / last, -1 / last
    if last == 1:
        return Interval(value - _reaches(own, cells)[1], high, level, BEST, (-1.0, 1.0))
    centre, below, _ = _reaches(own, stricter)
    most = [float(cell.falls(last)[0][:last].max()) for cell in stricter[:last]]
    luck = sum(most) / z_value((1 - level) / 4) * math.sqrt(2 * math.log(last))
    chosen = value - (luck + math.sqrt(sum(reach**2 for reach in most))) / last
    return Interval(max(centre - below, chosen), high, level, BEST, (-1.0, 1.0))
