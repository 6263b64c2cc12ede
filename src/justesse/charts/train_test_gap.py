"""Training error and test error of each model."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, SOFT, clipped_labels, styled
from justesse.core.errors import OptionError
from justesse.core.printable import printable
from justesse.core.results import finite_or_none
from justesse.procedures.score import ModelScore

MOST = 40
TITLE = "error rate"
KINDS = ("training error", "test error")
FAR = 2.5  # a baseline beyond this many times the largest error would squeeze all else


def train_test_gap_points(scored: Sequence[ModelScore]) -> list[dict[str, Any]]:
    """Lay out both errors of each model, with the interval of the test error; models without figures are left out.

    >>> from justesse.core.results import Estimate
    >>> train_test_gap_points([ModelScore("tree", Estimate("error", 0.25, 5), (), "", 9, 0.0, 0.25, "", 0, (), ())])
    [{'model': 'tree', 'train': 0.0, 'test': 0.25, 'low': None, 'high': None}]
    """
    return [
        {
            "model": printable(model.model),
            "train": model.train_error,
            "test": model.estimate.value,
            "low": model.estimate.interval.low if model.estimate.interval else None,
            "high": model.estimate.interval.high if model.estimate.interval else None,
        }
        for model in scored
        if finite_or_none(model.train_error) is not None and finite_or_none(model.estimate.value) is not None
    ]


def train_test_gap_chart(scored: Sequence[ModelScore], *, naive: float | None = None) -> vl.Chart:
    """Draw the training error as a square and the test error as a dot with its interval, joined by a line.

    `naive` is the error of always predicting the most frequent class, drawn as a line if it is not too far off.
    """
    points = train_test_gap_points(scored)[:MOST]
    if not points:
        raise OptionError("At least one model with training and test error is required; got none.")
    names = [point["model"] for point in points]
    axis = vl.Axis(labelExpr=clipped_labels(names), labelLimit=190, labelPadding=12, ticks=False)
    y = vl.Y("model:N", sort=names, title=None, axis=axis)
    x = vl.X("error:Q", title=TITLE, axis=vl.Axis(format="~%"), scale=vl.Scale(zero=True))
    legend = vl.Legend(title=None, orient="top", symbolSize=90)
    dots = [
        {"model": point["model"], "error": point[key], "rows": kind, "low": point["low"], "high": point["high"]}
        for point in points
        for key, kind in zip(("train", "test"), KINDS, strict=True)
    ]
    data = vl.Chart(points)
    layers = [
        data.mark_rule(color=SOFT, strokeDash=[2, 2], strokeWidth=1.5).encode(
            x=vl.X("train:Q", title=TITLE), x2="test:Q", y=y
        ),
        data.transform_filter("datum.low !== null")
        .mark_rule(color=BLUE, strokeWidth=4, opacity=0.45)
        .encode(x=vl.X("low:Q", title=TITLE), x2="high:Q", y=y),
        vl.Chart(dots)
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=y,
            color=vl.Color("rows:N", scale=vl.Scale(domain=KINDS, range=[ORANGE, BLUE]), legend=legend),
            shape=vl.Shape("rows:N", scale=vl.Scale(domain=KINDS, range=["square", "circle"]), legend=legend),
            tooltip=["model:N", "rows:N", "error:Q", "low:Q", "high:Q"],
        ),
    ]
    below = []
    farthest = max(value for point in points for value in (point["train"], point["test"], point["high"] or 0.0))
    if naive is not None and naive > FAR * farthest:
        below = [f"baseline beyond the right edge: most frequent class ({naive:.1%})"]
    elif naive is not None:
        line = vl.Chart([{"naive": naive}])
        layers.insert(0, line.mark_rule(color=SOFT, strokeWidth=1.5).encode(x=vl.X("naive:Q", title=TITLE)))
        below = [f"grey line: baseline, most frequent class ({naive:.1%})"]
    chart = vl.layer(*layers).properties(width=350, height=vl.Step(30))
    errors = "; ".join(f"{point['model']} {point['train']:.1%} and {point['test']:.1%}" for point in points[:12])
    words = f"Training and test error of each model, with the interval of the test error: {errors}."
    return styled(chart, "Training and test error", words, below=below)
