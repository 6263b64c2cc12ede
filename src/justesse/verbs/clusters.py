"""Rows that come in clusters: what cannot be combined with them, and what a reader must know."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from justesse.core.errors import OptionError
from justesse.core.results import Estimate
from justesse.intervals.cluster_summary import FEW_CLUSTERS, ClusterSummary
from justesse.report.writing import message


def check_cluster_options(options: Mapping[str, Any]) -> None:
    """Refuse options whose intervals take rows as independent."""
    for name, value in options.items():
        if value is not None:
            raise OptionError(
                f"{name} (--{name.replace('_', '-')}) takes rows as independent, so it cannot be combined with clusters "
                "(--cluster). Leave one of them out."
            )


def cluster_words(summary: ClusterSummary, column: str, what: str = "the accuracy") -> str:
    """Say how many independent rows the clusters are worth, for a figure.

    >>> cluster_words(ClusterSummary(40, 12.0, 300.0, 0.31, 95.2), "patient")
    "300 rows in 40 clusters (column 'patient') are worth 95 independent rows for the accuracy: intraclass correlation 0.31."
    >>> cluster_words(ClusterSummary(3, 12.0, 30.0, 0.0, 3.0), "patient")
    "30 rows in 3 clusters (column 'patient') are worth 3 independent rows for the accuracy."
    >>> cluster_words(ClusterSummary(1, 1.0, 1.0, float("nan"), 1.0), "patient")
    "1 row in 1 cluster (column 'patient') is worth 1 independent row for the accuracy."
    >>> cluster_words(ClusterSummary(40, 12.0, 300.0, float("nan"), float("nan")), "patient")
    "300 rows in 40 clusters (column 'patient'); nothing varies, so how alike rows of a cluster are is not known."
    """
    parts = {"n": round(summary.n), "clusters": summary.clusters, "column": column, "what": what}
    if summary.effective_n != summary.effective_n:
        template = (
            "{n:count row} in {clusters:count cluster} (column {column:name}); nothing varies, so how alike rows of a "
            "cluster are is not known."
        )
        return str(message(template, **parts))
    worth = round(min(summary.effective_n, summary.n))
    # few clusters are worth little however unlike their rows seem: a correlation of 0.00 would contradict that
    known = summary.correlation == summary.correlation and (summary.correlation >= 0.005 or worth >= round(summary.n))
    alike = f": intraclass correlation {summary.correlation:.2f}" if known else ""
    template = (
        "{n:count row} in {clusters:count cluster} (column {column:name}) {n:plural is|are} worth {worth:count independent row} "
        "for {what}{alike}."
    )
    return str(message(template, **parts, worth=worth, alike=alike))


def cluster_cautions(summary: ClusterSummary) -> Iterator[str]:
    """Warn of few clusters, of one that has most of the rows, and of many that are mostly small.

    >>> [line[:41] for line in cluster_cautions(ClusterSummary(60, 50.0, 500.0, 0.3, 40.0))]
    ['The largest of 60 clusters has 50 of 500 ']
    """
    if summary.clusters < FEW_CLUSTERS:
        yield str(
            message(
                "Only {n:count} clusters: intervals are wide, and can still be too narrow. More rows of the same clusters "
                "help little; collect more clusters.",
                n=summary.clusters,
            )
        )
    if summary.largest > summary.n / 2:
        yield str(
            message(
                "One cluster has {most:count} of {n:count} rows: how much clusters vary is hardly known.",
                most=round(summary.largest),
                n=round(summary.n),
            )
        )
    elif summary.clusters >= FEW_CLUSTERS and summary.largest > summary.n / FEW_CLUSTERS:
        yield str(
            message(
                "The largest of {clusters:count} clusters has {most:count} of {n:count} rows: intervals can be too narrow, and "
                "tests find differences too often, most of all if large clusters do better or worse than small ones. "
                "Collect more clusters.",
                clusters=summary.clusters,
                most=round(summary.largest),
                n=round(summary.n),
            )
        )


def precision_words(accuracy: Estimate, summary: ClusterSummary, half_width: float | None) -> Iterator[str]:
    """Say how many clusters like these give the precision asked for, if these do not."""
    if half_width is None or accuracy.interval is None or accuracy.interval.half_width <= half_width:
        return
    needed = math.ceil(summary.clusters * (accuracy.interval.half_width / half_width) ** 2)
    yield str(
        message(
            "The CI of the accuracy is ±{half_width:value}; ±{required:number} needs about {needed:count} clusters like "
            "these, {more:count} more.",
            half_width=accuracy.interval.half_width,
            required=half_width,
            needed=needed,
            more=needed - summary.clusters,
        )
    )
