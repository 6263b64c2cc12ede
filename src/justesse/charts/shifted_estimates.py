"""Estimates of one accuracy by several methods, with intervals."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, styled
from justesse.core.results import Estimate

LABELLED = {True: ORANGE, False: BLUE}


def shifted_estimate_points(rows: Sequence[tuple[str, Estimate, bool]]) -> list[dict[str, Any]]:
    """Lay out the name of each method, its estimate, and whether it uses labels of the target.

    >>> shifted_estimate_points([("average confidence", Estimate("accuracy", 0.75, 100), False)])
    [{'method': 'average confidence', 'value': 0.75, 'low': 0.75, 'high': 0.75, 'labels': 'no'}]
    """
    return [
        {
            "method": name,
            "value": estimate.value,
            "low": estimate.interval.low if estimate.interval else estimate.value,
            "high": estimate.interval.high if estimate.interval else estimate.value,
            "labels": "yes" if labelled else "no",
        }
        for name, estimate, labelled in rows
    ]


def shifted_estimate_chart(rows: Sequence[tuple[str, Estimate, bool]]) -> vl.Chart:
    """Draw a point with its interval for each method; diamonds use labels of the target."""
    points = shifted_estimate_points(rows)
    data = vl.Chart(points)
    y = vl.Y("method:N", sort=[point["method"] for point in points], title=None, axis=vl.Axis(labelLimit=190))
    scale = vl.Scale(zero=False)
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(
        x=vl.X("low:Q", title="accuracy", axis=vl.Axis(format="%", tickCount=5), scale=scale), x2="high:Q", y=y
    )
    dots = data.mark_point(filled=True, size=70, opacity=1).encode(
        x=vl.X("value:Q"),
        y=y,
        color=vl.Color(
            "labels:N", legend=None, scale=vl.Scale(domain=["no", "yes"], range=[LABELLED[False], LABELLED[True]])
        ),
        shape=vl.Shape("labels:N", legend=None, scale=vl.Scale(domain=["no", "yes"], range=["circle", "diamond"])),
        tooltip=["method:N", "value:Q", "low:Q", "high:Q"],
    )
    chart = vl.layer(bars, dots).properties(width=360, height=vl.Step(24))
    words = "Accuracy on the target by each method, with intervals."
    with_labels = any(labelled for _, _, labelled in rows)
    below = ["line: interval", *(["diamond: uses labels of the target"] if with_labels else [])]
    return styled(chart, "Accuracy on the target", words, below=below)
