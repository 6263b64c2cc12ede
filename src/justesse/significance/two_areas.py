"""Two areas under ROC curves on the same rows (DeLong)."""

import math

import numpy as np
from numpy.typing import ArrayLike

from justesse.core.errors import InputError, OptionError
from justesse.core.results import Alternative, Estimate, Interval, TestResult, tail_levels
from justesse.intervals.ends import z_value
from justesse.measures.curves import ROC_AUC
from justesse.measures.curves.placement import placement
from justesse.measures.curves.ranked import Ranked
from justesse.significance.normal import z_pvalue

ASSUMPTIONS = (
    "both classifiers scored the same rows, which are independent draws",
    "the labels are right",
    "there are enough positive and negative rows for a normal approximation (some dozens of each)",
)
SAME = "both rank all rows alike"
UNIFORM = "no row varies between the two, so the spread of the difference is unknown"


def two_areas(
    positive: ArrayLike,
    incumbent: ArrayLike,
    candidate: ArrayLike,
    *,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> TestResult:
    """Test that two scores of the same rows have the same area under the ROC curve.

        z = (AUC₂ - AUC₁) / sqrt(var₁ + var₂ - 2·cov)

    Each row's placement among the rows of the other side gives variances and covariance at once. Wrong to use with a
    handful of rows on a side, and for a model nested in the other one and fitted on these rows. Scores that order all
    rows alike give p = 1; a perfect order beside a constant score has no spread, and no p-value. DeLong, DeLong and
    Clarke-Pearson (1988).

    Parameters
    ----------
    positive
        Whether each row is of the positive class.
    incumbent
        Scores of the incumbent, one per row.
    candidate
        Scores of the candidate, one per row.
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
    >>> result = two_areas([1, 1, 1, 0, 0, 0], [0.9, 0.4, 0.6, 0.5, 0.3, 0.1], [0.9, 0.8, 0.7, 0.2, 0.75, 0.1])
    >>> round(result.difference.value, 4), round(result.pvalue, 3)
    (0.0, 1.0)
    """
    is_positive = np.asarray(positive, dtype=bool)
    item, other = np.asarray(incumbent, dtype=float), np.asarray(candidate, dtype=float)
    if not is_positive.shape == item.shape == other.shape or is_positive.ndim != 1:
        raise OptionError(
            f"One label and two scores per row are needed; got {is_positive.shape}, {item.shape}, {other.shape}."
        )
    if not (np.isfinite(item).all() and np.isfinite(other).all()):
        raise InputError("Scores must be finite numbers.")
    tails = tail_levels(level, alternative)
    n, sides = len(item), (int(is_positive.sum()), int((~is_positive).sum()))
    if min(sides) == 0:
        nothing = Estimate("auc difference", math.nan, n, undefined=ROC_AUC.reason)
        return TestResult("delong", math.nan, math.nan, n, alternative, ASSUMPTIONS, nothing, undefined=ROC_AUC.reason)
    even = np.ones(n)
    first, second = (placement(Ranked.of(scores), is_positive, even) for scores in (item, other))
    value, apart = second.auc - first.auc, second.influence - first.influence
    variance = sum(
        float((apart[rows] ** 2).sum()) * size / max(size - 1, 1)
        for rows, size in zip((is_positive, ~is_positive), sides, strict=True)
    )
    if variance <= 1e-28:  # what rounding leaves of none
        if abs(value) > 1e-14:
            uniform = Estimate("auc difference", value, n, undefined=UNIFORM)
            return TestResult("delong", math.nan, math.nan, n, alternative, ASSUMPTIONS, uniform, undefined=UNIFORM)
        same = Estimate("auc difference", value, n, undefined=SAME)
        return TestResult("delong", 0.0, 1.0, n, alternative, ASSUMPTIONS, same)
    error = math.sqrt(variance)
    interval = Interval(
        value - z_value(tails[0]) * error, value + z_value(tails[1]) * error, level, "delong", (-1.0, 1.0)
    )
    z = value / error
    few = (
        (f"Only {min(sides)} rows of one class: DeLong's interval is too narrow for so few.",)
        if min(sides) < 20
        else ()
    )
    return TestResult(
        "delong", z, z_pvalue(z, alternative), n, alternative, ASSUMPTIONS,
        Estimate("auc difference", value, n, interval), warnings=few,
    )  # fmt: skip
