"""Error rates found without labels: estimates with intervals, bounds, and those by labels where there are any."""

import math
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, GRID, ORANGE, SOFT, clipped_labels, styled
from justesse.core.printable import printable
from justesse.core.results import Estimate

MOST = 40
Row = tuple[str, Estimate, tuple[float, float], Estimate | None]


def unlabelled_error_points(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Lay out name, error rate, bounds and error rate by labels, at most forty.

    >>> from justesse.core.results import Interval
    >>> error = Estimate("error", 0.1, 100, Interval(0.05, 0.15, 0.95, "agreement-bootstrap"))
    >>> unlabelled_error_points([("a", error, (0.0, 0.25), None)])
    [{'name': 'a', 'error': 0.1, 'low': 0.05, 'high': 0.15, 'least': 0.0, 'most': 0.25, 'labelled': None}]
    """
    points = []
    for name, error, bounds, labelled in rows[:MOST]:
        ends = error.interval
        least, most = (None if math.isnan(end) else end for end in bounds)
        points.append(
            {
                "name": printable(name),
                "error": error.value,
                "low": ends.low if ends else error.value,
                "high": ends.high if ends else error.value,
                "least": least,
                "most": most,
                "labelled": labelled.value if labelled else None,
            }
        )
    return points


def unlabelled_error_chart(rows: Sequence[Row]) -> vl.Chart:
    """Draw a point with its interval for each classifier, on the bounds; a diamond marks the error rate by labels."""
    points = unlabelled_error_points(rows)
    order = [point["name"] for point in points]
    axis = vl.Axis(labelExpr=clipped_labels(order), labelLimit=190)
    y = vl.Y("name:N", sort=order, title=None, axis=axis)

    def x(field: str) -> Any:
        return vl.X(f"{field}:Q", title="error rate", axis=vl.Axis(format="%", tickCount=5))

    data = vl.Chart(points)
    bounded = vl.Chart([point for point in points if point["least"] is not None])
    layers = [
        bounded.mark_rule(color=GRID, strokeWidth=9).encode(x=x("least"), x2="most:Q", y=y),
        data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x("low"), x2="high:Q", y=y),
        data.mark_point(filled=True, color=BLUE, size=50, opacity=1).encode(
            x=x("error"), y=y, tooltip=["name:N", "error:Q", "low:Q", "high:Q", "least:Q", "most:Q"]
        ),
    ]
    known = [point for point in points if point["labelled"] is not None]
    if known:
        layers.append(
            vl.Chart(known)
            .mark_point(filled=True, color=ORANGE, shape="diamond", size=70, opacity=1)
            .encode(x=x("labelled"), y=y)
        )
    chart = vl.layer(*layers).properties(width=360, height=vl.Step(20))
    words = "Error rate of each classifier without labels, lowest first, with interval and bounds."
    below = [
        "line: interval if all err independently; band: bounds",
        *(["diamond: error rate by labels"] if known else []),
    ]
    return styled(chart, "Error rates without labels", words, below=below)
