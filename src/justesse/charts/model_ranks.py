"""The ranks that each model of a leaderboard can have."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, SOFT, clipped_labels, styled
from justesse.core.printable import printable

MOST = 40


def model_rank_points(
    names: Sequence[str], best: Sequence[int], worst: Sequence[int], most: int = MOST
) -> list[dict[str, Any]]:
    """Lay out the possible ranks of the first models; `names` are in the order of the scores.

    >>> model_rank_points(["a", "b"], [1, 1], [1, 2])
    [{'model': 'a', 'place': 1, 'best': 1, 'worst': 1}, {'model': 'b', 'place': 2, 'best': 1, 'worst': 2}]
    """
    rows = list(zip(names, best, worst, strict=True))[:most]
    return [
        {"model": printable(name), "place": at, "best": int(low), "worst": int(high)}
        for at, (name, low, high) in enumerate(rows, 1)
    ]


def model_ranks_chart(names: Sequence[str], best: Sequence[int], worst: Sequence[int]) -> vl.Chart:
    """Draw the rank of each model on these rows as a point, and all ranks that it can have as a line."""
    points = model_rank_points(names, best, worst)
    order = [point["model"] for point in points]
    data = vl.Chart(points)
    last = max([point["worst"] for point in points], default=1)
    y = vl.Y("model:N", sort=order, title=None, axis=vl.Axis(labelExpr=clipped_labels(order), labelLimit=190))
    x = vl.X(
        "best:Q",
        title="rank (1 is best)",
        scale=vl.Scale(domain=[0.5, last + 0.5], nice=False, zero=False),
        axis=vl.Axis(format="d", tickMinStep=1, tickCount=min(last, 8)),
    )
    bars = data.mark_rule(color=SOFT, strokeWidth=4, strokeCap="round").encode(x=x, x2="worst:Q", y=y)
    dots = data.mark_point(filled=True, color=BLUE, size=50, opacity=1).encode(
        x=vl.X("place:Q"), y=y, tooltip=["model:N", "place:Q", "best:Q", "worst:Q"]
    )
    chart = vl.layer(bars, dots).properties(width=360, height=vl.Step(20))
    which = f"{len(points)} of {len(names)} models" if len(points) < len(names) else "all models"
    listed = "; ".join(f"{point['model']} {point['best']} to {point['worst']}" for point in points)
    words = f"Possible ranks of {which}, best first: {listed}."
    return styled(
        chart,
        "Ranks that each model can have",
        words,
        below=[f"{which}; dot: rank on these rows; line: possible ranks"],
    )
