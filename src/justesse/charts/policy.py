"""A policy beside what it weighs: the weight of each period and the score in it (Prokopalo et al. 2020, figure 3)."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, clipped_labels, styled
from justesse.core.printable import printable


def policy_points(periods: Sequence[str], weights: Sequence[float], values: Sequence[float]) -> list[dict[str, Any]]:
    """Lay out the weight of each period, the error in it, and the error times the weight.

    >>> policy_points(["a"], [0.5], [0.2])
    [{'period': 'a', 'weight': 0.5, 'error': 0.2, 'part': 0.1}]
    """
    return [
        {"period": printable(period), "weight": weight, "error": value, "part": weight * value}
        for period, weight, value in zip(periods, weights, values, strict=True)
    ]


def policy_chart(
    periods: Sequence[str],
    weights: Sequence[float],
    values: Sequence[float],
    version: str,
    *,
    scored: str = "error",
    is_share: bool = True,
) -> vl.Chart:
    """Draw the weights above the weighted scores, which add up to the score under the policy.

    Parameters
    ----------
    periods, weights, values
        Names of the periods, their weights, and the scores in them.
    version
        Version whose scores they are.
    scored
        What the score is called.
    is_share
        Whether scores are written in percent.
    """
    points = policy_points(periods, weights, values)
    order = [point["period"] for point in points]
    size = max(12, min(36, 460 // max(len(order), 1)))

    def panel(field: str, title: str, colour: str, form: str = "~%") -> Any:
        x = vl.X(
            "period:N",
            sort=order,
            title=None,
            axis=vl.Axis(labelExpr=clipped_labels(order), labelAngle=-45, labelLimit=90),
        )
        bars = vl.Chart(points).mark_bar(color=colour)
        y = vl.Y(f"{field}:Q", title=title, axis=vl.Axis(format=form, tickCount=4))
        drawn = bars.encode(x=x, y=y, tooltip=["period:N", "weight:Q", "error:Q", "part:Q"])
        return drawn.properties(width=vl.Step(size), height=110)

    form, digits = ("~%", ".1%") if is_share else ("~g", ".4g")
    parts = panel("weight", "weight", BLUE), panel("part", f"weight × {scored}", ORANGE, form)
    chart = vl.concat(*parts, columns=1, spacing=14)
    total = sum(point["part"] for point in points)
    heaviest = max(points, key=lambda point: point["weight"])
    words = (
        f"Weights of {len(points)} periods for version {printable(version)}; the heaviest is {heaviest['period']} with "
        f"{heaviest['weight']:.0%}. Weight times {scored} adds up to {total:{digits}}."
    )
    return styled(
        chart, f"What the policy weighs, version {version}", words, below=["the lower bars add up to the score"]
    )
