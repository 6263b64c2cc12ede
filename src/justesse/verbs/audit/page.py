"""An audit as a page."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from justesse.core.levels import shown_name
from justesse.core.version import __version__
from justesse.frames.native import check_place, write_whole
from justesse.judges.audit_state import audit_state
from justesse.judges.audit_targets import About
from justesse.report import old_sections as sections
from justesse.report.old_document import Document, Part, Section, Table, Words
from justesse.report.old_render import figure, rendered
from justesse.store.settled import RULE, Settled
from justesse.verbs.audit.status import WHERE
from justesse.verbs.file_facts import shortened

if TYPE_CHECKING:
    from justesse.verbs.audit.status import AuditStatus

MOST = 500
LONG = 160
ERRORS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1)  # of the expert, one worse than the other
HOW = (
    "Only rows on which the two classifiers disagree can change the difference, so only those are asked. They are drawn at random, "
    "more often where an answer is expected to tell more, and each answer is weighted by the chance with which it was drawn.",
    "The interval holds at every look together: looking after every answer, and stopping when it suits, does not make a wrong "
    "verdict likelier. A positive difference means that the candidate is better.",
    "Better on this test set and better in the population it was drawn from are two questions. The first is settled when all is "
    "answered; for the second the rows are themselves a draw.",
    RULE,
)


def write_page(found: "AuditStatus", path: Path, *, interactive: bool = False, command: str | None = None) -> Path:
    """Write the page as one HTML file; it is there whole or not at all."""
    check_place(path, endings=(".html", ".htm"), read=[found.audit.path])
    document = page(found, interactive=interactive, command=command)
    return write_whole(path, lambda temporary: Path(temporary).write_text(rendered(document), encoding="utf-8"))


def page(found: "AuditStatus", *, interactive: bool = False, command: str | None = None) -> Document:
    """Put the sections together."""
    again = command or f"justesse audit report {found.audit.path} --report page.html"
    made = [
        _sequence(found),
        sections.careful(found.warnings),
        _change(found),
        *_answers(found),
        *_trace(found),
        sections.measured(_facts(found), "What was audited"),
        sections.method(found.audit.state.assumptions, found.audit.about["level"], again, HOW),
    ]
    return Document(
        "Audit of an incumbent and a candidate", found.headline, made, found.to_dict(), __version__, interactive,
        found.title, found.decision, "audit",
    )  # fmt: skip


def _sequence(found: "AuditStatus") -> Section:
    state = found.audit.state
    other: About = "population" if state.question == "test set" else "test set"
    rows = [
        [
            f"better {WHERE[one.about]}" + ("" if one.about == other else " (the question asked)"),
            one.decision.replace("_", " "),
            f"{100 * one.difference.value:+.2f} per 100 cases",
            f"{100 * state.level:g} % interval {found.ends(one)}",
        ]
        for one in sorted((state.test_set, state.population), key=lambda one: one.about == other)
    ]
    heads = ["question", "verdict", "difference", "interval"]
    note = f"By the labels alone the difference on this test set would be {100 * state.noisy_difference:+.2f} per 100 cases."
    parts: list[Part] = [
        figure(found.chart(), 0),
        Table("Both questions, kept apart", heads, rows, note, words=True),
        figure(found.chart(other), 10),
    ]
    return Section("sequence", "What the answers tell", parts)


def _change(found: "AuditStatus") -> Section:
    state, about = found.audit.state, found.audit.about
    lines = [found.left]
    if found.decision != "cannot_tell":
        lines.append(_survives(found))
    elif state.stop == "answered":
        lines.append("Every disputed row is answered: only more labelled rows, not more answers, could tell more.")
    elif state.stop in ("budget", "futility"):
        lines.append(
            f"More questions than the {state.budget:,} of its budget may settle it: justesse audit extend. The verdict stays valid."
            if state.budget < state.disputed
            else "The budget is enough for every disputed row: only more labelled rows could tell more."
        )
    if about["margin"]:
        lines.append(
            f"Another margin than {about['margin']:g} may decide otherwise: read the interval against your own."
        )
    return Section("change", "What would change it", [Words(list(dict.fromkeys(lines)))])


def _survives(found: "AuditStatus") -> str:
    """Say how often the expert could be wrong before the verdict falls, by trying."""
    audit = found.audit
    assumed = stands = audit.about["expert_error"]
    more = [error for error in ERRORS if error > assumed]
    for error in more:
        plan = replace(audit.plan, expert_error=error)
        if audit_state(plan, audit.drawn, audit.answers).decision != found.decision:
            break
        stands = error
    if stands > assumed or not more:
        return f"The verdict stands if the expert is wrong about up to {100 * stands:g} % of the rows."
    return f"The verdict rests on the expert: it would not be sure if {100 * more[0]:g} % of the rows could be answered wrongly."


def _answers(found: "AuditStatus") -> list[Section]:
    audit = found.audit
    answered = sorted(audit.settled.values(), key=lambda one: audit.turns.get(one.row, len(audit.disputes) + one.row))
    if not answered:
        return []
    rows = []
    for one in answered[:MOST]:
        dispute = audit.disputes[one.row]
        shown = [_clipped(dispute.shown or "–")] if audit.about["shows"] else []
        said = f"label {dispute.label}, incumbent {shown_name(dispute.incumbent)}, candidate {shown_name(dispute.candidate)}"
        who = "; ".join(f"{entry.by}: {entry.words}, {_when(entry.at)}" for entry in one.people)
        turn = audit.turns.get(one.row)
        rows.append([dispute.id, *shown, _counts(one), said, who, f"question {turn}" if turn else "not drawn yet"])
    shows = [audit.about["shows"]] if audit.about["shows"] else []
    heads = ["id", *shows, "what counts", "what was said before", "answered by, at (UTC)", "drawn as"]
    note = f"The first {MOST} of {len(answered)}; the JSON has all." if len(answered) > MOST else ""
    return [Section("answers", "The answers", [Table("Questions answered", heads, rows, note, words=True)])]


def _counts(one: Settled) -> str:
    """Say what counts as the answer to a question."""
    if one.counts is None or one.counts.kind not in ("answer", "several"):
        return one.words
    return f"{'true class' if one.counts.kind == 'answer' else 'true classes'}: {one.words}"


def _trace(found: "AuditStatus") -> list[Section]:
    """List the corrections: what stood there before, and who changed it when."""
    audit = found.audit
    entries = {entry.number: entry for entry in audit.diary}
    rows = [
        [
            audit.disputes[new.row].id,
            f"{old.words} → {new.words}",
            f"by {new.by}, {_when(new.at)}, first said {_when(old.at)}",
        ]
        for new in audit.diary
        if new.corrects is not None and (old := entries[new.corrects])
    ]
    if not rows:
        return []
    heads = ["id", "change", "who, and when (UTC)"]
    note = "An answer is never overwritten: every earlier one is kept in the audit file."
    return [
        Section(
            "corrections", "Corrections", [Table("Answers that were corrected", heads, rows[:MOST], note, words=True)]
        )
    ]


def _facts(found: "AuditStatus") -> Sequence[tuple[str, str]]:
    state, about = found.audit.state, found.audit.about
    people = sorted({entry.by for entry in found.audit.diary})
    return [
        ("rows", f"{state.n:,}"),
        ("rows on which the two disagree", f"{state.disputed:,}"),
        ("questions asked", f"{state.asked:,} of at most {state.most:,}"),
        ("answers that count", f"{state.answered:,}"),
        ("answered by", ", ".join(people) or "nobody yet"),
        ("incumbent", about["incumbent"]),
        ("candidate", about["candidate"]),
        ("classes", shortened([str(name) for name in found.audit.classes])),
        *((name, value) for name, value in about["files"]),
        ("question", WHERE[state.question]),
        ("method", state.method),
        ("margin that matters", f"{about['margin']:g}"),
        ("level", f"{100 * state.level:g} %, {about['alternative']}"),
        ("the expert is wrong about at most", f"{100 * about['expert_error']:g} % of the rows"),
        ("seed", f"{state.seed}"),
        ("audit file, started", f"{found.audit.path.name}, {about['started']}"),
        *(("the file", sentence) for sentence in found.history),
        ("justesse", __version__),
    ]


def _clipped(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def _when(at: str) -> str:
    return at[:19].replace("T", " ")
