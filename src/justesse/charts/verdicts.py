"""Many candidates: the difference of each from the incumbent against its breakdown rate."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from justesse.charts import vega_lite as vl
from justesse.charts.paint import (
    BLUE,
    GREEN,
    INK,
    ORANGE,
    SOFT,
    clipped,
    finite,
    interval_layers,
    open_ends,
    signed_axis,
    signed_span,
    styled,
    zero_line,
)
from justesse.core.errors import OptionError
from justesse.core.printable import printable

MOST, NAMED = 60, 12
WIDTH, HEIGHT, APART = 300, 300, 15  # pixels; names lie at least so far apart
DECISIONS = {
    "replace": (BLUE, "circle"),
    "keep": (ORANGE, "square"),
    "equivalent": (GREEN, "triangle-up"),
    "cannot tell": (SOFT, "diamond"),
}


def verdict_points(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Lay out differences in percentage points and breakdown rates in percent, at most sixty candidates.

    Candidates without a difference or a breakdown rate are left out. An interval with one end missing is open there.

    >>> verdict_points([dict(name="b", difference=0.25, low=0.125, high=0.5, breakdown=0.0625, decision="cannot_tell")])
    [{'name': 'b', 'value': 25.0, 'low': 12.5, 'high': 50.0, 'breakdown': 6.25, 'decision': 'cannot tell'}]
    """
    points = []
    for row in rows:
        decision = str(row["decision"]).replace("_", " ")
        if decision not in DECISIONS:
            raise OptionError(
                f"The decision must be one of {', '.join(DECISIONS)}; got {row['decision']!r} for {row['name']!r}."
            )
        if any(row[key] is None or math.isnan(row[key]) for key in ("difference", "breakdown")):
            continue
        low, high = open_ends(row["difference"], row["low"], row["high"], (-1, 1))
        points.append(
            {
                "name": printable(row["name"]),
                "value": 100 * row["difference"],
                "low": None if low is None else 100 * low,
                "high": None if high is None else 100 * high,
                "breakdown": 100 * row["breakdown"],
                "decision": decision,
            }
        )
    return points[:MOST]


def verdict_chart(rows: Sequence[Mapping[str, Any]], *, against: str = "") -> vl.Chart:
    """Draw the difference of each candidate, with its interval, against its breakdown rate.

    `against` ends the title, such as ", against the labels".
    """
    points = verdict_points(rows)
    span, named = signed_span(points), len(points) <= NAMED
    top = 1.08 * max((point["breakdown"] for point in points), default=0.0) or 1.0
    tall = [-0.05 * top, top]  # room for points at 0
    colours, shapes = ([look[at] for look in DECISIONS.values()] for at in (0, 1))
    decisions = list(DECISIONS)
    legend = vl.Legend(title=None, orient="top", symbolSize=90, symbolOpacity=1, columns=2)
    colour = vl.Color("decision:N", scale=vl.Scale(domain=decisions, range=colours), legend=legend)
    up = "sign can be overturned from (% wrong labels)"
    y = vl.Y("breakdown:Q", title=up, scale=vl.Scale(domain=tall, nice=False))
    dots = vl.Chart(finite(points)).mark_point(filled=True, size=80 if named else 45, opacity=1)
    dots = dots.encode(
        x=vl.X("value:Q", axis=signed_axis("", "percentage points")),
        y=y,
        color=colour,
        shape=vl.Shape("decision:N", scale=vl.Scale(domain=decisions, range=shapes), legend=legend),
        tooltip=["name:N", "decision:N", "value:Q", "low:Q", "high:Q", "breakdown:Q"],
    )
    bars = interval_layers(points, span, y, colour, width=3 if named else 1.5)
    layers = [zero_line(), *bars, dots]
    if named:
        layers[:0] = _names(points, span[1], tall, y)
    chart = vl.layer(*layers).resolve_axis(x="independent")
    chart = chart.properties(width=WIDTH, height=HEIGHT)
    count = Counter(point["decision"] for point in points)
    which = f"{len(points)} candidates" if len(points) == len(rows) else f"{len(points)} of {len(rows)} candidates"
    text = (
        f"Difference of {which} from the incumbent{against}, with its interval, by the breakdown rate of its sign: "
        f"{', '.join(f'{count[name]} {name}' for name in DECISIONS)}."
    )
    return styled(chart, f"Difference and breakdown rate of {which}{against}", text)


def label_places(heights: Sequence[float], apart: float, within: Sequence[float]) -> list[float]:
    """Move rising places as little as keeps them so far apart and within the axis.

    >>> label_places([1.0, 1.0, 5.0], 2.0, [0, 10])
    [0.0, 2.0, 5.0]
    >>> label_places([9.0, 9.0], 2.0, [0, 10])
    [8.0, 10.0]
    """
    from scipy.optimize import isotonic_regression

    steps = apart * np.arange(len(heights))
    # less their steps, places need only rise: least squares under order, and clipping keeps that
    slack = isotonic_regression(np.asarray(heights) - steps).x if len(heights) else steps
    return (np.clip(slack, within[0], within[1] - apart * (len(heights) - 1)) + steps).tolist()  # type: ignore[no-any-return]


def _names(points: list[dict[str, Any]], edge: float, tall: list[float], y: Any) -> list[Any]:
    """Put the names in a column at the right, each joined to the end of its interval."""
    order = sorted(points, key=lambda point: float(point["breakdown"]))
    places = label_places([point["breakdown"] for point in order], APART * (tall[1] - tall[0]) / HEIGHT, tall)
    rows = [
        {
            "name": clipped(point["name"], 22),
            "start": min(edge, point["value"] if point["high"] is None else point["high"]),
            "end": edge,
            "breakdown": point["breakdown"],
            "place": place,
        }
        for point, place in zip(order, places, strict=True)
    ]
    data = vl.Chart(rows)
    joins = data.mark_rule(color=SOFT, strokeWidth=1, strokeDash=[1, 3]).encode(
        x=vl.X("start:Q", axis=None), x2="end:Q", y=y, y2="place:Q"
    )
    written = data.mark_text(color=INK, align="left", dx=8, fontSize=12, limit=160).encode(
        x=vl.X("end:Q", axis=None), y=vl.Y("place:Q"), text="name:N"
    )
    return [joins, written]
