"""Measures of a classifier whose true classes are uncertain: averaged over draws of the classes.

Each draw gives a table of counts. The value is the mean over the draws. The interval is that of the posterior of the
measure in the population: given a table, rows were sampled; which table, is uncertain. So it has both.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from justesse.core.arrays import Array, FloatArray
from justesse.core.results import Alternative, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.quantile import quantile

CELLS = 4_000_000  # random numbers held at once
SHARE, TABLE = "posterior-jeffreys", "posterior-dirichlet"


@dataclass(frozen=True)
class Mixture:
    """The posterior of one or several numbers: value, ends, and how much narrower it would be without label doubt."""

    value: FloatArray
    low: FloatArray
    high: FloatArray
    doubt: FloatArray  # share of the width that comes from doubt about the classes
    method: str


def share_mixture(
    successes: Array, trials: Array, *, level: float = 0.95, alternative: Alternative = "two-sided"
) -> Mixture:
    """Give the posterior of a share of rows: a mixture over draws of Jeffreys posteriors.

        P(θ < q) = mean over draws of F(q; s + 1/2, n - s + 1/2),   F the distribution function of Beta

    With certain classes all draws are alike, and the interval is Jeffreys'.

    >>> from justesse.intervals.jeffreys import jeffreys
    >>> mixture, ends = share_mixture(np.full((5, 1), 45.0), np.full((5, 1), 50.0)), jeffreys(45, 50)
    >>> bool(abs(mixture.low[0] - ends.low) < 1e-9), bool(abs(mixture.high[0] - ends.high) < 1e-9)
    (True, True)
    >>> float(mixture.doubt[0])
    0.0
    """
    tails = tail_levels(level, alternative)
    successes, trials = np.broadcast_arrays(np.asarray(successes, float), np.asarray(trials, float))
    columns = successes.reshape(len(successes), -1).shape[1]
    shape = successes.shape[1:]
    results = np.full((4, columns), np.nan)
    for at in range(columns):
        right, rows = successes.reshape(-1, columns)[:, at], trials.reshape(-1, columns)[:, at]
        defined = rows > 0
        if not defined.any():
            continue
        pairs, weight = np.unique(np.stack([right[defined], rows[defined]]), axis=1, return_counts=True)
        weight = weight / weight.sum()
        s, n = pairs
        mean = (s + 0.5) / (n + 1)
        within, between = mean * (1 - mean) / (n + 2), weight @ mean**2 - (weight @ mean) ** 2
        low = -np.inf if not tails[0] else 0.0 if (s == 0).all() else _beta_quantile(s, n, weight, tails[0])
        high = np.inf if not tails[1] else 1.0 if (s == n).all() else _beta_quantile(s, n, weight, 1 - tails[1])
        value = weight @ (s / n)
        results[:, at] = value, min(low, value), max(high, value), _doubt(float(weight @ within), float(between))
    value, low_ends, high_ends, doubt = (row.reshape(shape) for row in results)
    return Mixture(value, low_ends, high_ends, doubt, SHARE)


def table_mixture(
    tables: Array,
    imagined: FloatArray,
    statistics: Callable[[Array], FloatArray],
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    repeats: int = 8,
    seed: int = 0,
) -> Mixture:
    """Give the posterior of any numbers computed from a table: cells are Dirichlet given a table of counts.

    Parameters
    ----------
    tables
        Counts, draw × class × prediction.
    imagined
        Rows, or parts of rows, added to the cells before they are drawn: mistakes that were not seen so far.
    statistics
        Function of a batch of tables; gives a number, or several, for each.
    level
        Level of the interval.
    alternative
        "greater" leaves the upper end open, "less" the lower end.
    repeats
        Number of populations drawn for each table.
    seed
        Seed of the random draws.
    """
    tails = tail_levels(level, alternative)
    rng = stream(seed, "populations")
    size = tables[0].size
    step = max(1, CELLS // max(size * repeats, 1))
    parts = []
    for start in range(0, len(tables), step):
        chunk = tables[start : start + step]
        total = chunk.sum(axis=(1, 2))
        gamma = rng.standard_gamma(np.broadcast_to(chunk + imagined, (repeats, *chunk.shape)))
        shares = gamma / gamma.sum(axis=(2, 3), keepdims=True) * total[:, None, None]
        values = statistics(shares.reshape(-1, *chunk.shape[1:]))
        parts.append(values.reshape(repeats, len(chunk), *values.shape[1:]))
    drawn = np.concatenate(parts, axis=1)  # repeat × draw × …
    observed = statistics(tables.astype(float))
    with np.errstate(invalid="ignore"):
        value = _mean(observed, 0)
        middle = _mean(drawn, 0)
        within = _mean((drawn - middle) ** 2, 0) * repeats / max(repeats - 1, 1)
        within = _mean(within, 0)
        between = np.maximum(_mean((middle - _mean(middle, 0)) ** 2, 0) - within / repeats, 0.0)
    flat = drawn.reshape(-1, *drawn.shape[2:])
    low = np.full(value.shape, -np.inf) if not tails[0] else quantile(flat, np.asarray(tails[0]))
    high = np.full(value.shape, np.inf) if not tails[1] else quantile(flat, np.asarray(1 - tails[1]))
    return Mixture(value, np.fmin(low, value), np.fmax(high, value), _doubts(within, between), TABLE)


def imagined_rows(n_classes: int, right: Array, n_codes: int) -> FloatArray:
    """Spread two imagined rows over the classes: one right and one wrong, the wrong one over all wrong codes.

    >>> imagined_rows(2, np.array([0, 1]), 2).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    table = np.full((n_classes, n_codes), 1 / max(n_codes - 1, 1))
    known = np.flatnonzero(right >= 0)
    table[known, right[known]] = 1.0
    return table / n_classes


def imagined_pairs(n_classes: int, first: Array, second: Array) -> FloatArray:
    """Spread two imagined rows over the classes: both right, one right, the other right, none right, half a row each.

    `first` and `second` are the two predictions of each code.

    >>> imagined_pairs(2, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])).tolist()
    [[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]
    """
    table = np.zeros((n_classes, len(first)))
    for k in range(n_classes):
        kind = 2 * (first == k) + (second == k)
        sizes = np.bincount(kind, minlength=4)
        table[k] = 0.5 / sizes[kind]
    return table / n_classes


def _beta_quantile(s: FloatArray, n: FloatArray, weight: FloatArray, share: float) -> float:
    from scipy.special import betainc, betaincinv

    ends = betaincinv(s + 0.5, n - s + 0.5, share)
    low, high = float(ends.min()), float(ends.max())
    while high - low > 1e-12:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if weight @ betainc(s + 0.5, n - s + 0.5, middle) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _mean(values: FloatArray, axis: int) -> FloatArray:
    """Average the defined values; NaN where there is none."""
    defined = ~np.isnan(values)
    count = defined.sum(axis=axis)
    total = np.where(defined, values, 0.0).sum(axis=axis)
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))


def _doubt(within: float, between: float) -> float:
    return float(_doubts(np.asarray(within), np.asarray(between)))


def _doubts(within: FloatArray, between: FloatArray) -> FloatArray:
    """Say by how much of its width an interval would be narrower if the classes were certain."""
    total = np.asarray(within + between)
    inside = np.divide(within, total, out=np.ones(total.shape), where=total > 0)
    return np.asarray(1 - np.sqrt(np.clip(inside, 0.0, 1.0)))
