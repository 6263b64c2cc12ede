"""Bootstrap intervals from the counts: a resample of rows is a multinomial draw of their table."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.resampling import CHUNK
from justesse.core.results import Alternative, tail_levels
from justesse.core.tally import Tally
from justesse.intervals.bias_corrected import bias_corrected
from justesse.intervals.ends import Ends, normal_share, z_value
from justesse.intervals.quantile import quantile
from justesse.intervals.smoothing import smoothed_population, smoothed_resamples

Statistic = Callable[[Tally], ArrayLike]
BootstrapMethod = Literal["percentile", "bca", "smoothed"]
MOST_ACCELERATED = 0.5  # no quantile is moved to more than twice as many standard deviations


def bootstrap(
    tally: Tally,
    statistic: Statistic,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: BootstrapMethod = "percentile",
    draws: int = 2000,
    seed: int = 0,
    vectorised: bool = False,
) -> Ends:
    """Compute the bootstrap interval of any function of a tally.

    `percentile` takes quantiles of the resampled values; `bca` corrects them for bias and skewness (Efron 1987);
    `smoothed` takes quantiles of resamples that may contain mistakes not seen so far, corrected for skewness (Efron's
    acceleration), bias and spread (`bias_corrected`), for tallies of label and prediction.
    A measure of justesse is vectorised: it takes all resamples at once. Any other function is called with one
    resampled tally at a time unless you say that it is, too. Draws where it is undefined (NaN) are left out. When no
    error was observed every resample is as perfect, and there is no interval (NaN).

    Parameters
    ----------
    tally
        Counts of rows.
    statistic
        Function of a tally.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.
    method
        "percentile", "bca" or "smoothed".
    draws
        Number of random draws.
    seed
        Seed of the random draws.
    vectorised
        Whether the statistic takes many tallies at once, on a batch axis.

    Returns
    -------
    Ends
        Lower and upper ends, NaN where there are no rows.

    Examples
    --------
    >>> from justesse.measures import mcc
    >>> ends = bootstrap(Tally.from_dense([[190, 10], [210, 3590]]), mcc, vectorised=True)
    >>> float(ends.low.round(2)), float(ends.high.round(2))
    (0.61, 0.69)
    """
    calls = statistic if vectorised else _one_by_one(statistic)
    return bootstrap_all(tally, [calls], level=level, alternative=alternative, method=method, draws=draws, seed=seed)[0]


def bootstrap_all(
    tally: Tally,
    statistics: Sequence[Callable[[Any], ArrayLike]],
    *,
    prepare: Callable[[Tally], Any] = lambda batch: batch,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    method: BootstrapMethod = "percentile",
    draws: int = 2000,
    seed: int = 0,
    sparse: bool = False,
) -> list[Ends]:
    """Compute the intervals of many vectorised statistics from the same resamples.

    Parameters
    ----------
    tally
        Counts to resample.
    statistics
        Functions of what `prepare` returns, vectorised over resamples.
    prepare
        Function of a batch of resamples whose work the statistics share, so that it is done once.
    level
        Confidence level.
    alternative
        "greater" leaves the upper end open, "less" the lower end.
    method
        "percentile", "bca" or "smoothed". A smoothed interval always contains the value itself.
    draws
        Number of resamples.
    seed
        Seed of the resamples.
    sparse
        Whether smoothed resamples are of many classes or slices.
    """
    batches = (
        smoothed_resamples(tally, draws, seed, sparse=sparse) if method == "smoothed" else tally.resample(draws, seed)
    )
    resampled = _evaluate(batches, statistics, prepare)
    tails = tail_levels(level, alternative)
    observed = _evaluate([replace(tally, counts=tally.counts[None, :])], statistics, prepare)
    shifts = [(np.asarray(tails[0]), np.asarray(1 - tails[1])) for _ in resampled]
    left_out, weights = resampled, tally.counts.astype(float)
    if method != "percentile":
        left_out = _evaluate(_without_one_row(tally), statistics, prepare)
    if method == "bca":
        shifts = [
            bca_quantiles(values, value[0], without, weights, tails)
            for values, value, without in zip(resampled, observed, left_out, strict=True)
        ]
    elif method == "smoothed":
        shifts = [_accelerated_quantiles(without, weights, tails) for without in left_out]
    centres = observed
    if method == "smoothed":
        population = smoothed_population(tally, sparse=sparse)
        centres = _evaluate([replace(population, counts=population.counts[None, :])], statistics, prepare)
    label = f"bootstrap-{method}"
    intervals = []
    for values, value, centre, without, (low, high) in zip(resampled, observed, centres, left_out, shifts, strict=True):
        hidden = np.where(stands_still(values), np.nan, 0.0)
        below, above = quantile(values, low), quantile(values, high)
        if method == "smoothed":
            below, above = bias_corrected(values, (below, above), value[0], centre[0], without, weights)
            below, above = np.fmin(below, value[0]), np.fmax(above, value[0])
        below = np.full(hidden.shape, -np.inf) if tails[0] == 0 else below
        above = np.full(hidden.shape, np.inf) if tails[1] == 0 else above
        intervals.append(Ends(below + hidden, above + hidden, level, label))
    return intervals


def stands_still(values: Array) -> Array:
    """Return where all defined draws are the same, so that they do not show the spread."""
    defined = ~np.isnan(values)
    high, low = np.where(defined, values, -np.inf).max(0), np.where(defined, values, np.inf).min(0)
    return np.asarray(high - low <= 1e-12)


def _one_by_one(statistic: Statistic) -> Statistic:
    def batched(batch: Tally) -> ArrayLike:
        return np.array([statistic(replace(batch, counts=counts)) for counts in batch.counts], dtype=float)

    return batched


def _evaluate(
    batches: Iterable[Tally], statistics: Sequence[Callable[[Any], ArrayLike]], prepare: Callable[[Tally], Any]
) -> list[Array]:
    values: list[list[Array]] = [[] for _ in statistics]
    for batch in batches:
        ready = prepare(batch)
        for collected, statistic in zip(values, statistics, strict=True):
            collected.append(np.asarray(statistic(ready), dtype=float))
    return [np.concatenate(collected) for collected in values]


def _without_one_row(tally: Tally) -> Iterator[Tally]:
    """Leave one row out: the rows of a cell are alike, so there is one tally per cell, to be weighted by its count."""
    cells = len(tally.counts)
    size = max(1, CHUNK // max(cells, 1))
    for start in range(0, cells, size):
        stop = min(start + size, cells)
        counts = np.repeat(tally.counts[None, :], stop - start, axis=0)
        counts[np.arange(stop - start), np.arange(start, stop)] -= 1
        yield replace(tally, counts=counts)


def bca_quantiles(
    values: Array, observed: Array, left_out: Array, weights: Array, tails: tuple[float, float]
) -> tuple[Array, Array]:
    """Return the shares of the quantiles that BCa takes, from values with one row or cluster left out (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    defined = ~np.isnan(values)
    below = ((values < observed) & defined).sum(0) + 0.5 * ((values == observed) & defined).sum(0)
    acceleration = _acceleration(left_out, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        bias = ndtri(below / defined.sum(0))

        def moved(tail: float, sign: int) -> Array:
            z = bias + sign * z_value(tail)
            return np.asarray(ndtr(bias + z / (1 - acceleration * z)))

        return moved(tails[0], -1), moved(tails[1], +1)


def _accelerated_quantiles(left_out: Array, weights: Array, tails: tuple[float, float]) -> tuple[Array, Array]:
    """Return the shares of the quantiles to take: farther out on the side to which the value is skewed."""
    acceleration = _acceleration(left_out, weights)

    def moved(tail: float, sign: int) -> Array:
        z = z_value(tail or 0.5)
        push = np.clip(sign * acceleration * z, -MOST_ACCELERATED, MOST_ACCELERATED)
        return normal_share(sign * z / (1 - push))

    return moved(tails[0], -1), moved(tails[1], +1)


def _acceleration(left_out: Array, weights: Array) -> Array:
    """Return a sixth of the skewness of the value, from values with one row left out; 0 where it is unknown."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mass = weights.reshape(-1, *[1] * (left_out.ndim - 1)) * ~np.isnan(left_out)
        left_out = np.nan_to_num(left_out)
        gap = (mass * left_out).sum(0) / mass.sum(0) - left_out
        skew = (mass * gap**3).sum(0) / (6 * (mass * gap**2).sum(0) ** 1.5)
    return np.where(np.isfinite(skew), skew, 0.0)
