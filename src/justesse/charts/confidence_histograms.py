"""How the confidences of a reference and of a target are spread."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, WIDTH, styled

SERIES = {"reference": (BLUE, [1, 0]), "target": (ORANGE, [6, 3])}


def confidence_steps(bins: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lay out bins (low, high, share of the reference, share of the target) as two lines of steps.

    >>> confidence_steps([{"low": 0.9, "high": 1.0, "reference": 0.75, "target": 0.5}])[:2]
    [{'confidence': 0.9, 'rows': 'reference', 'share': 0.75}, {'confidence': 1.0, 'rows': 'reference', 'share': 0.75}]
    """
    return [
        {"confidence": edge, "rows": name, "share": each[name]}
        for name in SERIES
        for each in bins
        for edge in (each["low"], each["high"])
    ]


def confidence_histogram_chart(bins: Sequence[dict[str, Any]]) -> vl.Chart:
    """Draw the share of rows at each confidence, for the reference and for the target."""
    names = list(SERIES)
    dashes = vl.Scale(domain=names, range=[SERIES[name][1] for name in names])
    colours = vl.Scale(domain=names, range=[SERIES[name][0] for name in names])
    chart = (
        vl.Chart(confidence_steps(bins))
        .mark_line(strokeWidth=2)
        .encode(
            x=vl.X("confidence:Q", title="confidence of the prediction", scale=vl.Scale(zero=False)),
            y=vl.Y("share:Q", title="share of rows", axis=vl.Axis(format="%")),
            color=vl.Color("rows:N", title="rows", scale=colours),
            strokeDash=vl.StrokeDash("rows:N", title="rows", scale=dashes),
        )
        .properties(width=WIDTH, height=200)
    )
    words = "Share of the rows at each confidence, of the reference and of the target."
    return styled(chart, "Confidences of reference and target", words, below=["dashed: target"])
