"""Whether a judge errs alike on all strata, or on all models it judges."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.resampling import check_draws
from justesse.core.results import TestResult
from justesse.core.seeds import stream
from justesse.significance.exchange import Exchange

NAME = "constant-rates"
ASSUMPTIONS = (
    "items are independent, and those that people rated are a random sample",
    "if the groups do not matter, verdicts on units that people rate alike can be exchanged between groups",
)
SLACK = 1e-9


def constant_rates(
    verdicts: ArrayLike,
    ratings: ArrayLike,
    groups: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    draws: int = 1999,
    seed: int = 0,
) -> TestResult:
    """Test that a judge's rates, given what people say, are the same in all groups of units.

        X² = Σ_h Σ_g n_hg·(m_hg - m_h)² / s_h²,   p = (1 + exchanges with X² at least as large) / (1 + draws)

    m_hg is the mean verdict of group g where people rate h, and s_h² the variance where they rate h. Groups are
    exchanged within units that people rate alike. If units come in clusters, whole clusters are exchanged; if a cluster
    has units of several groups, units within it. Small groups lower the power, not the validity. Fisher (1935);
    Phipson and Smyth (2010) for the added ones.

    Parameters
    ----------
    verdicts
        Verdict of the judge on each unit, from 0 to 1.
    ratings
        What people say of each unit.
    groups
        Stratum of each unit, or model judged.
    clusters
        Cluster of each unit, such as a question that several models answered. Default: units are independent.
    draws
        Number of random exchanges.
    seed
        Seed of the random numbers.

    Returns
    -------
    TestResult
        The statistic X² and its p-value; NaN, with the reason, if nothing can be exchanged.

    Examples
    --------
    >>> easy, hard = [1] * 19 + [0], [1] * 12 + [0] * 8
    >>> result = constant_rates(easy + hard, [1] * 40, ["easy"] * 20 + ["hard"] * 20)
    >>> round(result.statistic, 2), result.pvalue < 0.05
    (7.03, True)
    """
    check_draws(draws)
    value, rating = np.asarray(verdicts, dtype=float), np.unique(np.asarray(ratings), return_inverse=True)[1]
    names, label = np.unique(np.asarray(groups), return_inverse=True)
    cluster = np.arange(len(value)) if clusters is None else np.asarray(clusters)
    if len(names) < 2:
        return _undefined("there is only one group", len(value))
    exchange = Exchange.of(label, rating, cluster)
    weights = _weights(value, rating)
    if not exchange.possible or not weights.any():
        return _undefined(
            "no verdict can be exchanged: groups, or verdicts, do not vary among units rated alike", len(value)
        )

    kinds = int(rating.max()) + 1

    def statistic(drawn: Array) -> Array:
        cells = (rating * len(names) + drawn) + kinds * len(names) * np.arange(len(drawn))[:, None]
        size = kinds * len(names) * len(drawn)
        sums = np.bincount(cells.ravel(), np.broadcast_to(weights, drawn.shape).ravel(), minlength=size)
        counts = np.bincount(cells.ravel(), minlength=size)
        return np.asarray((sums**2 / np.maximum(counts, 1)).reshape(len(drawn), -1).sum(axis=1))

    seen = float(statistic(label[None])[0])
    rng = stream(seed, NAME)
    beyond = sum(int((statistic(drawn) >= seen - SLACK * max(1.0, seen)).sum()) for drawn in exchange.draws(draws, rng))
    return TestResult(
        NAME, seen, (1 + beyond) / (1 + draws), len(value), "two-sided",
        (*ASSUMPTIONS, f"{draws} random exchanges (seed {seed})"),
    )  # fmt: skip


def _weights(values: Array, ratings: Array) -> Array:
    """Centre and scale verdicts among units that people rate alike; 0 where they do not vary."""
    result = np.zeros(len(values))
    for kind in np.unique(ratings):
        own = ratings == kind
        left = values[own] - values[own].mean()
        spread = math.sqrt(float(left @ left) / own.sum())
        result[own] = left / spread if spread > SLACK else 0.0
    return result


def _undefined(reason: str, n: int) -> TestResult:
    return TestResult(NAME, math.nan, math.nan, n, "two-sided", ASSUMPTIONS, undefined=reason)
