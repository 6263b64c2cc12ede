"""Dietterich's t test over five repetitions of two-fold cross-validation."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative, Estimate, Interval, TestResult, tail_levels
from justesse.significance.five_by_two import ASSUMPTIONS, NO_SPREAD, five_by_two_differences, summed_variance
from justesse.significance.fold_pair import FoldPair
from justesse.significance.folds import t_pvalue


def five_by_two_t(
    incumbent: ArrayLike,
    candidate: ArrayLike,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test that two are equally good, from the scores of five repetitions (rows) of two folds (columns).

        t = d_11 / sqrt(Σ_i s_i² / 5),   s_i² = (d_i1 - d_i2)²/2,   5 degrees of freedom

    The numerator has only the first of the ten differences, so the answer depends on the order of the folds, and
    the interval in `difference` is centred on that one; the F test of Alpaydin uses all ten. Dietterich (1998).

    Parameters
    ----------
    incumbent
        Scores of the incumbent: five repetitions (rows) of two folds (columns).
    candidate
        Scores of the candidate, likewise.
    level
        Confidence level.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.

    Returns
    -------
    TestResult
        Statistic, p-value, assumptions and, if the test has one, the interval of the difference.

    Examples
    --------
    >>> incumbent = [[0.80, 0.78], [0.81, 0.79], [0.77, 0.80], [0.79, 0.80], [0.82, 0.78]]
    >>> candidate = [[0.83, 0.80], [0.82, 0.82], [0.80, 0.81], [0.82, 0.81], [0.83, 0.81]]
    >>> result = five_by_two_t(incumbent, candidate)
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (2.301, 0.0697)
    """
    from scipy.special import stdtrit

    tails = tail_levels(level, alternative)
    differences = five_by_two_differences(incumbent, candidate)
    spread = summed_variance(differences)
    first, interval, undefined, statistic = float(differences[0, 0]), None, None, 0.0
    if spread:
        error = math.sqrt(spread / 5)
        statistic = first / error
        below, above = (float(stdtrit(5, 1 - tail)) if tail else math.inf for tail in tails)
        low, high = first - below * error, first + above * error
        interval = Interval(low, high, level, "five-by-two-t", alternative=alternative)
    elif np.abs(differences).max() > 1e-12:
        statistic, undefined = math.nan, NO_SPREAD
    return TestResult(
        "five-by-two-t",
        statistic,
        t_pvalue(statistic, 5, alternative),
        10,
        alternative,
        ASSUMPTIONS,
        Estimate("first difference", first, 10, interval, None if interval else f"no interval: {NO_SPREAD}"),
        (5.0,),
        undefined,
    )


def over_folds(pair: FoldPair) -> TestResult:
    """Compare two by their fold scores."""
    return five_by_two_t(*pair.five_by_two(), **pair.sides)
