"""The section of a comparison with every measure of both classifiers and its difference."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from justesse.core.results import level_name
from justesse.judges import judge_named
from justesse.judges.measure_differences import MeasureDifference
from justesse.report.document import Column, Figure, Part, Section, Table, Text
from justesse.report.writing import message, paragraph

if TYPE_CHECKING:
    from justesse.verbs.compare.comparison import Comparison


def differences_table(
    caption: str, heads: Sequence[str], rows: Sequence[MeasureDifference], level: str, note: Text = "", n: bool = True
) -> Table:
    """List measures of both with their difference.

    Parameters
    ----------
    caption
        Caption of the table.
    heads
        Headings of the first column and of both classifiers.
    rows
        The differences.
    level
        Heading of the intervals, such as `95 % CI`.
    note
        Note under the table.
    n
        Whether to show the number of rows.
    """
    head: list[str | Column] = [heads[0], *([Column("n", "count", 3)] if n else [])]
    head += [Column(heads[1], "value", 2), Column(heads[2], "value", 1), Column("difference", "difference"),
             Column(level, "difference_interval"), Column("method", "method", 4)]  # fmt: skip
    cells = [
        [
            row.title,
            *([row.difference] if n else []),
            row.incumbent,
            row.candidate,
            row.difference,
            row.difference,
            row.difference,
        ]
        for row in rows
    ]
    return Table(caption, head, cells, note)


def _names(result: "Comparison") -> tuple[str, str]:
    """Both names, if they tell the two apart at a glance; otherwise what they are."""
    names = (result.incumbent, result.best.name)
    return names if max(map(len, names)) <= 20 else ("incumbent", "candidate")


def cleans(judge: str) -> bool:
    """Whether a judge takes labels as right, but not all of them: those that cleaning leaves."""
    return "cleaning" in judge_named(judge).options


def measures_section(result: "Comparison") -> Section:
    """List the measures of both and their differences."""
    best, level = result.best, level_name(result.rule.level)
    heads = ("measure", *_names(result))
    parts: list[Part] = []
    if best.by_labels:
        parts.append(differences_table("Against the true classes", heads, best.truth_measures, level, n=False))
    judge = judge_named(result.verdict.judge)
    cleaned = cleans(judge.name)
    labels = "" if judge.trusts_labels else ", before cleaning" if cleaned else ", if the labels are right"
    caption = "Against the labels{labels}" if best.truth else "Measures of both{labels}"
    against = str(message(caption, labels=labels))
    notes: list[Text] = ["A positive difference means that the candidate is better."]
    if cleaned:
        notes.append(
            message(
                "This table is of all {n:count row} with the labels as they are. The verdict by the labels is of the "
                "{kept:count row} that cleaning leaves, so it differs.",
                n=best.case.n,
                kept=best.verdict.disagreement.n,
            )
        )
    elif not judge.trusts_labels:
        notes.append("These intervals take the labels as right. That of the verdict does not, so it differs.")
    if result.rule.alternative != "two-sided":
        notes.append("These intervals are two-sided.")
    if result.rule.level != result.level:
        notes.append(
            message(
                "Intervals are at {level:level}, because {tried} candidates were tried.",
                level=result.rule.level,
                tried=result.tried,
            )
        )
    parts.append(differences_table(against, heads, best.measures, level, paragraph(*notes), n=False))
    return Section("difference", "The difference", [Figure(partial(result.chart, "difference")), *parts], "headline")
