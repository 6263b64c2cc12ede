"""A question as a page shows it: the image, the sound, the text or the row, and the choices."""

import itertools
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from justesse.core.levels import shown_name
from justesse.verbs.audit.base_audit import BaseAudit
from justesse.verbs.audit.desk_transaction import Turn
from justesse.verbs.audit.next import AskedQuestion
from justesse.verbs.llm_judge.asked_words import output_question
from justesse.web.people import Person

IMAGES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}
SOUNDS = {
    ".wav": "audio/wav", ".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".oga": "audio/ogg", ".flac": "audio/flac",
    ".m4a": "audio/mp4", ".opus": "audio/ogg",
}  # fmt: skip
SCORED = "Which answer is right?"  # answers with scores are texts, not classes
Shows = Literal["nothing", "text", "row", "image", "audio"]
_START, _COUNTER = secrets.token_urlsafe(12), itertools.count()  # keys must differ; they need not be secret
ENDED = {
    "settled": "This audit needs no more answers. Thank you.",
    "paused": "This audit is paused. Your answers are saved. Come back later.",
    "waiting": "There is no question for you at the moment. This page looks again every few seconds.",
}


@dataclass(frozen=True)
class ShownQuestion:
    """What a page shows of a question.

    Parameters
    ----------
    row
        Position among the disputed rows.
    id
        Id in the data.
    shows
        What is shown of the row.
    text
        Its text, if it is a text.
    cells
        Names and values, if it is a row of several columns.
    media
        Address of the image or sound.
    choices
        The classes to choose from, in an order that hides who gave which answer.
    both
        Whether both choices may be right.
    ask
        The question in words.
    buttons
        The words on the button of each choice.
    classed
        Whether the right class may be none of the choices; a better output is always one of them.
    credits
        Whether answers may get partial credit in this audit.
    scored
        Whether the data record a score for each answer, so that credits are what is expected.
    key
        Tells the answer to this question from all other requests, if the page has no script.
    """

    row: int
    id: str
    shows: Shows
    text: str
    cells: tuple[tuple[str, str], ...]
    media: str | None
    choices: tuple[str, ...]
    both: bool
    key: str
    ask: str = "Which class is right?"
    buttons: tuple[str, ...] = ()
    classed: bool = True
    credits: bool = False
    scored: bool = False


def shown_questions(turn: Turn, name: str) -> list[ShownQuestion]:
    """Make the questions of a turn ready for a page."""
    return [_shown(turn.audit, question, row, name) for question, row in zip(turn.questions, turn.rows, strict=True)]


def _shown(audit: BaseAudit, question: AskedQuestion, row: int, name: str) -> ShownQuestion:
    names = list(dict.fromkeys(shown_name(each) for each in question.answers if each is not None))
    shows = shown_kind(audit, question.shown)
    columns: Sequence[str] = audit.about.get("columns", ())
    cells = split_cells(question.shown or "", columns) if shows == "row" else ()
    outputs = output_question(audit.about)
    scored = question.credits and _records_scores(audit, row)
    if outputs is not None:
        names = [value for value, _ in outputs.choices]
    return ShownQuestion(
        row=row,
        id=question.id,
        shows=shows,
        text=question.shown or "" if shows == "text" else "",
        cells=cells,
        media=f"/audits/{quote(name, safe='')}/media/{row}" if shows in ("image", "audio") else None,
        choices=tuple(names),
        both=outputs is None and len(names) == 2 and None not in question.answers,
        key=f"{_START}-{next(_COUNTER)}",
        ask=outputs.ask if outputs is not None else SCORED if scored else ShownQuestion.ask,
        buttons=tuple(names) if outputs is None else tuple(words for _, words in outputs.choices),
        classed=outputs is None,
        credits=question.credits,
        scored=scored,
    )


def _records_scores(audit: BaseAudit, row: int) -> bool:
    """Tell whether the data record a score for each answer to a question."""
    return getattr(audit.disputes[row], "credits", None) is not None


def shown_kind(audit: BaseAudit, shown: str | None) -> Shows:
    """Tell what is shown of a row."""
    if not shown:
        return "nothing"
    if len(audit.about.get("columns", ())) > 1:
        return "row"
    if "\n" not in shown and Path(shown).suffix.lower() in SOUNDS:
        return "audio"
    return "image" if audit.about["shows"] == "image" else "text"


def split_cells(text: str, columns: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Split what is shown of several columns, `name: value` on a line each, a value may have several lines.

    >>> split_cells("title: A: b\\ntext: first\\nsecond", ["title", "missing", "text"])
    (('title', 'A: b'), ('text', 'first\\nsecond'))
    """
    cells: list[tuple[str, str]] = []
    left = list(columns)
    for line in text.split("\n"):
        at = next((at for at, name in enumerate(left) if line.startswith(f"{name}: ")), None)
        if at is None:
            if cells:
                cells[-1] = (cells[-1][0], f"{cells[-1][1]}\n{line}")
            continue
        cells.append((left[at], line[len(left[at]) + 2 :]))
        left = left[at + 1 :]
    return tuple(cells)


def other_classes(audit: BaseAudit) -> list[str]:
    """List all classes as people read them; none if the choices of each question are all there is."""
    if output_question(audit.about) is not None or (audit.disputes and _records_scores(audit, 0)):
        return []  # answers with scores are texts, and those to other questions are no choices
    return [shown_name(name) for _, name in tuple(audit.codes) if name is not None]


def media_path(audit: BaseAudit, row: int, folders: Sequence[Path]) -> tuple[Path, str] | None:
    """Return the file of a row and its type; `None` unless it is an image or a sound inside one of the folders."""
    if not 0 <= row < len(audit.disputes) or not (shown := audit.disputes[row].shown):
        return None
    kinds: dict[str, Any] = {"image": IMAGES, "audio": SOUNDS}.get(shown_kind(audit, shown), {})
    kind = kinds.get(Path(shown).suffix.lower())
    if kind is None or "\0" in shown:
        return None
    for folder in folders:
        path = (folder / shown).resolve()
        if path.is_relative_to(folder.resolve()) and path.is_file():
            return path, str(kind)
    return None


def can_undo(turn: Turn, person: Person) -> bool:
    """Tell whether a person may withdraw an answer: once the audit has ended, only the owner does."""
    return turn.last is not None and (turn.ended != "settled" or person.role == "owner")
