"""The ROC curve with a band for its true positive rate."""

from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, WIDTH, banded_points, clipped, dashed_diagonal, styled


def roc_chart(scored: dict[str, Any]) -> vl.Chart:
    """Draw the curve, its band and the line of chance."""
    data = vl.Chart(banded_points(scored["roc"], "fpr", "tpr"))
    x = vl.X("x:Q", title="false positive rate", scale=vl.Scale(domain=[0, 1]))
    band = data.mark_area(color=BLUE, opacity=0.18).encode(x=x, y=vl.Y("low:Q"), y2="high:Q")
    line = data.mark_line(color=BLUE, strokeWidth=2, interpolate="linear").encode(
        x=x, y=vl.Y("y:Q", title="true positive rate", scale=vl.Scale(domain=[0, 1])), order="x:Q"
    )
    chart = vl.layer(dashed_diagonal("chance"), band, line).properties(width=WIDTH, height=HEIGHT)
    name = scored.get("class")
    text = f"ROC curve of {name!r}: true positive rate against false positive rate, with interval; dashed: chance."
    return styled(chart, f"ROC curve of {clipped(repr(name))}", text, below=["band: interval; dashed: chance"])
