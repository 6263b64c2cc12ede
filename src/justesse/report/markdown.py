"""A document as Markdown, for pull requests and wikis."""

import re
from collections.abc import Sequence

from justesse.core.printable import printable
from justesse.core.results import Estimate
from justesse.report.document import Column, Detail, Document, KeyFigure, Table, Words

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~])")
# what sites turn into a mention or a link: a space of no width keeps it a text
LIVE = re.compile(r"@(?=\w)|:(?=//)|\bwww(?=\.)|\bmailto(?=:)", re.IGNORECASE)


def as_markdown(document: Document, detail: Detail = "summary") -> str:
    """Write the document as Markdown that GitHub, GitLab and wikis show alike.

    >>> print(as_markdown(Document("An example", "Accuracy 90.0 %.", [], {}, cautions=["few rows"])))
    ## An example
    <BLANKLINE>
    Accuracy 90.0 %.
    <BLANKLINE>
    > **Caution:** few rows
    <BLANKLINE>
    """
    blocks = [f"## {escaped(document.title)}"]
    if str(document.verdict):
        blocks.append(f"**{escaped(document.verdict)}**")
    blocks.append(escaped(document.headline))
    blocks += (
        ["\n>\n".join(f"> **Caution:** {escaped(caution)}" for caution in document.cautions)]
        if document.cautions
        else []
    )
    if figures := _unrepeated(document, detail):
        rows = [[figure.name, figure.value, f"{figure.level}{figure.interval}" or "–", figure.n] for figure in figures]
        head = [Column(""), Column("value", "value"), Column("interval", "interval"), Column("n", "count")]
        blocks.append(_table(head, rows))
    for section in document.shown(detail):
        blocks.append(f"### {escaped(section.title)}")
        for part in section.parts:
            if isinstance(part, Words):
                lines = [escaped(line) for line in part.lines]
                blocks.append("\n".join(f"- {line}" for line in lines) if part.listed else "\n\n".join(lines))
            elif isinstance(part, Table):
                blocks += _whole(part, detail)
    if document.assumptions:
        blocks.append(f"*Assumes that {escaped('; '.join(map(str, document.assumptions)))}.*")
    return "\n\n".join(blocks) + "\n"


def _unrepeated(document: Document, detail: Detail) -> list[KeyFigure]:
    """List the measured key figures that no table below has: there is no use in reading one twice."""
    tables = [part for section in document.shown(detail) for part in section.parts if isinstance(part, Table)]
    rows = [row for table in tables for row in (table.rows if detail == "full" else table.rows[: table.most])]
    below = [cell for row in rows for cell in row if isinstance(cell, Estimate)]
    return [figure for figure in document.figures if figure.estimate not in below and figure.kind != "count"]


def escaped(text: object) -> str:
    r"""Write a text so that nothing in it is read as markup.

    >>> escaped("a|b <i>")
    'a\\|b \\<i\\>'
    """
    plain = printable(" ".join(str(text).split()))
    return SPECIAL.sub(r"\\\1", LIVE.sub(lambda match: f"{match[0]}\u200b", plain))


def _whole(table: Table, detail: Detail) -> list[str]:
    rows = table.rows if detail == "full" else table.rows[: table.most]
    made = [f"**{escaped(table.caption)}**"] if table.caption else []
    made.append(_table(table.columns, table.cells(rows)))
    if len(rows) < len(table.rows):
        made.append(f"… and {len(table.rows) - len(rows):,} more rows.")
    return [*made, *([escaped(note)] if str(note := table.explained()) else [])]


def _table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    rule = [":--" if at == 0 or column.left else "--:" for at, column in enumerate(columns)]
    lines = [[column.title for column in columns], rule, *rows]
    return "\n".join(
        f"| {' | '.join(cell if at == 1 else escaped(cell) for cell in line)} |" for at, line in enumerate(lines)
    )
