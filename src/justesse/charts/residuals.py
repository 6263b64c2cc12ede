"""Errors of numeric predictions against the prediction: where they are biased, and where they spread."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, ORANGE, WIDTH, finite, styled

BINS = 20


def residual_points(labels: ArrayLike, predictions: ArrayLike, bins: int = BINS) -> list[dict[str, Any]]:
    """Give the 10th, 50th and 90th percentiles of prediction - label in bins of equally many predictions.

    >>> residual_points([0.0, 0.0], [1.0, 1.0], bins=1)
    [{'prediction': 1.0, 'low': 1.0, 'middle': 1.0, 'high': 1.0, 'n': 2}]
    """
    y, f = np.asarray(labels, dtype=float), np.asarray(predictions, dtype=float)
    parts = np.array_split(np.argsort(f, kind="stable"), min(bins, len(f)))
    points = []
    for rows in parts:
        low, middle, high = np.quantile((f - y)[rows], [0.1, 0.5, 0.9]).tolist()
        points.append({"prediction": float(f[rows].mean()), "low": low, "middle": middle, "high": high, "n": len(rows)})
    return points


def residual_chart(points: list[dict[str, Any]]) -> vl.Chart:
    """Draw the band of the middle 80 % of errors and their median against the prediction."""
    data = vl.Chart(finite(points))
    x = vl.X("prediction:Q", title="prediction", scale=vl.Scale(zero=False))
    y = vl.Y("low:Q", title="prediction - label")
    band = data.mark_area(color=BLUE, opacity=0.2).encode(x=x, y=y, y2="high:Q")
    line = data.mark_line(color=BLUE, point=True).encode(x=x, y="middle:Q", tooltip=["prediction:Q", "middle:Q", "n:Q"])
    zero = vl.Chart([{"zero": 0}]).mark_rule(color=ORANGE, strokeDash=[4, 4]).encode(y="zero:Q")
    chart = vl.layer(band, line, zero).properties(width=WIDTH, height=HEIGHT)
    text = f"Error (prediction - label) in {len(points)} bins of the prediction: median, and band of the middle 80 %."
    return styled(chart, "Errors against the prediction", text, below=["line: median; band: middle 80 % of the rows"])
