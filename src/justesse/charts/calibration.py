"""The reliability diagram: the share of positives against the predicted probability."""

from typing import Any, Literal

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, SOFT, WIDTH, clipped, dashed_diagonal, styled


def calibration_points(scored: dict[str, Any], by: Literal["width", "mass"] = "mass") -> list[dict[str, Any]]:
    """Take the bins of a class's `calibration` (as in the JSON); none where scores are not probabilities."""
    return list(scored["calibration"][by]["bins"]) if scored["calibration"] else []


def calibration_chart(scored: dict[str, Any], by: Literal["width", "mass"] = "mass") -> vl.Chart:
    """Draw the share of each bin with its interval against the mean probability; dashed is perfect."""
    data = vl.Chart(calibration_points(scored, by))
    x = vl.X("mean_score:Q", title="mean probability", scale=vl.Scale(domain=[0, 1]))
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, y=vl.Y("share_low:Q"), y2="share_high:Q")
    dots = data.mark_point(filled=True, color=BLUE, opacity=1).encode(
        x=x,
        y=vl.Y("share:Q", title="share of positives", scale=vl.Scale(domain=[0, 1])),
        size=vl.Size("n:Q", title="rows", scale=vl.Scale(range=[30, 160]), legend=vl.Legend(tickCount=3)),
        tooltip=["mean_score:Q", "share:Q", "share_low:Q", "share_high:Q", "n:Q"],
    )
    chart = vl.layer(dashed_diagonal("perfect"), bars, dots).properties(width=WIDTH, height=HEIGHT)
    name = scored.get("class")
    text = f"Share of {name!r} against its predicted probability, in bins with intervals; dashed: perfect calibration."
    below = ["line: interval of a bin; dashed: perfect calibration"]
    return styled(chart, f"Calibration of {clipped(repr(name))}", text, below=below)
