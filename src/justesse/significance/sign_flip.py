"""The sign-flip permutation test: how often would chance alone give so large a mean difference?"""

from collections.abc import Sequence

import numpy as np

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, TestResult, tail_levels
from justesse.core.seeds import stream
from justesse.significance.fold_pair import FoldPair
from justesse.significance.folds import NO_INTERVAL, batches, fold_differences

ENUMERATED = 16
ASSUMPTIONS = (
    "both were scored on the same data sets or folds",
    "without a difference each sign is random: true of independent data sets, not of folds or repeated splits, which "
    "share rows",
)


def sign_flip(
    incumbent: Sequence[float],
    candidate: Sequence[float],
    *,
    alternative: Alternative = "two-sided",
    draws: int = 9999,
    seed: int = 0,
) -> TestResult:
    """Test that differences lie evenly around 0, by flipping their signs in all ways or in many random ones.

        k ≤ 16:  p = share of the 2^k ways to sign d_1 … d_k with |Σ ±d_i| ≥ |Σ d_i|
        k > 16:  p = (1 + hits) / (1 + draws)

    Nothing needs to be normal. It is wrong for folds of cross-validation, which are not independent, and over repeated
    splits of one data set it finds differences that do not exist far too often (docs/validity.md). With k differences
    p cannot fall below 2/2^k: five can never show anything at 5 %. Fisher (1935); Phipson and Smyth (2010) for the
    added ones.

    Parameters
    ----------
    incumbent
        Scores of the incumbent, one per fold or data set.
    candidate
        Scores of the candidate on the same folds, in the same order.
    alternative
        "two-sided" for an interval or test of both sides, "greater" or "less" for one side.
    draws
        Number of random draws.
    seed
        Seed of the random draws.

    Returns
    -------
    TestResult
        Statistic, p-value, assumptions and, if the test has one, the interval of the difference.

    Examples
    --------
    >>> result = sign_flip([0.80, 0.84, 0.79, 0.83, 0.82, 0.81], [0.83, 0.86, 0.84, 0.85, 0.83, 0.83])
    >>> round(result.statistic, 3), result.pvalue
    (0.025, 0.03125)
    """
    tail_levels(0.95, alternative)
    if draws < 1 or draws != int(draws):
        raise OptionError(f"draws must be a whole number of at least 1; got {draws!r}.")
    differences = fold_differences(incumbent, candidate)
    k, seen, exact = len(differences), float(differences.sum()), len(differences) <= ENUMERATED
    # sums that are equal on paper must count as equal
    slack = 1e-12 * max(1.0, float(np.abs(differences).sum()))

    def hits(sums: Array) -> int:
        beyond = {"two-sided": np.abs(sums) - abs(seen), "greater": sums - seen, "less": seen - sums}[alternative]
        return int((beyond >= -slack).sum())

    if exact:
        sums = np.zeros(1)
        for difference in differences:
            sums = np.concatenate([sums + difference, sums - difference])
        pvalue = hits(sums) / len(sums)
    else:
        rng = stream(seed, "sign-flip")
        drawn = (hits(rng.choice([-1.0, 1.0], size=(size, k)) @ differences) for size in batches(draws, k))
        pvalue = (1 + sum(drawn)) / (1 + draws)
    least = (2 if alternative == "two-sided" else 1) / 2**k
    few = f"With {k} differences no p-value can be below {least:g}: use more data sets."
    how = f"{draws} random ways to flip the signs (seed {seed})" if not exact else f"all {2**k} ways to flip the signs"
    return TestResult(
        "sign-flip",
        seen / k,
        pvalue,
        k,
        alternative,
        (*ASSUMPTIONS, how),
        Estimate("difference", seen / k, k, undefined=NO_INTERVAL),
        warnings=(few,) if least > 0.05 else (),
    )


def over_folds(pair: FoldPair) -> TestResult:
    """Compare two by their fold scores."""
    return sign_flip(pair.incumbent, pair.candidate, alternative=pair.alternative, seed=pair.seed)
