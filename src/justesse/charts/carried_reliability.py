"""The reliability of a reference, the curve through it, and labelled rows of a target beside it."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, ORANGE, SOFT, WIDTH, dashed_diagonal, styled

SERIES = {"reference": (BLUE, "circle"), "target": (ORANGE, "diamond")}


def carried_reliability_chart(bins: Sequence[dict[str, Any]], curve: Sequence[dict[str, float]]) -> vl.Chart:
    """Draw the share of right predictions against their confidence; dashed is perfect.

    Parameters
    ----------
    bins
        Bins with `rows` (reference or target), `mean_score`, `share`, `share_low`, `share_high` and `n`.
    curve
        Points of the recalibration: `confidence` and `share`.
    """
    names = [name for name in SERIES if any(point["rows"] == name for point in bins)]
    data = vl.Chart(list(bins))
    x = vl.X("mean_score:Q", title="confidence of the prediction", scale=vl.Scale(domain=[0, 1]))
    colour = vl.Color(
        "rows:N", title="rows", scale=vl.Scale(domain=names, range=[SERIES[name][0] for name in names])
    )  # fmt: skip
    shape = vl.Shape("rows:N", title="rows", scale=vl.Scale(domain=names, range=[SERIES[name][1] for name in names]))
    line = (
        vl.Chart(list(curve))
        .mark_line(color=SOFT, strokeWidth=2)
        .encode(x=vl.X("confidence:Q", scale=vl.Scale(domain=[0, 1])), y=vl.Y("share:Q"))
    )
    bars = data.mark_rule(strokeWidth=2).encode(x=x, y=vl.Y("share_low:Q"), y2="share_high:Q", color=colour)
    dots = data.mark_point(filled=True, opacity=1, size=60).encode(
        x=x,
        y=vl.Y("share:Q", title="share of right predictions", scale=vl.Scale(domain=[0, 1])),
        color=colour,
        shape=shape,
        tooltip=["rows:N", "mean_score:Q", "share:Q", "share_low:Q", "share_high:Q", "n:Q"],
    )
    chart = vl.layer(dashed_diagonal("perfect"), line, bars, dots).properties(width=WIDTH, height=HEIGHT)
    words = "Share of right predictions against their confidence, in bins with intervals; dashed: perfect calibration."
    below = ["line: recalibration; dashed: perfect calibration"]
    if "target" in names:
        below.append("diamond: labelled rows of the target")
    return styled(chart, "Calibration of the reference", words, below=below)
