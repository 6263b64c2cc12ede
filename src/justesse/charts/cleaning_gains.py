"""What cleaning training labels is worth: the difference of accuracy for each filter and arm, with its interval."""

import json
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, INK, ORANGE, SOFT, clipped, styled
from justesse.core.printable import printable
from justesse.core.results import finite_or_none
from justesse.procedures.cleaned_training import CleanedLearner

MOST = 60
LONGEST = 32  # characters of a filter and its arm
KINDS = {"better": "triangle-right", "worse": "square", "unclear": "circle"}


def cleaning_gain_points(rows: Sequence[CleanedLearner]) -> list[dict[str, Any]]:
    """Lay out the differences in points, at the highest rate; those that are undefined are left out.

    >>> from justesse.core.results import Estimate
    >>> gain = Estimate("difference", 0.03, 5)
    >>> cleaning_gain_points([CleanedLearner("tree", 0.2, "entropy", "remove", gain, gain, 0.1, 0.5, 0.02)])
    [{'learner': 'tree', 'name': 'entropy, remove', 'value': 3.0, 'low': 3.0, 'high': 3.0, 'helps': 'unclear'}]
    """
    highest = max(row.rate for row in rows)
    points = []
    for row in rows:
        own = row.difference
        if row.rate != highest or finite_or_none(own.value) is None:
            continue
        low, high = (own.interval.low, own.interval.high) if own.interval else (own.value, own.value)
        clear = own.interval is not None and (low > 0 or high < 0)
        points.append(
            {
                "learner": printable(row.learner),
                "name": printable(f"{row.filter}, {row.arm}"),
                "value": 100 * own.value,
                "low": 100 * low,
                "high": 100 * high,
                "helps": ("better" if low > 0 else "worse") if clear else "unclear",
            }
        )
    return points[:MOST]


def cleaning_gain_chart(rows: Sequence[CleanedLearner]) -> vl.Chart:
    """Draw a panel for each learner: a point with its interval for each filter and arm, and a line at no difference."""
    points = cleaning_gain_points(rows)
    learners = list(dict.fromkeys(point["learner"] for point in points))
    reach = [min(0.0, *(point["low"] for point in points)), max(0.0, *(point["high"] for point in points))]
    panels = [_panel([point for point in points if point["learner"] == name], name, reach) for name in learners]
    rate = max(row.rate for row in rows)
    counts = {kind: sum(point["helps"] == kind for point in points) for kind in KINDS}
    words = (
        f"Difference of accuracy after cleaning the training labels, {rate:.0%} of them wrong: {counts['better']} "
        f"clearly better, {counts['worse']} clearly worse, {counts['unclear']} unclear."
    )
    below = ["accuracy after cleaning, less without; dashed: no difference"]
    chart = vl.concat(*panels, columns=1, spacing=14)
    return styled(chart, f"What cleaning is worth, {100 * rate:g} % wrong labels", words, below=below)


def _panel(points: list[dict[str, Any]], learner: str, reach: list[float]) -> Any:
    order = [point["name"] for point in points]
    names = json.dumps({name: clipped(name, LONGEST) for name in order})
    y = vl.Y("name:N", sort=order, title=None, axis=vl.Axis(labelExpr=f"{names}[datum.value]", labelLimit=230))
    legend = vl.Legend(title=None, orient="bottom", columns=3, symbolSize=80)
    colour = vl.Color("helps:N", scale=vl.Scale(domain=list(KINDS), range=[BLUE, ORANGE, SOFT]), legend=legend)
    shape = vl.Shape("helps:N", scale=vl.Scale(domain=list(KINDS), range=list(KINDS.values())), legend=legend)
    data, scale = vl.Chart(points), vl.Scale(domain=reach)
    layers = [
        vl.Chart([{"zero": 0}]).mark_rule(color=SOFT, strokeDash=[4, 4]).encode(x=vl.X("zero:Q", scale=scale)),
        data.mark_rule(color=SOFT, strokeWidth=2).encode(
            x=vl.X("low:Q", title="difference (points)", scale=scale), x2="high:Q", y=y
        ),
        data.mark_point(filled=True, size=60, opacity=1).encode(
            x="value:Q", y=y, color=colour, shape=shape, tooltip=["name:N", "value:Q", "low:Q", "high:Q"]
        ),
    ]
    heading = vl.TitleParams(clipped(learner), anchor="start", fontSize=12, fontWeight="normal", color=INK, offset=6)
    return vl.layer(*layers).properties(width=330, height=vl.Step(18), title=heading)
