"""A document as plain text: what `repr` and `str` of a result show."""

import textwrap
from collections.abc import Sequence

from justesse.core.printable import printable
from justesse.report.document import Detail, Document, Table, Words
from justesse.report.spelling import as_called
from justesse.report.terminal import stacked

WIDTH = 110


def as_text(document: Document, detail: Detail = "headline", width: int = WIDTH) -> str:
    """Write the answer, the cautions and the tables of the headline sections.

    >>> print(as_text(Document("An example", "Accuracy 90.0 %.", [], {}, verdict="Keep the incumbent.")))
    Keep the incumbent.
    Accuracy 90.0 %.
    """
    blocks = ["\n".join(filter(None, (_wrapped(document.verdict, width), _wrapped(document.headline, width))))]
    blocks += ["\n".join(_wrapped(f"! {caution}", width) for caution in document.cautions)] if document.cautions else []
    for section in document.shown(detail):
        for part in section.parts:
            if isinstance(part, Words):
                mark = "- " if part.listed else ""
                blocks.append("\n".join(_wrapped(f"{mark}{line}", width) for line in part.lines))
            elif isinstance(part, Table):
                blocks.append("\n".join(_table(part, width)))
    return "\n\n".join(block for block in blocks if block)


def in_columns(rows: Sequence[Sequence[str]], left: Sequence[bool] = ()) -> list[str]:
    """Lay rows of words out as lines: the first column to the left, the others to the right unless `left` says so.

    >>> in_columns([("name", "n"), ("a", "10")])
    ['name   n', 'a     10']
    """
    sides = [True, *left[1:]] if left else [True, *[False] * (len(rows[0]) - 1)]
    rows = [[printable(cell) for cell in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(size) if side else cell.rjust(size) for cell, size, side in zip(row, wide, sides, strict=True)
        ).rstrip()
        for row in rows
    ]


def _table(table: Table, width: int) -> list[str]:
    heads = [column.title for column in table.columns]
    cells = [[as_called(cell) for cell in row] for row in table.cells(table.rows[: table.most])]
    lines = in_columns([heads, *cells], [column.left for column in table.columns])
    if table.words and max(map(len, lines)) > width:  # sentences side by side would be too wide to read
        lines = [line for line, _ in stacked(table.columns, cells, width)]
    more = [f"… and {len(table.rows) - table.most:,} more rows"] if len(table.rows) > table.most else []
    return [*lines, *more, *([_wrapped(note, width)] if str(note := table.explained()) else [])]


def _wrapped(text: object, width: int) -> str:
    return textwrap.fill(printable(as_called(str(text))), width) if str(text) else ""
