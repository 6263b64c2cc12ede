"""What to be careful about in the verdict of an audit, and what happened to its file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from justesse.core.answer_policy import NO_GAPS
from justesse.core.first_names import first_names
from justesse.core.levels import identity
from justesse.core.quantity import quantity
from justesse.judges.audit_rule import GROUP_SEQUENTIAL
from justesse.judges.audit_sensitivity import decision_without
from justesse.store.disagreements import Amendment
from justesse.store.settled import RULE
from justesse.verbs.any_of import any_of_words
from justesse.verbs.audit.audit import Audit

if TYPE_CHECKING:
    from justesse.verbs.audit.status import AuditStatus


def status_cautions(status: "AuditStatus") -> list[str]:
    """List what to be careful about, the most important first."""
    audit = status.audit
    cautions = [*_about_the_file(audit), *status.notes]
    if status.part == "start" and not audit.about.get("label_sets"):
        cautions += any_of_words(NO_GAPS, audit.about["classes"])
    cautions += _about_the_answers(status)
    if status.other_question:
        cautions.append(
            "The verdict differs between this test set and the population. To decide about new cases, rely on the "
            "population."
        )
    return cautions


def _about_the_file(audit: Audit) -> Iterator[str]:
    if audit.broken:
        yield (
            f"The checksums do not match: {audit.broken}. Another program changed the file. Continue with a copy made "
            "before that."
        )
    if audit.about.get("method") == GROUP_SEQUENTIAL:
        yield (
            "This audit was started with the group-sequential method, which was removed because it did not keep its level "
            "with few answers. The same answers are now judged by betting: the verdict may differ from one shown before."
        )


def _about_the_answers(status: "AuditStatus") -> Iterator[str]:
    audit, state = status.audit, status.audit.state
    if state.waiting:
        yield (
            f"{quantity(state.waiting, 'answer')} wait{'s' if state.waiting == 1 else ''} for an earlier question that is "
            f"still open ({audit.open[0].id!r}): answer it, with ? if it cannot be answered."
        )
    if state.cannot_say:
        tied = sum(audit.settled[question.row].tied for question in audit.drawn[: state.answered])
        ties = f" ({quantity(tied, 'tie')} between people)" if tied else ""
        yield (
            f"{quantity(state.cannot_say, 'question')} could not be answered{ties}. Each counts against the side that is to be "
            "shown better."
        )
    if flawed := status.counted["flawed"]:
        yield _flawed(audit, flawed)
    if differ := status.differ:
        yield f"People gave different answers to {quantity(len(differ), 'question')} ({first_names(differ)}). {RULE}"
    known = {identity(name) for name in audit.about["classes"]}
    single = [entry for answer in audit.settled.values() if (entry := answer.counts) and entry.kind == "answer"]
    unknown = [name for entry in single for name in entry.classes if identity(name) not in known]
    if unknown:
        yield (
            f"{quantity(len(unknown), 'answer')} with a class that neither labels nor classifiers use "
            f"({first_names(list(dict.fromkeys(unknown)))}): both classifiers count as wrong there."
        )
    if early := [row for row in audit.settled if row not in audit.turns]:
        yield f"{quantity(len(early), 'answer')} about rows that are not drawn yet: saved, but not counted so far."


def _flawed(audit: Audit, number: int) -> str:
    """Say what flawed questions count for, and whether the verdict depends on it."""
    rows = [row for row, answer in audit.settled.items() if answer.counts and answer.counts.kind == "flawed"]
    decision = decision_without(audit.plan, audit.drawn, audit.answers, rows)
    words = f"{quantity(number, 'question')} {'was' if number == 1 else 'were'} called flawed: a tie in each, and the rows still count in n."
    if decision != audit.state.decision:
        words += f" If they counted as unanswered, the verdict would change to '{decision.replace('_', ' ')}'."
    return words


def history(audit: Audit) -> list[str]:
    """Say what happened to the file since the audit was started."""
    if audit.format == 1:
        return ["The file has format 1. It gets checksums when the next answer is saved."]
    return [words for change in audit.amendments if (words := _change(change))]


def _change(change: Amendment) -> str:
    value: Any = change.value
    if change.name == "budget":
        return f"Budget extended to {value:,} questions by {change.by} at {change.at}."
    if change.name == "futility":
        return f"Stopping early if hopeless turned {'on' if value else 'off'} by {change.by} at {change.at}."
    if change.name == "migrated":
        return (
            f"Converted from format {value['from']} at {change.at}. The first {quantity(value['answers'], 'answer')} got "
            "their checksums then: earlier changes cannot be detected."
        )
    return ""
