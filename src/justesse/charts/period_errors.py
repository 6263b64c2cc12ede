"""The error rate of every period, with intervals."""

from collections.abc import Sequence

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, SOFT, clipped_labels, styled
from justesse.charts.version_scores import version_score_points
from justesse.core.results import Estimate


def period_error_chart(parts: Sequence[tuple[str, Estimate]]) -> vl.Chart:
    """Draw the error in each period, in the order of time."""
    points = [{"period": point.pop("version"), **point} for point in version_score_points(parts)]
    order = [str(point["period"]) for point in points]
    x = vl.X(
        "period:N",
        sort=order,
        title=None,
        axis=vl.Axis(labelExpr=clipped_labels(order), labelAngle=-45, labelLimit=90),
    )
    y = vl.Y("low:Q", title="error rate", axis=vl.Axis(format="~%"), scale=vl.Scale(zero=False))
    data = vl.Chart(points)
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, y=y, y2="high:Q")
    line = data.mark_line(color=BLUE, strokeWidth=1, opacity=0.5).encode(x=x, y="value:Q")
    dots = data.mark_point(filled=True, color=BLUE, size=60, opacity=1).encode(
        x=x, y="value:Q", tooltip=["period:N", "value:Q", "low:Q", "high:Q", "n:Q"]
    )
    size = max(14, min(48, 460 // max(len(order), 1)))
    chart = vl.layer(bars, line, dots).properties(width=vl.Step(size), height=220)
    words = ", ".join(f"{point['period']} {point['value']:.1%}" for point in points[:12])
    return styled(chart, "Error over time", f"Error in each period: {words}.", below=["line: interval"])
