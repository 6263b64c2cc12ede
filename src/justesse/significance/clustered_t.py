"""The cluster-robust t test of the difference of a measure between two classifiers."""

import math

from justesse.core.case import Case
from justesse.core.results import Alternative, Estimate, TestResult, tail_levels
from justesse.intervals.delta import TINY
from justesse.significance.clustered_difference import ONE_CLUSTER
from justesse.significance.clustered_measure import ClusteredGap
from justesse.significance.folds import t_pvalue
from justesse.significance.paired_measure import STILL, Compared

NAME = "clustered-t"
ASSUMPTIONS = (
    "both classifiers answered the same rows; clusters of rows are independent draws, rows of one cluster may be alike",
    "the difference is about normal over samples of as many clusters",
)


def clustered_t(case: Case, compared: Compared, *, alternative: Alternative = "two-sided") -> TestResult:
    """Test that a measure is equal for both classifiers, if rows come in clusters.

        t = difference / error,   with the standard error and degrees of freedom of `clustered_delta`

    It takes the place of the permutation test, which swaps the answers to single rows as if they were independent.

    Parameters
    ----------
    case
        Answers of both classifiers, counted by cluster.
    compared
        Measure to compare, and its class.
    alternative
        "two-sided", "greater" (the candidate is better) or "less".

    Returns
    -------
    TestResult
        Statistic, degrees of freedom, p-value and assumptions.

    Notes
    -----
    Bell and McCaffrey (2002); Pustejovsky and Tipton (2018).

    Examples
    --------
    >>> from justesse.core.tally import Tally
    >>> from justesse.measures import mcc
    >>> cells = [(1, 1, 1, g, 3) for g in range(12)] + [(1, 0, 1, g, 1 + g % 3) for g in range(12)]
    >>> cells += [(0, 0, 0, g, 4) for g in range(12)] + [(0, 0, 1, g, 1) for g in range(0, 12, 2)]
    >>> result = clustered_t(Case(Tally.of(("label", "incumbent", "candidate", "cluster"), cells)), Compared(mcc))
    >>> round(result.statistic, 2), result.pvalue < 0.001
    (5.92, True)
    """
    tail_levels(0.95, alternative)
    gap = ClusteredGap.of(case, compared)
    name, reason = f"{compared.measure.name} difference", compared.measure.reason
    if math.isnan(gap.value):
        nothing = Estimate(name, gap.value, gap.n, undefined=reason)
        return TestResult(NAME, math.nan, math.nan, gap.n, alternative, ASSUMPTIONS, nothing, undefined=reason)
    difference = Estimate(name, gap.value, gap.n)
    if gap.clusters > 1 and not gap.error > TINY and abs(gap.value) <= TINY:  # no row speaks for either
        return TestResult(NAME, 0.0, 1.0, gap.n, alternative, ASSUMPTIONS, difference, df=(gap.degrees,))
    if not gap.error > TINY:
        why = ONE_CLUSTER if gap.clusters < 2 else STILL
        return TestResult(NAME, math.nan, math.nan, gap.n, alternative, ASSUMPTIONS, difference, undefined=why)
    statistic = gap.value / gap.error
    pvalue = t_pvalue(statistic, gap.degrees, alternative)
    return TestResult(NAME, statistic, pvalue, gap.n, alternative, ASSUMPTIONS, difference, df=(gap.degrees,))
