"""A document as one HTML file that opens offline."""

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from justesse.charts import renderer
from justesse.core.printable import json_printable, printable_lines
from justesse.report.audience import for_readers
from justesse.report.document import Choice, Document, Figure, Part, Section, Table, Text, Words
from justesse.report.method_notes import method_notes
from justesse.report.svg import Drawn, drawn

HERE = Path(__file__).parent / "templates"
LARGE = 200_000  # bytes of JSON past which it is kept compressed in the page
MOST_ROWS = 500
TALL = 25  # rows past which a table scrolls inside the page
LONG = 12  # rows past which it does so on a phone
PHONE = 335  # pixels of a table that a phone shows
MOST_CAUTIONS = 5  # the others are folded


def as_page(document: Document, *, interactive: bool = False, command: str | None = None) -> str:
    """Write the page: no external request, and no script unless it is interactive."""
    advice: list[str] = []
    plain = replace(
        document,
        cautions=_plain(document.cautions, advice),
        how=_plain(document.how, advice),
        assumptions=_plain(document.assumptions, advice),
        sections=[_plain_section(section, advice) for section in document.sections],
    )
    whole = replace(plain, sections=[*plain.sections, *_endings(plain, list(dict.fromkeys(advice)), command)])
    figures = [figure for section in whole.sections for figure in _figures(section.parts)]
    pictures = dict(zip(map(id, figures), drawn(figures), strict=True))
    data = document.data() if callable(document.data) else document.data
    text = json.dumps(data, ensure_ascii=False).encode(errors="backslashreplace")
    large = len(text) > LARGE
    specs = [[picture.spec, picture.phone_spec] for picture in pictures.values()]
    page: str = _template("page.html").render(
        document=whole,
        parts=lambda section: [_ready(part, pictures) for part in section.parts],
        style=_style(),
        download=base64.b64encode(gzip.compress(text, mtime=0) if large else text).decode(),
        file=f"{document.name}.json.gz" if large else f"{document.name}.json",
        kind="application/gzip" if large else "application/json",
        script=page_script() if interactive else "",
        specs=embedded_json(specs) if interactive else "",
        most_cautions=MOST_CAUTIONS,
    )
    return page


def embedded_json(value: Any) -> str:
    """Write JSON that no HTML parser can take for markup, whatever names are in it.

    >>> embedded_json("<!--<script>")
    '"\\\\u003c!--\\\\u003cscript>"'
    """
    return json_printable(json.dumps(value, ensure_ascii=False)).replace("<", "\\u003c")


def shown(value: Any) -> Any:
    """Spell out characters that would turn the direction of a text; markup of our own stays as it is."""
    return value if hasattr(value, "__html__") else printable_lines(value)


def _plain(lines: Sequence[Text], advice: list[str]) -> list[Text]:
    """Leave out options and commands; sentences about them are added to the advice at the end of the page."""
    kept: list[Text] = []
    for line in lines:
        plain, other = for_readers(line)
        kept += [line if plain == str(line) else plain] if plain else []
        advice += [other] if other else []
    return kept


def _plain_section(section: Section, advice: list[str]) -> Section:
    """Do the same with the sentences of a section; cells of tables hold names and values, and stay as they are."""
    parts: list[Part] = []
    for part in section.parts:
        if isinstance(part, Words):
            lines = _plain(part.lines, advice)
            parts += [replace(part, lines=lines)] if lines else []
        elif isinstance(part, Table):
            parts.append(replace(part, note=" ".join(map(str, _plain([part.explained()], advice)))))
        else:
            parts.append(part)
    return replace(section, parts=parts)


def _endings(document: Document, advice: Sequence[str], command: str | None) -> list[Section]:
    """Put the method, the settings and what helps to run it again at the end of the page."""
    level = _level(document)
    lines: list[Any] = [
        *(
            [
                f"A {level} confidence interval comes from a procedure that covers the true value in {level} of repetitions."
            ]
            if level
            else []
        ),
        *document.how,
        *method_notes(document),
        *([f"Everything assumes that {'; '.join(map(str, document.assumptions))}."] if document.assumptions else []),
    ]
    made = [Section("method", "Method and assumptions", [Words(lines)])] if lines else []
    parts: list[Part] = []
    if document.facts:
        rows = [[name, str(value)] for name, value in document.facts]
        parts.append(Table("", ["setting", "value"], rows, words=True))
    again = [
        *([f"Seed: {document.seed}."] if document.seed is not None else []),
        *([f"To make this page again: {command}"] if command else []),
        *advice,
    ]
    parts += [Words(again)] if again else []
    return [*made, *([Section("data", "Data and settings", parts)] if parts else [])]


def _level(document: Document) -> str:
    levels = [figure.estimate.interval.level for figure in document.figures if figure.estimate.interval]
    return f"{100 * levels[0]:.4g} %" if levels else ""


def _figures(parts: Sequence[Part]) -> list[Figure]:
    return [
        figure
        for part in parts
        for figure in (
            [part]
            if isinstance(part, Figure)
            else [each for _, each in part.figures]
            if isinstance(part, Choice)
            else []
        )
    ]


def _ready(part: Part, pictures: dict[int, Drawn]) -> dict[str, Any]:
    """Turn a part into what the template needs to know of it."""
    if isinstance(part, Words):
        return {"kind": "words", "lines": part.lines, "listed": part.listed}
    if isinstance(part, Figure):
        return {"kind": "figure", "figure": pictures[id(part)]}
    if isinstance(part, Choice):
        return {
            "kind": "choice",
            "name": part.name,
            "figures": [(name, pictures[id(figure)]) for name, figure in part.figures],
        }
    shown = part.rows[:MOST_ROWS]
    more = f"{len(shown):,} of {len(part.rows):,} rows; the JSON has all." if len(shown) < len(part.rows) else ""
    return {
        "kind": "table",
        "caption": part.caption,
        "head": [column.title for column in part.columns],
        "rows": part.cells(shown),
        "note": " ".join(filter(None, (str(part.note), more))),
        "words": part.words,
        "tall": len(shown) > TALL,
        "long": len(shown) > LONG and not part.words,
        "wide": not part.words and _width(part, shown) > PHONE,
        "matrix": part.matrix,
    }


def _width(table: Table, rows: Sequence[Sequence[Any]]) -> float:
    """Estimate the pixels of a table on a phone, where the first column wraps."""
    lines = [[column.title for column in table.columns], *table.cells(rows)]
    longest = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return 14.0 * len(longest) + 7.5 * (min(longest[0], 17) + sum(longest[1:]))


@cache
def _template(name: str) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    ).get_template(name)


@cache
def _style() -> str:
    return (HERE / "page.css").read_text()


@cache
def page_script() -> str:
    """Give the script of interactive pages, with the licences of what it is made of: the bundle itself has none."""
    licences = (HERE / "script-licences.txt").read_text(encoding="utf-8")
    return f"/*!\n{licences}*/\n{renderer.script('window.vegaEmbed = vegaEmbed;')}"
