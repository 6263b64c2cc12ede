"""The precision-recall curve with a band for its precision."""

from typing import TYPE_CHECKING, Any

from justesse.charts.paint import BLUE, HEIGHT, WIDTH, altair, banded_points, styled

if TYPE_CHECKING:
    import altair as alt


def precision_recall_chart(scored: dict[str, Any]) -> "alt.Chart":
    """Draw the curve in steps, as average precision adds it up, and its band."""
    alt = altair()
    data = alt.Chart(alt.Data(values=banded_points(scored["precision_recall"], "recall", "precision")))
    x = alt.X("x:Q", title="recall", scale=alt.Scale(domain=[0, 1]))
    band = data.mark_area(color=BLUE, opacity=0.18, interpolate="step-before").encode(
        x=x, y=alt.Y("low:Q"), y2="high:Q"
    )
    line = data.mark_line(color=BLUE, strokeWidth=2, interpolate="step-before").encode(
        x=x, y=alt.Y("y:Q", title="precision", scale=alt.Scale(domain=[0, 1])), order="x:Q"
    )
    chart = alt.layer(band, line).properties(width=WIDTH, height=HEIGHT)
    name = scored.get("class")
    said = f"Precision of {name!r} against its recall as the threshold falls, with its interval."
    return styled(chart, f"Of what is called {name!r}, how much is, as more are found", said)
