"""Demšar's diagram: mean ranks of many models over data sets, and groups without a significant difference."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, INK, SOFT, clipped, styled
from justesse.core.errors import OptionError
from justesse.core.printable import printable

WIDTH = 270
AXIS, BAR, LABEL = 66, 8, 17  # pixels: from the top to the axis, from bar to bar, from label to label


def rank_labels(ranks: Mapping[str, float]) -> list[dict[str, Any]]:
    """Sort models by mean rank and place their labels: the better half left, the others right, outermost on top.

    No leader line then crosses another.

    >>> rank_labels({"b": 2.5, "a": 1.25, "c": 2.25})[0]
    {'model': 'a', 'rank': 1.25, 'side': 'left', 'level': 0}
    """
    if len(ranks) < 2 or not all(1 <= rank <= len(ranks) for rank in ranks.values()):
        raise OptionError(
            f"Mean ranks of at least two models are required, each from 1 to the number of models; got {dict(ranks)!r}."
        )
    order = sorted(ranks, key=lambda name: ranks[name])
    half = (len(order) + 1) // 2
    return [
        {
            "model": printable(name),
            "rank": float(ranks[name]),
            "side": "left" if at < half else "right",
            "level": at if at < half else len(order) - 1 - at,
        }
        for at, name in enumerate(order)
    ]


def rank_bars(ranks: Mapping[str, float], groups: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Stack a bar for each group without a significant difference, on as few levels as possible.

    >>> rank_bars({"a": 1.25, "b": 2.5, "c": 2.25}, [["a", "c"], ["c", "b"], ["a"]])
    [{'low': 1.25, 'high': 2.25, 'level': 0}, {'low': 2.25, 'high': 2.5, 'level': 1}]
    """
    gap = 0.03 * len(ranks)  # so that two bars of one level do not look like one
    if strangers := {name for group in groups for name in group} - set(ranks):
        raise OptionError(
            f"groups must name models that have ranks. Without a rank: {', '.join(map(repr, sorted(strangers)))}."
        )
    spans = sorted(
        (min(ranks[name] for name in group), max(ranks[name] for name in group)) for group in groups if len(group) > 1
    )
    ends: list[float] = []
    bars = []
    for low, high in spans:
        level = next((at for at, end in enumerate(ends) if end + gap < low), len(ends))
        ends[level : level + 1] = [high]
        bars.append({"low": float(low), "high": float(high), "level": level})
    return bars


def critical_difference_chart(
    ranks: Mapping[str, float], critical_difference: float, groups: Sequence[Sequence[str]]
) -> vl.Chart:
    """Draw the axis of mean ranks, best at the left, a leader line to each name, and a bar over each group.

    Bars follow `groups`; with a step-down test they may differ from those the critical difference alone would give.
    Ranks depend on which models are compared: adding one can move the others. Demšar (2006).
    """
    if not 0 < critical_difference < math.inf:
        raise OptionError(f"The critical difference must be a finite number above 0; got {critical_difference!r}.")
    labels, bars = rank_labels(ranks), rank_bars(ranks, groups)
    last = max(len(ranks), 1 + critical_difference)
    step = next((step for step in (1, 5, 10, 50) if last / step <= 12), 100)
    room = 0.04 * (last - 1)
    edges = {"left": 1 - room, "right": last + room}
    under = AXIS + BAR * (2 + max((bar["level"] + 1 for bar in bars), default=0))
    height = under + LABEL * max(label["level"] for label in labels) + 8
    x = vl.Scale(domain=[edges["left"], edges["right"]], nice=False, zero=False)
    y = vl.Y("y:Q", scale=vl.Scale(domain=[0, height], reverse=True, nice=False), axis=None)
    axis = vl.Axis(
        orient="top",
        offset=-AXIS,
        grid=False,
        values=[1, *range(max(step, 2), math.floor(last) + 1, step)],
        format="d",
        title="mean rank (1 is best)",
    )
    leaders = [
        {"model": label["model"], "at": at, "x": place, "y": down}
        for label in labels
        for at, (place, down) in enumerate(
            (
                (label["rank"], AXIS),
                (label["rank"], under + LABEL * label["level"]),
                (edges[label["side"]], under + LABEL * label["level"]),
            )
        )
    ]
    lines = vl.Chart(leaders).mark_line(color=SOFT, strokeWidth=1).encode(
        x=vl.X("x:Q", scale=x, axis=axis), y=y, detail="model:N", order="at:O"
    )  # fmt: skip
    joined = [{**bar, "y": AXIS + BAR * (bar["level"] + 1.25)} for bar in bars]
    thick = vl.Chart(joined).mark_rule(color=BLUE, strokeWidth=5, strokeCap="round")
    ruler = [
        {"low": 1, "high": 1 + critical_difference, "y": 20, "text": f"critical difference {critical_difference:.3g}"}
    ]
    measured = vl.Chart(ruler)
    ends = vl.Chart([{"x": ruler[0][end], "y": 20} for end in ("low", "high")])
    layers = [
        lines,
        thick.encode(x=vl.X("low:Q"), x2="high:Q", y=y),
        measured.mark_rule(color=INK, strokeWidth=2).encode(x=vl.X("low:Q"), x2="high:Q", y=y),
        ends.mark_tick(color=INK, thickness=2, size=10, orient="vertical", opacity=1).encode(x=vl.X("x:Q"), y=y),
        measured.mark_text(color=INK, align="left", dy=-11, fontSize=12).encode(x=vl.X("low:Q"), y=y, text="text:N"),
        *(_names(labels, side, edges[side], under, y) for side in ("left", "right")),
    ]
    chart = vl.layer(*layers).properties(width=WIDTH, height=height)
    order = ", ".join(f"{label['model']} {label['rank']:.2f}" for label in labels)
    sentence = (
        f"Mean ranks of {len(labels)} models, best first: {order}. Critical difference {critical_difference:.3g}; "
        f"{len(bars)} groups without a significant difference, each joined by a bar."
    )
    return styled(chart, "Mean ranks; bars join models without a significant difference", sentence)


def _names(labels: list[dict[str, Any]], side: str, edge: float, under: float, y: Any) -> Any:
    rows = [
        {
            "x": edge,
            "y": under + LABEL * label["level"],
            "model": label["model"],
            "text": " ".join((clipped(label["model"], 18), f"{label['rank']:.2f}")[:: 1 if side == "left" else -1]),
        }
        for label in labels
        if label["side"] == side
    ]
    align, dx = ("right", -4) if side == "left" else ("left", 4)
    drawn = vl.Chart(rows).mark_text(color=INK, align=align, dx=dx, fontSize=12)
    return drawn.encode(x=vl.X("x:Q"), y=y, text="text:N", tooltip=["model:N"])
