"""A document as one HTML file that opens offline."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

from justesse.report.old_document import Document, Figure

HERE = Path(__file__).parent / "templates"
LARGE = 200_000  # bytes of JSON past which it is kept compressed in the page
COLOURS = {"#222222": "var(--ink)", "#767676": "var(--soft)", "#d9d9d9": "var(--grid)", "#000": "var(--ink)"}


def rendered(document: Document) -> str:
    """Write the page: no external request, and no script unless it is interactive."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = json.dumps(document.data, ensure_ascii=False).encode()
    large = len(text) > LARGE
    script = specs = ""
    if document.interactive:
        import vl_convert

        script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
        specs = json.dumps(_specs(document), ensure_ascii=False).replace("</", "<\\/")
    return environment.get_template("old_page.html").render(
        document=document,
        style=(HERE / "old_page.css").read_text(),
        download=base64.b64encode(gzip.compress(text, mtime=0) if large else text).decode(),
        name=f"{document.name}.json.gz" if large else f"{document.name}.json",
        kind="application/gzip" if large else "application/json",
        script=script,
        specs=specs,
    )


def figure(chart: Any, number: int, *, zoom: bool = False) -> Figure:
    """Turn an Altair chart into a figure whose ids are its own and whose inks follow the page."""
    import vl_convert

    spec = chart.to_dict()
    live = chart.interactive().to_dict() if zoom else spec
    return Figure(themed(vl_convert.vegalite_to_svg(spec), number), str(spec.get("description", "")), live)


def themed(svg: str, number: int) -> str:
    """Give ids a number per page, so that same input gives same bytes, and colours the page's names.

    >>> themed('<svg><clipPath id="clip7"/><g clip-path="url(#clip7)" fill="#222222"/></svg>', 2)
    '<svg aria-hidden="true"><clipPath id="f2-0"/><g clip-path="url(#f2-0)" fill="var(--ink)"/></svg>'
    """
    for at, name in enumerate(dict.fromkeys(re.findall(r'\bid="([^"]+)"', svg))):
        svg = svg.replace(f'id="{name}"', f'id="f{number}-{at}"').replace(f"url(#{name})", f"url(#f{number}-{at})")
    for colour, name in COLOURS.items():
        svg = svg.replace(f'"{colour}"', f'"{name}"')
    svg = re.sub(r'(<rect [^>]*)fill="(?:white|#fff|#ffffff)"', r'\1fill="none"', svg, count=1)  # the page is the paper
    # readers of screens get the words beside the picture, not its thousand marks
    svg = re.sub(r' (?:role|aria-[a-z]+)="[^"]*"', "", svg)
    return svg.replace("<svg", '<svg aria-hidden="true"', 1)


def _specs(document: Document) -> list[Any]:
    found = []
    for section in document.sections:
        for part in section.parts:
            shown = [part] if part.kind == "figure" else [one for _, one in getattr(part, "figures", ())]
            found += [one.spec for one in shown if isinstance(one, Figure)]
    return found
