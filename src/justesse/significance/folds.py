"""What tests over fold scores share."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.arrays import Array
from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, TestResult
from justesse.intervals.student import all_equal, checked_scores, student

EQUAL = "all differences are equal, so their spread is unknown"
NO_INTERVAL = "no interval: this test gives none"
SHARED = "both were scored on the same folds"
INDEPENDENT = "folds are independent, training sets included"
TOO_SURE = (
    "The plain t test treats fold scores as independent. Those of cross-validation or repeated holdout share training "
    "rows, so its p-value is too small: give test_over_train."
)
NORMAL = "fold differences are close to normal"


def fold_differences(incumbent: Sequence[float], candidate: Sequence[float]) -> Array:
    """Subtract fold by fold, candidate minus incumbent.

    >>> fold_differences([0.5, 0.75], [0.75, 0.5]).tolist()
    [0.25, -0.25]
    """
    first, other = checked_scores(incumbent), checked_scores(candidate)
    if len(first) != len(other):
        raise OptionError(f"Both classifiers need one score per fold; got {len(first)} and {len(other)}.")
    return np.asarray(other - first)


def score_table(scores: ArrayLike) -> Array:
    """Check a full table of scores: a row for every fold or data set, a column for every classifier.

    >>> score_table([[0.8, 0.9], [0.7, 0.8]]).shape
    (2, 2)
    """
    try:
        table = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.ndim != 2 or min(table.shape) < 2:
        raise OptionError(
            "Scores must be a full table of numbers, one row per fold or data set (at least two) and one column per "
            f"classifier (at least two); got {scores!r}."
        )
    if not np.all(np.isfinite(table)):
        raise OptionError(f"Scores must be finite numbers; got {scores!r}. Leave out folds that lack a score.")
    return table


def standard_error(differences: Array, test_over_train: float | None) -> float:
    """Compute the standard error of the mean of k differences, sqrt(s²·(1/k + n_test/n_train)).

    Without `test_over_train` the folds are taken as independent.

    >>> round(standard_error(np.array([0.1, 0.2, 0.3]), None), 4)
    0.0577
    """
    _check_ratio(test_over_train)
    return float(np.sqrt(differences.var(ddof=1) * (1 / len(differences) + (test_over_train or 0.0))))


def overlap(test_over_train: float | None) -> str:
    """Describe the assumption about training sets."""
    _check_ratio(test_over_train)
    if test_over_train is None:
        return INDEPENDENT
    return f"training sets overlap as in random splits of one data set, with {ratio_words(test_over_train)}"


def _check_ratio(test_over_train: float | None) -> None:
    if test_over_train is not None and not 0 < test_over_train < math.inf:
        raise OptionError(
            f"test_over_train (test rows divided by training rows) must be above 0; got {test_over_train!r}."
        )


def ratio_words(test_over_train: float) -> str:
    """Write the ratio of test to training rows so that the larger part is a number of rows per row of the other.

    >>> ratio_words(1 / 9), ratio_words(1.0), ratio_words(0.4)
    ('9 training rows per test row', '1 training row per test row', '2.5 training rows per test row')
    >>> ratio_words(3.0)
    '3 test rows per training row'
    """
    if test_over_train > 1:
        return f"{test_over_train:.3g} test rows per training row"
    training = f"{1 / test_over_train:.3g}"
    return f"{training} training row{'' if training == '1' else 's'} per test row"


def batches(draws: int, width: int) -> Iterator[int]:
    """Share out random draws so that no more than a few million numbers are held at a time.

    >>> list(batches(5, 1_000_000))
    [4, 1]
    """
    most = max(1, 2**22 // width)
    for start in range(0, draws, most):
        yield min(most, draws - start)


def t_outcome(
    test: str,
    differences: Array,
    *,
    level: float,
    alternative: Alternative,
    assumptions: tuple[str, ...],
    test_over_train: float | None = None,
    warnings: tuple[str, ...] = (),
) -> TestResult:
    """Test that the mean of k differences is 0 with k-1 degrees of freedom, corrected if training sets overlap.

    Differences that are all 0 give p = 1; those that are all alike but not 0 have no known spread, and no p-value.

    Parameters
    ----------
    test
        Name of the test.
    differences
        The k differences.
    level
        Confidence level.
    alternative
        "two-sided", "greater" or "less".
    assumptions
        What the test rests on.
    test_over_train
        n_test/n_train, if training sets overlap (Nadeau and Bengio).
    warnings
        What a reader should know.
    """
    mean = student(differences.tolist(), level=level, alternative=alternative, test_over_train=test_over_train)
    k, statistic, undefined = len(differences), 0.0, None
    if not all_equal(differences):
        statistic = mean.value / standard_error(differences, test_over_train)
    elif abs(mean.value) > 1e-12:
        statistic, undefined = np.nan, EQUAL
    return TestResult(
        test,
        statistic,
        t_pvalue(statistic, k - 1, alternative),
        k,
        alternative,
        assumptions,
        Estimate("difference", mean.value, k, mean.interval, None if mean.interval else f"no interval: {EQUAL}"),
        (float(k - 1),),
        undefined,
        warnings,
    )


def t_pvalue(statistic: float, df: float, alternative: Alternative) -> float:
    """Return Student's tail: both, the upper ("greater") or the lower one ("less").

    >>> round(t_pvalue(2.0, 10, "two-sided"), 4), round(t_pvalue(2.0, 10, "less"), 4)
    (0.0734, 0.9633)
    """
    from scipy.special import stdtr

    tail = {"two-sided": -abs(statistic), "greater": -statistic, "less": statistic}[alternative]
    return float(stdtr(df, tail)) * (2 if alternative == "two-sided" else 1)
