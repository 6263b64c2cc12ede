"""Two one-sided tests: is the difference too small to matter?"""

import math
from collections.abc import Sequence

from justesse.core.errors import OptionError
from justesse.core.results import Estimate, TestResult, check_level
from justesse.intervals.student import all_equal, student
from justesse.significance.folds import (
    EQUAL,
    NORMAL,
    SHARED,
    TOO_SURE,
    fold_differences,
    overlap,
    standard_error,
    t_pvalue,
)


def equivalence_t(
    incumbent: Sequence[float],
    candidate: Sequence[float],
    margin: float,
    *,
    test_over_train: float | None = None,
    level: float = 0.95,
) -> TestResult:
    """Test that the mean difference of fold scores lies outside ±margin; a small p-value says that it lies inside.

        p = the larger of  P(T ≥ (d̄ + margin)/se)  and  P(T ≤ (d̄ - margin)/se)
        se = sqrt(s²·(1/k + n_test/n_train)),   k-1 degrees of freedom

    It decides as the interval in `difference` does, whose level is 1-2α (90 % for a level of 0.95): equivalent if it
    lies inside ±margin. The margin must be chosen before looking. Without `test_over_train` it is wrong for scores
    that share training rows. Schuirmann (1987).

    Parameters
    ----------
    incumbent
        Scores of the incumbent, one per fold or data set.
    candidate
        Scores of the candidate on the same folds, in the same order.
    margin
        Largest difference that does not matter.
    test_over_train
        Size of a test set over that of its training set, 1/(k-1) for k folds; `None` for folds that share no
        training rows.
    level
        Confidence level.

    Returns
    -------
    TestResult
        Statistic, p-value, assumptions and, if the test has one, the interval of the difference.

    Examples
    --------
    >>> incumbent, candidate = [0.80, 0.84, 0.79, 0.83, 0.82], [0.81, 0.84, 0.80, 0.82, 0.83]
    >>> result = equivalence_t(incumbent, candidate, 0.02)
    >>> round(result.pvalue, 4), str(result.difference.interval)
    (0.0081, '[-0.0045, 0.0125]')
    """
    if not 0 < margin < math.inf:
        raise OptionError(f"The margin (the largest difference that does not matter) must be above 0; got {margin!r}.")
    if check_level(level) <= 0.5:
        raise OptionError(f"The level of an equivalence test must be above 0.5, such as 0.95; got {level!r}.")
    differences = fold_differences(incumbent, candidate)
    error, df = standard_error(differences, test_over_train), len(differences) - 1
    mean = student(differences.tolist(), level=2 * level - 1, test_over_train=test_over_train)
    undefined = EQUAL if all_equal(differences) else None
    statistic = pvalue = math.nan
    if not undefined:
        low, high = (mean.value + margin) / error, (mean.value - margin) / error
        statistic = low if low < -high else high
        pvalue = max(t_pvalue(low, df, "greater"), t_pvalue(high, df, "less"))
    return TestResult(
        "equivalence-t",
        statistic,
        pvalue,
        len(differences),
        "two-sided",
        (f"differences within ±{margin:g} do not matter", SHARED, overlap(test_over_train), NORMAL),
        Estimate("difference", mean.value, mean.n, mean.interval, mean.undefined),
        (float(df),),
        undefined,
        (TOO_SURE,) if test_over_train is None else (),
    )
