"""How often a judge agrees with people in each stratum, with intervals."""

import math
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, SOFT, clipped_labels, styled
from justesse.core.printable import printable
from justesse.core.results import Estimate

MOST = 40
Row = tuple[str, str, Estimate]


def judge_agreement_points(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Lay out stratum, agreement and interval; the first forty, after the judge if there are several.

    >>> judge_agreement_points([("", "easy", Estimate("agreement", 0.9, 50))])
    [{'name': 'easy', 'value': 0.9, 'low': 0.9, 'high': 0.9}]
    """
    return [
        {
            "name": printable(f"{judge}: {stratum}" if judge else stratum),
            "value": estimate.value,
            "low": estimate.interval.low if estimate.interval else estimate.value,
            "high": estimate.interval.high if estimate.interval else estimate.value,
        }
        for judge, stratum, estimate in rows[:MOST]
        if math.isfinite(estimate.value)
    ]


def judge_agreement_chart(rows: Sequence[Row]) -> vl.Chart:
    """Draw a point with its interval for each stratum.

    Parameters
    ----------
    rows
        Judge (empty if there is one only), stratum, and share of verdicts that people agree with.
    """
    points = judge_agreement_points(rows)
    order = [point["name"] for point in points]
    y = vl.Y("name:N", sort=order, title=None, axis=vl.Axis(labelExpr=clipped_labels(order), labelLimit=230))
    x = vl.X("low:Q", title="agreement with people", scale=vl.Scale(zero=False), axis=vl.Axis(format="%", tickCount=5))
    data = vl.Chart(points)
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, x2="high:Q", y=y)
    dots = data.mark_point(filled=True, color=BLUE, size=60, opacity=1).encode(
        x=vl.X("value:Q"), y=y, tooltip=["name:N", "value:Q", "low:Q", "high:Q"]
    )
    listed = "; ".join(f"{point['name']} {point['value']:.1%}" for point in points)
    words = f"Share of verdicts that equal people's rating in each stratum, with intervals: {listed}."
    chart = vl.layer(bars, dots).properties(width=330, height=vl.Step(22))
    return styled(chart, "Agreement with people by stratum", words, below=["line: interval"])
