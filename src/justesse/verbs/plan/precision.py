"""`justesse.plan_precision`: how many rows to know a share to ± a half-width."""

from contextlib import suppress
from itertools import product

from justesse.core.choice import check_choice
from justesse.core.choices import PlainMethod
from justesse.core.errors import OptionError
from justesse.intervals.planning.precision import precision_n
from justesse.report.writing import message
from justesse.verbs.plan.options import PrecisionPlanOptions
from justesse.verbs.plan.plan import LEVELS, Need, Plan


def plan_precision(
    *,
    half_width: float,
    expected: float = PrecisionPlanOptions.expected,
    level: float = PrecisionPlanOptions.level,
    method: PlainMethod = PrecisionPlanOptions.method,
    assurance: float | None = None,
) -> Plan:
    """Compute how many rows are needed to know accuracy, or any share of rows, to ± a half-width.

    Parameters
    ----------
    half_width
        Precision you need, such as 0.01 for ±1 point.
    expected
        Accuracy, or other share, that you expect, such as 0.9. Default: 0.5, the worst case.
    level
        Confidence level of the interval, such as 0.9. Default: 0.95.
    method
        Interval that will be used. Default: wilson.
    assurance
        Probability that the interval is at least that narrow, such as 0.9. Default: it is if the share is as expected.

    Returns
    -------
    Plan
        `n` is the number of rows. For precision or recall of a class it counts the rows predicted or labelled as that
        class.

    Examples
    --------

    >>> plan_precision(half_width=0.01, expected=0.9).n
    3461
    """
    check_choice("method", method, PlainMethod)
    n = precision_n(half_width, expected=expected, level=level, method=method, assurance=assurance)
    widths = (2 * half_width, half_width, half_width / 2)
    alternatives = []
    for width, around, at in product(widths, dict.fromkeys((expected, 0.5)), sorted({*LEVELS, level})):
        with suppress(OptionError):  # a neighbour out of reach is not a reason to refuse the question
            needed = precision_n(width, expected=around, level=at, method=method, assurance=assurance)
            alternatives.append({"half_width": width, "expected": around, "level": at, "n": needed})
    words = "{n:count} rows: a share around {expected:number} is then known to ±{half_width:number} ({level:percent} CI, {method})."
    if assurance is not None:
        words = (
            "{n:count} rows: a share around {expected:number} is then known to ±{half_width:number} with probability "
            "{assurance:number} ({level:percent} CI, {method})."
        )
    inputs = {"half_width": half_width, "expected": expected, "level": level, "method": method, "assurance": assurance}
    share = "the share observed is {expected:number}" if assurance is None else "the true share is {expected:number}"
    return Plan(
        "precision",
        n,
        message(words, n=n, **inputs),
        (Need("Rows needed", n, message("for ±{half_width:number}, {level:percent} CI", **inputs)),),
        inputs,
        tuple(alternatives),
        (
            "rows are independent draws from the population of interest",
            str(message(share, expected=expected)),
            "labels are right",
        ),
        {},
    )
