"""The corrected resampled t test of Nadeau and Bengio: the default over folds."""

from collections.abc import Sequence

from justesse.core.results import Alternative, TestResult
from justesse.significance.fold_pair import FoldPair
from justesse.significance.folds import NORMAL, SHARED, fold_differences, overlap, t_outcome
from justesse.significance.paired_t import over_folds as paired_over_folds


def corrected_t(
    incumbent: Sequence[float],
    candidate: Sequence[float],
    *,
    test_over_train: float,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test that the mean difference of fold scores is 0, allowing for training sets that overlap.

        t = d̄ / sqrt(s²·(1/k + n_test/n_train)),   k-1 degrees of freedom

    `test_over_train` is 1/(K-1) for K-fold cross-validation, repeated or not; k counts all scores. The correction is a
    rule of thumb, close to its level, not exact (docs/validity.md). Nadeau and Bengio (2003).

    Parameters
    ----------
    incumbent
        Scores of the incumbent, one per fold or data set.
    candidate
        Scores of the candidate on the same folds, in the same order.
    test_over_train
        Size of a test set over that of its training set, 1/(k-1) for k folds; `None` for folds that share no
        training rows.
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
    >>> result = corrected_t([0.80, 0.84, 0.79, 0.83, 0.82], [0.83, 0.86, 0.84, 0.85, 0.83], test_over_train=1 / 4)
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (2.556, 0.0629)
    """
    differences = fold_differences(incumbent, candidate)
    return t_outcome(
        "corrected-t",
        differences,
        level=level,
        alternative=alternative,
        assumptions=(SHARED, overlap(test_over_train), NORMAL),
        test_over_train=test_over_train,
    )


def over_folds(pair: FoldPair) -> TestResult:
    """Compare two by their fold scores; folds that share no training rows need no correction.

    >>> over_folds(FoldPair([0.80, 0.84, 0.79], [0.83, 0.86, 0.84])).test
    'paired-t'
    """
    if pair.test_over_train is None:
        return paired_over_folds(pair)
    return corrected_t(pair.incumbent, pair.candidate, test_over_train=pair.test_over_train, **pair.sides)
