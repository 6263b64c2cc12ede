"""McNemar's test: of the rows that exactly one of two classifiers gets right, who gets more?"""

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, TestResult, tail_levels
from justesse.intervals.planning.difference import at_most

McNemarMethod = Literal["mid-p", "exact", "chi-square"]
ASSUMPTIONS = (
    "both classifiers answered the same rows, which are independent draws",
    "the labels are right",
)


def mcnemar(
    only_incumbent: int,
    only_candidate: int,
    *,
    method: McNemarMethod = "mid-p",
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test that both are right equally often, from the rows that only one of them gets right.

        exact:  p = P(X ≤ b) + P(X ≥ m-b),  X ~ Binomial(m = b + c, 1/2), b the smaller count
        mid-p:  the same with half of P(X = b) on each side
        χ²:     (b - c)² / (b + c) with one degree of freedom

    No such row means no evidence at all: p = 1. The exact test is conservative. Mid-p is close to its level from about
    ten such rows on and never far above it (docs/validity.md), χ² is good for more than 25. None shows how large the
    difference is: see the interval. McNemar (1947); Fagerland, Lydersen and Laake (2013).

    Parameters
    ----------
    only_incumbent
        Rows that only the incumbent gets right.
    only_candidate
        Rows that only the candidate gets right.
    method
        "mid-p", "exact" or "chi-square".
    alternative
        "two-sided", "greater" (the candidate is better) or "less".

    Returns
    -------
    TestResult
        Statistic, p-value, assumptions and, if the test has one, the interval of the difference.

    Examples
    --------
    >>> round(mcnemar(15, 5).pvalue, 4), round(mcnemar(15, 5, method="exact").pvalue, 4)
    (0.0266, 0.0414)
    >>> mcnemar(0, 0).pvalue
    1.0
    """
    for name, value in (("only_incumbent", only_incumbent), ("only_candidate", only_candidate)):
        if not (value >= 0 and float(value).is_integer()):
            raise OptionError(f"{name} must be a whole number of rows, 0 or more; got {value!r}.")
    pvalue = float(mcnemar_pvalues(only_incumbent, only_candidate, method=method, alternative=alternative))
    total = only_incumbent + only_candidate
    z = (only_candidate - only_incumbent) / math.sqrt(total) if total else 0.0
    plain = method == "chi-square"
    return TestResult(
        f"mcnemar-{method}",
        (z**2 if alternative == "two-sided" else z) if plain else float(only_candidate),
        pvalue,
        total,
        alternative,
        ASSUMPTIONS,
        df=(1.0,) if plain and alternative == "two-sided" else (),
    )


def mcnemar_pvalues(
    only_incumbent: ArrayLike,
    only_candidate: ArrayLike,
    *,
    method: McNemarMethod = "mid-p",
    alternative: Alternative = "two-sided",
) -> Array:
    """Compute the p-values of many pairs of counts at once.

    >>> mcnemar_pvalues([15, 0], [5, 0]).round(4).tolist()
    [0.0266, 1.0]
    """
    from scipy.special import ndtr

    tail_levels(0.95, alternative)
    b, c = np.broadcast_arrays(np.asarray(only_incumbent, dtype=float), np.asarray(only_candidate, dtype=float))
    total = b + c
    if method == "chi-square":
        z = np.divide(c - b, np.sqrt(total), out=np.zeros(total.shape), where=total > 0)
        tail = 2 * ndtr(-np.abs(z)) if alternative == "two-sided" else ndtr(-z if alternative == "greater" else z)
        return np.where(total > 0, tail, 1.0)
    if method not in ("mid-p", "exact"):
        raise OptionError(f"The method must be 'mid-p', 'exact' or 'chi-square'; got {method!r}.")
    # how few rows one side won: the chance of so few or fewer, or with half of exactly so few
    won = {"two-sided": np.minimum(b, c), "greater": b, "less": c}[alternative]
    up_to = at_most(won, total, 0.5)
    tail = up_to if method == "exact" else (at_most(won - 1, total, 0.5) + up_to) / 2
    if alternative == "two-sided":
        tail = np.minimum(2 * tail, 1.0)
    return np.where(total > 0, tail, 1.0)
