"""Every period as a stacked bar: error after adaptation, and price of the help (Prokopalo et al. 2020, figure 2)."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, INK, ORANGE, clipped_labels, styled
from justesse.core.printable import printable

PARTS = ("after adaptation", "price of the help")


def period_penalty_points(bars: Sequence[tuple[str, float, float, float | None]]) -> list[dict[str, Any]]:
    """Lay out `(period, S_adapt, penalty, S_base)`: two parts of a bar each.

    >>> period_penalty_points([("May", 0.25, 0.25, 0.5)])
    [{'period': 'May', 'part': 'after adaptation', 'from': 0.0, 'to': 0.25, 'base': 0.5},
     {'period': 'May', 'part': 'price of the help', 'from': 0.25, 'to': 0.5, 'base': 0.5}]
    """
    return [
        {"period": printable(period), "part": part, "from": low, "to": high, "base": base}
        for period, adapt, penalty, base in bars
        for part, low, high in zip(PARTS, (0.0, adapt), (adapt, adapt + penalty), strict=True)
    ]


def period_penalty_chart(
    bars: Sequence[tuple[str, float, float, float | None]], *, words: str = "error rate", is_share: bool = True
) -> vl.Chart:
    """Draw the penalised score of every period; a tick marks the score before any help."""
    points = period_penalty_points(bars)
    order = [printable(period) for period, *_ in bars]
    x = vl.X(
        "period:N",
        sort=order,
        title=None,
        axis=vl.Axis(labelExpr=clipped_labels(order), labelAngle=-45, labelLimit=90),
    )
    colour = vl.Color(
        "part:N", title=None, scale=vl.Scale(domain=list(PARTS), range=[BLUE, ORANGE]),
        legend=vl.Legend(orient="top", columns=2),
    )  # fmt: skip
    y = vl.Y("from:Q", title=words, axis=vl.Axis(format="~%" if is_share else "~g"), scale=vl.Scale(zero=True))
    size = max(14, min(40, 460 // max(len(order), 1)))
    stacked = vl.Chart(points).mark_bar().encode(
        x=x, y=y, y2="to:Q", color=colour, tooltip=["period:N", "part:N", "from:Q", "to:Q", "base:Q"]
    )  # fmt: skip
    before = vl.Chart([point for point in points[::2] if point["base"] is not None])
    ticks = before.mark_tick(color=INK, thickness=2, size=size * 0.8).encode(x=x, y="base:Q")
    chart = vl.layer(stacked, ticks).properties(width=vl.Step(size), height=220)
    form, name = (".1%", "Error") if is_share else (".4g", "Score")
    sign = "less" if any(penalty < 0 for _, _, penalty, _ in bars) else "plus"
    shown = ", ".join(
        f"{printable(period)} {adapt:{form}} {sign} {abs(penalty):{form}}" for period, adapt, penalty, _ in bars[:12]
    )
    end = "the bar is the penalised score" if sign == "plus" else "the lower end of orange is the penalised score"
    return styled(
        chart,
        f"{name} after adaptation, and the price of the help",
        f"{name} after adaptation {sign} the price of the help: {shown}.",
        below=[f"{end}; tick: {name.lower()} before any help"],
    )
