"""Scores against what was spent: the mean over seeds of every system, with a band."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import HEIGHT, INK, WIDTH, clipped, styled
from justesse.core.printable import printable
from justesse.core.results import Estimate

Curve = tuple[str, Sequence[tuple[float, Estimate]]]
MOST = 6  # systems that can be told apart


def cost_curve_points(curves: Sequence[Curve]) -> list[dict[str, Any]]:
    """Lay out the points of every system; without an interval, the band has no width.

    >>> cost_curve_points([("a", [(10.0, Estimate("score", 0.5, 1))])])
    [{'system': 'a', 'cost': 10.0, 'score': 0.5, 'low': 0.5, 'high': 0.5}]
    """
    return [
        {
            "system": printable(name),
            "cost": cost,
            "score": score.value,
            "low": score.interval.low if score.interval else score.value,
            "high": score.interval.high if score.interval else score.value,
        }
        for name, points in curves[:MOST]
        for cost, score in points
    ]


def cost_curve_chart(curves: Sequence[Curve], target: float | None = None) -> vl.Chart:
    """Draw the mean curve of every system with its band, and the score to reach.

    Parameters
    ----------
    curves
        Name of each system, and its costs with their mean scores.
    target
        Score to reach, drawn as a line.
    """
    points = cost_curve_points(curves)
    names = list(dict.fromkeys(point["system"] for point in points))
    data = vl.Chart(points)
    x = vl.X("cost:Q", title="cost", scale=vl.Scale(nice=False), axis=vl.Axis(format="~s"))
    legend = vl.Legend(orient="bottom", columns=3, symbolOpacity=1)
    colour = vl.Color("system:N", title=None, sort=names, legend=legend if len(names) > 1 else None)
    y = vl.Y("low:Q", title="score", scale=vl.Scale(zero=False))
    layers = [
        data.mark_area(opacity=0.2).encode(x=x, y=y, y2="high:Q", color=colour),
        data.mark_line(strokeWidth=2).encode(
            x=x, y="score:Q", color=colour, tooltip=["system:N", "cost:Q", "score:Q", "low:Q", "high:Q"]
        ),
    ]
    if target is not None:
        line = vl.Chart([{"target": target}])
        layers.append(line.mark_rule(color=INK, strokeDash=[2, 3]).encode(y="target:Q"))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    ends = [(clipped(name), shown[-1]) for name, shown in curves[:MOST]]
    words = "; ".join(f"{printable(name)} {score.value:.4g} at cost {cost:g}" for name, (cost, score) in ends)
    below = ["band: interval over seeds, at each cost"]
    if len(curves) > MOST:
        below.append(f"the first {MOST} of {len(curves)} systems")
    if target is not None:
        below.append(f"dotted: score to reach, {target:g}")
    return styled(chart, "Score against cost", f"Mean score over seeds: {words}.", below=below)
