"""Student's test of the mean of fold scores against a target."""

import math
from collections.abc import Sequence

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, TestResult
from justesse.intervals.student import checked_scores
from justesse.significance.folds import TOO_SURE, overlap, t_outcome


def one_sample_t(
    scores: Sequence[float],
    target: float,
    *,
    test_over_train: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test that the mean of k fold scores is the target.

        t = (mean - target) / sqrt(s²·(1/k + n_test/n_train)),   k-1 degrees of freedom

    To show that an error is below p0 use `alternative="less"`: it needs t < -t_α. Lecture 002 prints t < t_α, which
    claims success 95 % of the time when the error is p0 itself. A large p-value says that the target was not ruled
    out, never that it is met: for that use the interval in `difference`, or an equivalence test. Without
    `test_over_train` it is wrong for scores that share training rows. Student (1908); Nadeau and Bengio (2003).

    Parameters
    ----------
    scores
        One score per fold.
    target
        Value to test the mean against.
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
    >>> result = one_sample_t([0.18, 0.21, 0.17, 0.19, 0.20], 0.22, alternative="less")
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (-4.243, 0.0066)
    """
    if not math.isfinite(target):
        raise OptionError(f"The target must be a finite number; got {target!r}.")
    return t_outcome(
        "one-sample-t",
        checked_scores(scores) - target,
        level=level,
        alternative=alternative,
        assumptions=(overlap(test_over_train), "fold scores are close to normal"),
        test_over_train=test_over_train,
        warnings=(TOO_SURE,) if test_over_train is None else (),
    )
