"""Accuracy of each classifier on a leaderboard, with intervals and possible ranks."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, SOFT, clipped_labels, styled
from justesse.core.printable import printable
from justesse.noise.leaderboard import Standing

MOST = 40


def leaderboard_points(standings: Sequence[Standing], most: int = MOST) -> list[dict[str, Any]]:
    """Lay out the most accurate classifiers, the best first.

    >>> from justesse.core.results import Estimate, Interval
    >>> accuracy = Estimate("accuracy", 0.9, 200, Interval(0.86, 0.93, 0.95, "recheck-kinds"))
    >>> leaderboard_points([Standing("net", accuracy, 0.91, 1, 2, 300.0)])
    [{'classifier': 'net', 'accuracy': 0.9, 'low': 0.86, 'high': 0.93, 'rank': '1 to 2'}]
    """
    return [
        {
            "classifier": printable(row.name),
            "accuracy": row.accuracy.value,
            "low": row.accuracy.interval.low if row.accuracy.interval else None,
            "high": row.accuracy.interval.high if row.accuracy.interval else None,
            "rank": row.rank,
        }
        for row in standings[:most]
    ]


def leaderboard_chart(standings: Sequence[Standing]) -> vl.Chart:
    """Draw a point with its interval for each classifier, and its possible ranks beside it."""
    points = leaderboard_points(standings)
    order = [point["classifier"] for point in points]
    data = vl.Chart(points)
    y = vl.Y("classifier:N", sort=order, title=None, axis=vl.Axis(labelExpr=clipped_labels(order), labelLimit=190))
    x = vl.X("low:Q", title="accuracy", scale=vl.Scale(zero=False), axis=vl.Axis(format="%", tickCount=5))
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, x2="high:Q", y=y)
    dots = data.mark_point(filled=True, color=BLUE, size=50, opacity=1).encode(
        x=vl.X("accuracy:Q"), y=y, tooltip=["classifier:N", "accuracy:Q", "low:Q", "high:Q", "rank:N"]
    )
    chart = vl.layer(bars, dots).properties(width=360, height=vl.Step(24))
    which = f"{len(points)} of {len(standings)} classifiers" if len(points) < len(standings) else "all classifiers"
    listed = "; ".join(f"{point['classifier']} {point['accuracy']:.1%}, rank {point['rank']}" for point in points)
    words = f"Estimated accuracy of {which}, best first, with simultaneous intervals: {listed}."
    return styled(chart, "Accuracy of each classifier", words, below=[f"{which}; line: simultaneous interval"])
