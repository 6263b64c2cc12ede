"""Who agrees with whom: a matrix of annotators."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import clipped, styled
from justesse.core.printable import printable

MOST = 40


def pair_agreement_points(
    names: Sequence[Any], pairs: Sequence[tuple[int, int, float, int]], *, most: int = MOST
) -> list[dict[str, Any]]:
    """Lay out both triangles of the matrix for the annotators with most common items.

    >>> pair_agreement_points(["ann", "bob"], [(0, 1, 0.9, 10)])[0]
    {'first': 'ann', 'second': 'bob', 'agreement': 0.9, 'items': 10}
    """
    common = dict.fromkeys(range(len(names)), 0)
    for first, second, _, n in pairs:
        common[first] += n
        common[second] += n
    kept = set(sorted(common, key=lambda code: -common[code])[:most])
    shown = {code: clipped(printable(names[code]), 20) for code in kept}
    points = []
    for first, second, share, n in pairs:
        if first in kept and second in kept:
            for row, column in ((first, second), (second, first)):
                points.append({"first": shown[row], "second": shown[column], "agreement": share, "items": n})
    return points


def pair_agreement_chart(names: Sequence[Any], pairs: Sequence[tuple[int, int, float, int]]) -> vl.Chart:
    """Draw the share of common items on which every two annotators gave one answer."""
    points = pair_agreement_points(names, pairs)
    mean: dict[str, list[float]] = {}
    for point in points:
        mean.setdefault(point["first"], []).append(point["agreement"])
    order = sorted(mean, key=lambda name: -sum(mean[name]) / len(mean[name]))
    axis = vl.Axis(labelLimit=140)
    size = 24 if len(order) <= 15 else 14
    cells = (
        vl.Chart(points)
        .mark_rect()
        .encode(
            x=vl.X("first:N", sort=order, title=None, axis=axis),
            y=vl.Y("second:N", sort=order, title=None, axis=axis),
            color=vl.Color("agreement:Q", title="agree", scale=vl.Scale(scheme="blues"), legend=vl.Legend(format="%")),
            tooltip=["first:N", "second:N", "agreement:Q", "items:Q"],
        )
        .properties(width=vl.Step(size), height=vl.Step(size))
    )
    shown = f"{len(order)} of {len(names)} annotators" if len(order) < len(names) else f"{len(order)} annotators"
    words = f"Share of common items on which every two of {shown} gave the same answer, best agreeing first."
    return styled(cells, "Who agrees with whom", words, below=["share of common items with the same answer"])
