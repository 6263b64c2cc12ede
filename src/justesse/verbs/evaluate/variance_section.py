"""What an accuracy over clusters varies with, and what to buy next, as a section."""

from typing import TYPE_CHECKING

from justesse.report.document import Section, Text, Words
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.evaluate.evaluation import Evaluation

FEW = 10  # clusters whose variance splits only roughly
OF_LOGS = "question"  # column of logs: its rows are samples of one question


def variance_section(result: "Evaluation") -> list[Section]:
    """Split the variance of the accuracy, and compare what more rows and more clusters would gain."""
    split, accuracy = result.variance, result["accuracy"]
    if split is None or accuracy.interval is None or result.clusters is None:
        return []
    half = accuracy.interval.half_width
    sampled = result.roles.cluster == OF_LOGS
    names = {"clusters": "clusters", "rows": "rows", "row": "row"}
    if sampled:
        names = {"clusters": "questions", "rows": "samples", "row": "sample"}
    lines: list[Text] = [
        message(
            "{share:rough_share} of the variance of the accuracy is due to which {clusters} were drawn, the rest to their {rows}.",
            share=split.share,
            **names,
        ),
        message(
            "The CI is ±{now:.1f} points. Twice as many {rows} of these {clusters}: ±{deep:.1f} points. Twice as many "
            "{clusters}: ±{wide:.1f} points. One {row} of each of {n:count} {clusters}: ±{single:.1f} points.",
            now=100 * half,
            deep=100 * half * split.more_rows.width,
            wide=100 * half * split.more_clusters.width,
            single=100 * half * split.single_rows.width,
            n=split.single_rows.clusters,
            **names,
        ),
    ]
    if split.clusters < FEW:
        lines.append(
            message(
                "{n:count} {clusters} only: this split is a guess. Collect more {clusters} first.",
                n=split.clusters,
                **names,
            )
        )
    correlation = result.clusters.correlation
    if 0 < correlation < 1:
        many, size = split.clusters, round(split.n / split.clusters)
        lines.append(
            message(
                "You can compare other designs (justesse plan precision --expected {expected:.2g} --half-width {half:.2g} "
                "--correlation {correlation:.2f} --clusters {many}x{size},{n}x1).",
                expected=min(max(accuracy.value, 0.01), 0.99),
                half=half,
                correlation=correlation,
                many=many,
                size=size,
                n=round(split.n),
            )
        )
    title = "Questions or samples: what to buy next" if sampled else "Clusters or rows: what to buy next"
    return [Section("variance", title, [Words(lines)], "summary")]
