"""Who errs together: annotators on a circle, and a line between every two who agree too often to be independent."""

import math
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, INK, ORANGE, SOFT, clipped, styled
from justesse.core.printable import printable

MOST, SIDE = 24, 320
Edge = tuple[int, int, float]


def dependence_points(
    names: Sequence[Any], sizes: Sequence[int], edges: Sequence[Edge], *, most: int = MOST
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Place the annotators, those with lines first and then those with most answers, and the lines between them.

    Members of a group stand side by side. An edge is (first, second, excess), by codes.

    >>> nodes, lines = dependence_points(["ann", "bob", "cy"], [9, 8, 7], [(0, 2, 0.5)])
    >>> [node["annotator"] for node in nodes], lines[0]["excess"]
    (['ann', 'cy', 'bob'], 0.5)
    """
    near: dict[int, list[int]] = {}
    for first, second, _ in edges:
        near.setdefault(first, []).append(second)
        near.setdefault(second, []).append(first)
    order: list[int] = []
    waiting = sorted(range(len(names)), key=lambda code: (code not in near, -sizes[code]))
    for code in waiting:
        group = [code]
        while group:
            member = group.pop()
            if member not in order:
                order.append(member)
                group += near.get(member, [])
    kept = order[:most]
    place = {code: 2 * math.pi * at / len(kept) - math.pi / 2 for at, code in enumerate(kept)}
    nodes: list[dict[str, Any]] = [
        {
            "annotator": clipped(printable(names[code]), 16),
            "x": round(math.cos(place[code]), 4),
            "y": round(-math.sin(place[code]), 4),
            "answers": int(sizes[code]),
            "dependent": code in near,
        }
        for code in kept
    ]
    at = dict(zip(kept, nodes, strict=True))
    lines = [
        {
            "pair": f"{at[first]['annotator']} and {at[second]['annotator']}",
            "x": at[first]["x"],
            "y": at[first]["y"],
            "x2": at[second]["x"],
            "y2": at[second]["y"],
            "excess": round(excess, 4),
            "text": f"{100 * excess:.0f} %",
            # beside the line, on its inner side
            "middle_x": 0.33 * (at[first]["x"] + at[second]["x"]),
            "middle_y": 0.33 * (at[first]["y"] + at[second]["y"]),
        }
        for first, second, excess in edges
        if first in at and second in at
    ]
    return nodes, lines


def dependence_chart(names: Sequence[Any], sizes: Sequence[int], edges: Sequence[Edge]) -> vl.Chart:
    """Draw the graph; thicker lines are larger excess agreement."""
    nodes, lines = dependence_points(names, sizes, edges)
    shown = f"{len(nodes)} of {len(names):,} annotators" if len(nodes) < len(names) else f"{len(nodes)} annotators"
    pairs = "; ".join(f"{line['pair']} ({line['text']})" for line in lines[:10])
    words = f"{len(lines)} pairs of {shown} agree more often than independent mistakes would: {pairs}."
    below = [f"{shown}; line: agreement beyond", "independent mistakes, in % of what is possible"]
    chart = _graph(nodes, lines, SIDE, 1.45)
    return styled(chart, "Who errs together", words, below=below, phone=_graph(nodes, lines, 230, 1.6))


def _graph(nodes: list[dict[str, Any]], lines: list[dict[str, Any]], side: int, room: float) -> vl.Chart:
    scale = vl.Scale(domain=[-room, room], nice=False)
    x, y = vl.X("x:Q", scale=scale, axis=None), vl.Y("y:Q", scale=scale, axis=None)
    width = vl.Size("excess:Q", legend=None, scale=vl.Scale(domain=[0, 1], range=[2, 8]))
    joined = vl.Chart(lines).mark_rule(color=ORANGE, opacity=0.8, strokeCap="round").encode(
        x=x, y=y, x2="x2:Q", y2="y2:Q", strokeWidth=width, tooltip=["pair:N", "excess:Q"]
    )  # fmt: skip
    numbers = vl.Chart(lines).mark_text(color=INK, fontSize=12).encode(
        x=vl.X("middle_x:Q", scale=scale, axis=None), y=vl.Y("middle_y:Q", scale=scale, axis=None), text="text:N"
    )  # fmt: skip
    data = vl.Chart(nodes)
    colour = vl.condition("datum.dependent", vl.value(ORANGE), vl.value(BLUE))
    dots = data.mark_point(filled=True, size=110, opacity=1, stroke=SOFT).encode(
        x=x, y=y, color=colour, tooltip=["annotator:N", "answers:Q"]
    )
    parts = [joined, dots, numbers]
    for align, test, shift in (
        ("left", "datum.x > 0.2", 10),
        ("right", "datum.x < -0.2", -10),
        ("center", "abs(datum.x) <= 0.2", 0),
    ):
        for up, beyond in (("datum.y >= 0", -14), ("datum.y < 0", 16)):
            text = vl.Chart(nodes).transform_filter(f"{test} && {up}")
            dy = beyond if align == "center" else 0
            mark = text.mark_text(color=INK, fontSize=12, align=align, dx=shift, dy=dy)
            parts.append(mark.encode(x=x, y=y, text="annotator:N"))
    return vl.layer(*parts).properties(width=side, height=side)
