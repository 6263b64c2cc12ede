"""Shares of the values of a column, in the test set and in the population."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, styled
from justesse.core.printable import printable

MOST = 25
SETS = ("test set", "population")


def share_points(shares: Sequence[tuple[Any, float, float]]) -> list[dict[str, Any]]:
    """Lay out `(value, share of the test set, share of the population)`, the largest differences first.

    >>> share_points([("a", 0.5, 0.5), ("b", 0.3, 0.1)])[0]
    {'value': 'b', 'test set': 0.3, 'population': 0.1}
    """
    ordered = sorted(shares, key=lambda row: -abs(row[1] - row[2]))
    return [
        {
            "value": "(missing)" if name is None else printable(str(name)),
            "test set": in_test,
            "population": in_population,
        }
        for name, in_test, in_population in ordered[:MOST]
    ]


def shares_chart(column: str, shares: Sequence[tuple[Any, float, float]]) -> vl.Chart:
    """Draw both shares of each value, joined by a line whose length is their difference."""
    points = share_points(shares)
    order = [point["value"] for point in points]
    y = vl.Y("value:N", sort=order, title=None)
    joined = (
        vl.Chart(points)
        .mark_rule(color=SOFT, strokeWidth=2)
        .encode(
            x=vl.X("test set:Q", title="share of rows", axis=vl.Axis(format="%", tickCount=5)), x2="population:Q", y=y
        )
    )
    dot_points = [{"value": point["value"], "set": name, "share": point[name]} for point in points for name in SETS]
    dots = (
        vl.Chart(dot_points)
        .mark_point(filled=True, size=70, opacity=1)
        .encode(
            x="share:Q",
            y=y,
            color=vl.Color("set:N", title=None, scale=vl.Scale(domain=list(SETS), range=[BLUE, ORANGE])),
            shape=vl.Shape("set:N", title=None, scale=vl.Scale(domain=list(SETS), range=["circle", "square"])),
            tooltip=["value:N", "set:N", "share:Q"],
        )
    )
    chart = vl.layer(joined, dots).properties(width=460, height=vl.Step(22))
    first = points[0]
    alternative = (
        f"Shares of {len(shares)} values of {column}; largest difference: {first['value']}, "
        f"{100 * first['test set']:.1f} % of the test set, {100 * first['population']:.1f} % of the population."
    )
    more = [f"The {MOST} largest differences of {len(shares)} values."] if len(shares) > MOST else []
    return styled(chart, f"Shares of {column} in the test set and the population", alternative, below=more)
