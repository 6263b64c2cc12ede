"""The score of every version under a policy, with intervals."""

import textwrap
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, SOFT, clipped_labels, styled
from justesse.core.printable import printable
from justesse.core.results import Estimate, finite_or_none

LINE = 48  # characters of a line below the title: more would be cut off on a phone


def version_score_points(parts: Sequence[tuple[str, Estimate]]) -> list[dict[str, Any]]:
    """Lay out `(version, its score)` pairs; versions without a score are left out.

    >>> version_score_points([("v1", Estimate("policy_score", 0.2, 50))])
    [{'version': 'v1', 'value': 0.2, 'low': None, 'high': None, 'n': 50}]
    """
    return [
        {
            "version": printable(name),
            "value": estimate.value,
            "low": estimate.interval.low if estimate.interval else None,
            "high": estimate.interval.high if estimate.interval else None,
            "n": estimate.n,
        }
        for name, estimate in parts
        if finite_or_none(estimate.value) is not None
    ]


def version_score_chart(
    parts: Sequence[tuple[str, Estimate]], policy: str, *, title: str = "Error", is_share: bool = True
) -> vl.Chart:
    """Draw the score of each version under the policy, in the order of training; the title says which score it is."""
    points = version_score_points(parts)
    order = [point["version"] for point in points]
    data = vl.Chart(points)
    x = vl.X(
        "version:N",
        sort=order,
        title="version",
        axis=vl.Axis(
            labelExpr=clipped_labels(order), labelLimit=120, **({"labelAngle": 0} if len(order) <= 12 else {})
        ),
    )
    y_title = f"{title.lower()} under the policy"
    form, digits = ("~%", ".1%") if is_share else ("~g", ".4g")
    bars = (
        data.transform_filter("datum.low !== null")
        .mark_rule(color=SOFT, strokeWidth=2)
        .encode(x=x, y=vl.Y("low:Q", title=y_title, axis=vl.Axis(format=form), scale=vl.Scale(zero=False)), y2="high:Q")
    )
    dots = data.mark_point(filled=True, color=BLUE, size=60, opacity=1).encode(
        x=x, y="value:Q", tooltip=["version:N", "value:Q", "low:Q", "high:Q", "n:Q"]
    )
    size = max(22, min(34, 460 // max(len(order), 1)))  # 8 versions fit on a phone
    chart = vl.layer(bars, dots).properties(width=vl.Step(size), height=240)
    words = ", ".join(f"{point['version']} {point['value']:{digits}}" for point in points[:12])
    return styled(
        chart,
        f"{title} of each version under the policy",
        f"{policy} {title} of each version: {words}.",
        below=[*textwrap.wrap(policy, LINE), "line: interval"],
    )
