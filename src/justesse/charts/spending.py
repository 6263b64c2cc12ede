"""What an expert's help has cost after each charge, and the budget."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, INK, WIDTH, styled
from justesse.core.printable import printable

MOST = 500  # points that are drawn


def spending_points(charges: Sequence[tuple[int, str, float]]) -> list[dict[str, Any]]:
    """Lay out `(number, period, spent)`, beginning at 0; of many charges, evenly spaced ones and the last.

    >>> spending_points([(1, "May", 2.0)])
    [{'number': 0, 'period': 'May', 'spent': 0.0}, {'number': 1, 'period': 'May', 'spent': 2.0}]
    """
    step = max(1, len(charges) // MOST)
    shown = [charge for at, charge in enumerate(charges) if at % step == 0 or at == len(charges) - 1]
    first = {"number": 0, "period": printable(charges[0][1]), "spent": 0.0}
    return [first, *({"number": n, "period": printable(period), "spent": spent} for n, period, spent in shown)]


def spending_chart(charges: Sequence[tuple[int, str, float]], budget: float | None = None) -> vl.Chart:
    """Draw the sum of all charges after each of them; a dashed line is the budget."""
    points = spending_points(charges)
    x = vl.X("number:Q", title="charge", axis=vl.Axis(format="~s", tickMinStep=1))
    y = vl.Y("spent:Q", title="spent", scale=vl.Scale(zero=True))
    layers = [
        vl.Chart(points).mark_line(color=BLUE, strokeWidth=2, interpolate="step-after").encode(
            x=x, y=y, tooltip=["number:Q", "period:N", "spent:Q"]
        )
    ]  # fmt: skip
    if budget is not None:
        limit = vl.Chart([{"budget": budget}])
        layers.append(limit.mark_rule(color=INK, strokeDash=[5, 4]).encode(y=vl.Y("budget:Q", title="spent")))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT * 2 // 3)
    last = points[-1]["spent"]
    words = f"{len(charges)} charges, {last:g} in all" + ("." if budget is None else f" of a budget of {budget:g}.")
    return styled(chart, "What the help has cost", words, below=["dashed: the budget"] if budget is not None else [])
