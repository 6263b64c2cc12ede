"""The difference between candidate and incumbent with its interval, for one comparison or many."""

import json
import math
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import (
    COLOURS,
    GRID,
    INK,
    SHAPES,
    SIDES,
    SOFT,
    clipped,
    finite,
    interval_layers,
    open_ends,
    side,
    signed,
    signed_axis,
    signed_span,
    styled,
    zero_line,
)
from justesse.core.errors import OptionError
from justesse.core.printable import printable
from justesse.core.results import Estimate

MOST = 60
SHARES = "percentage points"


def difference_points(rows: Sequence[tuple[str, Estimate]], *, unit: str = SHARES) -> list[dict[str, Any]]:
    """Lay out `(name, difference)` pairs, candidate minus incumbent, at most sixty; shares become percentage points.

    An end is infinite where the interval has none: a one-sided bound that runs to the end of what is possible.

    >>> from justesse.core.results import Interval
    >>> found = Estimate("accuracy", 0.25, 80, Interval(0.125, 1.0, 0.95, "newcombe", (-1, 1)))
    >>> difference_points([("all rows", found)])
    [{'row': 0, 'name': 'all rows', 'value': 25.0, 'low': 12.5, 'high': inf, 'n': 80, 'side': 'candidate'}]
    """
    times, points = 100.0 if unit == SHARES else 1.0, []
    for at, (name, one) in enumerate(rows[:MOST]):
        ends = one.interval
        low, high = open_ends(one.value, ends.low, ends.high, ends.bounds) if ends else (None, None)
        points.append(
            {
                "row": at,
                "name": printable(name),
                "value": None if math.isnan(one.value) else times * one.value,
                "low": None if low is None else times * low,
                "high": None if high is None else times * high,
                "n": one.n,
                "side": side(low, high),
            }
        )
    return points


def difference_chart(
    rows: Sequence[tuple[str, Estimate]], *, margin: float = 0.0, measure: str = "accuracy", unit: str = SHARES
) -> vl.Chart:
    """Draw each difference as a point with its interval beside the line of no difference.

    `margin` is the largest difference that does not matter, in the estimates' own unit; up to it is shaded. Blue
    circles lie wholly on the candidate's side, orange squares on the incumbent's, grey diamonds on neither.
    """
    if not rows or not 0 <= margin < math.inf:
        raise OptionError(f"at least one row and a margin from 0 up are needed; got {len(rows)} rows and {margin!r}")
    points = difference_points(rows, unit=unit)
    margin = 100 * margin if unit == SHARES else margin
    span = signed_span(points, (-margin, margin))
    alone = len(points) == 1
    names = json.dumps([clipped(point["name"]) for point in points])
    labels = vl.Axis(labelExpr=f"{names}[datum.value]", labelLimit=190, labelPadding=10, ticks=False, domain=False)
    y = vl.Y("row:O", axis=labels, title=None)
    colour = vl.Color("side:N", scale=vl.Scale(domain=SIDES, range=COLOURS), legend=None)
    dots = vl.Chart(finite(points)).mark_point(filled=True, size=160 if alone else 70, opacity=1)
    dots = dots.encode(
        x=vl.X("value:Q", axis=signed_axis(f" in {clipped(measure)}", clipped(unit))),
        y=y,
        color=colour,
        shape=vl.Shape("side:N", scale=vl.Scale(domain=SIDES, range=SHAPES), legend=None),
        tooltip=["name:N", "value:Q", "low:Q", "high:Q", "n:Q"],
    )
    words = ["no difference"] + ([f"shaded: within ±{margin:g}, the margin"] if margin else [])
    layers = [zero_line(words), *interval_layers(points, span, y, colour), dots, _missing(points, y)]
    if margin:
        layers.insert(0, _band(margin))
    if alone:
        layers.append(_figures(points[0], span, y, unit))
    chart = vl.layer(*layers).resolve_axis(x="independent")
    chart = chart.properties(width=430 if alone else 350, height=110 if alone else vl.Step(20))
    levels = {one.interval.level for _, one in rows if one.interval}
    kind = f"{100 * max(levels):.4g} % interval" if len(levels) == 1 else "interval"
    kind = f"with its {kind}" if levels else "without an interval"
    heading = f"Difference in {clipped(measure)} {kind}"
    shown = f"The first {MOST} of {len(rows)} rows." if len(rows) > MOST else ""
    said = f"{_said(points, measure, unit, kind, margin)} {shown}".strip()
    return styled(chart, heading, said, below=[shown] if shown else ())


def _band(margin: float) -> Any:
    data = vl.Chart([{"start": -margin, "end": margin}])
    return data.mark_rect(color=GRID, opacity=0.6).encode(x=vl.X("start:Q", axis=None), x2="end:Q")


def _missing(points: list[dict[str, Any]], y: Any) -> Any:
    rows = [{"row": point["row"], "value": 0, "said": "undefined"} for point in points if point["value"] is None]
    drawn = vl.Chart(rows).mark_text(color=SOFT, align="left", dx=6, fontSize=12)
    return drawn.encode(x=vl.X("value:Q", axis=None), y=y, text="said:N")


def _figures(point: dict[str, Any], span: list[float], y: Any, unit: str) -> Any:
    """Write the number and its interval above the point, turned inwards near an edge."""
    if point["value"] is None:
        return _missing([], y)
    at = (point["value"] - span[0]) / (span[1] - span[0])
    align = "left" if at < 0.3 else "right" if at > 0.7 else "center"
    text = vl.Chart([{"row": point["row"], "value": point["value"], "said": _written(point, unit)}])
    drawn = text.mark_text(color=INK, align=align, dy=-18, fontSize=15, fontWeight="bold")
    return drawn.encode(x=vl.X("value:Q", axis=None), y=y, text="said:N")


def _written(point: dict[str, Any], unit: str) -> str:
    digits = ".2f" if unit == SHARES else ".3g"
    value, low, high = point["value"], point["low"], point["high"]
    if low is None or (math.isinf(low) and math.isinf(high)):
        return signed(value, digits)
    if math.isinf(high):
        return f"{signed(value, digits)}, at least {signed(low, digits)}"
    if math.isinf(low):
        return f"{signed(value, digits)}, at most {signed(high, digits)}"
    return f"{signed(value, digits)} [{signed(low, digits)}, {signed(high, digits)}]"


def _said(points: list[dict[str, Any]], measure: str, unit: str, kind: str, margin: float) -> str:
    shaded = f" Shaded: differences within the margin of {margin:g}." if margin else ""
    if len(points) == 1:
        (point,) = points
        found = "undefined" if point["value"] is None else f"{_written(point, unit)} {unit}"
        name = f" ({point['name']})" if point["name"] else ""
        return f"Difference in {measure}{name}, candidate minus incumbent, {kind}: {found}.{shaded}"
    known = [point for point in points if point["value"] is not None]
    count = {name: sum(point["side"] == name for point in known) for name in SIDES}
    gone = f", {len(points) - len(known)} are undefined" if len(known) < len(points) else ""
    return (
        f"Difference in {measure}, candidate minus incumbent, in {unit}, {kind}: "
        f"of {len(points)} rows, {count['candidate']} lie wholly on the candidate's side, "
        f"{count['incumbent']} on the incumbent's, "
        f"{count['neither']} on neither{gone}.{shaded}"
    )
