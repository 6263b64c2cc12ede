"""Analysis of variance: do several classifiers differ, over the same folds?"""

import math

from numpy.typing import ArrayLike

from justesse.core.errors import OptionError
from justesse.core.results import TestResult
from justesse.intervals.student import all_equal
from justesse.significance.folds import INDEPENDENT, overlap, score_table

BLOCKED = (
    "all were scored on the same folds",
    "a fold is equally hard for all, apart from normal noise of the same size",
    INDEPENDENT,
)
ONE_WAY = (
    "every classifier was scored on its own independent partitions",
    "scores are close to normal, with the same spread for all",
)
SHARES = (
    "Analysis of variance treats folds as independent. Repeated splits of one data set are not: then it finds "
    "differences that do not exist far more often than its level (docs/validity.md). Give test_over_train."
)
HARDLY = (
    "The one-way form needs separate partitions for every classifier. On the same folds it treats hard folds as noise "
    "and hardly ever finds a difference: use blocked=True."
)
NOTHING_LEFT = "classifiers and folds explain all scores exactly, so the spread is unknown"


def anova(scores: ArrayLike, *, blocked: bool = True, test_over_train: float | None = None) -> TestResult:
    """Test that L classifiers (columns) have the same mean score over K folds (rows).

        blocked:  F = [S_b/(L-1)] / [S_e/((L-1)(K-1))],   S_e = Σ_ij (e_ij - fold mean - classifier mean + mean)²
        one-way:  F = [S_b/(L-1)] / [S_w/(L(K-1))],       S_w = Σ_ij (e_ij - classifier mean)²
        both:     S_b = K·Σ_j (classifier mean - mean)²

        blocked, training sets that overlap:  F / (1 + K·n_test/n_train)

    Blocking takes out what folds have in common; the one-way form of lecture 002 is right for independent partitions
    only. Both are wrong over repeated splits of one data set, which share rows: they reject far too often, unless
    `test_over_train` is given: F is then divided by how much Nadeau and Bengio (2003) widen the variance of a mean, a
    rule of thumb. A small p-value says that some differ, not which. With two classifiers the blocked F is the square of
    the paired t, and with `test_over_train` of the corrected t. Fisher (1925).

    Parameters
    ----------
    scores
        One row per fold, one column per classifier.
    blocked
        Whether all classifiers were scored on the same folds.
    test_over_train
        Size of a test set over that of its training set, 1/(k-1) for k folds; `None` for folds that share no
        training rows.

    Returns
    -------
    TestResult
        Statistic, p-value, assumptions and, if the test has one, the interval of the difference.

    Examples
    --------
    >>> scores = [[0.80, 0.83, 0.81], [0.84, 0.86, 0.86], [0.79, 0.84, 0.80], [0.83, 0.85, 0.84]]
    >>> result = anova(scores)
    >>> round(result.statistic, 2), round(result.pvalue, 4)
    (10.55, 0.0109)
    >>> round(anova(scores, blocked=False).pvalue, 4)
    0.2158
    """
    from scipy.special import fdtrc

    if test_over_train is not None and not blocked:
        raise OptionError("Separate partitions share no training rows. Leave out test_over_train, or use blocked=True.")
    table = score_table(scores)
    (k, many), mean = table.shape, float(table.mean())
    classifiers = table.mean(axis=0)
    fitted = classifiers + (table.mean(axis=1, keepdims=True) - mean if blocked else 0.0)
    df = float(many - 1), float((k - 1) * (many - 1 if blocked else many))
    between, left = k * ((classifiers - mean) ** 2).sum(), ((table - fitted) ** 2).sum()
    statistic, undefined = 0.0, None
    name: str
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]
    # the mean is added back so that rounding is judged against the size of the scores
    if not all_equal((table - fitted).ravel() + mean):
        wider = 1 + k * (test_over_train or 0.0)
        statistic = float((between / df[0]) / (left / df[1]) / wider)
    elif not all_equal(classifiers):
        statistic, undefined = math.nan, NOTHING_LEFT
    if test_over_train is not None:
        name, assumptions, warnings = "anova-blocked-corrected", (*BLOCKED[:2], overlap(test_over_train)), ()
    elif blocked:
        name, assumptions, warnings = "anova-blocked", BLOCKED, (SHARES,)
    else:
        name, assumptions, warnings = "anova-one-way", ONE_WAY, (HARDLY,)
    return TestResult(
        name,
        statistic,
        float(fdtrc(*df, statistic)),
        k,
        "two-sided",
        assumptions,
        df=df,
        undefined=undefined,
        warnings=warnings,
    )
