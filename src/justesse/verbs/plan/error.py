"""`justesse.plan_error` and `justesse.plan_error_difference`: how many rows numeric predictions need."""

from contextlib import suppress
from itertools import product
from typing import Any

from justesse.core.choice import check_choice
from justesse.core.errors import OptionError
from justesse.core.results import Alternative
from justesse.intervals.planning.numeric import mean_difference_n, mean_n
from justesse.report.writing import message
from justesse.verbs.plan.options import ErrorDifferencePlanOptions, ErrorPlanOptions
from justesse.verbs.plan.plan import LEVELS, Need, Plan
from justesse.verbs.recorded import recorded


@recorded
def plan_error(*, half_width: float, sd: float, level: float = ErrorPlanOptions.level) -> Plan:
    """Return how many rows are needed to know the mean error of numeric predictions to ± a half-width.

    Parameters
    ----------
    half_width
        Half-width of the confidence interval, in the unit of the labels, such as 0.1.
    sd
        Standard deviation of the errors of single rows, from a pilot, such as 1.3.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.

    Examples
    --------
    >>> plan_error(half_width=0.1, sd=1.0).n
    387
    """
    n = mean_n(half_width, sd=sd, level=level)
    alternatives = []
    goals = product((2 * half_width, half_width, half_width / 2), (sd / 2, sd, 2 * sd), sorted({*LEVELS, level}))
    for width, spread, at in goals:
        with suppress(OptionError):  # a neighbour out of reach is not a reason to refuse the question
            needed = mean_n(width, sd=spread, level=at)
            alternatives.append({"half_width": width, "sd": spread, "level": at, "n": needed})
    inputs = {"half_width": half_width, "sd": sd, "level": level}
    return Plan(
        "error",
        n,
        message(
            "{n:count} rows: the {level:percent} CI of the mean error is then ±{half_width:number}, if row errors have a "
            "standard deviation of {sd:number}.",
            n=n,
            **inputs,
        ),
        (Need("Rows needed", n, message("for ±{half_width:number}, {level:percent} CI", **inputs)),),
        inputs,
        tuple(alternatives),
        (
            "rows are independent draws from the population of interest",
            str(message("row errors have a standard deviation of {sd:number}", sd=sd)),
            "labels are right",
        ),
        {},
    )


@recorded
def plan_error_difference(
    *,
    difference: float,
    sd: float,
    power: float = ErrorDifferencePlanOptions.power,
    level: float = ErrorDifferencePlanOptions.level,
    alternative: Alternative = ErrorDifferencePlanOptions.alternative,
) -> Plan:
    """Return how many rows two numeric models must both predict for a difference in mean error to be detected.

    Parameters
    ----------
    difference
        Difference in mean error to detect, in the unit of the labels, such as 0.1.
    sd
        Standard deviation of the paired differences between row errors, from a pilot, such as 0.8.
    power
        Probability of detecting the difference, such as 0.9. Default: 0.8.
    level
        Confidence level of the test, such as 0.9. Default: 0.95.
    alternative
        Side of the test: greater or less for a one-sided test. Default: two-sided.

    Examples
    --------
    >>> plan_error_difference(difference=0.5, sd=1.0).n
    34
    """
    check_choice("alternative", alternative, Alternative)
    options: dict[str, Any] = {"level": level, "alternative": alternative}
    n = mean_difference_n(difference, sd=sd, power=power, **options)
    alternatives = []
    goals = product((difference / 2, difference, 2 * difference), (sd / 2, sd, 2 * sd), sorted({0.8, 0.9, power}))
    for size, spread, chance in goals:
        with suppress(OptionError):
            needed = mean_difference_n(size, sd=spread, power=chance, **options)
            alternatives.append({"difference": size, "sd": spread, "power": chance, "n": needed})
    inputs = {"difference": difference, "sd": sd, "power": power, **options}
    return Plan(
        "error-difference",
        n,
        message(
            "{n:count} rows predicted by both: the paired t-test at {level:percent} then detects a difference in mean error "
            "of {size:number} with probability {power:number}, if the paired differences have a standard deviation of "
            "{sd:number}.",
            n=n,
            size=abs(difference),
            **inputs,
        ),
        (Need("Rows needed", n, message("for a difference of {difference:number}, power {power:number}", **inputs)),),
        inputs,
        tuple(alternatives),
        (
            "both models predict the same rows, drawn independently",
            str(
                message(
                    "the paired differences have a standard deviation of {sd:number}, and their mean is close to normal",
                    sd=sd,
                )
            ),
            "labels are right",
        ),
        {},
    )
