"""What a system forgot: the score of each period just after it was learnt, and with the latest version."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, clipped_labels, styled
from justesse.core.printable import printable
from justesse.core.results import finite_or_none

LEARNT, LATEST = "just after it was learnt", "latest version"
Ends = tuple[float, float, float]


def forgetting_points(parts: Sequence[tuple[str, Ends, Ends]]) -> list[dict[str, Any]]:
    """Lay out a period, its score just after it was learnt and that of the latest version, with ends of intervals.

    >>> forgetting_points([("a", (0.1, 0.05, 0.2), (0.3, 0.2, 0.4))])[1]
    {'period': 'a', 'when': 'latest version', 'value': 0.3, 'low': 0.2, 'high': 0.4}
    """
    return [
        {
            "period": printable(period),
            "when": when,
            "value": ends[0],
            "low": finite_or_none(ends[1]),
            "high": finite_or_none(ends[2]),
        }
        for period, learnt, latest in parts
        for when, ends in ((LEARNT, learnt), (LATEST, latest))
    ]


def forgetting_chart(
    parts: Sequence[tuple[str, Ends, Ends]], latest: str, *, title: str = "Error", is_share: bool = True
) -> vl.Chart:
    """Draw both scores of each period side by side, with intervals if there are any.

    Parameters
    ----------
    parts
        Period, score just after it was learnt and score of the latest version, each with the ends of its interval.
    latest
        Name of the latest version.
    title
        What the score is.
    is_share
        Whether it is read in percent.
    """
    points = forgetting_points(parts)
    order = list(dict.fromkeys(point["period"] for point in points))
    form, digits = ("~%", ".1%") if is_share else ("~g", ".4g")
    x = vl.X(
        "period:N",
        sort=order,
        title="period",
        axis=vl.Axis(labelExpr=clipped_labels(order), labelLimit=90, labelAngle=-45 if len(order) > 4 else 0),
    )
    beside = vl.XOffset("when:N", sort=[LEARNT, LATEST])
    y = vl.Y("low:Q", title=title.lower(), axis=vl.Axis(format=form), scale=vl.Scale(zero=False))
    data = vl.Chart(points)
    bars = (
        data.transform_filter("datum.low !== null")
        .mark_rule(color=SOFT, strokeWidth=2)
        .encode(x=x, xOffset=beside, y=y, y2="high:Q")
    )
    dots = data.mark_point(filled=True, size=70, opacity=1).encode(
        x=x,
        xOffset=beside,
        y=vl.Y("value:Q", title=title.lower(), axis=vl.Axis(format=form), scale=vl.Scale(zero=False)),
        color=vl.Color(
            "when:N",
            title=None,
            scale=vl.Scale(domain=[LEARNT, LATEST], range=[BLUE, ORANGE]),
            legend=vl.Legend(orient="top"),
        ),
        shape=vl.Shape("when:N", title=None, scale=vl.Scale(domain=[LEARNT, LATEST], range=["circle", "square"])),
        tooltip=["period:N", "when:N", "value:Q", "low:Q", "high:Q"],
    )
    size = max(26, min(90, 460 // max(len(order), 1)))
    chart = vl.layer(bars, dots).properties(width={**vl.Step(size), "for": "position"}, height=240)
    words = "; ".join(
        f"{printable(period)} {learnt[0]:{digits}} then, {now[0]:{digits}} now" for period, learnt, now in parts[:12]
    )
    intervals = "; line: interval" if any(point["low"] is not None for point in points) else ""
    more = f"; and {len(parts) - 12} more periods" if len(parts) > 12 else ""
    return styled(
        chart,
        f"{title} of each period: just after it was learnt, and now",
        f"{title} of each period just after it was learnt, and with version {printable(latest)} now: {words}{more}.",
        below=[f"latest version: {printable(latest)}{intervals}"],
    )
