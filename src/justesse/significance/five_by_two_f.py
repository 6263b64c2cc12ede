"""Alpaydin's combined F test over five repetitions of two-fold cross-validation."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Estimate, TestResult
from justesse.significance.five_by_two import ASSUMPTIONS, NO_SPREAD, five_by_two_differences, summed_variance
from justesse.significance.fold_pair import FoldPair
from justesse.significance.folds import NO_INTERVAL


def five_by_two_f(incumbent: ArrayLike, candidate: ArrayLike) -> TestResult:
    """Test that two are equally good, from all ten scores of five repetitions (rows) of two folds (columns).

        F = Σ_ij d_ij² / (2·Σ_i s_i²),   s_i² = (d_i1 - d_i2)²/2,   10 and 5 degrees of freedom

    It does not depend on the order of the folds, as Dietterich's t does. It is two-sided only: which of the two is
    better is in `difference`. Half of the rows train each model, so it is about smaller training sets than those you
    have. Alpaydin (1999).

    Parameters
    ----------
    incumbent
        Scores of the incumbent: five repetitions (rows) of two folds (columns).
    candidate
        Scores of the candidate, likewise.

    Returns
    -------
    TestResult
        Statistic, p-value, assumptions and, if the test has one, the interval of the difference.

    Examples
    --------
    >>> incumbent = [[0.80, 0.78], [0.81, 0.79], [0.77, 0.80], [0.79, 0.80], [0.82, 0.78]]
    >>> candidate = [[0.83, 0.80], [0.82, 0.82], [0.80, 0.81], [0.82, 0.81], [0.83, 0.81]]
    >>> result = five_by_two_f(incumbent, candidate)
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (3.118, 0.1107)
    """
    from scipy.special import fdtrc

    differences = five_by_two_differences(incumbent, candidate)
    spread = summed_variance(differences)
    statistic, undefined = 0.0, None
    if spread:
        statistic = float((differences**2).sum() / (2 * spread))
    elif np.abs(differences).max() > 1e-12:
        statistic, undefined = math.nan, NO_SPREAD
    return TestResult(
        "five-by-two-f",
        statistic,
        float(fdtrc(10, 5, statistic)),
        10,
        "two-sided",
        ASSUMPTIONS,
        Estimate("difference", float(differences.mean()), 10, undefined=NO_INTERVAL),
        (10.0, 5.0),
        undefined,
    )


def over_folds(pair: FoldPair) -> TestResult:
    """Compare two by their fold scores."""
    return five_by_two_f(*pair.five_by_two())
