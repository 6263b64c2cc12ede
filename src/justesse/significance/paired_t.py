"""The plain paired t test over folds."""

from collections.abc import Sequence
from dataclasses import replace

from justesse.core.results import Alternative, TestResult
from justesse.significance.fold_pair import FoldPair
from justesse.significance.folds import INDEPENDENT, NORMAL, SHARED, fold_differences, t_outcome

WARNING = (
    "The plain paired t test takes folds as independent, but their training sets overlap: over repeated splits it "
    "finds differences that are not there five times as often as it says (docs/validity.md). Use the corrected test."
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

    >>> found = paired_t([0.80, 0.84, 0.79, 0.83, 0.82], [0.83, 0.86, 0.84, 0.85, 0.83])
    >>> round(found.statistic, 3), round(found.pvalue, 4)
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
