"""Pairs of systems by policy: who is better, by how much, and where it is sure."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import clipped_labels, styled
from justesse.core.printable import printable

FIRST, SECOND = "#2f6fab", "#d9822b"  # apart for colour-blind readers, and on grey paper
DARK = "#1a1a1a"  # on light cells, whatever the shade of the page
LONGEST = 14  # characters of a name in a cell


def policy_map_points(cells: Sequence[tuple[str, str, str, float, bool]]) -> list[dict[str, Any]]:
    """Lay out (first system, second system, policy, difference, sure), in points; `text` is what a cell says.

    >>> policy_map_points([("A", "B", "recent", 0.031, True)])[0]["text"]
    'B +3.1'
    >>> policy_map_points([("A", "B", "past", -0.002, False)])[0]["text"]
    '?'
    """
    return [
        {
            "pair": f"{printable(first)} / {printable(second)}",
            "policy": printable(policy),
            "points": 100 * value,
            "sure": sure,
            "text": f"{printable(second if value > 0 else first)[:LONGEST]} +{abs(100 * value):.1f}" if sure else "?",
        }
        for first, second, policy, value, sure in cells
    ]


def policy_map_chart(cells: Sequence[tuple[str, str, str, float, bool]]) -> vl.Chart:
    """Draw policies down and pairs of systems across; strong colours where one is better for sure."""
    points = policy_map_points(cells)
    policies = list(dict.fromkeys(point["policy"] for point in points))
    pairs = list(dict.fromkeys(point["pair"] for point in points))
    few = len(pairs) <= 6
    angle = 0 if len(pairs) <= 2 else -45
    axis = vl.Axis(
        orient="top", labelExpr=clipped_labels(pairs), labelAngle=angle, labelLimit=120 if angle == 0 else 220
    )
    x = vl.X("pair:N", sort=pairs, title=None, axis=axis)
    y = vl.Y("policy:N", sort=policies, title=None, axis=vl.Axis(labelExpr=clipped_labels(policies), labelLimit=150))
    widest = max((abs(point["points"]) for point in points), default=1.0) or 1.0
    colour = vl.Color(
        "points:Q",
        title="points",
        scale=vl.Scale(domain=[-widest, 0, widest], range=[FIRST, "#f2f2f2", SECOND]),
        legend=vl.Legend(format="+.3~g"),
    )
    data = vl.Chart(points)
    layers: list[Any] = [
        data.mark_rect().encode(x=x, y=y, color=colour, tooltip=["pair:N", "policy:N", "points:Q", "sure:N"])
    ]
    certain = [point for point in points if point["sure"]]
    if certain:
        layers.append(vl.Chart(certain).mark_rect(filled=False, stroke=DARK, strokeWidth=2).encode(x=x, y=y))
    if few:
        text = vl.Text("text:N")
        for dark, ink in ((False, DARK), (True, "#ffffff")):
            some = [point for point in points if (point["points"] < -0.6 * widest) == dark]  # dark ink reads on orange
            if some:
                layers.append(vl.Chart(some).mark_text(fontSize=11, color=ink).encode(x=x, y=y, text=text))
    broad = max(110 if len(pairs) < 3 else 84, *(14 + 6 * len(point["text"]) for point in points)) if few else 34
    chart = vl.layer(*layers).properties(width=vl.Step(broad), height=vl.Step(26))
    words = (
        f"{len(policies)} policies by {len(pairs)} pairs of systems; one is better for sure in {len(certain)} of "
        f"{len(points)} cells."
    )
    below = [
        "framed: better for sure, by so many points; ?: cannot tell",
        "blue: the first is better, orange: the second",
    ]
    return styled(chart, "Which system is better under which policy", words, below=below)
