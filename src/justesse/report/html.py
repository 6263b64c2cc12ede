"""A document as one HTML file that opens offline."""

import base64
import gzip
import html
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from justesse.charts import renderer
from justesse.core.printable import json_printable, printable_lines
from justesse.core.results import level_percent
from justesse.report.audience import for_page
from justesse.report.document import Choice, Column, Document, Figure, Part, Section, Table, Words
from justesse.report.line_breaks import unbroken
from justesse.report.method_notes import method_notes
from justesse.report.svg import Drawn, drawn

HERE = Path(__file__).parent / "templates"
LARGE = 200_000  # bytes of JSON past which it is kept compressed in the page
MOST_ROWS = 500
TALL = 25  # rows past which a table scrolls inside the page
LONG = 18  # rows past which it does so on a phone: 19 are higher than the 34rem that page.css lets be seen
OPTION_NAME = re.compile(r"(?<![\w-])--[\w-]+")
PHONE = 335  # pixels of a table that a phone shows
MOST_CAUTIONS = 5  # the others are folded


def as_page(document: Document, *, interactive: bool = False, command: str | None = None) -> str:
    """Write the page: no external request, and no script unless it is interactive or has a table to sort."""
    plain, hints = for_page(document)
    whole = replace(plain, sections=[*plain.sections, *_endings(plain, hints, command)])
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
        sorting=(HERE / "sort.js").read_text(encoding="utf-8") if _has_sortable(document) else "",
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
    """Spell out characters that would turn the direction of a text, and keep numbers and their units on one line.

    Markup of our own stays as it is.
    """
    return value if hasattr(value, "__html__") else unbroken(printable_lines(value))


def _endings(document: Document, hints: Sequence[str], command: str | None) -> list[Section]:
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
        parts.append(Table("", ["setting", Column("value", "words")], rows))
    again = [
        *([f"Seed: {document.seed}."] if document.seed is not None else []),
        *([_options_kept(f"To make this page again: {command}")] if command else []),
    ]
    parts += [Words(again)] if again else []
    parts += (
        [
            Words(["Options and commands for what this page advises:"]),
            Words(list(map(_options_kept, hints)), listed=True),
        ]
        if hints
        else []
    )
    return [*made, *([Section("data", "Data and settings", parts)] if parts else [])]


class _Markup(str):
    """Markup of our own, which the template leaves as it is."""

    def __html__(self) -> str:
        return self


def _options_kept(text: str) -> _Markup:
    """Let no line end within an option; spaces stay as they are, so that a command can be copied."""
    return _Markup(OPTION_NAME.sub(r'<span class="option">\g<0></span>', html.escape(printable_lines(text))))


def _level(document: Document) -> str:
    levels = [figure.estimate.interval.level for figure in document.figures if figure.estimate.interval]
    return level_percent(levels[0]) if levels else ""


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
        "head": part.columns,
        "rows": part.cells(shown),
        "note": " ".join(filter(None, (str(part.note), more))),
        "words": part.words,
        "tall": len(shown) > TALL,
        "long": len(shown) > LONG and not part.words,
        "wide": not part.words and _width(part, shown) > PHONE,
        "matrix": part.matrix,
        "sortable": part.sortable and len(shown) > 1,
    }


def _has_sortable(document: Document) -> bool:
    return any(isinstance(part, Table) and part.sortable for section in document.sections for part in section.parts)


def _width(table: Table, rows: Sequence[Sequence[Any]]) -> float:
    """Estimate the pixels of a table on a phone, where the first column wraps but is 104 pixels wide at least."""
    lines = [[column.title for column in table.columns], *table.cells(rows)]
    first, *others = zip(*lines, strict=True)
    word = max((len(word) for text in first for word in text.split()), default=0)
    characters = sum(max(map(len, column)) for column in others)
    return 14.0 * len(lines[0]) + max(90.0, 7.5 * min(word, 17)) + 7.5 * characters


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
