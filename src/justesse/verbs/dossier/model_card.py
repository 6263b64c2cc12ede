"""A section of a model card, in Markdown, from a dossier."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from justesse.dossier.seal import SEAL, SIGNATURE
from justesse.report.markdown import as_markdown, escaped
from justesse.report.writing import Message, message
from justesse.verbs.dossier.repeat import repeated
from justesse.verbs.dossier.sheet_questions import ANSWERED_TITLE, answered_questions, section_questions
from justesse.verbs.dossier.words import data_words


def model_card(record: Mapping[str, Any]) -> str:
    """Write the evaluation section of a model card: the result as its command prints it, then where it comes from."""
    lines: list[str | Message] = ["## Evaluation", ""]
    if record["recomputed"]["except"] != [""]:
        text = as_markdown(repeated(record).document(), "summary")
        lines += [f"#{line}" if line.startswith("#") else line for line in text.rstrip().splitlines()]
    else:
        lines += [escaped(record["verdict"]["words"]), ""]
        lines += [_line("- {warning}", warning=warning) for warning in record["warnings"]]
    lines += _sheet_lines(record["sheet"])
    lines += ["", "### Evidence", ""]
    run, signature = record["run"], record[SIGNATURE]
    lines.append(
        _line(
            "- Evaluated by {who} on {when}, justesse {version}.",
            who=run["who"],
            when=run["when"],
            version=record["versions"]["justesse"],
        )
    )
    lines += [
        _line("- Data ({name}): {words}.", name=entry["argument"], words=data_words(entry)) for entry in record["data"]
    ]
    model = record["model"]
    if model is not None:
        lines += [
            _line("- Model file {file}, SHA-256 {sha}.", file=fact["file"], sha=fact["sha256"])
            for fact in model["files"]
        ]
        lines += [
            _line("- Trained on {file}, SHA-256 {sha}.", file=fact["file"], sha=fact["sha256"])
            for fact in model["training"]
        ]
        if model["commit"] is not None:
            lines.append(_line("- Code of the training: {commit}.", commit=model["commit"]))
        if model["seed"] is not None:
            lines.append(_line("- Seed of the training: {seed}.", seed=model["seed"]))
    if record["plan"] is not None:
        lines.append(
            _line(
                "- Margin, level and measure were fixed on {when}, before the labels were opened.",
                when=record["plan"]["record"]["run"]["when"],
            )
        )
    signed = message("signed by {name}", name=signature["signer"]) if signature else "not signed"
    lines.append(_line("- Dossier {sha}, {signed}.", sha=record[SEAL]["sha256"], signed=signed))
    return "\n".join(map(str, lines)) + "\n"


def _sheet_lines(sheet: Mapping[str, Any] | None) -> list[str | Message]:
    """Write the answers of the data sheet, section by section, and how many questions are open."""
    if sheet is None:
        return []
    lines: list[str | Message] = ["", "### Data sheet", ""]
    listed = answered_questions(sheet["answers"])
    for title, entries in groupby(listed, key=lambda entry: entry[0]):
        lines += [_line("#### {title}", title=title), ""]
        lines += [_line("- {question} {answer}", question=question, answer=answer) for _, question, answer in entries]
        lines.append("")
    total = sum(len(questions) for _, questions in section_questions().values())
    answered = sum(title != ANSWERED_TITLE for title, _, _ in listed)
    lines.append(message("{n:count question} of the data sheet {n:plural is|are} open.", n=max(total - answered, 0)))
    return lines


def _line(template: str, **values: Any) -> Message:
    """Write a line of Markdown in which whatever comes from the dossier is text: no HTML, no links, no terminal codes."""
    return message(template, **{name: escaped(value) for name, value in values.items()})
