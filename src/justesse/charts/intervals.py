"""Measures of each class with interval bars."""

import math
from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, SOFT, clipped_labels, styled
from justesse.core.printable import printable
from justesse.core.results import Estimate
from justesse.measures import MAIN_PER_CLASS
from justesse.measures.ratio import Ratio

MOST = 40


def interval_points(estimates: Sequence[Estimate]) -> list[dict[str, Any]]:
    """Lay out the main measures of each class, the lowest by the first headline measure first, at most forty classes.

    >>> interval_points([Estimate("recall", 0.5, 10, class_name="a"), Estimate("accuracy", 0.7, 10)])
    [{'class': 'a', 'measure': 'recall', 'value': 0.5, 'low': None, 'high': None, 'n': 10}]
    """
    lowest_by = _lowest_by().name
    worst = {
        estimate.class_name: estimate.value
        for estimate in estimates
        if estimate.name == lowest_by and estimate.class_name is not None
    }
    names = sorted(worst, key=lambda name: math.inf if math.isnan(worst[name]) else worst[name])[:MOST]
    titles = {measure.name: measure.title for measure in MAIN_PER_CLASS}
    kept = [
        estimate
        for estimate in estimates
        if estimate.name in titles and estimate.class_name is not None and not math.isnan(estimate.value)
    ]
    kept.sort(key=lambda estimate: names.index(estimate.class_name) if estimate.class_name in names else len(names))
    return [
        {
            "class": printable(kept_item.class_name),
            "measure": titles[kept_item.name],
            "value": kept_item.value,
            "low": kept_item.interval.low if kept_item.interval else None,
            "high": kept_item.interval.high if kept_item.interval else None,
            "n": kept_item.n,
        }
        for kept_item in kept
        if kept_item.class_name in names or not names
    ]


def interval_chart(estimates: Sequence[Estimate]) -> vl.Chart:
    """Draw a point with its interval for each class, one panel per measure."""
    points = interval_points(estimates)
    titles = [measure.title for measure in MAIN_PER_CLASS]
    order = list(dict.fromkeys(point["class"] for point in points))
    every = {estimate.class_name for estimate in estimates if estimate.class_name is not None}
    data = vl.Chart(points)
    axis = vl.Axis(labelExpr=clipped_labels(order), labelLimit=190)
    y = vl.Y("class:N", sort=order, title=None, axis=axis)
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(
        x=vl.X("low:Q", title=None, scale=vl.Scale(zero=False), axis=vl.Axis(tickCount=4)), x2="high:Q", y=y
    )
    dots = data.mark_point(filled=True, color=BLUE, size=50, opacity=1).encode(
        x=vl.X("value:Q"), y=y, tooltip=["class:N", "measure:N", "value:Q", "low:Q", "high:Q", "n:Q"]
    )
    panels = vl.layer(bars, dots).properties(width=190, height=vl.Step(20)).facet(
        column=vl.Column("measure:N", sort=titles, title=None)
    )  # fmt: skip
    lowest = _lowest_by().title
    which = (
        f"the {len(order)} of {len(every):,} classes with the lowest {lowest}"
        if len(order) < len(every)
        else f"{len(order)} classes"
    )
    names = {estimate.interval.name for estimate in estimates if estimate.interval}
    kind = max(names) if len(names) == 1 else "interval"
    listed = ", ".join(titles[:-1]) + f" and {titles[-1]}"
    listed = f"{listed[:1].upper()}{listed[1:]}"
    words = f"{listed} of {which}, lowest {lowest} first, with {kind}."
    return styled(panels, f"{listed} of each class", words, below=[f"{which}; line: {kind}"])


def _lowest_by() -> Ratio:
    """Return the measure that orders classes: the per-class one among the headline figures."""
    return min((measure for measure in MAIN_PER_CLASS if measure.headline), key=lambda measure: measure.headline)
