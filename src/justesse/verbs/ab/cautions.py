"""What to be careful about in an on-line comparison, and what it rests on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from justesse.report.document import Text
from justesse.report.writing import message

if TYPE_CHECKING:
    from justesse.verbs.ab.result import OnlineComparison

MUCH_OPEN = 0.05


def cautions(result: "OnlineComparison") -> Iterator[Text]:
    """Say what may be misread, the most important first."""
    yield from _doubts(result)
    if result.sample_ratio is not None and result.mismatch:
        yield message(_mismatch(result), p=result.sample_ratio.pvalue)
    for verdict in result.verdicts:
        if verdict.broken is not None and len(result.verdicts) > 1:
            yield message(
                "{name} breaks the guardrail {guardrail}: stop it.",
                name=verdict.name,
                guardrail=str(verdict.broken.guardrail),
            )
    for verdict in result.verdicts:
        if verdict.proxy is not None and verdict.proxy.differs:
            template = (
                "The proxy favours {incumbent} over {name}: by the proxy alone the difference would be "
                "{size:value} too small ({bias:level_name} of the bias {bias:difference_interval}). The figures are corrected for it."
            )
            if verdict.proxy.bias.value > 0:
                template = (
                    "The proxy favours {name} over {incumbent}: by the proxy alone the difference would be "
                    "{size:value} too large ({bias:level_name} of the bias {bias:difference_interval}). The figures are corrected for it."
                )
            bias = verdict.proxy.bias
            yield message(template, name=verdict.name, incumbent=result.incumbent, size=abs(bias.value), bias=bias)
    for verdict in result.verdicts:
        own, alone = verdict.difference.interval, verdict.proxy.known.interval if verdict.proxy else None
        if own is not None and alone is not None and own.high - own.low > alone.high - alone.low:
            yield message(
                "The known outcomes alone give a narrower interval for {name}: the proxy is not right often enough to pay "
                "off. Let it count by what it is worth (--method asymptotic), if many outcomes are known.",
                name=verdict.name,
            )
    if any(verdict.changed for verdict in result.verdicts):
        yield (
            "The difference changed over time: intervals of different looks exclude each other. The figures are averages "
            "over the whole time."
        )
    shares = [result.open[name] / n for name, n in result.counts.items() if n]
    if max(shares, default=0.0) > MUCH_OPEN and result.missing == "random":
        yield message(
            "Up to {share:rough_share} of a variant's outcomes are still open. The verdict takes them as missing at random; "
            "the worst-case interval does not.",
            share=max(shares),
        )
    if result.repeated and result.source is not None:  # adding events again to an event file is its normal use
        yield message(
            "{n:count event} came more than once with the same id and {n:plural was|were} counted once.",
            n=result.repeated,
        )
    if result.out_of_order:
        yield message(
            "{n:count event} {n:plural was|were} earlier than one before; all were put in the order of time.",
            n=result.out_of_order,
        )


def _mismatch(result: "OnlineComparison") -> str:
    """Write what an unplanned split means, and what to do."""
    if result.accept_mismatch:
        return (
            "Traffic was not split as planned ({p:p}); the verdict holds only if the cause has nothing to do with the "
            "outcomes. If shares of traffic and means both changed over time, the difference mixes the two."
        )
    if result.ratio_stated:
        return (
            "Traffic was not split as planned ({p:p}): events were lost or sent to the wrong variant. No gate passes. If "
            "you know the cause and it has nothing to do with the outcomes, decide anyway (--accept-mismatch)."
        )
    return (
        "Traffic was not split equally ({p:p}). If another split was planned, state it (--ratio). If not, events were lost "
        "or sent to the wrong variant, and no gate passes. If you know the cause and it has nothing to do with the "
        "outcomes, decide anyway (--accept-mismatch)."
    )


def _doubts(result: "OnlineComparison") -> Iterator[Text]:
    """Say which decisions are contradicted now, and which guardrails lack values."""
    for verdict in result.verdicts:
        if verdict.contradicted:
            yield message(
                "The interval of {name} now says the opposite of what was decided after {events:count event}. The decision "
                "stands, but no gate passes. Find out what changed.",
                name=verdict.name,
                events=verdict.decided_after or 0,
            )
        for state in verdict.guardrails:
            if state.missing and state.guardrail.name != result.outcome:
                yield message(
                    "Guardrail {guardrail} of {name}: {n:count event} {n:plural has|have} no value, and harm there is not seen.",
                    guardrail=str(state.guardrail),
                    name=verdict.name,
                    n=state.missing,
                )


def assumptions(result: "OnlineComparison") -> Iterator[Text]:
    """List what the interval rests on."""
    if result.shadow:
        yield "answers that were not used have the outcome they would have had"
    elif result.mismatch and result.accept_mismatch:
        yield "what disturbed the planned traffic has nothing to do with the outcomes"
    else:
        yield "each event was given to a variant at random, with chances that did not change"
    yield "events do not influence each other's outcomes"
    if result.verdict.random.method.startswith("asymptotic"):
        yield "there are many events: the interval holds approximately"
    else:
        yield message("outcomes lie between {low:number} and {high:number}", low=result.ends[0], high=result.ends[1])
    if result.steady:
        yield "the means do not change over time"
    else:
        yield "means may change over time; the difference is that of the averages so far"
    if result.proxy is not None:
        yield "events with a known outcome are a random part of each variant's events"
        yield "the proxy's bias in each variant does not change over time"
    elif any(result.open.values()):
        yield (
            "open outcomes may turn out in any way"
            if result.missing == "worst-case"
            else "open outcomes are like those that are known"
        )
    if result.missing == "random":  # also if none is open now: it may have been decided while some were
        yield "how late an outcome comes does not depend on what it is, or depends on it alike in all variants"
        if not result.steady:
            yield "if means change over time, outcomes come equally late in all variants, whatever they are"
    if result.noise_rate:
        yield message("at most {rate:percent} of each variant's outcomes are wrong", rate=result.noise_rate)
    else:
        yield "the outcomes are right"
