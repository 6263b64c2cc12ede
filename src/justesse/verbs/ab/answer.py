"""The answer of an on-line comparison in sentences: what to do, the difference, and what would change it."""

import math
from typing import TYPE_CHECKING

from justesse.judges.words import TITLES, reason, rounded
from justesse.report.document import Text
from justesse.report.writing import Message, message, paragraph
from justesse.verbs.compare.answer import none_better

if TYPE_CHECKING:
    from justesse.verbs.ab.result import OnlineComparison

NOT_YET = "Cannot tell yet: keep the incumbent, and go on."
DOUBTED = "Cannot tell: traffic was not split as planned. Keep the incumbent, and find the cause."


def title(result: "OnlineComparison") -> Text:
    """Say what to do."""
    if result.verdict.contradicted:
        if result.replaces:
            return "Decided early: replace. But all events so far say the opposite: check before you act."
        return "Decided early: do not replace. But all events so far say the opposite: check before you act."
    if result.replaces and len(result.verdicts) > 1:
        return message("Replace the incumbent with {best}.", best=result.verdict.name)
    if len(result.verdicts) == 1 and result.verdict.broken:
        return "Keep the incumbent: the candidate breaks a guardrail."
    if result.doubted and not result.verdict.broken:
        return DOUBTED
    if any(verdict.decision == "cannot_tell" for verdict in result.verdicts) and not result.replaces:
        return NOT_YET
    if len(result.verdicts) > 1:
        return none_better(len(result.verdicts))
    return TITLES[result.verdict.decision]


def headline(result: "OnlineComparison") -> Message:
    """Write the difference of the best candidate, why it was decided so, and what would change it."""
    return paragraph(_difference(result), reason_of(result), _settled(result), _breakdown(result))


def _difference(result: "OnlineComparison") -> Message:
    best = result.verdict
    if math.isnan(best.difference.value):
        return message("The difference is not known yet: {why}.", why=best.difference.undefined)
    template = "The mean {outcome} of {best} is {size:value} worse than that of {incumbent} ({difference:level_name} of the difference {difference:difference_interval}, {n:count outcome})."
    if best.difference.value > 0:
        template = "The mean {outcome} of {best} is {size:value} better than that of {incumbent} ({difference:level_name} of the difference {difference:difference_interval}, {n:count outcome})."
    elif best.difference.value == 0:
        template = "The mean {outcome} of {best} is the same as that of {incumbent} ({difference:level_name} of the difference {difference:difference_interval}, {n:count outcome})."
    return message(
        template,
        outcome=result.outcome,
        best=best.name,
        size=abs(best.difference.value),
        incumbent=result.incumbent,
        difference=best.difference,
        n=int(best.difference.n),
    )


def reason_of(result: "OnlineComparison") -> Text:
    """Write why the best candidate was judged so."""
    best = result.verdict
    if best.broken is not None:
        return message(
            "Guardrail {guardrail} broken after {events:count event}: the candidate is stopped, whatever its outcomes.",
            guardrail=str(best.broken.guardrail),
            events=best.broken.broken_after or 0,
        )
    if result.doubted:
        return "Whatever disturbed the traffic may have caused this difference, so it decides nothing."
    if best.decision == "cannot_tell" and best.unchecked is not None:
        return message(
            "Guardrail {guardrail} cannot be checked: one of the variants has no value of it yet.",
            guardrail=str(best.unchecked.guardrail),
        )
    if best.decided_after is None or best.decided_after == best.looks[-1][0]:
        return reason(best.decision, best.difference, result.margin, "two-sided")
    templates = {
        "replace": "Decided after {events:count event}: the candidate is better.",
        "keep": "Decided after {events:count event}: the candidate is not better.",
        "equivalent": "Decided after {events:count event}: any difference is smaller than the margin of {margin:number}.",
    }
    if result.margin:
        templates |= {
            "replace": "Decided after {events:count event}: the gain is larger than the margin of {margin:number}.",
            "keep": "Decided after {events:count event}: the gain is smaller than the margin of {margin:number}.",
        }
    lasting = "Later events do not undo this."
    if best.guardrails and best.decision != "keep":
        lasting = "Later events do not undo this, unless a guardrail breaks later."
    return paragraph(message(templates[best.decision], events=best.decided_after, margin=result.margin), lasting)


def _settled(result: "OnlineComparison") -> Text:
    best = result.verdict
    if best.decision != "cannot_tell" or best.unchecked is not None or result.doubted:
        return ""
    if best.more_events is None:
        return "More events would not decide it, if the means stay as they are."
    return message(
        "About {more} more {n:plural event|events} would decide it, if the means stay as they are.",
        more=rounded(best.more_events),
        n=best.more_events,
    )


def _breakdown(result: "OnlineComparison") -> Text:
    rate = result.verdict.breakdown
    if rate is None:
        return ""
    return message(
        "The verdict holds if less than {rate:sized_share} of each variant's outcomes are wrong, even in the worst way.",
        rate=(rate, result.verdict.difference.n),
    )
