"""Mark every section and table that is about the labels, where the true classes are known too."""

from collections.abc import Sequence
from dataclasses import replace

from justesse.report.document import KeyFigure, Part, Section, Table

MARK = ", against the labels"
SHORT_MARK = ", labels"
UNMARKED = ("required", "truth", "noise")  # they say themselves what they are about


def marked_sections(sections: Sequence[Section]) -> list[Section]:
    """Add "against the labels" to the titles of sections and tables.

    >>> marked_sections([Section("classes", "Each class", [Table("Each class", ["class"], [])])])[0].title
    'Each class, against the labels'
    """
    return [
        section
        if section.id in UNMARKED
        else replace(section, title=_marked(section.title), parts=[_marked_part(part) for part in section.parts])
        for section in sections
    ]


def marked_figure(figure: KeyFigure) -> KeyFigure:
    """Add "labels" to the name of a key figure that does not say what it is about."""
    named = figure.name.endswith((SHORT_MARK, ", true classes", ", re-checked rows"))
    return figure if named else replace(figure, name=f"{figure.name}{SHORT_MARK}")


def _marked_part(part: Part) -> Part:
    return replace(part, caption=_marked(part.caption)) if isinstance(part, Table) and part.caption else part


def _marked(title: str) -> str:
    return title if title.endswith(MARK) else f"{title}{MARK}"
