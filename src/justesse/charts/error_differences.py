"""How far apart the errors of two numeric predictions are, row by row."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, ORANGE, SOFT, WIDTH, styled

BINS = 41


def error_difference_points(
    incumbent_errors: ArrayLike, candidate_errors: ArrayLike, bins: int = BINS
) -> list[dict[str, Any]]:
    """Count rows by |incumbent's error| - |candidate's error|; the outer bins hold the extreme half per cent.

    >>> [(point["better"], point["n"]) for point in error_difference_points([2.0, 1.0], [1.0, 1.0], bins=3)]
    [('incumbent', 0), ('neither', 1), ('candidate', 1)]
    """
    gain = np.abs(np.asarray(incumbent_errors, dtype=float)) - np.abs(np.asarray(candidate_errors, dtype=float))
    widest = float(np.quantile(np.abs(gain), 0.995)) if len(gain) else 0.0
    edges = np.linspace(-1.0, 1.0, bins + 1) * (widest or 1.0)
    counts, _ = np.histogram(np.clip(gain, edges[0], edges[-1]), edges)
    sides = np.where(edges[1:] <= 0, "incumbent", np.where(edges[:-1] >= 0, "candidate", "neither"))
    rows = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), sides.tolist(), strict=True)
    return [dict(zip(("low", "high", "n", "better"), row, strict=True)) for row in rows]


def error_difference_chart(points: list[dict[str, Any]]) -> vl.Chart:
    """Draw how many rows each model predicts better, and by how much."""
    colours = vl.Scale(domain=["incumbent", "candidate", "neither"], range=[ORANGE, BLUE, SOFT])
    bars = (
        vl.Chart(points)
        .mark_bar()
        .encode(
            x=vl.X("low:Q", title="absolute error: incumbent - candidate", bin="binned"),
            x2="high:Q",
            y=vl.Y("n:Q", title="rows"),
            color=vl.Color("better:N", title="closer", scale=colours),
            tooltip=["low:Q", "high:Q", "n:Q", "better:N"],
        )
    )
    zero = vl.Chart([{"zero": 0}]).mark_rule(color=SOFT, strokeDash=[4, 4]).encode(x="zero:Q")
    by_side = {side: sum(point["n"] for point in points if point["better"] == side) for side in colours["domain"]}
    alternative = (
        f"The candidate is closer on {by_side['candidate']:,} rows, the incumbent on {by_side['incumbent']:,}; on "
        f"{by_side['neither']:,} they are about equal."
    )
    chart = vl.layer(bars, zero).properties(width=WIDTH, height=HEIGHT)
    return styled(chart, "Which model is closer, and by how much", alternative)
