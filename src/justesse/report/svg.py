"""Charts as inline SVG whose ids are unique on the page and whose inks follow it, light or dark, wide or narrow."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from justesse.charts import renderer
from justesse.charts.phone import WIDTH
from justesse.report.document import Figure

INKS = {"#222222": "var(--ink)", "#767676": "var(--soft)", "#d9d9d9": "var(--grid)", "#000": "var(--ink)"}
PAPER = ("white", "#fff", "#ffffff")
SVG = "http://www.w3.org/2000/svg"
# the renderer reads escapes in an axis title again when it writes the marks' labels, and then writes what XML cannot hold
NOT_XML = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff]")
LINK = re.compile(r"url\(#([^)]+)\)")
HEAVY = 150_000  # characters of a drawing that is not made twice


@dataclass(frozen=True)
class Drawn:
    """A figure as SVG, a narrow one for phones where it can be made, its words, and the specs of interactive pages."""

    wide: str
    narrow: str
    alt_text: str
    spec: dict[str, Any] | None = None
    phone_spec: dict[str, Any] | None = None

    @property
    def must_scroll(self) -> bool:
        """Whether a phone shows only a part of it: there is no narrow one, and the wide one is wider than its page.

        >>> [Drawn(f'<svg xmlns="…" width="{width}" height="9"></svg>', "", "").must_scroll for width in (300, 400.5)]
        [False, True]
        """
        width = re.match(r'<svg[^>]*?\swidth="([\d.]+)"', self.wide)
        return not self.narrow and (width is None or float(width[1]) > WIDTH)


def drawn(figures: Sequence[Figure], *, narrow: bool = True, prefix: str = "") -> list[Drawn]:
    """Draw every figure of a page, numbering their ids so that the same input gives the same bytes."""
    return [_drawn(figure, f"{prefix}{number}", narrow) for number, figure in enumerate(figures)]


def _drawn(figure: Figure, number: str, narrow: bool) -> Drawn:
    if figure.draw is None:
        return Drawn(figure.svg, "", figure.alt_text)
    chart = figure.draw()
    spec = chart.to_dict()
    wide = _svg(spec, f"f{number}")
    slim = chart.phone_dict() if narrow and len(wide) < HEAVY else None
    live = chart.interactive().to_dict() if figure.zoom else spec
    return Drawn(wide, _svg(slim, f"n{number}") if slim else "", spec.get("description", ""), live, slim)


def _svg(spec: dict[str, Any], prefix: str) -> str:
    return themed(renderer.svg(spec), prefix)


def themed(svg: str, prefix: str) -> str:
    """Number the ids, let the page choose the inks, and hide the marks from screen readers, who get the words.

    >>> themed('<svg xmlns="http://www.w3.org/2000/svg"><clipPath id="c7"/><g clip-path="url(#c7)" fill="#222222"/></svg>', "f2")
    '<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true"><clipPath id="f2-0" /><g clip-path="url(#f2-0)" fill="var(--ink)" /></svg>'
    """
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")  # pictures within a chart
    root = ElementTree.fromstring(NOT_XML.sub("", svg))  # noqa: S314 - made by our own renderer, not by a user
    names = {element.get("id"): "" for element in root.iter() if element.get("id")}
    numbered = {name: f"{prefix}-{at}" for at, name in enumerate(names)}
    paper = True  # the first white rectangle is the background: the page is the paper
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "role" or key.startswith("aria-"):
                del element.attrib[key]
            elif key == "id":
                element.set(key, numbered[value])
            elif key in ("fill", "stroke"):
                element.set(key, INKS.get(value, value))
                if paper and key == "fill" and element.tag == f"{{{SVG}}}rect" and value in PAPER:
                    element.set(key, "none")
                    paper = False
            if LINK.search(value):
                element.set(key, LINK.sub(lambda match: f"url(#{numbered.get(match[1], match[1])})", value))
    root.set("aria-hidden", "true")
    return ElementTree.tostring(root, encoding="unicode")
