"""Win rates or accuracies by a judge, by people and corrected, with intervals."""

import math
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, clipped_labels, styled
from justesse.core.printable import printable
from justesse.core.results import Estimate

MOST = 40
KINDS = ("judge alone", "people alone", "corrected")
Row = tuple[str, str, Estimate, str]


def judged_figure_points(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Lay out name, value, interval and kind of each figure that has a value; the first forty.

    >>> from justesse.core.results import Interval
    >>> rate = Estimate("win_rate", 0.6, 100, Interval(0.5, 0.7, 0.95, "rogan-gladen"))
    >>> judged_figure_points([("a", "Rogan-Gladen", rate, "rogan_gladen")])
    [{'name': 'Rogan-Gladen', 'value': 0.6, 'low': 0.5, 'high': 0.7, 'kind': 'corrected'}]
    """
    groups = {group for group, *_ in rows}
    return [
        {
            "name": printable(title if len(groups) == 1 else f"{group}: {title}"),
            "value": estimate.value,
            "low": estimate.interval.low if estimate.interval else estimate.value,
            "high": estimate.interval.high if estimate.interval else estimate.value,
            "kind": {"naive": KINDS[0], "people": KINDS[1]}.get(method, KINDS[2]),
        }
        for group, title, estimate, method in rows
        if math.isfinite(estimate.value)
    ][:MOST]


def judged_figure_chart(rows: Sequence[Row], figure: str) -> vl.Chart:
    """Draw a point with its interval for each method: square for the judge alone, diamond for people alone.

    Parameters
    ----------
    rows
        Judge or model, method in words, estimate, and the name of the method.
    figure
        What is estimated, such as win rate.
    """
    points = judged_figure_points(rows)
    order = [point["name"] for point in points]
    y = vl.Y("name:N", sort=order, title=None, axis=vl.Axis(labelExpr=clipped_labels(order), labelLimit=230))
    x = vl.X("low:Q", title=figure, scale=vl.Scale(zero=False), axis=vl.Axis(format="%", tickCount=5))
    data = vl.Chart(points)
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, x2="high:Q", y=y)
    dots = data.mark_point(filled=True, size=70, opacity=1).encode(
        x=vl.X("value:Q"),
        y=y,
        color=vl.Color("kind:N", legend=None, scale=vl.Scale(domain=list(KINDS), range=[ORANGE, SOFT, BLUE])),
        shape=vl.Shape(
            "kind:N", legend=None, scale=vl.Scale(domain=list(KINDS), range=["square", "diamond", "circle"])
        ),
        tooltip=["name:N", "value:Q", "low:Q", "high:Q"],
    )
    chart = vl.layer(bars, dots).properties(width=330, height=vl.Step(22))
    listed = "; ".join(f"{point['name']} {point['value']:.1%}" for point in points)
    words = f"{figure.capitalize()} by each method, with intervals: {listed}."
    below = [
        "square: judge alone; diamond: people alone; circle: corrected",
        "powered: prediction-powered; line: interval",
    ]
    return styled(chart, f"{figure.capitalize()} by each method", words, below=below)
