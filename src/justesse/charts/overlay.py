"""The curves of incumbent and candidate in one picture: ROC, precision-recall, calibration."""

import json
from typing import Any, Literal

from justesse.charts import vega_lite as vl
from justesse.charts.calibration import calibration_points
from justesse.charts.paint import (
    COLOURS,
    DASHES,
    HEIGHT,
    SHAPES,
    SIDES,
    banded_points,
    clipped,
    dashed_diagonal,
    styled,
)
from justesse.core.errors import OptionError

Kind = Literal["roc", "precision_recall", "calibration"]
AXES = {
    "roc": ("false positive rate", "true positive rate"),
    "precision_recall": ("recall", "precision"),
    "calibration": ("mean probability", "share of positives"),
}
TITLES = {
    "roc": "ROC curves of {}",
    "precision_recall": "Precision and recall of {}",
    "calibration": "Calibration of {}",
}


def overlay_points(kind: Kind, incumbent: dict[str, Any], candidate: dict[str, Any]) -> list[dict[str, Any]]:
    """Lay out the points of both curves with their intervals.

    >>> curve = {"fpr": [0.0], "tpr": [0.5], "tpr_low": [0.4], "tpr_high": [0.6]}
    >>> overlay_points("roc", {"class": "a", "roc": curve}, {"class": "a", "roc": curve})[1]
    {'model': 'candidate', 'x': 0.0, 'y': 0.5, 'low': 0.4, 'high': 0.6}
    """
    if kind not in AXES:
        raise OptionError(f"kind must be 'roc', 'precision_recall' or 'calibration'; got {kind!r}.")
    if incumbent["class"] != candidate["class"]:
        raise OptionError(
            f"Both curves must be for the same class; got {incumbent['class']!r} and {candidate['class']!r}. "
            "Choose one class."
        )
    models = {"incumbent": incumbent, "candidate": candidate}
    return [{"model": name} | point for name, scored in models.items() for point in _points(kind, name, scored)]


def _points(kind: Kind, name: str, scored: dict[str, Any]) -> list[dict[str, Any]]:
    if kind == "roc":
        return banded_points(scored["roc"], "fpr", "tpr")
    if kind == "precision_recall":
        return banded_points(scored["precision_recall"], "recall", "precision")
    if not scored["calibration"]:
        raise OptionError(
            f"A calibration chart needs probabilities, but the scores of the {name} are not. Draw another kind."
        )
    keys = {"x": "mean_score", "y": "share", "low": "share_low", "high": "share_high", "n": "n"}
    points = [
        {key: calibration_point[field] for key, field in keys.items()}
        for calibration_point in calibration_points(scored)
    ]
    return [point for point in points if point["x"] is not None and point["y"] is not None]


def overlay_chart(kind: Kind, incumbent: dict[str, Any], candidate: dict[str, Any], *, against: str = "") -> vl.Chart:
    """Draw both curves with their bands (bars, for calibration); the incumbent's is dashed.

    `against` ends the title, such as ", against the labels".
    """
    data = vl.Chart(overlay_points(kind, incumbent, candidate))
    across, up = AXES[kind]
    unit = vl.Scale(domain=[0, 1])
    x, y = vl.X("x:Q", title=across, scale=unit), vl.Y("y:Q", title=up, scale=unit)
    models = list(SIDES[:2])
    legend = vl.Legend(title=None, orient="top", symbolSize=90 if kind == "calibration" else 260, symbolStrokeWidth=3)
    colour = vl.Color("model:N", scale=vl.Scale(domain=models, range=COLOURS[:2]), legend=legend)
    step: Any = {"interpolate": "step-before"} if kind == "precision_recall" else {}
    bands, lines = [], []
    for model, paint, dash in zip(models, COLOURS, DASHES, strict=False):
        own = data.transform_filter(f"datum.model == {json.dumps(model)}")
        ends: Any = {"x": x, "y": vl.Y("low:Q"), "y2": "high:Q"}
        if kind == "calibration":
            bands.append(own.mark_rule(color=paint, strokeWidth=2, opacity=0.75).encode(**ends))
            lines.append(own.mark_line(color=paint, strokeWidth=2, strokeDash=dash).encode(x=x, y=y, order="x:Q"))
        else:
            bands.append(own.mark_area(color=paint, opacity=0.15, **step).encode(**ends))
    if kind == "calibration":
        shape = vl.Shape("model:N", scale=vl.Scale(domain=models, range=SHAPES[:2]), legend=legend)
        dots = data.mark_point(filled=True, size=70, opacity=1)
        tips = ["model:N", "x:Q", "y:Q", "low:Q", "high:Q", "n:Q"]
        lines.append(dots.encode(x=x, y=y, color=colour, shape=shape, tooltip=tips))
    else:
        dashes = vl.StrokeDash("model:N", scale=vl.Scale(domain=models, range=DASHES[:2]), legend=legend)
        drawn = data.mark_line(strokeWidth=2, **step)
        lines.append(drawn.encode(x=x, y=y, order="x:Q", color=colour, strokeDash=dashes))
    grey = [] if kind == "precision_recall" else [dashed_diagonal("chance" if kind == "roc" else "perfect")]
    name = repr(incumbent["class"])
    grey_is = {"roc": "chance", "precision_recall": "", "calibration": "perfect calibration"}[kind]
    below = "band: interval" if kind != "calibration" else "line: interval of a bin"
    below += f"; grey: {grey_is}" if grey_is else ""
    text = (
        f"{up.capitalize()} against {across} of {name}, with intervals: the incumbent dashed in orange, the candidate "
        f"solid in blue{f'; grey: {grey_is}' if grey_is else ''}."
    )
    chart = vl.layer(*grey, *bands, *lines).properties(width=400, height=HEIGHT)
    return styled(chart, f"{TITLES[kind].format(clipped(name, 20))}{against}", text, below=[below])
