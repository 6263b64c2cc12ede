"""A document on a terminal: the answer first, what to be careful about, then tables that never lose a digit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from justesse.core.printable import printable
from justesse.report.document import Column, Detail, Document, Table, Words

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {"replace": "bold green", "keep": "bold red", "equivalent": "bold", "cannot_tell": "bold yellow"}
MOST_CAUTIONS = 5
GAP = 3  # columns between two cells


def show(document: Document, screen: "Console", detail: Detail = "summary") -> None:
    """Print it, at the width of the screen."""
    from rich.text import Text

    def line(text: object, style: str = "") -> None:
        screen.print(Text(printable(text), style=style))

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
    for section in document.shown(detail):
        for part in section.parts:
            if isinstance(part, Words):
                screen.print()
                for words in part.lines:
                    line(f"{'- ' if part.listed else ''}{words}")
            elif isinstance(part, Table):
                screen.print()
                line(part.caption or section.title, "bold")
                for row, style in table_lines(part, screen.width, detail):
                    line(row, style)
                if str(part.note):
                    line(part.note, "dim")
    screen.print()
    if document.assumptions:
        line(f"Assumes that {'; '.join(map(str, document.assumptions))}.{_seed(document)}", "dim")
    if hidden := [section.title for section in document.hidden(detail)]:
        line(f"--full shows also: {', '.join(hidden)}.", "dim")
    if str(document.next_step):
        line(document.next_step)


def _seed(document: Document) -> str:
    return "" if document.seed is None else f" Seed {document.seed}."


def table_lines(table: Table, width: int, detail: Detail = "summary") -> list[tuple[str, str]]:
    """Lay a table out for a width, with a style for each line.

    Columns are left out by their importance until the rest fits; a table that still does not fit is stacked, one line
    per cell. No cell is ever cut.

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
    >>> for line, _ in table_lines(wide, 12): print(line)
    accuracy
      value  0.9000
    """
    rows = table.rows if detail == "full" else table.rows[: table.most]
    cells = table.cells(rows)
    kept = list(range(len(table.columns)))
    while _width(table.columns, cells, kept) > width:
        droppable = [at for at in kept if table.columns[at].drop]
        if not droppable:
            break
        kept.remove(max(droppable, key=lambda at: (table.columns[at].drop, at)))
    columns = [table.columns[at] for at in kept]
    shown = [[row[at] for at in kept] for row in cells]
    fits = _width(columns, shown, range(len(columns))) <= width
    lines = _laid_out(table, columns, shown) if fits else _stacked(columns, shown)
    more = len(table.rows) - len(rows)
    return [*lines, *([(f"… and {more:,} more rows with --full", "dim")] if more else [])]


def _width(columns: Sequence[Column], cells: Sequence[Sequence[str]], kept: Sequence[int]) -> int:
    return sum(_widths(columns, cells)[at] for at in kept) + GAP * (len(kept) - 1)


def _widths(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[int]:
    from rich.cells import cell_len

    return [
        max(cell_len(text) for text in (column.title, *(row[at] for row in cells))) for at, column in enumerate(columns)
    ]


def _laid_out(table: Table, columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    from rich.cells import cell_len

    wide = _widths(columns, cells)

    def laid(row: Sequence[str]) -> str:
        padded = []
        for at, (text, size) in enumerate(zip(row, wide, strict=True)):
            space = " " * (size - cell_len(text))
            padded.append(text + space if at == 0 or table.words else space + text)
        return (" " * GAP).join(padded).rstrip()

    rule = "─" * (sum(wide) + GAP * (len(wide) - 1))
    return [(laid([column.title for column in columns]), "dim"), (rule, "dim"), *((laid(row), "") for row in cells)]


def _stacked(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    lines = []
    name = max((len(column.title) for column in columns[1:]), default=0)
    for row in cells:
        lines.append((row[0], "bold"))
        lines += [(f"  {column.title:<{name}}  {text}", "") for column, text in zip(columns[1:], row[1:], strict=True)]
    return lines
