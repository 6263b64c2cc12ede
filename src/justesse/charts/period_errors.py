"""The error rate of every period, with intervals."""

from collections.abc import Sequence

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, SOFT, clipped_labels, styled
from justesse.charts.version_scores import version_score_points
from justesse.core.results import Estimate


def period_error_chart(
    parts: Sequence[tuple[str, Estimate]], *, words: str = "error rate", is_share: bool = True
) -> vl.Chart:
    """Draw the error, or another score, in each period, in the order of time."""
    points = [{"period": point.pop("version"), **point} for point in version_score_points(parts)]
    order = [str(point["period"]) for point in points]
    x = vl.X(
        "period:N",
        sort=order,
        title=None,
        axis=vl.Axis(labelExpr=clipped_labels(order), labelAngle=-45, labelLimit=90),
    )
    y = vl.Y("low:Q", title=words, axis=vl.Axis(format="~%" if is_share else "~g"), scale=vl.Scale(zero=False))
    data = vl.Chart(points)
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, y=y, y2="high:Q")
    line = data.mark_line(color=BLUE, strokeWidth=1, opacity=0.5).encode(x=x, y="value:Q")
    dots = data.mark_point(filled=True, color=BLUE, size=60, opacity=1).encode(
        x=x, y="value:Q", tooltip=["period:N", "value:Q", "low:Q", "high:Q", "n:Q"]
    )
    size = max(14, min(48, 460 // max(len(order), 1)))
    chart = vl.layer(bars, line, dots).properties(width=vl.Step(size), height=220)
    form, name = (".1%", "Error") if is_share else (".4g", "Score")
    shown = ", ".join(f"{point['period']} {point['value']:{form}}" for point in points[:12])
    return styled(chart, f"{name} over time", f"{name} in each period: {shown}.", below=["line: interval"])
