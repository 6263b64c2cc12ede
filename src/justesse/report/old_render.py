"""A document as one HTML file that opens offline."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

from justesse.report.html import embedded_json, page_script, shown
from justesse.report.old_document import Document, Figure
from justesse.report.svg import themed

HERE = Path(__file__).parent / "templates"
LARGE = 200_000  # bytes of JSON past which it is kept compressed in the page


def rendered(document: Document) -> str:
    """Write the page: no external request, and no script unless it is interactive."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    text = json.dumps(document.data, ensure_ascii=False).encode()
    large = len(text) > LARGE
    script = specs = ""
    if document.interactive:
        script = page_script()
        specs = embedded_json(_specs(document))
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
    return Figure(themed(vl_convert.vegalite_to_svg(spec), f"f{number}"), str(spec.get("description", "")), live)


def _specs(document: Document) -> list[Any]:
    found = []
    for section in document.sections:
        for part in section.parts:
            shown = [part] if part.kind == "figure" else [one for _, one in getattr(part, "figures", ())]
            found += [one.spec for one in shown if isinstance(one, Figure)]
    return found
