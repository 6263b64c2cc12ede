"""What to be careful about in the verdict of an audit, and what happened to its file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from justesse.core.answer_policy import NO_GAPS
from justesse.core.levels import identity
from justesse.judges.audit_payoffs import FEWEST
from justesse.judges.audit_plan import GainRange
from justesse.judges.audit_rule import GROUP_SEQUENTIAL
from justesse.judges.audit_sensitivity import decision_without
from justesse.report.document import Text
from justesse.report.writing import Message, message
from justesse.store.disagreements import Amendment
from justesse.store.settled import RULES
from justesse.verbs.any_of import any_of_words
from justesse.verbs.audit.audit import Audit
from justesse.verbs.audit.base_audit import BaseAudit
from justesse.verbs.audit.words import minute

if TYPE_CHECKING:
    from justesse.verbs.audit.status_result import AuditStatus

SMALL = 30  # labels of a class below which three wrong ones are more than a tenth


def status_cautions(status: "AuditStatus") -> list[Text]:
    """List what to be careful about, the most important first."""
    audit = status.audit
    cautions: list[Text] = [*_about_the_file(audit), *_about_other_sizes(audit), *status.notes]
    if status.part == "start" and not audit.about.get("label_sets"):
        cautions += any_of_words(NO_GAPS, audit.about["classes"])
    cautions += [*_about_small_classes(audit), *_about_the_answers(status)]
    if status.other_question:
        cautions.append(
            "The verdict differs between this test set and the population. To decide about new cases, rely on the "
            "population."
        )
    return cautions


def _about_the_file(audit: Audit) -> Iterator[Text]:
    if audit.broken:
        yield message(
            "The checksums do not match: {broken}. Another program changed the file. Continue with a copy made before that.",
            broken=audit.broken,
        )
    if audit.about.get("method") == GROUP_SEQUENTIAL:
        yield (
            "This audit was started with the group-sequential method, which was removed because it did not keep its level "
            "with few answers. The same answers are now judged by betting: the verdict may differ from one shown before."
        )


def _about_small_classes(audit: Audit) -> Iterator[Text]:
    """Warn where a few wrong labels change the size of a class by more than the audit allows for."""
    labels, within = audit.plan.fewest_labels, audit.about.get("counts_within")
    if not 0 < labels < SMALL or audit.contradicted_size:
        return
    allowed = message("no row more or fewer")
    if within:
        allowed = message("about {rows} rows more or fewer", rows=max(FEWEST, round(within * labels)))
    yield message(
        "A class has only {labels:count label}, and the audit allows for {allowed}. If the class truly has another size, the "
        "verdict can be wrong. Allow for more (counts_within, --counts-within 1), or audit precision.",
        labels=labels,
        allowed=allowed,
    )


def _about_other_sizes(audit: Audit) -> Iterator[Text]:
    """Warn where the answers contradict the class sizes that the audit allows for."""
    if size := audit.contradicted_size:
        kept = audit.state.decision != "cannot_tell"
        yield message(
            "By the answers, class {name:name} has {answered:count row}, but {labels:count label}; the audit allows for {least:.0f} "
            "to {most:.0f} rows. {left} Start a new audit that allows for more (--counts-within {share:g}).",
            name=audit.about["classes"][size.at],
            answered=size.answered,
            labels=size.labels,
            least=size.least,
            most=size.most,
            left="Only the sign of the difference is sure." if kept else "So no verdict can be given.",
            share=size.enough,
        )


def _about_the_answers(status: "AuditStatus") -> Iterator[Text]:
    audit, state = status.audit, status.audit.state
    if state.waiting:
        yield message(
            "{n:count answer} {n:plural waits|wait} for an earlier question that is still open ({id:name}): answer it, with ? if "
            "it cannot be answered.",
            n=state.waiting,
            id=audit.open[0].id,
        )
    if state.cannot_say:
        rows = [question.row for question in audit.drawn[: state.answered]]
        if audit.experts == "majority":
            tied = sum(audit.settled[row].tied for row in rows)
            ties = message(" ({n:count tie} between people)", n=tied)
        else:
            tied = sum(isinstance(each := audit.answers[row], GainRange) and each.low < each.high for row in rows)
            ties = message(" ({n:count} because people disagree or may be wrong)", n=tied)
        yield message(
            "{n:count question} could not be answered{ties}. Each counts against the side that is to be shown better.",
            n=state.cannot_say,
            ties=ties if tied else "",
        )
    if flawed := status.counted["flawed"]:
        yield _flawed(audit, flawed)
    if differ := status.differ:
        template = "People gave different answers to {n:count question} ({ids:names}). {rule}"
        yield message(template, n=len(differ), ids=differ, rule=RULES[audit.experts])
    if status.experts:
        yield status.experts.caution(status.decision)
    known = {identity(name) for name in audit.about["classes"]}
    single = [entry for answer in audit.settled.values() if (entry := answer.counts) and entry.kind == "answer"]
    unknown = [name for entry in single for name in entry.classes if identity(name) not in known]
    if unknown:
        yield message(
            "{n:count answer} with a class that neither labels nor classifiers use ({classes:names}): both classifiers count as "
            "wrong there.",
            n=len(unknown),
            classes=list(dict.fromkeys(unknown)),
        )
    if early := [row for row in audit.settled if row not in audit.turns]:
        template = "{n:count answer} about rows that are not drawn yet: saved, but not counted so far."
        yield message(template, n=len(early))


def _flawed(audit: Audit, number: int) -> Message:
    """Say what flawed questions count for, and whether the verdict depends on it."""
    rows = [row for row, answer in audit.settled.items() if answer.counts and answer.counts.kind == "flawed"]
    decision = decision_without(audit.plan, audit.drawn, audit.answers, rows)
    template = "{n:count question} {n:plural was|were} called flawed: a tie in each, and the rows still count in n."
    if decision != audit.state.decision:
        template += " If they counted as unanswered, the verdict would change to {verdict:name}."
    return message(template, n=number, verdict=decision.replace("_", " "))


def history(audit: BaseAudit) -> list[Text]:
    """Say what happened to the file since the audit was started."""
    if audit.format == 1:
        return ["The file has format 1. It gets checksums when the next answer is saved."]
    return [words for change in audit.amendments if (words := _change(change))]


def _change(change: Amendment) -> Message | None:
    value: Any = change.value
    if change.name == "budget":
        template = "Budget extended to {n:count} questions by {by} at {at} (UTC)."
        return message(template, n=value, by=change.by, at=minute(change.at))
    if change.name == "futility":
        template = (
            "Stopping for futility turned on by {by} at {at} (UTC)."
            if value
            else "Stopping for futility turned off by {by} at {at} (UTC)."
        )
        return message(template, by=change.by, at=minute(change.at))
    if change.name == "expert_error":
        template = "Expert error raised to {share:share} by {by} at {at} (UTC)."
        return message(template, share=value, by=change.by, at=minute(change.at))
    if change.name == "instructions":
        return message("Instructions to annotators changed by {by} at {at} (UTC).", by=change.by, at=minute(change.at))
    if change.name == "paused":
        template = "Paused by {by} at {at} (UTC)." if value else "Continued by {by} at {at} (UTC)."
        return message(template, by=change.by, at=minute(change.at))
    if change.name == "migrated":
        return message(
            "Converted from format {format} at {at} (UTC). The first {n:count answer} got their checksums then: earlier changes cannot "
            "be detected.",
            format=value["from"],
            at=minute(change.at),
            n=value["answers"],
        )
    return None
