"""Charts as Vega-Lite, written directly and in Altair's words.

Altair takes 0.3 s to import and some 0.06 s to check each chart: more than the rest of a page. What is written here is
the same JSON; the tests hold every chart against Altair's schema, and `Chart.altair` hands one over to it.
"""

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from justesse.charts import renderer
from justesse.charts.phone import for_phone
from justesse.core.errors import MissingExtraError

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.1.json"
TYPES = {"Q": "quantitative", "N": "nominal", "O": "ordinal", "T": "temporal"}
Spec = dict[str, Any]


def channel(field: str, **options: Any) -> Spec:
    """Say which field a channel shows, and how.

    >>> channel("low:Q", title=None)
    {'field': 'low', 'type': 'quantitative', 'title': None}
    """
    name, _, kind = field.rpartition(":")
    return {"field": name, "type": TYPES[kind], **options}


X = Y = XOffset = Color = Shape = StrokeDash = Size = Text = Column = channel


def value(constant: Any) -> Spec:
    """Give a channel one value, for all marks."""
    return {"value": constant}


XValue = X2Value = YValue = Y2Value = value


def options(**settings: Any) -> Spec:
    """Collect the options of an axis, a scale or a legend.

    >>> options(domain=("a", "b"))
    {'domain': ['a', 'b']}
    """
    return {name: list(setting) if isinstance(setting, tuple) else setting for name, setting in settings.items()}


Axis = Scale = Legend = options


def TitleParams(text: str | Sequence[str], **settings: Any) -> Spec:  # noqa: N802 - Altair's word
    """Give a title that has options."""
    return {"text": text, **settings}


def Step(size: float) -> Spec:  # noqa: N802 - Altair's word
    """Make a chart as large as its categories need, `size` pixels each."""
    return {"step": size}


def condition(test: str, then: Spec, otherwise: Spec) -> Spec:
    """Choose between two values of a channel.

    >>> condition("datum.n > 1", value("red"), value("blue"))
    {'condition': {'test': 'datum.n > 1', 'value': 'red'}, 'value': 'blue'}
    """
    return {"condition": {"test": test, **then}, **otherwise}


def _encoded(shown: Any) -> Any:
    if isinstance(shown, str):
        return channel(shown)
    return [_encoded(item) for item in shown] if isinstance(shown, list) else shown


class Chart:
    """A chart being put together: every method gives another one.

    >>> Chart([{"n": 1}]).mark_point(size=9).encode(x="n:Q").to_dict()["mark"]
    {'type': 'point', 'size': 9}
    """

    def __init__(
        self,
        rows: Sequence[Mapping[str, Any]] | None = None,
        spec: Spec | None = None,
        phone: "Chart | None" = None,
    ) -> None:
        self._spec: Spec = spec if spec is not None else {"data": {"values": list(rows or ())}}
        self._phone = phone

    def _with(self, **more: Any) -> Self:
        return type(self)(spec=self._spec | more, phone=self._phone)

    def _mark(self, kind: str, settings: Spec) -> Self:
        return self._with(mark={"type": kind, **settings})

    def mark_area(self, **settings: Any) -> Self:
        return self._mark("area", settings)

    def mark_bar(self, **settings: Any) -> Self:
        return self._mark("bar", settings)

    def mark_image(self, **settings: Any) -> Self:
        return self._mark("image", settings)

    def mark_line(self, **settings: Any) -> Self:
        return self._mark("line", settings)

    def mark_point(self, **settings: Any) -> Self:
        return self._mark("point", settings)

    def mark_rect(self, **settings: Any) -> Self:
        return self._mark("rect", settings)

    def mark_rule(self, **settings: Any) -> Self:
        return self._mark("rule", settings)

    def mark_square(self, **settings: Any) -> Self:
        return self._mark("square", settings)

    def mark_text(self, **settings: Any) -> Self:
        return self._mark("text", settings)

    def mark_tick(self, **settings: Any) -> Self:
        return self._mark("tick", settings)

    def encode(self, **channels: Any) -> Self:
        """Say what each channel shows: a field as `name:Q`, or with options by `X`, `Color` and so on."""
        shown = {name: _encoded(field) for name, field in channels.items()}
        for second in {"x2", "y2"} & set(shown):  # Vega-Lite takes their type from the first
            shown[second].pop("type", None)
        return self._with(encoding=self._spec.get("encoding", {}) | shown)

    def transform_filter(self, test: str) -> Self:
        """Keep the rows for which an expression holds."""
        return self._with(transform=[*self._spec.get("transform", ()), {"filter": test}])

    def properties(self, **settings: Any) -> Self:
        """Set the width, the height, the title or the description."""
        return self._with(**settings)

    def resolve_axis(self, **axes: Any) -> Self:
        """Share the axes of layers, or not."""
        return self._with(resolve={"axis": axes})

    def configure(self, **style: Any) -> Self:
        """Set the style of all parts."""
        return self._with(config=style)

    def facet(self, *, column: Spec) -> Self:
        """Repeat layers that show the same rows, in a panel for each value of a field."""
        inner = {key: part for key, part in self._spec.items() if key != "data"}
        return type(self)(spec={"data": self._spec["data"], "facet": {"column": column}, "spec": inner})

    def interactive(self) -> Self:
        """Let a reader zoom and drag, on pages with a script."""
        zoom = {"name": "zoom", "select": {"type": "interval", "encodings": ["x", "y"]}, "bind": "scales"}
        if "layer" not in self._spec:
            return self._with(params=[zoom])
        first, *others = self._spec["layer"]
        return self._with(layer=[{**first, "params": [zoom]}, *others])

    def to_dict(self) -> Spec:
        """Give the chart as Vega-Lite."""
        return {"$schema": SCHEMA, **copy.deepcopy(self._spec)}

    def on_phone(self, chart: "Chart") -> Self:
        """Show another chart instead on a phone."""
        return type(self)(spec=self._spec, phone=chart)

    def phone_dict(self) -> Spec | None:
        """Give the chart for a phone as Vega-Lite; `None` if the chart fits as it is, or can only be scrolled."""
        return self._phone.to_dict() if self._phone else for_phone(self.to_dict())

    def altair(self) -> Any:
        """Give the chart as one of Altair's, to show, change or save."""
        return altair().Chart.from_dict(self.to_dict())

    def _repr_mimebundle_(self, *arguments: Any, **more: Any) -> Any:
        return self.altair()._repr_mimebundle_(*arguments, **more)

    def save(self, path: str | Path, format: str | None = None, *, scale_factor: float = 1.0) -> None:
        """Write the chart as SVG or PNG, by the ending or as named; `scale_factor` enlarges a PNG."""
        path = Path(path)
        if (format or path.suffix.removeprefix(".")) == "svg":
            path.write_text(renderer.svg(self.to_dict()), encoding="utf-8")
        else:
            path.write_bytes(renderer.png(self.to_dict(), scale_factor))


def altair() -> Any:
    """Import Altair, late: it is slow to load, and pages do without it."""
    try:
        import altair
    except ImportError as error:
        raise MissingExtraError("Charts need Altair. Install it: pip install altair vl-convert-python.") from error
    return altair


def layer(*charts: Chart) -> Chart:
    """Draw charts on top of each other; rows that all of them show are written once."""
    specs = [chart._spec for chart in charts]
    rows = specs[0]["data"]
    if all(spec["data"] is rows for spec in specs):
        return Chart(
            spec={"data": rows, "layer": [{key: spec[key] for key in spec if key != "data"} for spec in specs]}
        )
    return Chart(spec={"layer": specs})


def concat(*charts: Chart, columns: int, spacing: int) -> Chart:
    """Put charts side by side, `columns` in a row."""
    return Chart(spec={"concat": [chart._spec for chart in charts], "columns": columns, "spacing": spacing})
