"""Policies as small pictures: the weight of every period under each of them."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, clipped_labels, styled
from justesse.core.printable import printable

BARS = "▁▂▃▄▅▆▇█"


def weight_bars(weights: Sequence[float]) -> str:
    """Draw weights as a line of text, the highest bar for the largest; a dot for none.

    >>> weight_bars([0.0, 0.125, 0.25, 0.625])
    '·▂▃█'
    """
    top = max(weights)
    return "".join("·" if not weight else BARS[max(0, round(weight / top * len(BARS)) - 1)] for weight in weights)


def policy_preset_points(periods: Sequence[str], weights: Sequence[float]) -> list[dict[str, Any]]:
    """Lay out the weight of each period.

    >>> policy_preset_points(["a", "b"], [0.25, 0.75])
    [{'period': 'a', 'weight': 0.25}, {'period': 'b', 'weight': 0.75}]
    """
    return [
        {"period": printable(period), "weight": weight} for period, weight in zip(periods, weights, strict=True)
    ]  # fmt: skip


def policy_preset_chart(periods: Sequence[str], policies: Sequence[tuple[str, Sequence[float]]]) -> vl.Chart:
    """Draw one small panel of bars for each policy, `(name, weights)`, one under the other."""
    order = [printable(period) for period in periods]
    size = max(8, min(34, 420 // max(len(order), 1)))
    panels = []
    for at, (name, weights) in enumerate(policies):
        last = at == len(policies) - 1
        axis = vl.Axis(labelExpr=clipped_labels(order), labelAngle=-45, labelLimit=90, labels=last, ticks=last)
        x = vl.X("period:N", sort=order, title=None, axis=axis)
        y = vl.Y("weight:Q", title=printable(name), axis=vl.Axis(format="~%", tickCount=2))
        bars = vl.Chart(policy_preset_points(periods, weights)).mark_bar(color=BLUE)
        drawn = bars.encode(x=x, y=y, tooltip=["period:N", "weight:Q"])
        panels.append(drawn.properties(width=vl.Step(size), height=52))
    heaviest = []
    for name, weights in policies[:12]:
        top = max(weights)
        heaviest.append(f"{printable(name)}: {order[list(weights).index(top)]} counts most, with {top:.0%}")
    return styled(
        vl.concat(*panels, columns=1, spacing=8),
        "Weight of each period under each policy",
        f"Weights of {len(order)} periods. {'; '.join(heaviest)}.",
    )
