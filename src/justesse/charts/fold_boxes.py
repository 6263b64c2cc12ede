"""Box plots of the fold scores of each model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from justesse.charts import vega_lite as vl
from justesse.charts.paint import COLOURS, DASHES, INK, SHAPES, clipped, clipped_labels, styled
from justesse.core.errors import OptionError
from justesse.core.printable import printable


def fold_box_points(scores: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """Compute each model's median, quartiles and whiskers.

        whiskers: the outermost scores within 1.5 (q3 - q1) of the box

    Quartiles are interpolated (Hyndman and Fan's type 7). With fewer than five scores, look at the points rather than
    the box. Tukey (1977).

    >>> fold_box_points({"a": [1.0, 2.0, 3.0, 4.0, 20.0]})
    [{'model': 'a', 'low': 1.0, 'q1': 2.0, 'median': 3.0, 'q3': 4.0, 'high': 4.0, 'n': 5}]
    """
    results = []
    for name, fold_scores in scores.items():
        values = np.asarray(fold_scores, dtype=float)
        if values.ndim != 1 or not values.size or not np.isfinite(values).all():
            raise OptionError(
                f"Each model needs fold scores that are finite numbers; got {fold_scores!r} for {name!r}."
            )
        q1, median, q3 = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
        reach = 1.5 * (q3 - q1)
        held = values[(values >= q1 - reach) & (values <= q3 + reach)]
        low, high = float(held.min()), float(held.max())
        results.append(
            {"model": printable(name), "low": low, "q1": q1, "median": median, "q3": q3, "high": high, "n": values.size}
        )
    return results


def fold_boxes_chart(
    scores: Mapping[str, Sequence[float]], measure: str = "score", *, incumbent: str = "incumbent"
) -> vl.Chart:
    """Draw a box, whiskers and every fold's score for each model; the incumbent's is orange, with squares, dashed."""
    if not scores:
        raise OptionError("Fold scores of at least one model are required; got none.")
    names = [printable(name) for name in scores]
    boxes = [
        {**fold_box_point, "incumbent": fold_box_point["model"] == printable(incumbent)}
        for fold_box_point in fold_box_points(scores)
    ]
    folds = [
        {"model": printable(name), "fold": at, "score": float(score), "incumbent": name == incumbent}
        for name, values in scores.items()
        for at, score in enumerate(values, 1)
    ]
    axis = vl.Axis(labelExpr=clipped_labels(names), labelLimit=190, labelPadding=6, ticks=False)
    y = vl.Y("model:N", sort=names, title=None, axis=axis)
    both_sides: Any = {"domain": [True, False]}
    colour = vl.Color("incumbent:N", scale=vl.Scale(range=COLOURS[:2], **both_sides), legend=None)
    dash = vl.StrokeDash("incumbent:N", scale=vl.Scale(range=DASHES[:2], **both_sides), legend=None)
    shape = vl.Shape("incumbent:N", scale=vl.Scale(range=SHAPES[:2], **both_sides), legend=None)
    data = vl.Chart(boxes)
    below, above = (
        data.mark_rule(strokeWidth=1.5).encode(
            x=vl.X(f"{end}:Q", title=f"{clipped(measure)} per fold", scale=vl.Scale(zero=False)),
            x2=f"{quartile}:Q",
            y=y,
            color=colour,
            strokeDash=dash,
        )
        for end, quartile in (("low", "q1"), ("high", "q3"))
    )
    box = data.mark_bar(height=18, opacity=0.4).encode(x=vl.X("q1:Q"), x2="q3:Q", y=y, color=colour)
    median = data.mark_tick(color=INK, thickness=3, size=18, opacity=1).encode(x="median:Q", y=y)
    points = vl.Chart(folds).mark_point(filled=True, size=24, opacity=0.9).encode(
        x="score:Q", y=y, color=colour, shape=shape, tooltip=["model:N", "fold:Q", "score:Q"]
    )  # fmt: skip
    chart = vl.layer(below, above, box, points, median).properties(width=350, height=vl.Step(28))
    middle = "; ".join(f"{box['model']} {box['median']:.4g}" for box in boxes[:12])
    more = f"; and {len(boxes) - 12} more" if len(boxes) > 12 else ""
    text = f"Box plot of {measure} per fold, with every fold as a point. Medians: {middle}{more}."
    return styled(chart, f"Distribution of {clipped(measure)} over the folds", text)
