"""Error of learners against the rate of wrong labels they were trained on."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, GREEN, HEIGHT, INK, ORANGE, clipped, clipped_labels, styled
from justesse.core.errors import OptionError
from justesse.core.printable import printable
from justesse.core.results import finite_or_none
from justesse.procedures.resist import Resisted

PAINTS = (BLUE, ORANGE, GREEN, "#cc79a7", INK, "#e69f00", "#56b4e9")  # of Okabe and Ito
MARKS = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4])  # fewer than paints, so that a pair of both repeats late


def resistance_points(rows: Sequence[Resisted]) -> list[dict[str, Any]]:
    """Lay out the errors with their intervals; those that are undefined are left out.

    >>> from justesse.core.results import Estimate
    >>> resistance_points([Resisted("tree", 0.1, 0.12, Estimate("error", 0.25, 5))])
    [{'learner': 'tree', 'rate': 0.1, 'realised': 0.12, 'error': 0.25, 'low': None, 'high': None}]
    """
    return [
        {
            "learner": printable(row.learner),
            "rate": row.rate,
            "realised": row.realised,
            "error": row.error.value,
            "low": row.error.interval.low if row.error.interval else None,
            "high": row.error.interval.high if row.error.interval else None,
        }
        for row in rows
        if finite_or_none(row.error.value) is not None
    ]


def resistance_chart(rows: Sequence[Resisted], noise: str) -> vl.Chart:
    """Draw a line with its band for each learner, told apart by colour, dash and shape."""
    points = resistance_points(rows)
    if not points:
        raise OptionError("At least one learner with an error is required; got none.")
    names = list(dict.fromkeys(point["learner"] for point in points))

    def scale(kinds: Sequence[Any]) -> Any:
        return vl.Scale(domain=names, range=[kinds[at % len(kinds)] for at in range(len(names))])

    legend = vl.Legend(title=None, orient="right", labelExpr=clipped_labels(names), symbolSize=90, symbolStrokeWidth=2)
    colour = vl.Color("learner:N", scale=scale(PAINTS), legend=legend)
    x = vl.X("realised:Q", title="share of wrong labels in training, as achieved", axis=vl.Axis(format="~%"))
    y = vl.Y("error:Q", title="error on clean test labels", axis=vl.Axis(format="~%"), scale=vl.Scale(zero=True))
    data = vl.Chart(points)
    bands = [  # each with its own colour: in one layer they would make the legend as pale as they are
        vl.Chart([point for point in points if point["learner"] == name and point["low"] is not None])
        .mark_area(color=PAINTS[at % len(PAINTS)], opacity=0.12)
        .encode(x=x, y=vl.Y("low:Q"), y2="high:Q")
        for at, name in enumerate(names)
    ]
    line = data.mark_line(strokeWidth=2).encode(
        x=x, y=y, color=colour, strokeDash=vl.StrokeDash("learner:N", scale=scale(DASHES), legend=None)
    )
    tips = ["learner:N", "rate:Q", "realised:Q", "error:Q", "low:Q", "high:Q"]
    dots = data.mark_point(filled=True, size=60, opacity=1).encode(
        x=x, y=y, color=colour, shape=vl.Shape("learner:N", scale=scale(MARKS), legend=legend), tooltip=tips
    )
    chart = vl.layer(*bands, line, dots).properties(width=400, height=HEIGHT)
    ends = []
    for name in names[:12]:
        own = sorted((point for point in points if point["learner"] == name), key=lambda point: point["realised"])
        ends.append(f"{name} {own[0]['error']:.1%} to {own[-1]['error']:.1%}")
    low, high = (pick(point["realised"] for point in points) for pick in (min, max))
    alternative = (
        f"Error on clean test labels, with intervals, from {low:.1%} to {high:.1%} of the training labels wrong "
        f"({noise}): {'; '.join(ends)}."
    )
    return styled(chart, "Error of learners trained on wrong labels", alternative, below=[clipped(noise, 80)])
