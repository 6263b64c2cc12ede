"""McNemar's test for rows that come in clusters."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.results import Alternative, TestResult, tail_levels
from justesse.significance.clustered_difference import ONE_CLUSTER, ClusterWorth
from justesse.significance.folds import t_pvalue
from justesse.significance.paired_difference import score_statistic

NAME = "mcnemar-cr2"
ASSUMPTIONS = (
    "both classifiers answered the same rows; clusters of rows are independent draws, rows of one cluster may be alike",
    "the labels are right",
)


def clustered_mcnemar(
    only_incumbent: ArrayLike,
    only_candidate: ArrayLike,
    sizes: ArrayLike,
    *,
    both_right: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test that both are right equally often, if rows come in clusters.

        t = (c - b)/sqrt(b + c)·sqrt(n*/n),   with ν degrees of freedom

    n* is the number of independent rows that the clusters are worth, ν that of `clustered_difference`. Rows of one
    cluster are alike, so McNemar's own test counts the same evidence several times. The test agrees with the interval.

    Parameters
    ----------
    only_incumbent
        Rows of each cluster that only the incumbent gets right.
    only_candidate
        Rows of each cluster that only the candidate gets right.
    sizes
        Number of rows of each cluster.
    both_right
        Rows of each cluster that both get right. If one is right on all rows or wrong on all, the test allows for whole
        clusters in which it fails and that the sample does not show. Default: not considered.
    alternative
        "two-sided", "greater" (the candidate is better) or "less".

    Returns
    -------
    TestResult
        Statistic, p-value and assumptions. No row that only one gets right means no evidence: p = 1.

    Notes
    -----
    A test of this kind is Obuchowski's; the bias-reduced variance and Student's t hold with few clusters
    (docs/validity.md). Obuchowski (1998); Bell and McCaffrey (2002).

    Examples
    --------
    >>> result = clustered_mcnemar([2, 0, 1, 0, 1, 0], [0, 1, 3, 2, 2, 2], [8, 8, 8, 8, 8, 8])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.538, 0.187)
    """
    tail_levels(0.95, alternative)
    n = float(np.sum(sizes))
    if np.size(sizes) < 2:
        return TestResult(NAME, math.nan, math.nan, n, alternative, ASSUMPTIONS, undefined=ONE_CLUSTER)
    rows = ClusterWorth.of(only_incumbent, only_candidate, sizes, both_right)
    if not rows.only_incumbent + rows.only_candidate:
        return TestResult(NAME, 0.0, 1.0, n, alternative, ASSUMPTIONS, df=(rows.degrees,))
    ways = [(rows.worth, rows.degrees)]
    if rows.least > 0:  # never less evidence than clusters of the largest size whose rows are all equal
        ways.append((rows.least, rows.least))
    outcomes = []
    for worth, degrees in ways:
        statistic = float(score_statistic(*rows.scaled(worth)))
        outcomes.append((t_pvalue(abs(statistic), degrees, "two-sided"), statistic, degrees))
    _, statistic, degrees = min(outcomes)
    pvalue = t_pvalue(statistic, degrees, alternative)
    if rows.unseen is not None:
        if alternative == "two-sided":
            pvalue = max(pvalue, rows.unseen.pvalue())
        elif pvalue < 0.5:  # the side that the difference is on
            pvalue = max(pvalue, rows.unseen.pvalue() / 2)
    return TestResult(NAME, statistic, pvalue, n, alternative, ASSUMPTIONS, df=(degrees,))
