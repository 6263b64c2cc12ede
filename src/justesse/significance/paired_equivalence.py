"""Equivalence of two classifiers on the same rows: two one-sided tests."""

from justesse.core.errors import OptionError
from justesse.core.results import Estimate, TestResult, check_level
from justesse.significance.mcnemar import ASSUMPTIONS
from justesse.significance.normal import z_pvalue
from justesse.significance.paired_difference import paired_difference, score_statistic


def paired_equivalence(
    only_incumbent: int, only_candidate: int, n: int, *, margin: float, level: float = 0.95
) -> TestResult:
    """Test that the difference of accuracy is smaller than a margin, either way.

        p = max(P(T(-m) this large), P(T(m) this small))

    A difference that is not significant does not show equivalence; this test can. It finds equivalence exactly when the
    interval at level 1-2α, in `difference`, lies within ±margin. Schuirmann (1987); score form: Tango (1998).

    Parameters
    ----------
    only_incumbent
        Rows that only the incumbent gets right.
    only_candidate
        Rows that only the candidate gets right.
    n
        Number of rows.
    margin
        Largest difference that does not matter.
    level
        Confidence level.

    Returns
    -------
    TestResult
        Statistic, p-value, assumptions and, if the test has one, the interval of the difference.

    Examples
    --------
    >>> round(paired_equivalence(20, 22, 2000, margin=0.01).pvalue, 4)
    0.0051
    >>> round(paired_equivalence(5, 6, 100, margin=0.01).pvalue, 2)
    0.5
    """
    if not 0 < margin < 1:
        raise OptionError(f"The margin of equivalence must lie between 0 and 1; got {margin!r}.")
    inner = 2 * check_level(level) - 1
    if not inner > 0:
        raise OptionError(f"The level of an equivalence test must be above 0.5; got {level!r}.")
    above = z_pvalue(float(score_statistic(only_incumbent, only_candidate, n, -margin)), "greater")
    below = z_pvalue(float(score_statistic(only_incumbent, only_candidate, n, margin)), "less")
    ends = paired_difference(only_incumbent, only_candidate, n, level=inner)
    value = (only_candidate - only_incumbent) / n
    difference = Estimate("difference", value, n, ends.intervals(bounds=(-1.0, 1.0))[0])
    return TestResult(
        "paired-tost", float("nan"), max(above, below), n, "two-sided", ASSUMPTIONS, difference,
    )  # fmt: skip
