"""`justesse.plan_difference`: how many rows to see a difference between two classifiers."""

from collections.abc import Sequence

from justesse.core.results import Alternative, tail_levels
from justesse.intervals.planning.difference import check_difference, difference_n
from justesse.report.writing import message
from justesse.verbs.plan.clusters import ClusterPlan, cluster_details, draws_words, rows_of, with_cluster_words
from justesse.verbs.plan.options import DifferencePlanOptions
from justesse.verbs.plan.plan import Need, Plan
from justesse.verbs.recorded import recorded


@recorded
def plan_difference(
    *,
    difference: float,
    disagreement: float,
    power: float = DifferencePlanOptions.power,
    level: float = DifferencePlanOptions.level,
    alternative: Alternative = DifferencePlanOptions.alternative,
    correlation: float | None = None,
    cluster_size: int | None = None,
    clusters: str | Sequence[str] | None = None,
    cluster_price: float | None = None,
    row_price: float | None = None,
) -> Plan:
    """Compute how many rows two classifiers must both answer to detect a difference in accuracy.

    Parameters
    ----------
    difference
        Difference in accuracy to detect, such as 0.02 for 2 points.
    disagreement
        Share of rows on which exactly one of the two is right, such as 0.08.
    power
        Probability of detecting the difference, such as 0.9. Default: 0.8.
    level
        Confidence level of the test, such as 0.9. Default: 0.95.
    alternative
        Side of the test: greater or less for a one-sided test. Default: two-sided.
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
        `n` is the number of rows.

    Notes
    -----
    The disagreement is at least the difference. Two good classifiers that make the same mistakes disagree little, and then
    few rows are enough.

    Examples
    --------

    >>> plan_difference(difference=0.02, disagreement=0.08).n
    1556
    """
    n = difference_n(difference, disagreement=disagreement, power=power, level=level, alternative=alternative)
    tail = max(tail_levels(level, alternative))
    by_cluster = ClusterPlan.of(
        n, correlation=correlation, cluster_size=cluster_size, clusters=clusters, cluster_price=cluster_price,
        row_price=row_price, tails=(tail, 1 - power),
    )  # fmt: skip
    alternatives = []
    for size in (difference / 2, difference, difference * 2):
        for apart in (disagreement / 2, disagreement, disagreement * 2):
            for chance in sorted({0.8, 0.9, power}):
                if abs(size) <= apart <= 1 and abs(size) < 1:
                    needed = difference_n(size, disagreement=apart, power=chance, level=level, alternative=alternative)
                    needed = rows_of(needed, by_cluster, (tail, 1 - chance))
                    alternatives.append({"difference": size, "disagreement": apart, "power": chance, "n": needed})
    check_difference(difference, disagreement)
    inputs = {
        "difference": difference,
        "disagreement": disagreement,
        "power": power,
        "level": level,
        "alternative": alternative,
    }
    independent, n = n, by_cluster.design.rows if by_cluster else n
    words = message(
        "{n:count} rows answered by both: McNemar's mid-p test at {level:percent} then finds a difference of {size:number} "
        "with probability {power:number}, if exactly one of the two is right on {disagreement:percent} of rows.",
        n=independent,
        size=abs(difference),
        **inputs,
    )
    return Plan(
        "difference",
        n,
        with_cluster_words(words, by_cluster),
        (Need("Rows needed", n, message("for a difference of {difference:number}, power {power:number}", **inputs)),),
        inputs,
        tuple(alternatives),
        (draws_words(by_cluster, "both classifiers answer the same rows, drawn independently"), "labels are right"),
        cluster_details(by_cluster),
    )
