"""A chart laid out for a phone: narrower, its words wrapped instead of shrunk."""

import copy
import textwrap
from typing import Any

WIDTH = 330  # pixels of a phone's page
TITLE = 42  # characters of a title that fit
AXIS = 36  # characters of an axis title that fit
NAMES = 110  # pixels for the names of rows
PANEL = 205  # pixels of a panel beside names that long
LETTER = 6.5  # pixels


def for_phone(spec: dict[str, Any]) -> dict[str, Any] | None:
    """Give the layout for a phone, or `None` for a chart that fits already or can only be scrolled.

    >>> slim = for_phone({"width": 460, "title": "A title of more characters than a phone has room for", "layer": []})
    >>> slim["width"], slim["title"]["text"]
    (330, ['A title of more characters than a phone', 'has room for'])
    """
    slim = copy.deepcopy(spec)
    if "facet" in slim:
        _in_rows(slim)
    elif "concat" in slim and _holds_picture(slim["concat"][0]):
        _fewer_across(slim)
    elif "concat" in slim:
        slim["columns"] = 1
        for panel in slim["concat"]:
            panel["width"] = PANEL
    elif not isinstance(slim.get("width"), (int, float)) or slim["width"] <= WIDTH - 60:
        return None
    else:
        slim["width"] = WIDTH
        slim["autosize"] = {"type": "fit-x", "contains": "padding"}
    slim["title"] = wrapped_title(slim.get("title", ""))
    _wrap_axes(slim)
    axis = slim.setdefault("config", {}).setdefault("axisY", {})
    axis.setdefault("labelLimit", NAMES)
    slim["config"].setdefault("legend", {}).setdefault("orient", "top")  # beside the chart it would take a third of it
    return slim


def wrapped_title(title: Any) -> dict[str, Any]:
    """Wrap a title and what stands below it.

    >>> wrapped_title("A title")
    {'text': ['A title']}
    """
    parts: dict[str, Any] = {"text": title} if isinstance(title, (str, list)) else dict(title)
    for key in {"text", "subtitle"} & set(parts):
        lines: list[str] = [parts[key]] if isinstance(parts[key], str) else parts[key]
        parts[key] = [part for line in lines for part in textwrap.wrap(line, TITLE)]
    return parts


def _in_rows(spec: dict[str, Any]) -> None:
    """Put panels that stand side by side below each other, each under its name."""
    header = {"labelOrient": "top", "labelAnchor": "start", "labelAngle": 0, "labelPadding": 4}
    spec["facet"] = {"row": spec["facet"].pop("column") | {"header": header}}
    spec["spec"]["width"] = PANEL + max(0, NAMES - _names_width(spec))


def _names_width(spec: dict[str, Any]) -> int:
    """Estimate the pixels that the names of the rows of a panel take.

    >>> y = {"field": "class", "type": "nominal"}
    >>> _names_width({"data": {"values": [{"class": "cat"}]}, "spec": {"layer": [{"encoding": {"y": y}}]}})
    20
    """
    y = spec["spec"].get("layer", [spec["spec"]])[0].get("encoding", {}).get("y", {})
    names = [str(row.get(y.get("field"), "")) for row in spec.get("data", {}).get("values", ())]
    return min(NAMES, round(LETTER * max(map(len, names), default=0)))


def _holds_picture(panel: dict[str, Any]) -> bool:
    """Tell whether a panel is a picture of fixed size, such as a matrix drawn as pixels."""
    return any(layer["mark"]["type"] == "image" for layer in panel.get("layer", ()))


def _fewer_across(spec: dict[str, Any]) -> None:
    """Put as many pictures side by side as fit, at their own size, and the entries of their legend in one column."""
    gap = spec.get("spacing", 0)
    fitting = (WIDTH + gap) // (spec["concat"][0]["width"] + gap)
    spec["columns"] = max(1, min(spec.get("columns", fitting), fitting))
    for panel in spec["concat"]:
        for layer in panel["layer"]:
            if legend := layer.get("encoding", {}).get("color", {}).get("legend"):
                legend["columns"] = 1


def _wrap_axes(part: Any) -> None:
    if isinstance(part, list):
        for item in part:
            _wrap_axes(item)
    elif isinstance(part, dict):
        for name in ("x", "y"):
            shown = part.get("encoding", {}).get(name, {})
            for holder in (shown, shown.get("axis") or {}):
                if isinstance(holder.get("title"), str) and len(holder["title"]) > AXIS:
                    holder["title"] = textwrap.wrap(holder["title"], AXIS)
        for key in ("layer", "concat", "spec"):
            _wrap_axes(part.get(key))
