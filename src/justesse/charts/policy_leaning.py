"""The difference of two systems as the policy leans from the past to the present, with where the ranking flips."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, WIDTH, styled


def policy_leaning_points(leanings: Sequence[tuple[float, float, float, float]]) -> list[dict[str, Any]]:
    """Lay out (leaning, difference, low, high), in points.

    >>> policy_leaning_points([(0.0, 0.01, -0.02, 0.04)])
    [{'lean': 0.0, 'value': 1.0, 'low': -2.0, 'high': 4.0}]
    """
    return [
        {"lean": lean, "value": 100 * value, "low": 100 * low, "high": 100 * high}
        for lean, value, low, high in leanings
    ]


def policy_leaning_chart(leanings: Sequence[tuple[float, float, float, float]], flips: Sequence[float]) -> vl.Chart:
    """Draw the difference with its interval from past (-1) over uniform (0) to recent (1)."""
    points = policy_leaning_points(leanings)
    names = "datum.value == -1 ? 'past' : datum.value == 0 ? 'uniform' : 'recent'"
    x = vl.X("lean:Q", title="policy", axis=vl.Axis(values=[-1, 0, 1], labelExpr=names), scale=vl.Scale(nice=False))
    y = vl.Y("low:Q", title="candidate minus incumbent (points)")
    data = vl.Chart(points)
    layers: list[Any] = [
        data.mark_area(color=BLUE, opacity=0.2).encode(x=x, y=y, y2="high:Q"),
        data.mark_line(color=BLUE, strokeWidth=2).encode(
            x=x, y="value:Q", tooltip=["lean:Q", "value:Q", "low:Q", "high:Q"]
        ),
        vl.Chart([{"value": 0.0}]).mark_rule(color=INK, strokeWidth=2).encode(y="value:Q"),
    ]
    if flips:
        marks = vl.Chart([{"lean": place, "value": 0.0} for place in flips])
        layers.append(marks.mark_point(filled=True, color=ORANGE, size=90, opacity=1).encode(x="lean:Q", y="value:Q"))
    sure = sum(1 for point in points if point["low"] > 0 or point["high"] < 0)
    words = (
        f"Difference from {points[0]['value']:+.2f} points under past to {points[-1]['value']:+.2f} under recent; its "
        f"interval leaves out 0 for {sure} of {len(points)} policies. "
    )
    words += (
        f"The ranking flips at {', '.join(f'{place:.2f}' for place in flips)}." if flips else "The ranking never flips."
    )
    below = ["band: interval; dot: the ranking flips"] if flips else ["band: interval"]
    return styled(
        vl.layer(*layers).properties(width=WIDTH, height=HEIGHT),
        "The difference under other policies",
        words,
        below=below,
    )
