"""Numeric predictions against labels: how many rows lie where, and the line of perfect predictions."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, ORANGE, finite, styled

BINS = 40
SIDE = 360


def predicted_points(labels: ArrayLike, predictions: ArrayLike, bins: int = BINS) -> list[dict[str, Any]]:
    """Count rows in a grid over labels and predictions; empty cells are left out.

    >>> predicted_points([0.0, 1.0], [0.0, 1.0], bins=2)[0]
    {'label': 0.0, 'label_to': 0.5, 'prediction': 0.0, 'prediction_to': 0.5, 'n': 1}
    """
    y, f = np.asarray(labels, dtype=float), np.asarray(predictions, dtype=float)
    low, high = float(min(y.min(), f.min())), float(max(y.max(), f.max()))
    edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    counts, _, _ = np.histogram2d(y, f, bins=(edges, edges))
    return [
        {
            "label": float(edges[i]),
            "label_to": float(edges[i + 1]),
            "prediction": float(edges[j]),
            "prediction_to": float(edges[j + 1]),
            "n": int(counts[i, j]),
        }
        for i, j in np.argwhere(counts > 0).tolist()
    ]


def predicted_chart(points: list[dict[str, Any]]) -> vl.Chart:
    """Draw the grid, stronger where more rows are, and the line of perfect predictions."""
    low = min(min(point["label"], point["prediction"]) for point in points)
    high = max(max(point["label_to"], point["prediction_to"]) for point in points)
    scale = vl.Scale(domain=[low, high], nice=False, zero=False)
    cells = (
        vl.Chart(finite(points))
        .mark_rect(color=BLUE)
        .encode(
            x=vl.X("label:Q", title="label", scale=scale),
            x2="label_to:Q",
            y=vl.Y("prediction:Q", title="prediction", scale=scale),
            y2="prediction_to:Q",
            # the page shines through where there are few, light or dark
            opacity=vl.channel("n:Q", title="rows", scale=vl.Scale(type="log", range=[0.35, 1.0])),
            tooltip=["label:Q", "prediction:Q", "n:Q"],
        )
    )
    line = (
        vl.Chart([{"x": low, "y": low}, {"x": high, "y": high}])
        .mark_line(color=ORANGE, strokeDash=[4, 4])
        .encode(x="x:Q", y="y:Q")
    )
    chart = vl.layer(cells, line).properties(width=SIDE, height=SIDE)
    rows = sum(point["n"] for point in points)
    text = f"Predictions against labels of {rows:,} rows, stronger where there are more; dashed: prediction = label."
    return styled(
        chart, "Predictions against labels", text, below=["stronger colour: more rows; dashed: prediction = label"]
    )
