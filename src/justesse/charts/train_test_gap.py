"""Error on the rows trained on beside the error on new ones, model by model."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, clipped_labels, styled
from justesse.core.errors import OptionError
from justesse.core.printable import printable
from justesse.core.results import finite_or_none
from justesse.procedures.score import ModelScore

MOST = 40
FAR = 2.5  # times the largest error shown: a line farther off would squeeze all else


def train_test_gap_points(scored: Sequence[ModelScore]) -> list[dict[str, Any]]:
    """Lay out both errors of each model with the interval of the second; models without figures are left out.

    >>> from justesse.core.results import Estimate
    >>> train_test_gap_points([ModelScore("tree", Estimate("error", 0.25, 5), (), "", 9, 0.0, 0.25, "", 0, (), ())])
    [{'model': 'tree', 'train': 0.0, 'test': 0.25, 'low': None, 'high': None}]
    """
    return [
        {
            "model": printable(one.model),
            "train": one.train_error,
            "test": one.estimate.value,
            "low": one.estimate.interval.low if one.estimate.interval else None,
            "high": one.estimate.interval.high if one.estimate.interval else None,
        }
        for one in scored
        if finite_or_none(one.train_error) is not None and finite_or_none(one.estimate.value) is not None
    ]


def train_test_gap_chart(scored: Sequence[ModelScore], *, naive: float | None = None) -> vl.Chart:
    """Draw a square at the training error and a dot, with its interval, at the test error, joined by what lies between.

    `naive` is the error of always giving the most frequent class, drawn as a line if it is not too far off.
    """
    points = train_test_gap_points(scored)[:MOST]
    if not points:
        raise OptionError("at least one model with both errors is needed; got none")
    names = [point["model"] for point in points]
    axis = vl.Axis(labelExpr=clipped_labels(names), labelLimit=190, labelPadding=6, ticks=False)
    y = vl.Y("model:N", sort=names, title=None, axis=axis)
    kinds = ["on rows trained on", "on new rows"]
    x = vl.X("error:Q", title="error: share of wrong answers", axis=vl.Axis(format="~%"), scale=vl.Scale(zero=True))
    legend = vl.Legend(title=None, orient="top", symbolSize=90)
    dots = [
        {"model": one["model"], "error": one[key], "rows": kind, "low": one["low"], "high": one["high"]}
        for one in points
        for key, kind in zip(("train", "test"), kinds, strict=True)
    ]
    told: Any = {"legend": legend}
    data = vl.Chart(points)
    layers = [
        data.mark_rule(color=SOFT, strokeDash=[2, 2], strokeWidth=1.5).encode(
            x=vl.X("train:Q", title=None), x2="test:Q", y=y
        ),
        data.transform_filter("datum.low !== null")
        .mark_rule(color=BLUE, strokeWidth=4, opacity=0.45)
        .encode(x=vl.X("low:Q", title=None), x2="high:Q", y=y),
        vl.Chart(dots)
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=y,
            color=vl.Color("rows:N", scale=vl.Scale(domain=kinds, range=[ORANGE, BLUE]), **told),
            shape=vl.Shape("rows:N", scale=vl.Scale(domain=kinds, range=["square", "circle"]), **told),
            tooltip=["model:N", "rows:N", "error:Q", "low:Q", "high:Q"],
        ),
    ]
    below = []
    farthest = max(value for one in points for value in (one["train"], one["test"], one["high"] or 0.0))
    if naive is not None and naive > FAR * farthest:
        below = [f"far to the right: always the most frequent class ({naive:.1%})"]
    elif naive is not None:
        line = vl.Chart([{"naive": naive}])
        layers.insert(0, line.mark_rule(color=SOFT, strokeWidth=1.5).encode(x=vl.X("naive:Q", title=None)))
        below = [f"grey line: always the most frequent class ({naive:.1%})"]
    chart = vl.layer(*layers).properties(width=350, height=vl.Step(30))
    both = "; ".join(f"{one['model']} {one['train']:.1%} and {one['test']:.1%}" for one in points[:12])
    said = f"Error on the rows trained on and on new rows, with its interval: {both}."
    return styled(chart, "What was learnt by heart: training error and test error", said, below=below)
