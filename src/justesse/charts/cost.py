"""The cost curve: the smallest cost of errors for every weight of false alarms against misses."""

from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, SOFT, WIDTH, clipped, styled


def cost_points(scored: dict[str, Any], share: float) -> list[dict[str, Any]]:
    """Lay out the curve and the cost of always or never predicting the class; `share` is that of the class.

    >>> curve = {"ratio": [0.5], "cost": [0.1], "cost_low": [0.08], "cost_high": [0.12]}
    >>> cost_points({"cost_curve": curve}, share=0.3)[0]
    {'ratio': 0.5, 'cost': 0.1, 'low': 0.08, 'high': 0.12, 'naive': 0.15}
    """
    curve = scored["cost_curve"]
    rows = zip(curve["ratio"], curve["cost"], curve["cost_low"], curve["cost_high"], strict=True)
    return [
        {"ratio": r, "cost": cost, "low": low, "high": high, "naive": min((1 - r) * share, r * (1 - share))}
        for r, cost, low, high in rows
    ]


def cost_chart(scored: dict[str, Any], share: float) -> vl.Chart:
    """Draw the smallest cost per row against how much a false alarm weighs."""
    data = vl.Chart(cost_points(scored, share))
    x = vl.X("ratio:Q", title="weight of a false alarm (a miss weighs the rest)")
    naive = data.mark_line(color=SOFT, strokeDash=[4, 4]).encode(x=x, y=vl.Y("naive:Q"))
    line = data.mark_line(color=BLUE, strokeWidth=2).encode(x=x, y=vl.Y("cost:Q", title="smallest cost per row"))
    layers = [naive, line]
    known = any(low is not None for low in scored["cost_curve"]["cost_low"])
    if known:
        layers.insert(1, data.mark_area(color=BLUE, opacity=0.18).encode(x=x, y=vl.Y("low:Q"), y2="high:Q"))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    name = scored.get("class")
    text = (
        f"Smallest cost per row of predicting {name!r}, for every weight of false alarms; dashed: ignoring the scores."
    )
    below = ["band: interval; dashed: ignoring the scores"] if known else ["dashed: ignoring the scores"]
    return styled(chart, f"Cost of errors at the best threshold, {clipped(repr(name))}", text, below=below)
