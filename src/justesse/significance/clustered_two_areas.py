"""Two areas under ROC curves on the same rows, which come in clusters (Obuchowski)."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, Interval, TestResult, tail_levels
from justesse.intervals.clustered_areas import ClusteredSpread
from justesse.intervals.ends import far_value
from justesse.measures.curves import ROC_AUC
from justesse.measures.curves.placement import placement
from justesse.measures.curves.ranked import Ranked
from justesse.significance.clustered_difference import ONE_CLUSTER
from justesse.significance.folds import t_pvalue
from justesse.significance.paired_measure import STILL

NAME, INTERVAL = "obuchowski", "obuchowski-t"
ASSUMPTIONS = (
    "both classifiers scored the same rows; clusters of rows are independent draws, rows of one cluster may be alike",
    "the labels are right",
    "the difference of the areas is about normal over samples of as many clusters",
)
SAME = "both rank all rows alike"


def clustered_two_areas(
    positive: ArrayLike,
    incumbent: ArrayLike,
    candidate: ArrayLike,
    cluster: ArrayLike,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test that two scores of the same rows have the same area under the ROC curve, if rows come in clusters.

        t = (AUC₂ - AUC₁) / sqrt(v),   v the variance over clusters of the difference of placements

    Parameters
    ----------
    positive
        Whether each row is of the positive class.
    incumbent, candidate
        Scores of both classifiers, one per row.
    cluster
        Cluster of each row.
    level
        Confidence level.
    alternative
        "two-sided", "greater" (the candidate is better) or "less".

    Returns
    -------
    TestResult
        Statistic, degrees of freedom, p-value, and the interval of the difference.

    Notes
    -----
    Obuchowski (1997). With clusters of one row the variance is that of DeLong, DeLong and Clarke-Pearson (1988).
    Degrees of freedom are one less than P²/Σ_g P_g², the number of clusters with positive rows if all have as many, or
    the same of negative rows, or fewer if a few clusters make most of the spread (O'Neill 2014).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> cluster = np.repeat(np.arange(30), 6)
    >>> positive = rng.random(180) < 0.4
    >>> first, second = (positive * gain + rng.normal(size=30)[cluster] + rng.normal(size=180) for gain in (0.5, 1.5))
    >>> result = clustered_two_areas(positive, first, second, cluster)
    >>> round(result.difference.value, 3), round(result.pvalue, 4)
    (0.127, 0.0365)
    """
    is_positive, groups = np.asarray(positive, dtype=bool), np.asarray(cluster)
    scores = [np.asarray(part, dtype=float) for part in (incumbent, candidate)]
    if len({is_positive.shape, groups.shape, *(part.shape for part in scores)}) > 1:
        raise OptionError("One label, one cluster and two scores per row are needed; got arrays of different lengths.")
    n, tails = len(is_positive), tail_levels(level, alternative)
    first, second = (placement(Ranked.of(part), is_positive, np.ones(n)) for part in scores)
    value = second.auc - first.auc
    if math.isnan(value):
        nothing = Estimate("auc difference", value, n, undefined=ROC_AUC.reason)
        return TestResult(NAME, math.nan, math.nan, n, alternative, ASSUMPTIONS, nothing, undefined=ROC_AUC.reason)
    spread = ClusteredSpread.of(second.influence - first.influence, is_positive, groups)
    if spread.variance <= 1e-28 and abs(value) <= 1e-14:
        same = Estimate("auc difference", 0.0, n, undefined=SAME)
        return TestResult(NAME, 0.0, 1.0, n, alternative, ASSUMPTIONS, same)
    if min(spread.clusters) < 2 or spread.variance <= 1e-28:
        reason = ONE_CLUSTER if min(spread.clusters) < 2 else STILL
        unknown = Estimate("auc difference", value, n, undefined=reason)
        return TestResult(NAME, math.nan, math.nan, n, alternative, ASSUMPTIONS, unknown, undefined=reason)
    error = math.sqrt(spread.variance)
    low, high = (
        value + sign * far_value(tail, spread.degrees) * error for sign, tail in ((-1, tails[0]), (1, tails[1]))
    )
    interval = Interval(low, high, level, INTERVAL, (-1.0, 1.0), alternative)
    statistic = value / error
    return TestResult(
        NAME, statistic, t_pvalue(statistic, spread.degrees, alternative), n, alternative, ASSUMPTIONS,
        Estimate("auc difference", value, n, interval), df=(spread.degrees,),
    )  # fmt: skip
