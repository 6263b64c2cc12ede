"""What tests over fold scores share."""

from collections.abc import Sequence

import numpy as np

from justesse.core.errors import OptionError
from justesse.core.results import Alternative, Estimate, Outcome
from justesse.intervals.ends import Array
from justesse.intervals.student import all_equal, checked_scores, student

EQUAL = "all differences are equal, so their spread is unknown"
SHARED = "both were scored on the same folds"
NORMAL = "fold differences are close to normal"


def fold_differences(incumbent: Sequence[float], candidate: Sequence[float]) -> Array:
    """Subtract fold by fold, candidate minus incumbent.

    >>> fold_differences([0.5, 0.75], [0.75, 0.5]).tolist()
    [0.25, -0.25]
    """
    one, other = checked_scores(incumbent), checked_scores(candidate)
    if len(one) != len(other):
        raise OptionError(f"both need a score for every fold; got {len(one)} and {len(other)}")
    return np.asarray(other - one)


def t_outcome(
    test: str,
    differences: Array,
    *,
    level: float,
    alternative: Alternative,
    assumptions: tuple[str, ...],
    test_over_train: float | None = None,
    warnings: tuple[str, ...] = (),
) -> Outcome:
    """Test that the mean of k differences is 0 with k-1 degrees of freedom, corrected if training sets overlap.

    Differences that are all 0 give p = 1; those that are all alike but not 0 have no known spread, and no p-value.
    """
    found = student(differences.tolist(), level=level, alternative=alternative, test_over_train=test_over_train)
    k, statistic, undefined = len(differences), 0.0, None
    if not all_equal(differences):
        scale = 1 / k + (test_over_train or 0.0)
        statistic = found.value / float(np.sqrt(differences.var(ddof=1) * scale))
    elif abs(found.value) > 1e-12:
        statistic, undefined = np.nan, EQUAL
    return Outcome(
        test,
        statistic,
        t_pvalue(statistic, k - 1, alternative),
        k,
        alternative,
        assumptions,
        Estimate("difference", found.value, k, found.interval, found.undefined),
        (float(k - 1),),
        undefined,
        warnings,
    )


def t_pvalue(statistic: float, degrees: float, alternative: Alternative) -> float:
    """Give Student's tail: both, the upper ("greater") or the lower one ("less").

    >>> round(t_pvalue(2.0, 10, "two-sided"), 4), round(t_pvalue(2.0, 10, "less"), 4)
    (0.0734, 0.9633)
    """
    from scipy.special import stdtr

    tail = {"two-sided": -abs(statistic), "greater": -statistic, "less": statistic}[alternative]
    return float(stdtr(degrees, tail)) * (2 if alternative == "two-sided" else 1)
