"""What any result looks like to a reader: key figures, sentences, typed tables, charts, cautions.

A result describes itself once, as a `Document`; `terminal`, `html`, `markdown`, `notebook` and `text` turn the same
document into what each medium shows. Nothing here is written for one medium.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from justesse.core.results import Estimate
from justesse.core.version import __version__
from justesse.report.writing import TEXTS, WRAPPED, Message, paragraph, written

Detail = Literal["headline", "summary", "full"]
DETAILS: tuple[Detail, ...] = ("headline", "summary", "full")
Text = str | Message


@dataclass(frozen=True)
class Words:
    """Paragraphs, or a list of remarks."""

    lines: Sequence[Text]
    listed: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table: its heading and the format its cells are written in (see `report.writing`).

    The kind decides how the cells are set: texts to the left, numbers to the right. `text` holds names and short texts,
    `words` longer ones, which wrap, `sentence` sentences for readers: on a page, what they say about options stands in
    the last section. On a narrow screen columns are left out by `drop`, the highest first; 0 stays. `note` explains the
    column under the table, if it is shown.
    """

    title: str
    kind: str = "text"
    drop: int = 0
    note: str = ""

    @property
    def left(self) -> bool:
        """Tell whether the cells are set to the left."""
        return self.kind in TEXTS

    @property
    def wrapped(self) -> bool:
        """Tell whether the cells are longer texts, which wrap."""
        return self.kind in WRAPPED


@dataclass(frozen=True)
class Table:
    """Rows of values under a caption; the first column names the row.

    A heading given as a plain text is a column of text. `most` rows are shown where there is little room, the first
    ones: put what matters most first. The cells of a `matrix` mean something only side by side: it is left out where
    it does not fit, and folded beside the picture of it. A page lets the reader sort a `sortable` one by any column;
    without a script it keeps its order.

    >>> table = Table("Measures", ["measure", Column("value", "value")], [["accuracy", 0.9]])
    >>> table.cells()
    [['accuracy', '0.9000']]
    """

    caption: str
    head: Sequence[str | Column]
    rows: Sequence[Sequence[Any]]
    note: Text = ""
    most: int = 20
    matrix: bool = False
    sortable: bool = False

    @property
    def columns(self) -> list[Column]:
        return [head if isinstance(head, Column) else Column(head) for head in self.head]

    @property
    def words(self) -> bool:
        """Tell whether cells after the first of a row wrap: on a phone they stand below each other."""
        return any(column.wrapped for column in self.columns[1:])

    def explained(self, columns: Sequence[Column] | None = None) -> Message:
        """Give the note of the table, then those of its columns, or of the columns that are shown."""
        return paragraph(self.note, *(column.note for column in (self.columns if columns is None else columns)))

    def cells(self, rows: Sequence[Sequence[Any]] | None = None) -> list[list[str]]:
        """Write every cell in the format of its column."""
        kinds = [column.kind for column in self.columns]
        return [
            [written(kind, value) for kind, value in zip(kinds, row, strict=True)]
            for row in (self.rows if rows is None else rows)
        ]


@dataclass(frozen=True)
class KeyFigure:
    """A number to see first: its name, the estimate and the format of its value and interval.

    A `count`, such as the number of rows that a plan needs, is not measured: it has no interval.
    """

    name: str
    estimate: Estimate
    kind: Literal["share", "value", "points", "difference", "digits", "signed", "count"] = "value"
    note: str = ""
    counted: str = ""  # what the estimate comes from, if not rows: "11 answers about 53 disputed rows"

    @property
    def value(self) -> str:
        return written(self.kind, self.estimate)

    @property
    def level(self) -> str:
        """Name the level of the interval, if there is one."""
        interval = self.estimate.interval
        return f"{interval.name} " if interval else ""

    @property
    def interval(self) -> str:
        if self.kind == "count" or (self.estimate.interval is None and not self.estimate.undefined):
            return ""
        return written("interval" if self.kind == "value" else f"{self.kind}_interval", self.estimate)

    @property
    def n(self) -> str:
        """Say what the figure comes from: a number of rows, or what is counted instead."""
        return self.counted or written("count", self.estimate)

    @property
    def basis(self) -> str:
        """Say how many rows the figure comes from, and its note."""
        rows = "" if self.kind == "count" else self.counted or f"n = {self.n}"
        return "; ".join(text for text in (rows, self.note) if text)


@dataclass(frozen=True)
class Figure:
    """A chart, drawn only by the media that show it, and the words that replace it for those who do not see it.

    `draw` gives an Altair chart; or `svg` is the picture itself, with `alt_text` as its words.
    """

    draw: Callable[[], Any] | None = None
    zoom: bool = False
    svg: str = ""
    alt_text: str = ""


@dataclass(frozen=True)
class Choice:
    """Several figures of which one is shown, switched without a script."""

    name: str
    figures: Sequence[tuple[str, Figure]]


Part = Words | Table | Figure | Choice


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it; `detail` says who sees it.

    `headline` sections are in every medium, `summary` ones on the terminal and in Markdown too, `full` ones on the page
    and where `--full` asks for them.
    """

    id: str
    title: str
    parts: Sequence[Part]
    detail: Detail = "full"


@dataclass(frozen=True)
class Document:
    """The answer, what to be careful about, the sections, what it rests on, and everything as data.

    `verdict` is what to do, in a sentence, where the document is about a decision; `tone` colours it. `data` may be a
    function, so that media that do not show the data need not compute it.
    """

    title: str
    headline: Text
    sections: Sequence[Section]
    data: Mapping[str, Any] | Callable[[], Mapping[str, Any]]
    verdict: Text = ""
    tone: str = ""
    name: str = "evaluation"
    figures: Sequence[KeyFigure] = ()
    cautions: Sequence[Text] = ()
    assumptions: Sequence[Text] = ()
    how: Sequence[Text] = ()
    facts: Sequence[tuple[str, Text]] = ()
    seed: int | None = None
    next_step: Text = ""
    version: str = field(default=__version__)

    def shown(self, detail: Detail) -> list[Section]:
        """List the sections that a reader sees at this level of detail."""
        seen = DETAILS[: DETAILS.index(detail) + 1]
        return [section for section in self.sections if section.detail in seen]

    def hidden(self, detail: Detail) -> list[Section]:
        """List the sections left out at this level of detail."""
        seen = self.shown(detail)
        return [section for section in self.sections if section not in seen]
