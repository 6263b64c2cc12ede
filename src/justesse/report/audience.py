"""What any reader of a page needs to know, apart from what only helps whoever runs justesse.

A text says what to do in plain words; the option, command or parameter that does it follows in brackets: "Have some
labels re-checked (--audited)." A page leaves the brackets out, and repeats the sentence with them in its last section.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from justesse.report.document import Document, KeyFigure, Part, Section, Table, Text, Words

OPTION = re.compile(r"(?<![\w-])--[a-z]|\b\w+=(?:…|'|True\b|False\b)|\bjustesse(?:\.| [a-z]+\b)")
BRACKETS = re.compile(r"\s*\((?:[^()]*[\s,'`])?(?:--[a-z]|justesse[. ])[^()]*\)")
SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'(])")


def for_readers(text: object) -> tuple[str, str]:
    """Split a text into what every reader needs and the sentences that name options, commands or parameters.

    >>> for_readers("A share of 1 % is plausible. Have labels re-checked (--audited).")
    ('A share of 1 % is plausible. Have labels re-checked.', 'Have labels re-checked (--audited).')

    A sentence that names an option outside brackets has no plain form: it is left out.

    >>> for_readers("Labels are numbers. Did you mean --regression?")
    ('Labels are numbers.', 'Did you mean --regression?')

    A page has everything that `--full` shows, so that this option helps nobody there.

    >>> for_readers("Probabilities are off: see Calibration (--full).")
    ('Probabilities are off: see Calibration.', '')
    """
    plain, hints = [], []
    for sentence in SENTENCES.split(str(text)):
        without = BRACKETS.sub("", sentence)
        if OPTION.search(sentence.replace("(--full)", "")):
            hints.append(sentence)
        if not OPTION.search(without):
            plain.append(without)
    return " ".join(plain), " ".join(hints)


def for_page(document: Document) -> tuple[Document, list[str]]:
    """Leave options and commands out of all texts of a document; return it with sentences that name them, each once."""
    hints: dict[str, str] = {}  # by the options they name
    plain = replace(
        document,
        verdict=_answer(document.verdict, hints),
        headline=_answer(document.headline, hints),
        figures=[_figure(figure, hints) for figure in document.figures],
        cautions=_lines(document.cautions, hints),
        how=_lines(document.how, hints),
        assumptions=_lines(document.assumptions, hints),
        sections=[_section(section, hints) for section in document.sections],
    )
    return plain, list(hints.values())


def _answer(text: Text, hints: dict[str, str]) -> Text:
    """Leave out brackets only: a name that the answer quotes may look like an option."""
    plain = BRACKETS.sub("", str(text))
    if plain == str(text):
        return text
    _text(text, hints)
    return plain


def _text(text: Text, hints: dict[str, str]) -> Text:
    plain, hint = for_readers(text)
    if hint:
        hints.setdefault(" ".join(BRACKETS.findall(hint)) or hint, hint)
    return text if plain == str(text) else plain


def _lines(lines: Sequence[Text], hints: dict[str, str]) -> list[Text]:
    return [plain for line in lines if str(plain := _text(line, hints))]


def _figure(figure: KeyFigure, hints: dict[str, str]) -> KeyFigure:
    return replace(figure, note=str(_text(figure.note, hints)), counted=str(_text(figure.counted, hints)))


def _section(section: Section, hints: dict[str, str]) -> Section:
    parts: list[Part] = []
    for part in section.parts:
        if isinstance(part, Words):
            lines = _lines(part.lines, hints)
            parts += [replace(part, lines=lines)] if lines else []
        elif isinstance(part, Table):
            parts.append(_table(part, hints))
        else:
            parts.append(part)
    return replace(section, parts=parts)


def _table(table: Table, hints: dict[str, str]) -> Table:
    """Do so in the note and in cells that hold sentences; other cells hold names and values, and stay as they are."""
    kinds = [column.kind for column in table.columns]
    if "sentence" in kinds:
        rows = [
            [_text(cell, hints) if kind == "sentence" else cell for kind, cell in zip(kinds, row, strict=True)]
            for row in table.rows
        ]
        table = replace(table, rows=rows)
    return replace(table, note=_text(table.explained(), hints))
