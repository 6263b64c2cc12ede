"""What all charts share: colours that colour-blind readers tell apart, plain axes, a title that says what is shown."""

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from justesse.charts import vega_lite as vl
from justesse.charts.phone import wrapped_title
from justesse.core.printable import printable
from justesse.core.results import finite_or_none

AnyChart = TypeVar("AnyChart")  # ours, or Altair's: both have the same words
INK, SOFT, GRID = "#222222", "#767676", "#d9d9d9"
BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"  # of Okabe and Ito
WIDTH, HEIGHT = 460, 300
# who is better, or which is drawn: told by colour, by shape and by dash, so that no reader needs the colour
SIDES = ("incumbent", "candidate", "neither")
COLOURS, SHAPES, DASHES = (ORANGE, BLUE, SOFT), ("square", "circle", "diamond"), ([6, 3], [1, 0], [2, 2])


def styled(
    chart: AnyChart,
    title: str,
    alt_text: str,
    *,
    below: Sequence[str] = (),
    phone: vl.Chart | None = None,
) -> AnyChart:
    """Give a chart its title, lines below it if there is more to say, its text alternative and the common style.

    `phone` is drawn instead of the chart on a phone.
    """
    style: dict[str, Any] = {
        "view": {"stroke": None, "continuousWidth": 300, "continuousHeight": 300},
        "axis": {
            "labelColor": INK,
            "titleColor": INK,
            "gridColor": GRID,
            "domainColor": SOFT,
            "tickColor": SOFT,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        },
        # numbers keep apart: the outermost stay below their ticks, and where some would touch, every second one goes
        "axisQuantitative": {"labelFlush": False, "labelOverlap": "parity", "labelSeparation": 6},
        "title": {"color": INK, "fontSize": 14, "anchor": "start", "fontWeight": "bold", "offset": 12},
        "header": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12},
        "legend": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12},
        "font": "sans-serif",
    }
    heading: Any = printable(title)
    if below:
        style["title"] |= {"subtitleColor": INK, "subtitleFontSize": 12, "subtitlePadding": 5}
        heading = vl.TitleParams(heading, subtitle=[printable(line) for line in below])
    untyped: Any = chart
    made = untyped.properties(title=heading, description=printable(alt_text)).configure(**style)
    if phone:
        narrow = {"title": wrapped_title(heading), "description": printable(alt_text)}
        made = made.on_phone(phone.properties(**narrow).configure(**style))
    return made  # type: ignore[no-any-return]


def banded_points(curve: dict[str, list[float | None]], x: str, y: str) -> list[dict[str, float | None]]:
    """Turn the columns of a curve, with `y_low` and `y_high` beside y, into points; those without a value are left out.

    >>> banded_points({"fpr": [0.0], "tpr": [0.5], "tpr_low": [0.4], "tpr_high": [0.6]}, "fpr", "tpr")
    [{'x': 0.0, 'y': 0.5, 'low': 0.4, 'high': 0.6}]
    """
    rows = zip(curve[x], curve[y], curve[f"{y}_low"], curve[f"{y}_high"], strict=True)
    points = [dict(zip(("x", "y", "low", "high"), row, strict=True)) for row in rows]
    return [point for point in points if point["x"] is not None and point["y"] is not None]


def dashed_diagonal(alt_text: str) -> Any:
    """Draw the line that chance, or perfection, would follow."""
    rows = [{"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}]
    return (
        vl.Chart(rows)
        .mark_line(color=SOFT, strokeDash=[4, 4])
        .encode(x=vl.X("x:Q"), y=vl.Y("y:Q"))
        .properties(description=alt_text)
    )


def clipped(text: object, most: int = 28) -> str:
    """Shorten a name too wide for its chart in its middle: names that are long often differ at their ends.

    >>> clipped("a long name of candidate 7", 16), clipped(7)
    ('a long n…idate 7', '7')
    """
    written = printable(text)
    return written if len(written) <= most else f"{written[: most // 2]}…{written[most // 2 + 1 - most :]}"


def clipped_labels(names: Iterable[str]) -> str:
    """Write the expression by which an axis shortens the names of its scale.

    >>> clipped_labels(["a"])
    '{"a": "a"}[datum.value]'
    """
    return f"{json.dumps({name: clipped(name) for name in names})}[datum.value]"


def signed(value: float, digits: str = ".2f") -> str:
    """Write a difference with its sign, with the minus that axes have.

    >>> signed(-1.5), signed(0.25)
    ('−1.50', '+0.25')
    """
    return f"{value:+{digits}}".replace("-", "−")


def open_ends(
    value: float, low: float | None, high: float | None, bounds: tuple[float, float]
) -> tuple[float, float] | tuple[None, None]:
    """Give the ends of an interval, infinite where it has none: one-sided, it runs to the bound of what is possible.

    >>> open_ends(0.25, 0.125, 1.0, (-1, 1)), open_ends(0.25, None, 0.5, (-1, 1)), open_ends(0.25, None, None, (-1, 1))
    ((0.125, inf), (-inf, 0.5), (None, None))
    """
    if low is None and high is None:
        return None, None
    return (
        -math.inf if low is None or low <= bounds[0] < value else low,
        math.inf if high is None or high >= bounds[1] > value else high,
    )


def side(low: float | None, high: float | None) -> str:
    """Say on whose side of 0 an interval of a difference lies whole, if on one.

    >>> side(0.1, 0.3), side(-math.inf, -0.1), side(-0.1, 0.1), side(None, None)
    ('candidate', 'incumbent', 'neither', 'neither')
    """
    if low is None or high is None:
        return "neither"
    return "candidate" if low > 0 else "incumbent" if high < 0 else "neither"


def signed_span(points: Iterable[dict[str, Any]], beside: Sequence[float] = ()) -> list[float]:
    """Find an axis that holds 0, every value, every end that is finite, and some room at both sides.

    >>> signed_span([{"value": 1.0, "low": -1.0, "high": math.inf}])
    [-1.2, 1.2]
    """
    values = [point[key] for point in points for key in ("value", "low", "high")]
    ends = [0.0, *beside, *(value for value in values if value is not None and math.isfinite(value))]
    room = 0.1 * (max(ends) - min(ends)) or 1.0
    return [min(ends) - room, max(ends) + room]


def signed_axis(measure: str, unit: str, *, narrow: bool = False) -> Any:
    """Say on both sides of the axis of a difference who is better there.

    >>> signed_axis(" in accuracy", "percentage points", narrow=True)["title"]
    ['← incumbent   ·   candidate →', 'difference in accuracy', '(percentage points)']
    """
    sides = "← incumbent   ·   candidate →" if narrow else "← incumbent better   ·   candidate better →"
    below = [f"difference{measure}", f"({unit})"]
    return vl.Axis(
        title=[sides, *(below if narrow else [" ".join(below)])], format="+,~f",
        labelExpr="datum.value == 0 ? '0' : datum.label", tickCount=5 if narrow else 7, grid=True,
    )  # fmt: skip


def interval_layers(
    points: Iterable[dict[str, Any]], span: list[float], y: Any, colour: Any, *, width: float = 3
) -> list[Any]:
    """Draw intervals of differences as bars; one without an end runs to the edge and has an arrow there."""
    known = [point for point in points if point["low"] is not None]
    bars = [{**item, "low": max(item["low"], span[0]), "high": min(item["high"], span[1])} for item in known]
    x = vl.X("low:Q", axis=None, scale=vl.Scale(domain=span, nice=False, zero=False))
    drawn = vl.Chart(bars).mark_rule(strokeWidth=width)
    layers = [drawn.encode(x=x, x2="high:Q", y=y, color=colour)]
    for end, edge, shape in (("low", span[0], "triangle-left"), ("high", span[1], "triangle-right")):
        open_ended = [{**item, "low": edge, "high": edge} for item in known if math.isinf(item[end])]
        arrows = vl.Chart(open_ended).mark_point(shape=shape, filled=True, size=90, opacity=1)
        layers += [arrows.encode(x=vl.X("low:Q", axis=None), y=y, color=colour)] if open_ended else []
    return layers


def finite(points: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Make points fit for JSON: what is not finite becomes `None`.

    >>> finite([{"name": "a", "low": -math.inf}])
    [{'name': 'a', 'low': None}]
    """
    return [
        {key: finite_or_none(value) if isinstance(value, float) else value for key, value in point.items()}
        for point in points
    ]


def zero_line() -> Any:
    """Draw the line of no difference, with its name above it."""
    above = vl.Axis(
        orient="top", values=[0], labelExpr="'no difference'", grid=False, domain=False, ticks=False, title=None,
        labelLimit=400, labelPadding=2,
    )  # fmt: skip
    return vl.Chart([{"zero": 0}]).mark_rule(color=INK, strokeWidth=1.5).encode(x=vl.X("zero:Q", axis=above))
