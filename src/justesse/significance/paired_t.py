"""The plain paired t test over folds."""

from collections.abc import Sequence
from dataclasses import replace

from justesse.core.results import Alternative, TestResult
from justesse.significance.fold_pair import FoldPair
from justesse.significance.folds import INDEPENDENT, NORMAL, SHARED, fold_differences, t_outcome

WARNING = (
    "The plain paired t test treats folds as independent, but their training sets overlap: over repeated splits it "
    "finds differences that do not exist five times as often as its level (docs/validity.md). Use corrected-t."
)


def paired_t(
    incumbent: Sequence[float],
    candidate: Sequence[float],
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test that the mean difference of fold scores is 0, as if folds were independent.

        t = d̄ / sqrt(s²/k),   k-1 degrees of freedom

    Wrong to use where training sets overlap, as in repeated holdout: it rejects far too often, and its result
    says so. Right for folds that share no training row. Thesis 2.3.5 leaves out the standardisation.
    Student (1908).

    Parameters
    ----------
    incumbent
        Scores of the incumbent, one per fold or data set.
    candidate
        Scores of the candidate on the same folds, in the same order.
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
    >>> result = paired_t([0.80, 0.84, 0.79, 0.83, 0.82], [0.83, 0.86, 0.84, 0.85, 0.83])
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (3.833, 0.0186)
    """
    differences = fold_differences(incumbent, candidate)
    assumptions = (SHARED, INDEPENDENT, NORMAL)
    return t_outcome(
        "paired-t", differences, level=level, alternative=alternative, assumptions=assumptions, warnings=(WARNING,)
    )


def over_folds(pair: FoldPair) -> TestResult:
    """Compare two by their fold scores; warn only if their training sets overlap."""
    result = paired_t(pair.incumbent, pair.candidate, **pair.sides)
    return result if pair.test_over_train else replace(result, warnings=())
