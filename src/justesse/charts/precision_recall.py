"""The precision-recall curve with a band for its precision."""

from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, WIDTH, banded_points, clipped, styled


def precision_recall_chart(scored: dict[str, Any]) -> vl.Chart:
    """Draw the curve in steps, as average precision adds it up, and its band."""
    data = vl.Chart(banded_points(scored["precision_recall"], "recall", "precision"))
    x = vl.X("x:Q", title="recall", scale=vl.Scale(domain=[0, 1]))
    band = data.mark_area(color=BLUE, opacity=0.18, interpolate="step-before").encode(x=x, y=vl.Y("low:Q"), y2="high:Q")
    line = data.mark_line(color=BLUE, strokeWidth=2, interpolate="step-before").encode(
        x=x, y=vl.Y("y:Q", title="precision", scale=vl.Scale(domain=[0, 1])), order="x:Q"
    )
    chart = vl.layer(band, line).properties(width=WIDTH, height=HEIGHT)
    name = scored.get("class")
    text = f"Precision of {name!r} against its recall as the threshold falls, with interval."
    return styled(chart, f"Precision and recall of {clipped(repr(name))}", text, below=["band: interval"])
