"""`justesse.plan_precision`: how many rows to know a share to ± a half-width."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import product

from justesse.core.choice import check_choice
from justesse.core.choices import PlainMethod
from justesse.core.errors import OptionError
from justesse.intervals.planning.precision import half_width_at, precision_n
from justesse.report.writing import message
from justesse.verbs.plan.clusters import ClusterPlan, cluster_details, draws_words, rows_of, with_cluster_words
from justesse.verbs.plan.options import PrecisionPlanOptions
from justesse.verbs.plan.plan import LEVELS, Need, Plan
from justesse.verbs.recorded import recorded


@recorded
def plan_precision(
    *,
    half_width: float,
    expected: float = PrecisionPlanOptions.expected,
    level: float = PrecisionPlanOptions.level,
    method: PlainMethod = PrecisionPlanOptions.method,
    assurance: float | None = None,
    correlation: float | None = None,
    cluster_size: int | None = None,
    clusters: str | Sequence[str] | None = None,
    cluster_price: float | None = None,
    row_price: float | None = None,
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
    correlation
        Intraclass correlation of rows of one cluster, such as 0.3; evaluate `cluster` and compare `cluster` estimate
        it. Default: rows are independent.
    cluster_size
        Rows of each cluster, such as 4 samples per question. Default: the cheapest size if prices are given, otherwise
        that of the first design of `clusters`, or 1.
    clusters
        Designs to compare, as clusters x rows of each: 500x4,2000x1. Default: none.
    cluster_price
        Price of a further cluster without its rows, such as 2 for writing a question.
    row_price
        Price of a further row, such as 0.05 for one more sample.

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
    by_cluster = ClusterPlan.of(
        n, correlation=correlation, cluster_size=cluster_size, clusters=clusters, cluster_price=cluster_price,
        row_price=row_price, tails=((1 - level) / 2,), half_width=partial(half_width_at, expected, level=level, method=method),
    )  # fmt: skip
    widths = (2 * half_width, half_width, half_width / 2)
    alternatives = []
    for width, around, at in product(widths, dict.fromkeys((expected, 0.5)), sorted({*LEVELS, level})):
        with suppress(OptionError):  # a neighbour out of reach is not a reason to refuse the question
            needed = precision_n(width, expected=around, level=at, method=method, assurance=assurance)
            needed = rows_of(needed, by_cluster, ((1 - at) / 2,))
            alternatives.append({"half_width": width, "expected": around, "level": at, "n": needed})
    words = "{n:count} rows: a share around {expected:number} is then known to ±{half_width:number} ({level:percent} CI, {method})."
    if assurance is not None:
        words = (
            "{n:count} rows: a share around {expected:number} is then known to ±{half_width:number} with probability "
            "{assurance:number} ({level:percent} CI, {method})."
        )
    inputs = {"half_width": half_width, "expected": expected, "level": level, "method": method, "assurance": assurance}
    independent, n = n, by_cluster.design.rows if by_cluster else n
    share = "the share observed is {expected:number}" if assurance is None else "the true share is {expected:number}"
    return Plan(
        "precision",
        n,
        with_cluster_words(message(words, n=independent, **inputs), by_cluster),
        (Need("Rows needed", n, message("for ±{half_width:number}, {level:percent} CI", **inputs)),),
        inputs,
        tuple(alternatives),
        (
            draws_words(by_cluster, "rows are independent draws from the population of interest"),
            str(message(share, expected=expected)),
            "labels are right",
        ),
        cluster_details(by_cluster),
    )
