"""Error rates of three or more classifiers from how often they agree, without labels."""

import math
from dataclasses import dataclass

import numpy as np

from justesse.core.answer_patterns import AnswerPatterns
from justesse.core.arrays import Array, FloatArray
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval, tail_levels
from justesse.core.seeds import stream
from justesse.intervals.agreement_model import abilities, check_coincidence, contrasts, errors_of
from justesse.intervals.dependence_bounds import DependenceBounds, dependence_bounds
from justesse.intervals.wilson import wilson

METHOD = "agreement-bootstrap"
BATCH = 250


@dataclass(frozen=True, eq=False)
class AgreementErrors:
    """Estimated error rates, and their bounds if classifiers err together.

    Parameters
    ----------
    estimates
        Error rate of each classifier if all err independently, with its interval.
    bounds
        Lowest and highest error rate for the dependence stated, on these rows.
    low, high
        The same with their sampling error: ends of confidence intervals of the bounds.
    undefined
        Why nothing is identified, if so.
    """

    estimates: tuple[Estimate, ...]
    bounds: DependenceBounds
    low: FloatArray
    high: FloatArray
    undefined: str | None = None


def agreement_errors(
    patterns: AnswerPatterns,
    *,
    coincidence: float | None = None,
    dependence: float = 0.01,
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
) -> AgreementErrors:
    """Estimate error rates from the agreement of three or more classifiers.

    Parameters
    ----------
    patterns
        Answers of the classifiers to the same rows.
    coincidence
        How often two wrong answers are the same. Default: 1 / (classes - 1), as if they were spread evenly.
    dependence
        Largest dependence of two classifiers for the bounds.
    level
        Confidence level.
    draws
        Number of bootstrap resamples.
    seed
        Seed of the random numbers.

    Returns
    -------
    AgreementErrors
        Estimates with percentile intervals of resampled counts, and bounds.

    Notes
    -----
    Two classes: (2a - 1) = (1 - 2e)(1 - 2f) for every pair that errs independently; with three classifiers
    1 - 2e₁ = √(c₁₂c₁₃/c₂₃). Any number of classes: see `contrasts`. Classifiers that err together look better than they
    are: shared mistakes are agreement too. Do not use it for models trained on the same data without labels to check
    it. Platanios, Blum and Mitchell (2014).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> true = rng.integers(2, size=5000)
    >>> answers = np.stack([np.where(rng.random(5000) < error, 1 - true, true) for error in (0.1, 0.2, 0.3)])
    >>> result = agreement_errors(AnswerPatterns.from_codes(["a", "b", "c"], (0, 1), answers.T))
    >>> [round(estimate.value, 2) for estimate in result.estimates]
    [0.11, 0.19, 0.29]
    """
    if patterns.size < 3:
        raise OptionError(
            f"Error rates without labels need the answers of three classifiers or more; got {patterns.size}."
        )
    share = check_coincidence(coincidence, len(patterns.classes))
    seen, pairs, n = patterns.agreement, patterns.pairs, patterns.n
    bounds = dependence_bounds(seen, pairs, dependence=dependence, coincidence=share)
    if why := _not_identified(patterns, share, level):
        nothing = np.full(patterns.size, math.nan)
        estimates = tuple(Estimate("error", math.nan, n, undefined=why, is_share=True) for _ in patterns.names)
        return AgreementErrors(estimates, bounds, nothing, nothing, why)
    drawn = resampled_agreement(patterns, draws, seed)
    values = errors_of(abilities(contrasts(seen, share), pairs), share)
    around = errors_of(abilities(contrasts(drawn, share), pairs), share)
    around = np.where(np.isnan(around), 1 / (1 + share), around)  # a draw in which nothing is identified
    tails = tail_levels(level, "two-sided")
    low, high = np.quantile(around, tails[0], axis=0), np.quantile(around, 1 - tails[1], axis=0)
    estimates = tuple(
        Estimate("error", float(value), n, Interval(float(a), float(b), level, METHOD, (0.0, 1.0)), is_share=True)
        for value, a, b in zip(values, low, high, strict=True)
    )
    ends = dependence_bounds(drawn, pairs, dependence=dependence, coincidence=share)
    possible = ends.possible
    if possible.mean() < 0.5:  # the pairs disagree with any error rates: the bounds are of nothing
        nothing = np.full(patterns.size, math.nan)
        return AgreementErrors(estimates, bounds, nothing, nothing)
    lowest = np.quantile(ends.low[possible], tails[0], axis=0)
    highest = np.quantile(ends.high[possible], 1 - tails[1], axis=0)
    return AgreementErrors(estimates, bounds, lowest, highest)


def resampled_agreement(patterns: AnswerPatterns, draws: int, seed: int) -> Array:
    """Draw the counts anew and return the agreement of all pairs, draws × pairs."""
    rng = stream(seed, "agreement errors")
    chances = patterns.counts / patterns.n
    parts = [
        rng.multinomial(patterns.n, chances, size=min(BATCH, draws - start)) @ patterns.agrees / patterns.n
        for start in range(0, draws, BATCH)
    ]
    return np.concatenate(parts)


def _not_identified(patterns: AnswerPatterns, share: float, level: float) -> str | None:
    """Say which pair agrees no more often than chance may explain, if one does."""
    agree = patterns.agreement * patterns.n
    low = contrasts(wilson(agree, np.full(len(agree), patterns.n), level=level).low, share)
    if (low > 0).all():
        return None
    first, other = patterns.pairs[int(np.argmin(low))]
    return (
        f"{patterns.names[first]} and {patterns.names[other]} do not agree clearly more often than by chance, so one "
        "of them may be no better than chance"
    )
