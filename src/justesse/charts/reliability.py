"""The reliability of a consensus: the share of right classes against the probability of the class."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, ORANGE, SOFT, WIDTH, dashed_diagonal, styled

SERIES = {"model": BLUE, "calibrated": ORANGE}


def reliability_chart(bins: Sequence[dict[str, Any]]) -> vl.Chart:
    """Draw the share of each bin with its interval against the mean probability; dashed is perfect."""
    data = vl.Chart(list(bins))
    x = vl.X("mean_score:Q", title="mean probability of the class", scale=vl.Scale(domain=[0, 1]))
    names = [name for name in SERIES if any(point["probabilities"] == name for point in bins)]
    colour = vl.Color(
        "probabilities:N",
        title="probabilities",
        scale=vl.Scale(domain=names, range=[SERIES[name] for name in names]),
    )
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, y=vl.Y("share_low:Q"), y2="share_high:Q")
    dots = data.mark_point(filled=True, opacity=1).encode(
        x=x,
        color=colour,
        y=vl.Y("share:Q", title="share of right classes", scale=vl.Scale(domain=[0, 1])),
        size=vl.Size("n:Q", scale=vl.Scale(range=[30, 160]), legend=None),
        tooltip=["mean_score:Q", "share:Q", "share_low:Q", "share_high:Q", "n:Q"],
    )
    chart = vl.layer(dashed_diagonal("perfect"), bars, dots).properties(width=WIDTH, height=HEIGHT)
    words = "Share of right classes against their probability, in bins with intervals; dashed: perfect calibration."
    return styled(
        chart,
        "Probabilities against gold classes",
        words,
        below=["line: interval; dashed: perfect; larger: more items"],
    )
