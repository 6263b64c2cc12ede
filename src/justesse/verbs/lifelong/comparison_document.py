"""A comparison of two systems that keep learning, as a reader meets it."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text, Words
from justesse.report.writing import message, paragraph, written
from justesse.verbs.file_facts import file_facts
from justesse.verbs.lifelong.assumptions import ASSUMPTIONS
from justesse.verbs.lifelong.change_words import change_words

if TYPE_CHECKING:
    from justesse.verbs.lifelong.comparison import LifelongComparison

VERDICTS = {
    "replace": "Replace the incumbent with the candidate.",
    "keep": "Keep the incumbent.",
    "equivalent": "Both are equivalent under this policy.",
    "cannot_tell": "Cannot tell which is better under this policy.",
}
HOW: tuple[Text, ...] = (
    "A positive difference means that the candidate is better. It is the mean of the differences of accuracy in the periods "
    "that count, weighted by the policy; both systems answered the same items.",
    "Intervals: in each period the difference with cluster-robust variance over its blocks of time (√m neighbouring "
    "days of m, or times if they are numbers), or Tango's interval if there is one block; squared half-widths add up as variances do (MOVER).",
    "Between the policies past and recent, period j counts 2^(λj): λ = -1 is past, 0 uniform, 1 recent.",
)


def comparison_document(result: "LifelongComparison") -> Document:
    """Describe the comparison, for every medium."""
    return Document(
        "Comparison over time",
        _headline(result),
        [*_gaps(result), _turns(result), *_noise(result), _periods(result)],
        result.to_dict(),
        verdict=VERDICTS[result.decision],
        tone=result.decision,
        name="lifelong-comparison",
        figures=_figures(result),
        cautions=result.warnings,
        assumptions=ASSUMPTIONS,
        how=HOW,
        facts=_facts(result),
    )


def _headline(result: "LifelongComparison") -> Text:
    gaps = result.missing_labels
    if gaps is not None and gaps.probability is None and gaps.rows:
        template = (
            "Under the policy {policy}, the accuracy of the candidate differs by between {low:points} and {high:points}, whatever "
            "the {n:count missing label} {n:plural is|are} ({range:level_name} of the range {range:points_interval}), if the other "
            "labels are right."
        )
        values = {"policy": result.policy.name, "low": gaps.low, "high": gaps.high, "n": gaps.rows}
        return paragraph(message(template, **values, range=result.difference), result.policy.words)
    return paragraph(
        message(
            "Under the policy {policy}, the accuracy of the candidate differs by {gap:points} ({gap:level_name} "
            "{gap:points_interval}, n = {gap:count}), if the labels are right.",
            policy=result.policy.name,
            gap=result.difference,
        ),
        result.policy.words,
    )


def _figures(result: "LifelongComparison") -> list[KeyFigure]:
    """Show the difference; both ends of it if labels are missing."""
    gaps, difference = result.missing_labels, result.difference
    if gaps is None or gaps.probability is not None or not gaps.rows:
        return [KeyFigure("Difference under the policy", difference, "points")]
    ends = (("Lowest difference", gaps.low), ("Highest difference", gaps.high))
    note = "whatever the missing labels are; the interval covers the whole range"
    return [KeyFigure(name, replace(difference, value=end), "points", note) for name, end in ends]


def _turns(result: "LifelongComparison") -> Section:
    lines: list[Text] = []
    if result.change is not None:
        period, factor = result.change
        better = "the incumbent" if result.difference.value > 0 else "the candidate"
        lines.append(change_words(period, factor, better))
    else:
        lines.append("No change of the weight of a single period would turn the ranking.")
    if result.flips:
        lines.append(
            message(
                "Between past (-1), uniform (0) and recent (1) the ranking flips at {places}.",
                places=", ".join(written("ratio", place) for place in result.flips),
            )
        )
    elif len(result.periods) > 1:
        lines.append("The ranking is the same for all policies between past and recent.")
    gaps = result.missing_labels
    if gaps is not None and gaps.low < 0 < gaps.high:
        lines.append("The missing labels alone could turn the ranking.")
    elif result.breakdown.count is None:
        lines.append("No number of wrong labels could turn the ranking.")
    else:
        lines.append(
            message(
                "{n:count wrong label} ({rate:rough_share} of {rows:count}) could turn the ranking.",
                n=result.breakdown.count,
                rate=result.breakdown.rate,
                rows=result.breakdown.n,
            )
        )
    figures: list[Part] = [Figure(draw) for draw in result.drawings().values()]
    return Section("turns", "What would turn the ranking", [Words(lines, listed=True), *figures], "headline")


def _gaps(result: "LifelongComparison") -> list[Section]:
    gaps = result.missing_labels
    if gaps is None:
        return []
    template = "{n:count} of {all:count item} {n:plural has|have} no label"
    if gaps.rows:
        template += "; the systems answered {differ:count} of them differently"
    lines: list[Text] = [message(f"{template}.", n=gaps.rows, all=gaps.total, differ=gaps.differing)]
    if gaps.probability is not None:
        template = (
            "Whatever these labels are, the difference lies between {low:points} and {high:points}. It is estimated from the "
            "labels that were asked, each weighted by one over its probability."
        )
        lines.append(message(template, low=gaps.low, high=gaps.high))
    elif gaps.rows:
        lines.append(
            message(
                "Both ends can be reached. The centre, {gap:points}, counts these items as equal.",
                gap=result.difference,
            )
        )
    return [Section("missing-labels", "Missing labels", [Words(lines, listed=True)], "headline")]


def _noise(result: "LifelongComparison") -> list[Section]:
    noise = result.label_noise
    if noise is None:
        return []
    lines: list[Text] = []
    if noise.rate is not None:
        template = (
            "If {words}, the true difference lies between {low:points} and {high:points}. Both ends can be reached: "
            "the wrong labels may be where the policy weighs most."
        )
        lines.append(message(template, words=noise.words, low=noise.low, high=noise.high))
    if noise.true is not None:
        template = (
            "By the true classes the difference is {true:points} ({true:level_name} {true:points_interval}): the labels "
            "shift it by {bias:points}."
        )
        lines.append(message(template, true=noise.true, bias=noise.bias))
    return [Section("wrong-labels", "If labels are wrong", [Words(lines, listed=True)], "headline")]


def _periods(result: "LifelongComparison") -> Section:
    head: list[str | Column] = [
        "period", Column("weight", "share"), Column("difference", "points"), Column("n", "count", 1),
    ]  # fmt: skip
    rows: list[list[Any]] = [[period.name, period.weight, period.difference, period.n] for period in result.periods]
    table = Table("Difference of accuracy in each period, candidate minus incumbent", head, rows)
    return Section("periods", "Every period", [table], "summary")


def _facts(result: "LifelongComparison") -> list[tuple[str, Text]]:
    return [
        (
            "versions",
            message("incumbent {first}, candidate {second}", first=result.versions[0], second=result.versions[1]),
        ),
        ("policy", result.policy.name),
        ("periods that count", result.convention),
        ("margin that matters", written("number", result.margin)),
        *(fact for source in result.sources for fact in file_facts(source)),
        ("id", result.on),
        ("justesse", __version__),
    ]
