"""A document on a terminal: the answer first, what to be careful about, then tables that never lose a digit."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from justesse.core.printable import printable
from justesse.report.document import Column, Detail, Document, Section, Table, Words
from justesse.report.line_breaks import SPACE, unbroken
from justesse.report.spelling import as_typed

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {"replace": "bold green", "keep": "bold red", "equivalent": "bold", "cannot_tell": "bold yellow"}
MOST_CAUTIONS = 5
HIDDEN = "dim italic"  # the style of lines that name hidden columns
SEE_ALL = "To see all columns: widen the terminal, or use --format markdown or --json."
GAPS = (3, 2)  # columns between two cells: fewer before a column is left out


def show(document: Document, screen: "Console", detail: Detail = "summary") -> None:
    """Print it, at the width of the screen."""
    from rich.text import Text

    def line(text: object, style: str = "") -> None:
        for part in _wrapped(printable(as_typed(str(text))), screen.width):
            screen.print(Text(part, style=style))

    if str(document.verdict):
        line(document.verdict, STYLES.get(document.tone, "bold"))
        line(document.headline)
    else:
        line(document.headline, "bold")
    cautions = document.cautions if detail == "full" else document.cautions[:MOST_CAUTIONS]
    for caution in cautions:
        line(f"! {caution}", "yellow")
    if len(cautions) < len(document.cautions):
        line(f"! {len(document.cautions) - len(cautions)} more with --full.", "yellow")
    narrow = False
    for section in document.shown(detail):
        for at, part in enumerate(section.parts):
            if isinstance(part, Words):
                screen.print()
                if at == 0:
                    line(section.title, "bold")
                for words in part.lines:
                    line(f"{'- ' if part.listed else ''}{words}")
            elif isinstance(part, Table) and (rows := table_lines(part, screen.width, detail)):
                screen.print()
                line(part.caption or section.title, "bold")
                for row, style in rows:
                    line(row, style)
                    narrow = narrow or style == HIDDEN
    hidden = [section.title for section in document.hidden(detail) if _readable(section)]
    if document.assumptions or hidden or str(document.next_step) or narrow:
        screen.print()
    if document.assumptions:
        line(f"Assumes that {'; '.join(map(str, document.assumptions))}.{_seed(document)}", "dim")
    if narrow:
        line(SEE_ALL, "dim")
    if hidden:
        line(f"--full also shows: {'; '.join(hidden)}.", "dim")
    if str(document.next_step):
        line(document.next_step)


def _readable(section: Section) -> bool:
    """Tell whether a terminal can show anything of a section: charts alone are for pages."""
    return any(isinstance(part, (Words, Table)) for part in section.parts)


def _seed(document: Document) -> str:
    return "" if document.seed is None else f" Seed {document.seed}."


def table_lines(table: Table, width: int, detail: Detail = "summary") -> list[tuple[str, str]]:
    """Lay a table out for a width, with a style for each line, and its note below.

    Columns are left out by their importance until the rest fits, and named below; a table that still does not fit is
    stacked, one line per cell, and a matrix has no lines. No cell is ever cut. In full detail no value is left out.

    >>> head = ["name", Column("value", "value"), Column("method", "text", drop=1)]
    >>> wide = Table("", head, [["accuracy", 0.9, "wilson"]])
    >>> for line, _ in table_lines(wide, 30): print(line)
    name        value   method
    ──────────────────────────
    accuracy   0.9000   wilson
    >>> for line, _ in table_lines(wide, 18): print(line)
    name        value
    ─────────────────
    accuracy   0.9000
    Hidden columns: method.
    >>> for line, _ in table_lines(wide, 12): print(line)
    accuracy
      value   0.9000
      method  wilson
    >>> for line, _ in table_lines(Table("", ["class", Column("recall", "value")], [[0, 0.9]]), 12): print(line)
    class 0
      recall  0.9000
    >>> pair = Table("", ["name", Column("old", "value", drop=1), Column("new", "value")], [["recall", 0.8, 0.9]])
    >>> for line, _ in table_lines(pair, 16, "full"): print(line)
    recall
      old  0.8000
      new  0.9000
    """
    rows = table.rows if detail == "full" else table.rows[: table.most]
    cells = table.cells(rows)
    more = len(table.rows) - len(rows)
    ending = [(f"… and {more:,} more rows with --full", "dim")] if more else []

    def ended(lines: list[tuple[str, str]], kept: Sequence[int]) -> list[tuple[str, str]]:
        note = str(table.explained([table.columns[at] for at in kept]))
        left_out = [column.title for at, column in enumerate(table.columns) if at not in kept and column.title]
        hidden = [(f"Hidden columns: {', '.join(left_out)}.", HIDDEN)] if left_out else []
        return [*lines, *ending, *([(note, "dim")] if note else []), *hidden]

    kept = list(range(len(table.columns)))
    while True:
        columns = [table.columns[at] for at in kept]
        shown = [[row[at] for at in kept] for row in cells]
        wide = _widths(columns, shown)
        gap = next((gap for gap in GAPS if sum(wide) + gap * (len(wide) - 1) <= width), None)
        droppable = [at for at in kept if _droppable(table.columns[at], detail)]
        if gap is not None:
            return ended(_laid_out(table, columns, shown, wide, gap), kept)
        if not droppable and table.matrix:
            return []
        if not droppable:  # one cell per line has room for every column
            return ended(stacked(table.columns, cells, width), range(len(table.columns)))
        kept.remove(max(droppable, key=lambda at: (table.columns[at].drop, at)))


def _droppable(column: Column, detail: Detail) -> bool:
    return column.drop > 0 and not (detail == "full" and column.kind in ("value", "digits"))


def _widths(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[int]:
    from rich.cells import cell_len

    return [
        max(cell_len(text) for text in (column.title, *(row[at] for row in cells))) for at, column in enumerate(columns)
    ]


def _laid_out(
    table: Table, columns: Sequence[Column], cells: Sequence[Sequence[str]], wide: Sequence[int], gap: int
) -> list[tuple[str, str]]:
    from rich.cells import cell_len

    def laid(row: Sequence[str]) -> str:
        padded = []
        for at, (text, size) in enumerate(zip(row, wide, strict=True)):
            space = " " * (size - cell_len(text))
            padded.append(text + space if at == 0 or columns[at].left else space + text)
        return (" " * gap).join(padded).rstrip()

    rule = "─" * (sum(wide) + gap * (len(wide) - 1))
    return [(laid([column.title for column in columns]), "dim"), (rule, "dim"), *((laid(row), "") for row in cells)]


def stacked(columns: Sequence[Column], cells: Sequence[Sequence[str]], width: int) -> list[tuple[str, str]]:
    """Lay rows out one cell per line, with a style for each line; empty cells have none."""
    lines: list[tuple[str, str]] = []
    name = max((len(column.title) for column in columns[1:]), default=0)
    hanging = " " * min(name + 4, width // 2)
    for row in cells:
        lines += [(part, "bold") for part in _wrapped(_named(columns[0], row[0]), width)]
        for column, text in zip(columns[1:], row[1:], strict=True):
            if not text:
                continue
            lines += [(part, "") for part in _wrapped(f"  {column.title:<{name}}  {text}", width, hanging)]
    return lines


def _named(column: Column, text: str) -> str:
    """Name what a row is about; a number alone, such as a class or a threshold, does not say it."""
    return text if text[:1].isalpha() or not column.title else f"{column.title} {text}"


def _wrapped(text: str, width: int, hanging: str = "") -> list[str]:
    if len(text) <= width:
        return [text]
    lines = textwrap.wrap(
        unbroken(text), width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(SPACE, " ") for line in lines]
