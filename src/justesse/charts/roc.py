"""The ROC curve with a band for its true positive rate."""

from typing import TYPE_CHECKING, Any

from justesse.charts.paint import BLUE, HEIGHT, WIDTH, altair, banded_points, dashed_diagonal, styled

if TYPE_CHECKING:
    import altair as alt


def roc_chart(scored: dict[str, Any]) -> "alt.Chart":
    """Draw the curve, its band and the line of chance."""
    alt = altair()
    data = alt.Chart(alt.Data(values=banded_points(scored["roc"], "fpr", "tpr")))
    x = alt.X("x:Q", title="false positive rate", scale=alt.Scale(domain=[0, 1]))
    band = data.mark_area(color=BLUE, opacity=0.18).encode(x=x, y=alt.Y("low:Q"), y2="high:Q")
    line = data.mark_line(color=BLUE, strokeWidth=2, interpolate="linear").encode(
        x=x, y=alt.Y("y:Q", title="true positive rate", scale=alt.Scale(domain=[0, 1])), order="x:Q"
    )
    chart = alt.layer(dashed_diagonal(alt, "chance"), band, line).properties(width=WIDTH, height=HEIGHT)
    name = scored.get("class")
    said = (
        f"ROC curve of {name!r}: true positive rate against false positive rate, with its interval; dashed is chance."
    )
    return styled(chart, f"How many of {name!r} are found, at what price in false alarms", said)
