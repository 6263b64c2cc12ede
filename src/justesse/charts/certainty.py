"""How certain the consensus is: items by the probability of their most probable class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, styled

BINS = 20


def certainty_points(probabilities: Sequence[float]) -> list[dict[str, Any]]:
    """Count items by probability, in bins of 5 points.

    >>> certainty_points([0.97, 0.99])[-1]
    {'low': 0.95, 'high': 1.0, 'items': 2, 'none': 0}
    """
    counts, edges = np.histogram(np.asarray(probabilities, dtype=float), bins=BINS, range=(0, 1))
    return [
        {"low": round(float(low), 4), "high": round(float(high), 4), "items": int(n), "none": 0}
        for low, high, n in zip(edges, edges[1:], counts, strict=False)
    ]


def certainty_chart(probabilities: Sequence[float]) -> vl.Chart:
    """Draw the histogram."""
    points = certainty_points(probabilities)
    values = np.asarray(probabilities, dtype=float)
    used = [point for point in points if point["high"] > float(values.min(initial=1.0)) - 1e-9]
    bars = (
        vl.Chart(used)
        .mark_bar(color=BLUE)
        .encode(
            x=vl.X("low:Q", title="probability of the most probable class", axis=vl.Axis(format="%", tickCount=6)),
            x2="high:Q",
            y=vl.Y("items:Q", title="items"),
            y2="none:Q",
            tooltip=["low:Q", "high:Q", "items:Q"],
        )
        .properties(width=420, height=220)
    )
    sure = int((values >= 0.95).sum())
    words = f"Items by the probability of their class: {sure:,} of {len(values):,} have at least 95 %."
    return styled(bars, "How certain the consensus is", words)
