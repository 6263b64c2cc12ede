"""How often annotators are right from their first answers to their last, with bands."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, GREEN, HEIGHT, ORANGE, WIDTH, styled
from justesse.core.printable import printable

MOST = 3


def annotator_drift_points(drifts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lay out the blocks of answers of each annotator.

    >>> annotator_drift_points([{"annotator": "ann", "accuracy": [0.9, 0.5], "low": [0.8, 0.4], "high": [1.0, 0.6]}])[1]
    {'annotator': 'ann', 'block': 2, 'accuracy': 0.5, 'low': 0.4, 'high': 0.6}
    """
    return [
        {"annotator": printable(each["annotator"]), "block": at, "accuracy": share, "low": low, "high": high}
        for each in drifts
        for at, (share, low, high) in enumerate(zip(each["accuracy"], each["low"], each["high"], strict=True), 1)
    ]


def annotator_drift_chart(drifts: Sequence[dict[str, Any]], judged: str = "share of right answers") -> vl.Chart:
    """Draw a line with its band for each of the first annotators.

    Parameters
    ----------
    drifts
        `annotator`, and `accuracy`, `low` and `high` of each block of answers, the clearest change first.
    judged
        Title of the axis of shares.
    """
    points = annotator_drift_points(drifts[:MOST])
    names = list(dict.fromkeys(point["annotator"] for point in points))
    blocks = sorted({point["block"] for point in points})
    data = vl.Chart(points)
    axis = vl.Axis(values=blocks, format="d")
    x = vl.X(
        "block:Q",
        title="fifths of the annotator's answers, in order",
        scale=vl.Scale(nice=False, zero=False),
        axis=axis,
    )
    scale = vl.Scale(domain=names, range=[BLUE, ORANGE, GREEN][: len(names)])
    colour = vl.Color("annotator:N", scale=scale, legend=vl.Legend(title=None, orient="top", symbolOpacity=1))
    y = vl.Y("low:Q", title=judged, axis=vl.Axis(format="~%"), scale=vl.Scale(zero=False))
    band = data.mark_area(opacity=0.15).encode(x=x, y=y, y2="high:Q", color=colour)
    line = data.mark_line(strokeWidth=2, point=True).encode(
        x=x, y=vl.Y("accuracy:Q"), color=colour, tooltip=["annotator:N", "block:Q", "accuracy:Q", "low:Q", "high:Q"]
    )
    ends = "; ".join(
        f"{printable(each['annotator'])} {each['accuracy'][0]:.1%} to {each['accuracy'][-1]:.1%}"
        for each in drifts[:MOST]
    )
    which = f"{len(names)} of {len(drifts):,} annotators, the clearest change first"
    return styled(
        vl.layer(band, line).properties(width=WIDTH, height=HEIGHT),
        "Annotators over time",
        f"{judged.capitalize()} from the first fifth of an annotator's answers to the last: {ends}.",
        below=[which, "band: pointwise interval"],
    )
