"""What a page is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Words:
    """Paragraphs, or a list of remarks."""

    kind = "words"
    lines: Sequence[str]
    listed: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of text under a caption; the first column names the row, the others are numbers."""

    kind = "table"
    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    words: bool = False  # the cells are words, not numbers


@dataclass(frozen=True)
class Figure:
    """A picture as inline SVG, with the words that replace it for those who do not see it."""

    kind = "figure"
    svg: str
    said: str
    spec: dict[str, Any] | None = None


@dataclass(frozen=True)
class Choice:
    """Several figures of which one is shown, switched without a script."""

    kind = "choice"
    name: str
    figures: Sequence[tuple[str, Figure]]


Part = Words | Table | Figure | Choice


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    id: str
    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Document:
    """A page: the answer in words, then the sections, then everything as data.

    `verdict` is what to do, in a sentence, where the page is about a decision; `tone` colours it.
    """

    title: str
    headline: str
    sections: Sequence[Section]
    data: dict[str, Any]
    version: str
    interactive: bool = False
    verdict: str = ""
    tone: str = ""
    name: str = "evaluation"
