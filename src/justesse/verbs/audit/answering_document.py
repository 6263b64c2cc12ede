"""The questions of an audit, the answers that were saved and the copy of an audit, as a reader meets them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from justesse.core.class_sets import joined_classes
from justesse.core.levels import shown_name
from justesse.report.document import Column, Document, Section, Table, Words
from justesse.report.writing import message
from justesse.verbs.audit.pooled_words import credit_form
from justesse.verbs.audit.words import SHORT_WHERE
from justesse.verbs.file_facts import shortened

if TYPE_CHECKING:
    from justesse.verbs.audit.answer import AuditAnswered
    from justesse.verbs.audit.export import AuditExported
    from justesse.verbs.audit.next import AskedQuestion, AuditQuestions

LONG_QUESTION = 2_000  # characters of a text in a question


def questions_document(questions: "AuditQuestions") -> Document:
    """Describe the questions to answer; a text to read stands under its question, otherwise they make a table."""
    audit, due = questions.audit, questions.questions
    several = joined_classes(audit.classes[:2], audit.separator or "|")
    template = "Answer with a class, several ({several}), both, neither, flawed or ? (cannot say)."
    if any(question.pooled for question in due):
        template = "Answer with a class, several ({several}), neither (none is right), flawed or ? (cannot say)."
    if any(question.credits for question in due):
        template = (
            "Answer with the credit of each answer, from 0 to 1, such as {form} (#1 is the first answer listed; those left out get "
            "0); with a class, which gets 1; or with neither (none is right), flawed or ? (cannot say)."
        )
    return Document(
        "Questions of an audit",
        questions.title,
        _with_texts(due) if any(question.shown for question in due) else _as_table(due),
        questions.to_dict,
        name="questions",
        facts=[("audit file", audit.path.name), ("classes", shortened([str(name) for name in audit.classes]))],
        next_step=message(template, several=several, form=credit_form(audit)) if due else "",
    )


def _as_table(due: Sequence["AskedQuestion"]) -> list[Section]:
    if not due:
        return []
    if due[0].pooled:
        return [Section("questions", "Questions", [Words([question.words for question in due])], "headline")]
    revealed = ["incumbent", "candidate", "label"] if due[0].revealed else []
    rows = [
        [question.id, *map(shown_name, question.answers), *(shown_name(question.to_dict()[name]) for name in revealed)]
        for question in due
    ]
    table = Table("Which is right?", ["id", "one answer", "other answer", *revealed], rows, most=len(due))
    return [Section("questions", "Questions", [table], "headline")]


def _with_texts(due: Sequence["AskedQuestion"]) -> list[Section]:
    """Put each text under its question, indented, so that none of its lines can pass for one of ours."""
    sections = []
    for question in due:
        text = question.shown or ""
        lines = text[:LONG_QUESTION].splitlines()
        if len(text) > LONG_QUESTION:
            lines.append("…")
        words = [question.words, *(f"  {line}" for line in lines)]
        title = str(message("Question {turn}", turn=question.turn))
        sections.append(Section(f"question-{question.turn}", title, [Words(words)], "headline"))
    return sections


def answered_document(answered: "AuditAnswered") -> Document:
    """Describe which answers were saved."""
    audit, number = answered.audit, len(answered.recorded)
    withdrawn = sum(entry.kind == "withdrawn" for entry in answered.recorded)
    templates = ["{saved:count answer} saved."] if number > withdrawn or not number else []
    templates += ["{withdrawn:count answer} withdrawn."] if withdrawn else []
    templates.append("Answers that count so far: {counted:count}.")
    if audit.state.stop in ("replace", "keep", "equivalent"):
        templates.append("The verdict {where} is now sure: {decision}. See justesse audit status.")
    if audit.state.stop == "settled":
        templates.append("The goal is now settled. See justesse audit status.")
    if answered.repeated:
        templates.append("{repeated:count answer} repeated an earlier answer of the same person.")
    if answered.empty:
        templates.append("{empty:count row} without an answer.")
    headline = message(
        " ".join(templates),
        saved=number - withdrawn,
        withdrawn=withdrawn,
        counted=audit.counted,
        where=SHORT_WHERE[getattr(audit.state, "question", "test set")],
        decision=audit.state.decision,
        repeated=answered.repeated,
        empty=answered.empty,
    )
    rows = [
        [audit.disputes[entry.row].id, audit.turns.get(entry.row), entry.words, entry.by] for entry in answered.recorded
    ]
    table = Table("", ["id", Column("question", "count"), "answer", "by"], rows)
    return Document(
        "Answers to an audit",
        headline,
        [Section("saved", "Saved answers", [table])] if len(rows) > 1 else [],
        answered.to_dict,
        name="answers",
        cautions=answered.warnings,
    )


def exported_document(exported: "AuditExported") -> Document:
    """Describe the copy of an audit."""
    audit = exported.audit
    return Document(
        "Copy of an audit",
        message("Copied to {path}, with {n:count answer}.", path=audit.path, n=len(audit.diary)),
        [],
        exported.to_dict,
        name="export",
        facts=[("original", exported.source), ("format", str(audit.format))],
    )
