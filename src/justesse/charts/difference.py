"""The difference between candidate and incumbent with its interval, for one comparison or many."""

import json
import math
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import (
    COLOURS,
    GRID,
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
from justesse.core.quantity import quantity
from justesse.core.results import Estimate

MOST = 60
SHARES = "percentage points"
UNITS = {SHARES: "points"}


def difference_points(rows: Sequence[tuple[str, Estimate]], *, unit: str = SHARES) -> list[dict[str, Any]]:
    """Lay out `(name, difference)` pairs, candidate minus incumbent, at most sixty; shares become percentage points.

    An end is infinite where the interval has none: a one-sided bound that runs to the end of what is possible.

    >>> from justesse.core.results import Interval
    >>> result = Estimate("accuracy", 0.25, 80, Interval(0.125, 1.0, 0.95, "newcombe", (-1, 1)))
    >>> difference_points([("all rows", result)])
    [{'row': 0, 'name': 'all rows', 'value': 25.0, 'low': 12.5, 'high': inf, 'n': 80, 'side': 'candidate'}]
    """
    times, points = 100.0 if unit == SHARES else 1.0, []
    for at, (name, item) in enumerate(rows[:MOST]):
        ends = item.interval
        low, high = open_ends(item.value, ends.low, ends.high, ends.bounds) if ends else (None, None)
        points.append(
            {
                "row": at,
                "name": printable(name),
                "value": None if math.isnan(item.value) else times * item.value,
                "low": None if low is None else times * low,
                "high": None if high is None else times * high,
                "n": item.n,
                "side": side(low, high),
            }
        )
    return points


def difference_chart(
    rows: Sequence[tuple[str, Estimate]],
    *,
    margin: float = 0.0,
    measure: str = "accuracy",
    unit: str = SHARES,
    against: str = "",
) -> vl.Chart:
    """Draw each difference as a point with its interval beside the line of no difference.

    `margin` is the largest difference that does not matter, in the estimates' own unit; up to it is shaded. Blue
    circles lie wholly on the candidate's side, orange squares on the incumbent's, grey diamonds on neither. `against`
    follows the measure in the title, such as ", against the labels".
    """
    if not rows or not 0 <= margin < math.inf:
        raise OptionError(
            f"At least one row and a margin of 0 or more are required; got {quantity(len(rows), 'row')} and margin "
            f"{margin!r}."
        )
    points = difference_points(rows, unit=unit)
    margin = 100 * margin if unit == SHARES else margin
    names = {estimate.interval.name for _, estimate in rows if estimate.interval}
    kind = max(names) if len(names) == 1 else "interval" if names else ""
    alone = len(points) == 1
    heading = f"Difference in {clipped(measure)}{against}" + (f", with {kind}" if kind and not alone else "")
    below = [_written(points[0], unit, kind)] if alone else []
    below += [f"shaded: at most ±{margin:g} {UNITS.get(unit, '')}".rstrip() + ", the margin"] if margin else []
    below += [] if alone else ["blue: candidate better; orange: incumbent better; grey: not clear"]
    below += [f"The first {MOST} of {len(rows)} rows."] if len(rows) > MOST else []
    text = _alt_text(points, f"{measure}{against}", unit, kind, margin)
    text += f" {below[-1]}" if len(rows) > MOST else ""
    return styled(
        _drawn(points, margin, measure, unit), heading, text, below=below,
        phone=_drawn(points, margin, measure, unit, narrow=True),
    )  # fmt: skip


def _drawn(points: list[dict[str, Any]], margin: float, measure: str, unit: str, *, narrow: bool = False) -> vl.Chart:
    span = signed_span(points, (-margin, margin))
    alone = len(points) == 1
    names = json.dumps(["" if alone else clipped(point["name"], 15 if narrow else 28) for point in points])
    labels = vl.Axis(
        labelExpr=f"{names}[datum.value]", labelLimit=190, labelPadding=4 if alone else 10, ticks=False, domain=False
    )
    y = vl.Y("row:O", axis=labels, title=None)
    colour = vl.Color("side:N", scale=vl.Scale(domain=SIDES, range=COLOURS), legend=None)
    dots = vl.Chart(finite(points)).mark_point(filled=True, size=160 if alone else 70, opacity=1)
    dots = dots.encode(
        x=vl.X("value:Q", axis=signed_axis(f" in {clipped(measure)}", clipped(unit), narrow=narrow)),
        y=y,
        color=colour,
        shape=vl.Shape("side:N", scale=vl.Scale(domain=SIDES, range=SHAPES), legend=None),
        tooltip=["name:N", "value:Q", "low:Q", "high:Q", "n:Q"],
    )
    layers = [zero_line(), *interval_layers(points, span, y, colour), dots, _missing(points, y)]
    if margin:
        layers.insert(0, _band(margin))
    longest = max(len(clipped(point["name"], 15)) for point in points)
    slim = 300 if alone else 310 - 7 * longest
    chart = vl.layer(*layers).resolve_axis(x="independent")
    return chart.properties(
        width=slim if narrow else 430 if alone else 350, height=64 if alone else vl.Step(24 if narrow else 20)
    )


def _band(margin: float) -> Any:
    data = vl.Chart([{"start": -margin, "end": margin}])
    return data.mark_rect(color=GRID, opacity=0.6).encode(x=vl.X("start:Q", axis=None), x2="end:Q")


def _missing(points: list[dict[str, Any]], y: Any) -> Any:
    rows = [{"row": point["row"], "value": 0, "text": "undefined"} for point in points if point["value"] is None]
    drawn = vl.Chart(rows).mark_text(color=SOFT, align="left", dx=6, fontSize=12)
    return drawn.encode(x=vl.X("value:Q", axis=None), y=y, text="text:N")


def _written(point: dict[str, Any], unit: str, kind: str) -> str:
    """Write the number and its interval.

    >>> _written({"value": 1.5, "low": 0.5, "high": math.inf}, SHARES, "95 % lower bound")
    '+1.5 points (95 % lower bound ≥ +0.5)'
    """
    digits = ".1f" if unit == SHARES else ".4f"  # as in tables
    value, low, high = point["value"], point["low"], point["high"]
    if value is None:
        return "undefined"
    number = f"{signed(value, digits)} {UNITS.get(unit, '')}".rstrip()
    if low is None or (math.isinf(low) and math.isinf(high)):
        return number
    ends = (
        f"≥ {signed(low, digits)}"
        if math.isinf(high)
        else f"≤ {signed(high, digits)}"
        if math.isinf(low)
        else f"{signed(low, digits)} to {signed(high, digits)}"
    )
    return f"{number} ({kind} {ends})"


def _alt_text(points: list[dict[str, Any]], measure: str, unit: str, kind: str, margin: float) -> str:
    shaded = f" Shaded: differences within the margin of {margin:g}." if margin else ""
    if len(points) == 1:
        (point,) = points
        name = f" ({point['name']})" if point["name"] else ""
        return f"Difference in {measure}{name}, candidate minus incumbent: {_written(point, unit, kind)}.{shaded}"
    known = [point for point in points if point["value"] is not None]
    count = {name: sum(point["side"] == name for point in known) for name in SIDES}
    gone = f", {len(points) - len(known)} are undefined" if len(known) < len(points) else ""
    return (
        f"Difference in {measure}, candidate minus incumbent, in {unit}{f', with {kind}' if kind else ''}. "
        f"Of {len(points)} rows, the candidate is better in {count['candidate']}, the incumbent in "
        f"{count['incumbent']}, {count['neither']} are not clear{gone}.{shaded}"
    )
