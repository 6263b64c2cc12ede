"""A document as a card in a notebook: the answer and key figures, and a tab per section; offline, without a script."""

import hashlib
import html
import itertools
from collections.abc import Sequence

from justesse.core.printable import printable
from justesse.report.document import Choice, Document, Figure, Part, Section, Table, Words
from justesse.report.line_breaks import unbroken
from justesse.report.svg import Drawn, drawn

MOST_ROWS = 200
TALL = 14  # rows past which a table scrolls: 15 are higher than the 26em that a card lets be seen
MOST_CAUTIONS = 5
STYLE = """
.justesse { font: 14px/1.45 system-ui, sans-serif; max-width: 64rem; color: inherit; --ink: currentColor; --soft: #808890; --grid: #80808055;
  border: 1px solid var(--grid); border-radius: .5em; padding: .8em 1em; }
.justesse p { margin: .3em 0; } .justesse .verdict { font-size: 1.3em; font-weight: 650; }
.justesse .tiles { display: flex; flex-wrap: wrap; gap: .6em; margin: .6em 0; }
.justesse .tile { border: 1px solid var(--grid); border-radius: .4em; padding: .4em .9em; }
.justesse .tile b { font-size: 1.6em; line-height: 1.3; display: block; } .justesse .tile small { opacity: .8; } .justesse .tile small:first-child::first-letter { text-transform: uppercase; }
.justesse .tile small:first-child { display: block; }
.justesse .cautions { border-left: 4px solid #c77700; padding: .1em 0 .1em 2em; margin: .6em 0; }
.justesse > input { position: absolute; opacity: 0; pointer-events: none; }
.justesse > label { display: inline-block; padding: .3em .8em; margin: .4em 0 0; border-bottom: 3px solid transparent; cursor: pointer; }
.justesse > input:checked + label { border-color: #2b8cd6; font-weight: 600; } .justesse > input:focus-visible + label { outline: 2px solid #2b8cd6; }
.justesse > .panel { display: none; border-top: 1px solid var(--grid); padding: .6em 0; overflow-x: auto; }
.justesse .rows { overflow: auto; } .justesse .rows.tall { max-height: 26em; border-bottom: 2px solid var(--grid); } .justesse table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
.justesse caption { text-align: left; font-weight: 600; color: inherit; caption-side: top; }
.justesse td, .justesse th { text-align: right; padding: .2em .8em .2em 0; background: none; border-bottom: 1px solid var(--grid); }
.justesse td:first-child, .justesse th:first-child, .justesse .left { text-align: left; } .justesse svg { max-width: 100%; height: auto; }
"""
_cards = itertools.count()


def as_card(document: Document) -> str:
    """Write the card; its ids differ from those of the other cards in a notebook."""
    card = f"j{hashlib.sha256(str(document.headline).encode()).hexdigest()[:8]}-{next(_cards)}"
    made = [f"<div class='justesse' id='{card}'><style>{STYLE}{_shown(card, document.sections)}</style>"]
    if str(document.verdict):
        made.append(f"<p class='verdict'>{_escaped(document.verdict)}</p>")
    made.append(f"<p>{_escaped(document.headline)}</p>")
    if document.figures:
        tiles = "".join(
            f"<div class='tile'><small>{_escaped(figure.name)}</small><b>{_escaped(figure.value)}</b>"
            f"<small>{'<br>'.join(map(_escaped, filter(None, (figure.level + figure.interval, figure.basis))))}</small></div>"
            for figure in document.figures
        )
        made.append(f"<div class='tiles'>{tiles}</div>")
    made.append(_cautions(document))
    figures = [figure for section in document.sections for part in section.parts for figure in _figures(part)]
    pictures = dict(zip(map(id, figures), drawn(figures, narrow=False, prefix=f"{card}-"), strict=True))
    panels = []
    for at, section in enumerate(document.sections):
        tab = f"{card}-t{at}"
        checked = "" if at else " checked"
        made.append(
            f"<input type='radio' name='{card}' id='{tab}'{checked}><label for='{tab}'>{_escaped(section.title)}</label>"
        )
        inside = "".join(_part(part, pictures) for part in section.parts)
        panels.append(f"<div class='panel' id='{tab}-p'>{inside}</div>")
    made += panels
    if document.assumptions:
        made.append(f"<p><small>Assumes that {_escaped('; '.join(map(str, document.assumptions)))}.</small></p>")
    return "".join([*made, "</div>"])


def _shown(card: str, sections: Sequence[Section]) -> str:
    """Show the panel whose tab is chosen."""
    rules = (f"#{card}:has(#{card}-t{at}:checked) > #{card}-t{at}-p" for at in range(len(sections)))
    return f"{','.join(rules)} {{ display: block; }}" if sections else ""


def _cautions(document: Document) -> str:
    items = [f"<li>{_escaped(caution)}</li>" for caution in document.cautions]
    if not items:
        return ""
    first, others = "".join(items[:MOST_CAUTIONS]), "".join(items[MOST_CAUTIONS:])
    more = f"<details><summary>{len(items) - MOST_CAUTIONS} more</summary><ul>{others}</ul></details>" if others else ""
    return f"<ul class='cautions'>{first}{more}</ul>"


def _escaped(text: object) -> str:
    return html.escape(unbroken(printable(text)))


def _figures(part: Part) -> list[Figure]:
    if isinstance(part, Choice):
        return [part.figures[0][1]]
    return [part] if isinstance(part, Figure) else []


def _part(part: Part, pictures: dict[int, Drawn]) -> str:
    if isinstance(part, Words):
        tag = "li" if part.listed else "p"
        lines = "".join(f"<{tag}>{_escaped(line)}</{tag}>" for line in part.lines)
        return f"<ul>{lines}</ul>" if part.listed else lines
    if isinstance(part, Table):
        return _table(part)
    picture = pictures[id(_figures(part)[0])]
    return f"<div role='img' aria-label='{_escaped(picture.alt_text)}'>{picture.wide}</div>"


def _table(table: Table) -> str:
    sides = [" class='left'" if column.left else "" for column in table.columns]
    heads = "".join(
        f"<th{side}>{_escaped(column.title)}</th>" for side, column in zip(sides, table.columns, strict=True)
    )
    cells = table.cells(table.rows[:MOST_ROWS])
    rows = "".join(
        f"<tr>{''.join(f'<td{side}>{_escaped(cell)}</td>' for side, cell in zip(sides, row, strict=True))}</tr>"
        for row in cells
    )
    more = len(table.rows) - len(cells)
    note = " ".join(filter(None, (str(table.explained()), f"{more:,} more rows in to_frame()." if more else "")))
    hint = f"<p><small>{len(cells):,} rows: scroll inside the table to see them all&nbsp;↓</small></p>"
    caption = f"<caption>{_escaped(table.caption)}</caption>" if table.caption else ""
    tall = len(cells) > TALL
    whole = f"<div class='rows{' tall' if tall else ''}'><table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    below = [*([hint] if tall else []), *([f"<p><small>{_escaped(note)}</small></p>"] if note else [])]
    return "".join([whole, *below])
