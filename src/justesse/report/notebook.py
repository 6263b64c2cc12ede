"""A document as a card in a notebook: the answer, key figures and the main tables, the rest folded; offline."""

import html

from justesse.core.printable import printable
from justesse.report.document import Choice, Document, Figure, Part, Table, Words
from justesse.report.svg import drawn

STYLE = (
    ".justesse{font-family:system-ui,sans-serif;line-height:1.45;max-width:60rem;--ink:currentColor;--soft:#888;--grid:#8884}"
    ".justesse .verdict{font-size:1.25em;font-weight:600;margin:.2em 0}.justesse .tiles{display:flex;flex-wrap:wrap;gap:.6em}"
    ".justesse .tile{border:1px solid #8885;border-radius:.4em;padding:.4em .8em}.justesse .tile b{font-size:1.4em;display:block}"
    ".justesse .tile small{opacity:.75}.justesse .cautions{border-left:4px solid #c77700;padding-left:.8em;margin:.5em 0}"
    ".justesse details{margin:.4em 0}.justesse summary{cursor:pointer;font-weight:600}.justesse .rows{max-height:26em;overflow:auto}"
    ".justesse td,.justesse th{text-align:right}.justesse td:first-child,.justesse th:first-child{text-align:left}"
    ".justesse svg{max-width:100%;height:auto}"
)
MOST_ROWS = 200


def as_card(document: Document) -> str:
    """Write the card: what stands in the headline sections is open, every other section is folded."""
    made = [f"<div class='justesse'><style>{STYLE}</style>"]
    if str(document.verdict):
        made.append(f"<p class='verdict'>{_escaped(document.verdict)}</p>")
    made.append(f"<p>{_escaped(document.headline)}</p>")
    if document.figures:
        tiles = "".join(
            f"<div class='tile'><small>{_escaped(one.name)}</small><b>{_escaped(one.value)}</b>"
            f"<small>{_escaped(one.interval)}<br>n = {one.estimate.n:,.0f}</small></div>"
            for one in document.figures
        )
        made.append(f"<div class='tiles'>{tiles}</div>")
    if document.cautions:
        items = "".join(f"<li>{_escaped(one)}</li>" for one in document.cautions)
        made.append(f"<ul class='cautions'>{items}</ul>")
    for section in document.sections:
        opened = " open" if section.detail == "headline" else ""
        inside = "".join(map(_part, section.parts))
        made.append(f"<details{opened}><summary>{_escaped(section.title)}</summary>{inside}</details>")
    if document.assumptions:
        made.append(f"<p><small>Assumes that {_escaped('; '.join(map(str, document.assumptions)))}.</small></p>")
    return "".join([*made, "</div>"])


def _escaped(text: object) -> str:
    return html.escape(printable(text))


def _part(part: Part) -> str:
    if isinstance(part, Words):
        tag = "li" if part.listed else "p"
        lines = "".join(f"<{tag}>{_escaped(line)}</{tag}>" for line in part.lines)
        return f"<ul>{lines}</ul>" if part.listed else lines
    if isinstance(part, Figure):
        return drawn([part], narrow=False)[0].wide
    if isinstance(part, Choice):
        return _part(part.figures[0][1])
    return _table(part)


def _table(table: Table) -> str:
    heads = "".join(f"<th>{_escaped(column.title)}</th>" for column in table.columns)
    cells = table.cells(table.rows[:MOST_ROWS])
    rows = "".join(f"<tr>{''.join(f'<td>{_escaped(cell)}</td>' for cell in row)}</tr>" for row in cells)
    more = len(table.rows) - len(cells)
    note = " ".join(filter(None, (str(table.note), f"{more:,} more rows in to_frame()." if more else "")))
    return (
        f"<div class='rows'><table><caption>{_escaped(table.caption)}</caption><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>" + (f"<p><small>{_escaped(note)}</small></p>" if note else "")
    )
