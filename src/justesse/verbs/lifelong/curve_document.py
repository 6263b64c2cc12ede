"""Scores against costs as a reader meets them."""

from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Section, Table, Text
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import column_facts, file_facts
from justesse.verbs.lifelong.assumptions import CURVE_ASSUMPTIONS

if TYPE_CHECKING:
    from justesse.verbs.lifelong.curve_result import LearningCosts

HOW: tuple[Text, ...] = (
    "The mean score on the way is the area under the curve over the range of costs, by the trapezoidal rule; costs need not "
    "be evenly spaced. It begins where all runs have a score and ends at the budget.",
    "Intervals: Student's over seeds; differences are paired by seed. The band of the curve holds at each cost, not for the "
    "whole curve.",
    "Deficiency: how far a system stays behind what random questions reach in the end, over the same of random questions "
    "(Baram, El-Yaniv and Luz 2004). Below 1 is better than random. Its interval is Fieller's, paired by seed.",
)


def curve_document(result: "LearningCosts") -> Document:
    """Describe scores against costs, for every medium."""
    sections = [_systems(result)]
    if result.random is not None and len(result.systems) > 1:
        sections.append(_against_random(result))
    seeds = str(message("{n:count seed}", n=result.best.seeds))
    return Document(
        "Score against cost",
        _headline(result),
        sections,
        result.to_dict(),
        name="learning-costs",
        figures=[KeyFigure("Mean score on the way", result.best.area, "value", f"system {result.best.name}", seeds)],
        cautions=result.warnings,
        assumptions=CURVE_ASSUMPTIONS,
        how=HOW,
        facts=_facts(result),
    )


def _headline(result: "LearningCosts") -> Text:
    best = result.best
    template = "Mean score of {name} from cost {start:number} to {budget:number}: {area:value}"
    if best.area.interval is not None:
        template += " ({area:level_name} {area:interval})"
    template += " over {seeds:count seed}; {better} is better."
    parts: list[Text] = [
        message(
            template,
            name=best.name,
            start=result.costs.start,
            budget=result.costs.budget,
            area=best.area,
            seeds=best.seeds,
            better="higher" if result.higher_is_better else "lower",
        )
    ]
    if len(result.systems) > 1:
        parts.insert(
            0, message("{name} has the best mean score of {n:count} systems.", name=best.name, n=len(result.systems))
        )
    if best.gain is not None:
        interval = best.gain.interval
        sure = interval is not None and interval.low > 0
        template = (
            "It is better than {random} by {gain:difference}"
            if best.gain.value >= 0
            else "It is worse than {random} by {gain:difference}"
        )
        if interval is not None:
            template += " ({gain:level_name} {gain:difference_interval})"
        template += "." if sure else ": that could be chance."
        if abs(best.gain.value) < 1e-12:
            template = "It is as good as {random}."
        parts.append(message(template, random=str(result.random), gain=best.gain))
    return paragraph(*parts)


def _systems(result: "LearningCosts") -> Section:
    head: list[str | Column] = [
        "system", Column("mean score", "value"), Column(level_name(result.level), "interval_or_dash"), Column("seeds", "count", 1),
        Column("last score", "value", 2),
    ]  # fmt: skip
    reach = result.target
    if reach is not None:
        head += [
            Column(str(message("cost to reach {score:number}", score=reach)), "general"),
            Column("its interval", "digits_interval", 1),
        ]
    rows: list[list[Any]] = []
    notes = []
    for system in result.systems:
        row = [system.name, system.area, system.area, system.seeds, system.points[-1][1]]
        if system.reached is not None:
            row += [system.reached.value, system.reached]
            if system.reached.undefined:
                notes.append(message("{name}: {why}.", name=system.name, why=system.reached.undefined))
        rows.append(row)
    table = Table("Mean score on the way", head, rows, str(paragraph(*notes)) if notes else "")
    return Section("curve", "Score against cost", [Figure(result.drawings()["curve"]), table], "headline")


def _against_random(result: "LearningCosts") -> Section:
    head: list[str | Column] = [
        "system", Column("gain", "difference"), Column("CI of the gain", "difference_interval"),
        Column("deficiency", "value"), Column("CI of the deficiency", "interval_or_dash"), Column("seeds in common", "count", 1),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [system.name, system.gain, system.gain, system.deficiency, system.deficiency, system.gain.n]
        for system in result.systems
        if system.gain is not None
    ]
    caption = message(
        "Against {random}: gain of mean score above 0 and deficiency below 1 are better", random=result.random
    )
    return Section("random", "Against random questions", [Table(str(caption), head, rows)], "summary")


def _facts(result: "LearningCosts") -> list[tuple[str, Text]]:
    return [
        ("better", "higher" if result.higher_is_better else "lower"),
        ("costs that count", f"{result.costs.start:g} to {result.costs.budget:g}"),
        *file_facts(result.source),
        *column_facts(result.columns),
        ("confidence level", written("level", result.level)),
        ("justesse", __version__),
    ]
