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
    >>> cluster_words(ClusterSummary(40, 12.0, 300.0, float("nan"), float("nan")), "patient")
    "300 rows in 40 clusters (column 'patient'); nothing varies, so how alike rows of a cluster are is not known."
    """
    parts = {"n": round(summary.n), "clusters": summary.clusters, "column": column, "what": what}
    if summary.effective_n != summary.effective_n:
        template = (
            "{n:count} rows in {clusters:count} clusters (column {column:name}); nothing varies, so how alike rows of a "
            "cluster are is not known."
        )
        return str(message(template, **parts))
    alike = "" if summary.correlation != summary.correlation else f": intraclass correlation {summary.correlation:.2f}"
    template = (
        "{n:count} rows in {clusters:count} clusters (column {column:name}) are worth {worth:count} independent rows for "
        "{what}{alike}."
    )
    return str(message(template, **parts, worth=round(min(summary.effective_n, summary.n)), alike=alike))


def cluster_cautions(summary: ClusterSummary) -> Iterator[str]:
    """Warn of few clusters, and of one that has most of the rows."""
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
