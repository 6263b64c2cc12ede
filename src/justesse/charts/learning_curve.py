"""Training and test error against the number of training rows, and their limit."""

from typing import Any

import numpy as np

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, clipped, styled
from justesse.core.printable import printable
from justesse.procedures.learning_curve import LearningCurve

KINDS = ("training error", "test error")
BEYOND = 4  # the laws are drawn up to this many times the largest training set


def learning_curve_points(curve: LearningCurve) -> list[dict[str, Any]]:
    """Lay out the measured errors, with their intervals; ends below 0 are drawn at 0."""
    return [
        {
            "rows": point.rows,
            "kind": kind,
            "error": estimate.value,
            "low": max(0.0, estimate.interval.low) if estimate.interval else None,
            "high": estimate.interval.high if estimate.interval else None,
        }
        for point in curve.points
        for kind, estimate in zip(KINDS, (point.train, point.test), strict=True)
    ]


def learning_curve_laws(curve: LearningCurve) -> list[dict[str, Any]]:
    """Lay out the fitted laws, from the smallest training set to four times the largest; `beyond` is extrapolated."""
    first, last = curve.points[0].rows, curve.points[-1].rows
    sizes = np.unique(np.append(np.geomspace(first, BEYOND * last, 40), last)).tolist()
    laws = zip(KINDS, (curve.law.train, curve.law.test), strict=True)
    return [
        {"rows": size, "kind": kind, "law": max(0.0, float(law(size)[0])), "beyond": beyond}
        for kind, law in laws
        for beyond in (False, True)
        for size in sizes
        if (size >= last if beyond else size <= last)
    ]


def learning_curve_chart(curve: LearningCurve, model: str = "the model") -> vl.Chart:
    """Draw the measured errors as points with intervals, and the laws as lines, dashed where they extrapolate."""
    numbers = curve.limit.interval is not None and not np.isfinite(curve.limit.interval.bounds[1])
    x = vl.X("rows:Q", title="training rows", scale=vl.Scale(type="log", nice=False), axis=vl.Axis(format="~s"))
    title, form = ("mean squared error", "~g") if numbers else ("error rate", "~%")
    y = vl.Y("error:Q", title=title, axis=vl.Axis(format=form), scale=vl.Scale(zero=True))
    legend = vl.Legend(title=None, orient="top", symbolSize=90, symbolOpacity=1)
    colour = vl.Color("kind:N", scale=vl.Scale(domain=KINDS, range=[ORANGE, BLUE]), legend=legend)
    shape = vl.Shape("kind:N", scale=vl.Scale(domain=KINDS, range=["square", "circle"]), legend=legend)
    measured = vl.Chart(learning_curve_points(curve))
    laws = learning_curve_laws(curve)
    lines = [
        vl.Chart([point for point in laws if point["beyond"] == beyond])
        .mark_line(strokeWidth=2, strokeDash=dash)
        .encode(x=x, y=vl.Y("law:Q", title=title), color=colour)
        for beyond, dash in ((False, [1, 0]), (True, [5, 4]))
    ]
    limit = vl.Chart([{"limit": curve.limit.value}])
    layers = [
        limit.mark_rule(color=INK, strokeDash=[2, 3]).encode(y=vl.Y("limit:Q", title=title)),
        *lines,
        measured.transform_filter("datum.low !== null")
        .mark_rule(strokeWidth=2, opacity=0.5)
        .encode(x=x, y=vl.Y("low:Q", title=title), y2="high:Q", color=colour),
        measured.mark_point(filled=True, size=70, opacity=1).encode(
            x=x, y=y, color=colour, shape=shape, tooltip=["rows:Q", "kind:N", "error:Q", "low:Q", "high:Q"]
        ),
    ]
    chart = vl.layer(*layers).properties(width=400, height=HEIGHT)
    answers = {"yes": "more rows would help", "no": "more rows would hardly help"}
    answer = answers.get(curve.more_data, "unclear whether more rows would help")
    words = f"Training and test error of {printable(model)} against training rows. {curve.words}"
    below = ["dashed: extrapolated; dotted: limit of the error with unlimited rows"]
    return styled(chart, f"{clipped(model)}: {answer}", words, below=below)
