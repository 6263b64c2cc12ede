"""What missing labels can do to scores over time, as a reader meets it."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import Estimate, level_name
from justesse.report.document import Column, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import message, paragraph

if TYPE_CHECKING:
    from justesse.verbs.lifelong.label_gaps import UnlabelledRows
    from justesse.verbs.lifelong.result import LifelongScores

SHOWN = 60  # periods whose bounds fit in a table
HOW = {
    "bounds": (
        "Missing labels: the lowest error has every missing label equal to the prediction, the highest none of them. Both can be "
        "reached. The interval goes from the lower end of the interval of the lowest error to the upper end of that of the highest: "
        "it is meant to cover the whole range (measured: in 90 to 99.5 % of repetitions, at 95 %)."
    ),
    "asked": (
        "Labels asked with known probabilities: each counts one over its probability (Hájek's estimate). Intervals are over blocks "
        "of time, or over rows if a period has one; squared half-widths add up as variances do (MOVER). They allow for one "
        "more row of the heaviest weight, right or wrong: rows that are rarely asked are few. An estimate and its interval end where "
        "the bounds over all missing labels and their interval do. Forgetting and transfer have no interval."
    ),
}


def gap_headline(result: "LifelongScores", gaps: "UnlabelledRows") -> Text | None:
    """Say between which ends the latest score lies, or what it was estimated from; nothing if no score is defined."""
    last = result.last
    if last is None:
        return None
    part = next(part for part in gaps.versions if part.version == last.version)
    values = {"name": last.version, "policy": result.policy.name, "low": part.low, "high": part.high}
    if gaps.probability is None:
        bounded = Estimate("policy_score", part.low, last.n, part.interval)
        template = (
            "Error of version {name} under the policy {policy}: between {low:share} and {high:share}, whatever the "
            "{n:count missing label} {n:plural is|are} ({range:level_name} of the range {range:share_interval}), if the other "
            "labels are right."
        )
        return paragraph(message(template, **values, n=part.unlabelled, range=bounded), result.policy.words)
    estimate = result.estimates[result.matrix.versions.index(last.version)]
    if estimate.interval is None:
        template = "Error of version {name} under the policy {policy}: undefined, as {why}."
        return paragraph(message(template, **values, why=estimate.undefined), result.policy.words)
    template = (
        "Error of version {name} under the policy {policy}: {error:share} ({error:level_name} {error:share_interval}, "
        "n = {error:count}), estimated from the labels that were asked, if they are right."
    )
    return paragraph(message(template, **values, error=estimate), result.policy.words)


def bound_figures(version: str, gaps: "UnlabelledRows") -> list[KeyFigure]:
    """Show both ends of the error of a version, with the interval that covers them."""
    part = next(part for part in gaps.versions if part.version == version)
    ends = (("Lowest error under the policy", part.low), ("Highest error under the policy", part.high))
    note = str(message("version {name}, whatever the missing labels are; the interval covers the range", name=version))
    return [KeyFigure(name, Estimate("policy_score", end, 0, part.interval), "share", note) for name, end in ends]


def bound_table(result: "LifelongScores", gaps: "UnlabelledRows", more: str = "") -> Table:
    """List the bounds of every version under the policy."""
    head: list[str | Column] = [
        "version", Column("lowest", "share"), Column("highest", "share"),
        Column(level_name(result.level), "share_interval"), Column("labelled rows only", "share", 1),
        Column("without label", "count", 2),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [
            part.version,
            part.low,
            part.high,
            Estimate("policy_score", part.low, 0, part.interval),
            part.labelled,
            part.unlabelled,
        ]
        for part in gaps.versions
    ]
    note = "Labelled rows only: the error if rows with and without a label are alike."
    if more:
        note = str(paragraph(note, more))
    return Table("Error under the policy, whatever the missing labels are", head, rows, note)


def gap_sections(result: "LifelongScores") -> list[Section]:
    """Describe the bounds of every version, and of the latest in every period."""
    gaps = result.missing_labels
    if gaps is None:
        return []
    parts: list[Part] = [Words(_lines(gaps)), *([] if gaps.is_bound else [bound_table(result, gaps)])]
    last = result.last
    if last is not None and len(result.matrix.periods) <= SHOWN:
        row = result.matrix.versions.index(last.version)
        cells: list[list[Any]] = [
            [name, gaps.low[row, at], gaps.high[row, at]] for at, name in enumerate(result.matrix.periods)
        ]
        caption = message("Error of version {name} in every period, whatever the missing labels are", name=last.version)
        parts.append(Table(str(caption), ["period", Column("lowest", "share"), Column("highest", "share")], cells))
    return [Section("missing-labels", "Missing labels", parts, "headline")]


def _lines(gaps: "UnlabelledRows") -> list[Text]:
    template = "{n:count} of {all:count row} {n:plural has|have} no label."
    return [message(template, n=gaps.rows, all=gaps.total)]
