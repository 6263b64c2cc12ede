"""What further questions are expected to gain: the share of right classes against their cost."""

from collections.abc import Mapping, Sequence

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, WIDTH, styled


def asking_chart(points: Sequence[Mapping[str, float]]) -> vl.Chart:
    """Draw the expected share of right classes against what the questions cost so far."""
    share = vl.Y(
        "right:Q",
        title="expected share of right classes",
        scale=vl.Scale(zero=False),
        axis=vl.Axis(format=".1%", tickCount=5),
    )
    data = vl.Chart([dict(point) for point in points])
    line = data.mark_line(color=BLUE, point=True).encode(
        x=vl.X("cost:Q", title="cost of the questions so far"), y=share, tooltip=["cost:Q", "right:Q"]
    )
    first, last = points[0], points[-1]
    words = (
        f"The expected share of right classes rises from {first['right']:.1%} to {last['right']:.1%} for a cost of "
        f"{last['cost']:g}."
    )
    return styled(line.properties(width=WIDTH, height=HEIGHT), "What further questions are expected to gain", words)
