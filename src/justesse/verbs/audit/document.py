"""The status of an audit as a reader meets it: one function per section."""

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from justesse.core.levels import shown_name
from justesse.core.results import Interval, level_name
from justesse.core.version import __version__
from justesse.judges.audit_sensitivity import survived_expert_error
from justesse.report.document import Choice, Column, Document, Figure, KeyFigure, Section, Table, Text, Words
from justesse.report.writing import Message, message
from justesse.store.settled import RULES, Settled
from justesse.verbs.audit.base_audit import BaseAudit
from justesse.verbs.audit.cautions import history
from justesse.verbs.audit.experts import expert_assumptions
from justesse.verbs.audit.measure import ACCURACY
from justesse.verbs.audit.method_words import ESTIMATE, method_words
from justesse.verbs.audit.words import SHORT_WHERE, WHERE, minute
from justesse.verbs.file_facts import shortened

if TYPE_CHECKING:
    from justesse.verbs.audit.status_result import AuditStatus

LONG_TEXT = 160  # characters of a text in a table of answers
LONG_QUESTION = 2_000  # characters of a text in a question
LOOKS = 12  # rows of the table of looks


def status_document(status: "AuditStatus") -> Document:
    """Describe the status of an audit, for every medium."""
    audit, state, rule = status.audit, status.audit.state, RULES[status.audit.experts]
    template = "{answers:count answer} about {n:count disputed row}"
    about_answers = str(message(template, answers=state.answered, n=state.disputed))
    asked_first = sorted((state.test_set, state.population), key=lambda finding: finding.about != state.question)
    return Document(
        "Audit of an incumbent and a candidate",
        status.headline,
        [
            _questions(status),
            _progress(status),
            _looks(status),
            _change(status),
            *_answers(status),
            *corrections(audit),
        ],
        status.to_dict,
        verdict=status.title,
        tone=status.decision,
        name="audit",
        figures=[
            KeyFigure(
                str(message("Difference {where}", where=SHORT_WHERE[finding.about])),
                finding.difference,
                status.value_kind,
                counted=about_answers,
            )
            for finding in asked_first
        ],
        cautions=status.cautions,
        assumptions=expert_assumptions(audit),
        how=(
            *method_words(status),
            message("If people give different answers: {rule}", rule=rule[0].lower() + rule[1:]),
        ),
        facts=_facts(status),
        seed=state.seed,
        next_step="" if state.stop else message("To continue: justesse audit ask {path}", path=audit.path),
    )


def _questions(status: "AuditStatus") -> Section:
    """Answer both questions, the one asked first."""
    state = status.audit.state
    findings = sorted((state.test_set, state.population), key=lambda finding: finding.about != state.question)
    rows = [
        [
            str(
                message(
                    "{where} (asked)" if finding.about == state.question else "{where}",
                    where=SHORT_WHERE[finding.about],
                )
            ),
            finding.decision.replace("_", " "),
            finding.difference,
            finding.difference,
        ]
        for finding in findings
    ]
    head: list[str | Column] = [
        "candidate better?",
        "verdict",
        Column("difference", status.value_kind),
        Column(level_name(state.level, status.audit.plan.alternative), status.interval_kind),
    ]
    note = message(
        "By the labels alone, the difference on this test set is {value:signed}. {estimate}"
        if status.audit.compares_costs
        else "By the labels alone, the difference on this test set is {value:points}. {estimate}",
        value=state.noisy_difference,
        estimate=ESTIMATE,
    )
    names = [SHORT_WHERE[finding.about] for finding in findings]
    figures = [Figure(draw, zoom=True) for draw in status.drawings().values()]
    choice = Choice("Difference", list(zip(names, figures, strict=True)))
    return Section("sequence", "The two questions", [Table("", head, rows, note), choice], "headline")


def _progress(status: "AuditStatus") -> Section:
    state = status.audit.state
    words = message(
        "{n:count} rows; {what} {disputed:count} of them (disputed rows). Questions: {asked:count} of at most {most:count} "
        "asked, {answered:count} answered, {open:count} open.",
        what="the two disagree on"
        if status.audit.about.get("measure", ACCURACY) == ACCURACY
        else "the difference depends on",
        n=state.n,
        disputed=state.disputed,
        asked=state.asked,
        most=state.most,
        answered=state.asked - len(status.audit.open),
        open=len(status.audit.open),
    )
    return Section("progress", "Progress", [Words([words, *history(status.audit)])], "summary")


def _looks(status: "AuditStatus") -> Section:
    """List the difference as it was known after every so many answers, and after the last."""
    state, looks = status.audit.state, status.looks()
    last = len(looks) - 1
    step = _step(last)
    chosen = sorted({*range(0, last + 1, step), last})
    rows: list[list[Any]] = []
    for answers, value, low, high in (looks[at] for at in chosen):
        interval = Interval(low, high, state.level, state.method, alternative=status.audit.plan.alternative)
        known = replace(state.finding.difference, value=value, n=answers, interval=interval)
        rows.append([known, known, known])
    ci = Column(level_name(state.level, status.audit.plan.alternative), status.interval_kind)
    head = [Column("answers", "count"), Column("difference", status.value_kind), ci]
    template = "{difference:capital} {where}. The intervals hold at all looks together."
    if step > 1:
        template += " Shown: every {step} answers and the last; the JSON has all."
    note = message(template, difference=status.audit.plan.difference, where=WHERE[state.question], step=step)
    return Section("looks", "Answer by answer", [Table("", head, rows, note)])


def _step(last: int) -> int:
    """Return the round step (1, 2, 5, 10, 20, 50 …) that shows looks 0 to `last` in about a dozen rows.

    >>> [_step(last) for last in (11, 21, 55, 200, 1000)]
    [1, 2, 5, 20, 100]
    """
    steps = (first_digit * int(10**power) for power in count() for first_digit in (1, 2, 5))
    return next(step for step in steps if last <= step * (LOOKS - 1))


def _change(status: "AuditStatus") -> Section:
    """Say what would change the verdict."""
    audit, state = status.audit, status.audit.state
    lines: list[Text] = [status.left]
    if status.decision != "cannot_tell":
        lines.append(_expert_error(status))
    elif state.stop == "class sizes":
        lines.append("A new audit that allows for other class sizes could settle it (--counts-within 1).")
    elif state.stop == "answered":
        lines.append("Every disputed row is answered: only more labelled rows could tell more.")
    elif state.stop in ("budget", "futility") and state.budget >= state.disputed:
        lines.append("The budget covers every disputed row: only more labelled rows could tell more.")
    elif state.stop in ("budget", "futility"):
        template = "More than the {n:count question} of the budget may settle it (justesse audit extend). The verdict stays valid."
        lines.append(message(template, n=state.budget))
    if margin := audit.about["margin"]:
        template = "The margin is {margin:g}. With another margin, compare it with the interval above."
        lines.append(message(template, margin=margin))
    return Section("change", "What would change the verdict", [Words(lines)])


def _expert_error(status: "AuditStatus") -> Message:
    audit, disputed = status.audit, status.audit.state.disputed
    error = survived_expert_error(audit.plan, audit.drawn, audit.answers)
    breaking = error.rows_that_break(disputed)
    if error.survived > audit.plan.expert_error or breaking is None:
        rows = error.rows_survived(disputed)
        template = (
            "The verdict holds if the expert is wrong about up to {rows:count} of the {n:count disputed row}."
            if rows
            else "The verdict holds if the expert is wrong about none of the {n:count disputed row}."
        )
        return message(template, rows=rows, n=disputed)
    return message(
        "The verdict depends on the expert: it would not be sure if {rows:count} of the {n:count disputed row} could be answered "
        "wrongly.",
        rows=breaking,
        n=disputed,
    )


def _answers(status: "AuditStatus") -> list[Section]:
    audit = status.audit
    undrawn = len(audit.disputes)
    answers = sorted(audit.settled.values(), key=lambda answer: audit.turns.get(answer.row, undrawn + answer.row))
    if not answers:
        return []
    shows = audit.about["shows"]
    rows: list[list[Any]] = []
    for answer in answers:
        row = audit.disputes[answer.row]
        people = "; ".join(
            str(message("{by}: {answer} ({at})", by=entry.by, answer=entry.words, at=minute(entry.at)))
            for entry in answer.people
        )
        names = [shown_name(name) for name in (row.label, row.incumbent, row.candidate)]
        shown = [one_line(row.shown)] if shows else []
        rows.append([row.id, audit.turns.get(answer.row), answer_words(answer), *names, people, *shown])
    head: list[str | Column] = [
        "id",
        Column("question", "count", 3),
        "answer",
        Column("label", drop=1),
        Column("incumbent", drop=1),
        Column("candidate", drop=1),
        Column("answered by, at (UTC)", "words", 2),
        *([Column(shows, "words", 4)] if shows else []),
    ]
    note = "Answers without a question number are about rows that are not drawn yet: they do not count so far."
    early = any(answer.row not in audit.turns for answer in answers)
    table = Table("", head, rows, note if early else "")
    return [Section("answers", "Answers", [table])]


def answer_words(answer: Settled) -> str:
    """Write what counts as the answer to a question."""
    if answer.counts is not None and answer.counts.kind == "credit":
        return str(message("credit: {answer}", answer=answer.words))
    if answer.counts is None or answer.counts.kind not in ("answer", "several"):
        return answer.words
    template = "true class: {answer}" if answer.counts.kind == "answer" else "true classes: {answer}"
    return str(message(template, answer=answer.words))


def corrections(audit: BaseAudit) -> list[Section]:
    """List the answers that were changed: from what to what, by whom and when."""
    entries = {entry.number: entry for entry in audit.diary}
    rows = [
        [
            audit.disputes[new.row].id,
            message("{old} → {new}", old=old.words, new=new.words),
            new.by,
            minute(old.at),
            minute(new.at),
        ]
        for new in audit.diary
        if new.corrects is not None and (old := entries[new.corrects])
    ]
    if not rows:
        return []
    head: list[str | Column] = [
        "id",
        Column("change", "words"),
        "by",
        Column("first answer (UTC)", drop=1),
        "corrected (UTC)",
    ]
    note = "Answers are never overwritten: the audit file keeps every earlier one."
    return [Section("corrections", "Corrections", [Table("", head, rows, note)])]


def _facts(status: "AuditStatus") -> list[tuple[str, Text]]:
    state, about = status.audit.state, status.audit.about
    people = sorted({entry.by for entry in status.audit.diary})
    return [
        ("rows", message("{n:count}", n=state.n)),
        ("disputed rows", message("{n:count}", n=state.disputed)),
        ("questions asked", message("{n:count} of at most {most:count}", n=state.asked, most=state.most)),
        ("answers that count", message("{n:count}", n=state.answered)),
        ("answered by", ", ".join(people) or "nobody yet"),
        ("incumbent", about["incumbent"]),
        ("candidate", about["candidate"]),
        ("classes", shortened([str(name) for name in status.audit.classes])),
        *((name, value) for name, value in about["files"]),
        ("question", message("better {where}", where=WHERE[state.question])),
        ("measure", status.audit.plan.measure),
        *([("policy", about["weights"]["words"])] if about.get("weights") else []),
        ("method", state.method),
        ("margin that matters", message("{margin:g}", margin=about["margin"])),
        ("confidence level", message("{level:g} %, {side}", level=100 * state.level, side=about["alternative"])),
        (
            "an expert is wrong about at most",
            message("{share:g} % of the rows", share=100 * about["expert_error"]),
        ),
        (
            "audit file",
            message("{name}, started {started}", name=status.audit.path.name, started=about["started"]),
        ),
        *(("changes to the file", words) for words in history(status.audit)),
        ("justesse", __version__),
    ]


def one_line(text: str | None) -> str | None:
    """Write a text on one line, cut where it is long."""
    words = " ".join((text or "").split())
    return (words if len(words) <= LONG_TEXT else f"{words[: LONG_TEXT - 1]}…") or None
