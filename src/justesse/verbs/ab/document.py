"""An on-line comparison as a reader meets it."""

from functools import partial
from typing import TYPE_CHECKING, Any

from justesse.core.results import level_name
from justesse.core.shares import shares_that_add_up
from justesse.core.version import __version__
from justesse.report.document import Column, Document, Figure, KeyFigure, Part, Section, Table, Text
from justesse.report.writing import message, written
from justesse.verbs.ab.answer import headline, title
from justesse.verbs.file_facts import file_facts

if TYPE_CHECKING:
    from justesse.verbs.ab.result import OnlineComparison

HOW: tuple[Text, ...] = (
    "A positive difference means that the candidate is better. The confidence interval of the difference holds at all "
    "looks together, so you may look after every event and stop when it is decided. The first look whose interval decides "
    "is the decision; later events do not undo it, unless a guardrail breaks or traffic is not split as planned.",
    "Betting: wealth that grows only if the difference is not what is claimed excludes the claim (Howard et al. 2021; "
    "Waudby-Smith and Ramdas 2024). Traffic: the test of Lindon and Malek (2022), which also holds at every look.",
)


def online_document(result: "OnlineComparison") -> Document:
    """Describe an on-line comparison, for every medium."""
    best = result.verdict
    return Document(
        "On-line comparison",
        headline(result),
        [_difference(result), *_guardrails(result), *_proxy(result), *_open(result), *_traffic(result)],
        result.to_dict(),
        verdict=title(result),
        tone="cannot_tell" if best.contradicted else best.decision,
        name="comparison",
        figures=[
            KeyFigure(
                "Difference, candidate - incumbent", best.difference, "difference", counted=_outcomes(best.difference.n)
            ),
            KeyFigure("Mean of the incumbent", best.incumbent, "value", result.incumbent, _outcomes(best.incumbent.n)),
            KeyFigure("Mean of the candidate", best.candidate, "value", best.name, _outcomes(best.candidate.n)),
        ],
        cautions=result.warnings,
        assumptions=result.assumptions,
        how=HOW,
        facts=_facts(result),
    )


def _outcomes(n: float) -> str:
    return str(message("{n:count outcome}", n=int(n)))


def _difference(result: "OnlineComparison") -> Section:
    each = result.verdict.random.level
    head: list[str | Column] = [
        "candidate", Column("verdict", "decision", 3), Column("its mean", "value", 1), Column("incumbent's", "value", 1),
        Column("difference", "difference"), Column(level_name(each), "difference_interval"),
        Column("decided after", "count", 2, "Decided after: events." if result.shadow else "Decided after: events of both variants."),
        Column("more events", "count", 2, "More events: forecast, if the means stay as they are."),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [verdict.name, verdict.decision, verdict.candidate, verdict.incumbent, verdict.difference, verdict.difference,
         verdict.decided_after, verdict.more_events]
        for verdict in sorted(result.verdicts, key=lambda verdict: verdict.rank, reverse=True)
    ]  # fmt: skip
    caption = message("Mean {outcome} against {incumbent}", outcome=result.outcome, incumbent=result.incumbent)
    if result.lower_is_better:
        caption = message(
            "Mean {outcome} against {incumbent}; lower is better", outcome=result.outcome, incumbent=result.incumbent
        )
    note: Text = ""
    if len(result.verdicts) > 1:
        note = message("All intervals hold together with {level:level}.", level=result.level)
    figures: list[Part] = [Figure(partial(result.chart, name)) for name in result.drawings()]
    return Section("difference", "The difference", [*figures, Table(str(caption), head, rows, note)], "headline")


def _guardrails(result: "OnlineComparison") -> list[Section]:
    """Show what the candidates must not make worse."""
    states = [(verdict.name, state) for verdict in result.verdicts for state in verdict.guardrails]
    if not states:
        return []
    head: list[str | Column] = [
        "candidate", "guardrail", Column("difference", "difference"), Column("bound", "difference", 1, "Bound: the least harm that the events allow."),
        Column("broken after", "count", 2, "Broken after: events of both variants."),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [name, str(state.guardrail), state.difference, state.bound, state.broken_after] for name, state in states
    ]
    note = message(
        "A guardrail is broken once the bound is past its limit. Harmless candidates are ever stopped by {n:plural it|any "
        "of them} with a chance of at most {risk:percent}, over all looks.",
        n=len(states),
        risk=1 - result.level,
    )
    return [Section("guardrails", "Guardrails", [Table("Candidate minus incumbent", head, rows, note)], "headline")]


def _proxy(result: "OnlineComparison") -> list[Section]:
    """Show what the proxy says alone, its bias, and both together."""
    rows: list[list[Any]] = []
    for verdict in result.verdicts:
        if verdict.proxy is not None:
            rows += [
                [verdict.name, "by the proxy alone", verdict.proxy.alone, verdict.proxy.alone, verdict.proxy.alone.n],
                [verdict.name, "bias of that", verdict.proxy.bias, verdict.proxy.bias, verdict.proxy.bias.n],
                [
                    verdict.name,
                    "by known outcomes alone",
                    verdict.proxy.known,
                    verdict.proxy.known,
                    verdict.proxy.known.n,
                ],
                [verdict.name, "by both (decides)", verdict.difference, verdict.difference, verdict.difference.n],
            ]
    if not rows:
        return []
    head: list[str | Column] = [
        "candidate", "difference", Column("value", "difference"),
        Column(level_name(result.verdict.random.level), "difference_interval"), Column("events", "count", 1),
    ]  # fmt: skip
    note = "The bias of the proxy is measured on the events whose outcome is known."
    caption = message("Proxy {proxy} in place of {outcome}", proxy=result.proxy, outcome=result.outcome)
    return [Section("proxy", "Proxy of the outcome", [Table(str(caption), head, rows, note)], "summary")]


def _open(result: "OnlineComparison") -> list[Section]:
    """Show both intervals if outcomes are open."""
    rows: list[list[Any]] = []
    for verdict in result.verdicts:
        if verdict.worst is not None:
            rows.append([verdict.name, "missing at random", verdict.random])
            rows.append([verdict.name, "worst case", verdict.worst])
    if not rows:
        return []
    decides = "worst case" if result.missing == "worst-case" else "missing at random"
    note = message(
        "{n:count outcome} {n:plural is|are} still open. The verdict goes by: {decides}.",
        n=sum(result.open.values()),
        decides=decides,
    )
    head: list[str | Column] = [
        "candidate", "open outcomes", Column(level_name(result.verdict.random.level), "difference_interval"),
    ]  # fmt: skip
    return [
        Section(
            "open", "Open outcomes", [Table("Difference, by how open outcomes are taken", head, rows, note)], "summary"
        )
    ]


def _traffic(result: "OnlineComparison") -> list[Section]:
    """Show how events were split, unless every variant answered every event."""
    if result.sample_ratio is None:
        return []
    head: list[str | Column] = [
        "variant", Column("events", "count"), Column("share", "share"), Column("planned", "share"),
        *([Column("open", "count")] if any(result.open.values()) else []),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [name, n, share, planned, *([result.open[name]] if any(result.open.values()) else [])]
        for (name, n), share, planned in zip(
            result.counts.items(), shares_that_add_up(list(result.counts.values())), result.planned, strict=True
        )
    ]
    template = "Sequential test that traffic was split as planned: {p:p}, valid at every look."
    if not result.ratio_stated:
        template = "Sequential test that traffic was split equally: {p:p}, valid at every look."
    note = message(template, p=result.sample_ratio.pvalue)
    return [Section("traffic", "Traffic", [Table("Events by variant", head, rows, note)], "summary")]


def _facts(result: "OnlineComparison") -> list[tuple[str, Text]]:
    again: list[tuple[str, Text]] = [("events that came again", written("count", result.repeated))]
    return [
        *(again if result.repeated else []),
        ("events", written("count", result.events)),
        ("incumbent", result.incumbent),
        ("candidates", ", ".join(verdict.name for verdict in result.verdicts)),
        *file_facts(result.source),
        ("outcome", message("{name}, {better}", name=result.outcome, better="lower is better" if result.lower_is_better else "higher is better")),
        ("range of outcomes", message("{low:number} to {high:number}", low=result.ends[0], high=result.ends[1])),
        ("margin that matters", written("number", result.margin)),
        ("confidence level", written("level", result.level)),
        ("method", result.verdict.random.method),
        ("justesse", __version__),
    ]  # fmt: skip
