"""One measure over slices, with intervals and the whole beside them."""

import math
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, clipped_labels, styled
from justesse.core.printable import printable
from justesse.core.results import Estimate
from justesse.measures.titles import title_of, words_of


def slice_points(parts: Sequence[tuple[str, Estimate]]) -> list[dict[str, Any]]:
    """Lay out `(name of the slice, its estimate)` pairs.

    >>> slice_points([("site = a", Estimate("accuracy", 0.9, 50))])
    [{'slice': 'site = a', 'value': 0.9, 'low': None, 'high': None, 'n': 50}]
    """
    return [
        {
            "slice": printable(name),
            "value": estimate.value,
            "low": _end(estimate, estimate.interval.low) if estimate.interval else None,
            "high": _end(estimate, estimate.interval.high) if estimate.interval else None,
            "n": estimate.n,
        }
        for name, estimate in parts
    ]


def _end(estimate: Estimate, end: float) -> float:
    """Return the end of an interval or, if it is open, the value: the line then shows the bound alone."""
    return end if math.isfinite(end) else estimate.value


def slice_chart(parts: Sequence[tuple[str, Estimate]], whole: Estimate) -> vl.Chart:
    """Draw each slice as a point with its interval, and a line for the whole."""
    points = slice_points(parts)
    data = vl.Chart(points)
    order = [point["slice"] for point in points]
    y = vl.Y("slice:N", sort=order, title=None, axis=vl.Axis(labelExpr=clipped_labels(order), labelLimit=190))
    name = title_of(whole)
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(
        x=vl.X("low:Q", title=words_of(whole), scale=vl.Scale(zero=False)), x2="high:Q", y=y
    )
    dots = data.mark_point(filled=True, color=BLUE, size=50, opacity=1).encode(
        x="value:Q", y=y, tooltip=["slice:N", "value:Q", "low:Q", "high:Q", "n:Q"]
    )
    line = vl.Chart([{"whole": whole.value}]).mark_rule(color=ORANGE, strokeDash=[4, 4]).encode(x="whole:Q")
    chart = vl.layer(line, bars, dots).properties(width=460, height=vl.Step(22))
    names = {estimate.interval.name for _, estimate in parts if estimate.interval}
    kind = max(names) if len(names) == 1 else "interval"
    text = f"{name} of {len(points)} slices, with {kind}; dashed: all rows, {whole.value:.4g}."
    return styled(chart, f"{name} of each slice", text, below=[f"line: {kind}; dashed: all rows"])
