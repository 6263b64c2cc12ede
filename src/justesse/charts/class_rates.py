"""A share of each class with its interval, and a line for all rows."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, styled
from justesse.core.printable import printable
from justesse.core.results import Estimate, finite_or_none

MOST = 40


def class_rate_points(estimates: Sequence[Estimate]) -> list[dict[str, Any]]:
    """Lay out the share of each class in percent; of many classes those with the highest shares.

    >>> class_rate_points([Estimate("noise_rate", 0.1, 100), Estimate("noise_rate", 0.25, 50, class_name="a")])
    [{'class': 'a', 'value': 25.0, 'low': None, 'high': None, 'n': 50}]
    """
    shown = [
        estimate
        for estimate in estimates
        if estimate.class_name is not None and finite_or_none(estimate.value) is not None
    ]
    if len(shown) > MOST:
        shown = sorted(shown, key=lambda estimate: -estimate.value)[:MOST]
    return [
        {
            "class": printable(item.class_name),
            "value": 100 * item.value,
            "low": 100 * item.interval.low if item.interval else None,
            "high": 100 * item.interval.high if item.interval else None,
            "n": item.n,
        }
        for item in shown
    ]


def class_rate_chart(estimates: Sequence[Estimate], title: str, axis: str) -> vl.Chart:
    """Draw each class as a point with its interval, and a dashed line for all rows.

    Parameters
    ----------
    estimates
        Shares of one kind; the one without a class is about all rows.
    title
        Title of the chart.
    axis
        Title of the axis, without its unit.
    """
    points = class_rate_points(estimates)
    data = vl.Chart(points)
    y = vl.Y(
        "class:N", sort=[point["class"] for point in points], title="class", axis=vl.Axis(labelPadding=8, ticks=False)
    )
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=vl.X("low:Q", title=f"{axis} (%)"), x2="high:Q", y=y)
    dots = data.mark_point(filled=True, color=BLUE, size=50, opacity=1).encode(
        x="value:Q", y=y, tooltip=["class:N", "value:Q", "low:Q", "high:Q", "n:Q"]
    )
    layers = [bars, dots]
    alternative = f"{title}: {len(points)} classes, each as a point with its interval."
    whole = next((estimate for estimate in estimates if estimate.class_name is None), None)
    if whole is not None and finite_or_none(whole.value) is not None:
        line = vl.Chart([{"whole": 100 * whole.value}])
        layers.insert(0, line.mark_rule(color=ORANGE, strokeDash=[4, 4], strokeWidth=2).encode(x="whole:Q"))
        alternative += f" The dashed line is all rows, {100 * whole.value:.1f} %."
    chart = vl.layer(*layers).properties(width=460, height=vl.Step(20))
    return styled(chart, title, alternative, below=["dashed: all rows"])
