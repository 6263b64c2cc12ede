"""Whether a judge favours one kind of output over another that people rate the same."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.resampling import check_draws
from justesse.core.results import Estimate, Interval, TestResult, check_level
from justesse.core.seeds import stream
from justesse.intervals.ends import z_value
from justesse.significance.exchange import Exchange

NAME, METHOD = "rating-gap", "agresti-caffo, strata"
ASSUMPTIONS = (
    "items are independent, and those that people rated are a random sample",
    "if the kind does not matter, verdicts on units that people rate alike can be exchanged between kinds",
)
SLACK = 1e-9
ONE_ITEM = "no interval: all units of one kind belong to one item"


def rating_gap(
    verdicts: ArrayLike,
    favoured: ArrayLike,
    ratings: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    level: float = 0.95,
    draws: int = 1999,
    seed: int = 0,
) -> TestResult:
    """Compare the mean verdict on two kinds of units that people rate alike.

        gap = Σ_h w_h·(m_h1 - m_h0),   w_h ∝ n_h1·n_h0/(n_h1 + n_h0)

    Parameters
    ----------
    verdicts
        Verdict of the judge on each unit, from 0 to 1.
    favoured
        Whether the unit is of the kind that the judge may favour: its own answers, longer ones.
    ratings
        What people say of each unit; kinds are compared among units that they rate alike.
    clusters
        Cluster of each unit. Default: units are independent.
    level
        Confidence level of the interval.
    draws
        Number of random exchanges of the test.
    seed
        Seed of the random numbers.

    Returns
    -------
    TestResult
        `difference` is the gap with its interval; a positive gap favours the kind.

    Notes
    -----
    For pairs, give the share of verdicts that agree with people as the verdict, and whether people prefer the output of
    the kind: a judge who favours it agrees more often with people who prefer it. The interval adds one verdict of 0
    and one of 1 to each kind (Agresti and Caffo 2000), is spread over ratings as Mantel and Haenszel's, and is widened
    by the ratio of the cluster-robust variance to that of independent units, at least 1. With clusters it is Student's,
    with one degree of freedom less than the clusters of the rarer kind: the least that Welch's formula can give. The
    p-value exchanges kinds among units rated alike. Mantel and Haenszel (1959); Agresti and Caffo (2000).

    Examples
    --------
    >>> result = rating_gap([1] * 18 + [0] * 2 + [1] * 9 + [0] * 11, [True] * 20 + [False] * 20, [1] * 40)
    >>> round(result.difference.value, 2), str(result.difference.interval), result.pvalue < 0.05
    (0.45, '[0.1564, 0.6618]', True)
    """
    check_level(level)
    check_draws(draws)
    value, kind = np.asarray(verdicts, dtype=float), np.asarray(favoured, dtype=bool)
    rating = np.unique(np.asarray(ratings), return_inverse=True)[1]
    cluster = np.arange(len(value)) if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    both = np.array([len(np.unique(kind[rating == code])) == 2 for code in range(int(rating.max(initial=-1)) + 1)])
    kept = both[rating] if len(rating) else np.zeros(0, dtype=bool)
    value, kind, rating, cluster = value[kept], kind[kept], rating[kept], cluster[kept]
    if not len(value):
        why = "people rate no two units of different kinds alike"
        empty = Estimate("gap", math.nan, 0, undefined=why)
        return TestResult(NAME, math.nan, math.nan, 0, "two-sided", ASSUMPTIONS, empty, undefined=why)
    rating = np.unique(rating, return_inverse=True)[1]
    seen = float(_gaps(value, kind[None], rating)[0])
    exchange = Exchange.of(kind, rating, cluster)
    pvalue, why = math.nan, "no unit can be exchanged"
    if exchange.possible:
        rng = stream(seed, NAME)
        beyond = sum(
            int((np.abs(_gaps(value, drawn, rating)) >= abs(seen) - SLACK).sum())
            for drawn in exchange.draws(draws, rng)
        )
        pvalue, why = (1 + beyond) / (1 + draws), ""
    ends = _interval(value, kind, rating, cluster, level)
    gap = Estimate("gap", seen, len(value), ends, undefined=None if ends else ONE_ITEM)
    return TestResult(
        NAME, seen, pvalue, len(value), "two-sided", (*ASSUMPTIONS, f"{draws} random exchanges (seed {seed})"), gap,
        undefined=why or None,
    )  # fmt: skip


def _gaps(values: Array, kinds: Array, ratings: Array) -> Array:
    """Compute the gap of many labellings at once (draws × units)."""
    top, weights = np.zeros(len(kinds)), np.zeros(len(kinds))
    for code in range(int(ratings.max()) + 1):
        own = ratings == code
        chosen = kinds[:, own]
        n, total = float(own.sum()), float(values[own].sum())
        many, sums = chosen.sum(axis=1).astype(float), chosen @ values[own]
        weight = many * (n - many) / n
        # w·(mean of the kind - mean of the rest), without dividing by 0
        top += sums * (n - many) / n - (total - sums) * many / n
        weights += weight
    return np.asarray(np.divide(top, weights, out=np.zeros_like(top), where=weights > 0))


def _interval(values: Array, kinds: Array, ratings: Array, clusters: Array, level: float) -> Interval | None:
    from scipy.special import stdtrit

    codes = int(ratings.max()) + 1
    added = 1 / codes  # verdicts of 0 and of 1 that each cell gets
    of_kind, of_all = np.bincount(ratings, kinds, minlength=codes), np.bincount(ratings, minlength=codes)
    weights = of_kind * (of_all - of_kind) / of_all
    weights /= weights.sum()
    middle, variance, left = 0.0, 0.0, np.zeros(len(values))
    for code in range(codes):
        for sign, side in ((1, True), (-1, False)):
            own = (ratings == code) & (kinds == side)
            n = float(own.sum())
            mean = (float(values[own].sum()) + added) / (n + 2 * added)
            squares = float(((values[own] - mean) ** 2).sum()) + added * (mean**2 + (1 - mean) ** 2)
            middle += sign * weights[code] * mean
            variance += weights[code] ** 2 * squares / (n + 2 * added) ** 2
            left[own] = sign * weights[code] * (values[own] - values[own].mean()) / n
    alone, sums = float(left @ left), np.bincount(clusters, left)
    far = z_value((1 - level) / 2)
    if len(np.unique(clusters)) < len(values):
        # kinds may differ between clusters only: each is then known from its own clusters alone
        several = min(len(np.unique(clusters[kinds == side])) for side in (True, False))
        if several < 2:
            return None
        far = float(stdtrit(several - 1, (1 + level) / 2))
        if alone > 0:
            variance *= max(1.0, several / (several - 1) * float(sums @ sums) / alone)
    reach = far * math.sqrt(variance)
    return Interval(middle - reach, middle + reach, level, METHOD, (-1.0, 1.0))
