"""How often each annotator is right, with intervals."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, SOFT, clipped_labels, styled
from justesse.core.printable import printable

MOST = 40


def annotator_points(cards: Sequence[dict[str, Any]], most: int = MOST) -> list[dict[str, Any]]:
    """Lay out the annotators with most answers, the least accurate first.

    >>> annotator_points([{"annotator": "ann", "n": 9, "accuracy": 0.9, "low": 0.7, "high": 1.0}])
    [{'annotator': 'ann', 'accuracy': 0.9, 'low': 0.7, 'high': 1.0, 'answers': 9}]
    """
    kept = sorted(cards, key=lambda card: -card["n"])[:most]
    return [
        {
            "annotator": printable(card["annotator"]),
            "accuracy": card["accuracy"],
            "low": card["low"],
            "high": card["high"],
            "answers": card["n"],
        }
        for card in sorted(kept, key=lambda card: card["accuracy"])
    ]


def annotator_chart(cards: Sequence[dict[str, Any]], everyone: int | None = None) -> vl.Chart:
    """Draw a point with its interval for each annotator, of `everyone` there is (default: those here)."""
    total = len(cards) if everyone is None else everyone
    points = annotator_points(cards)
    order = [point["annotator"] for point in points]
    data = vl.Chart(points)
    y = vl.Y("annotator:N", sort=order, title=None, axis=vl.Axis(labelExpr=clipped_labels(order), labelLimit=190))
    x = vl.X("low:Q", title="share of right answers", scale=vl.Scale(zero=False), axis=vl.Axis(format="%", tickCount=5))
    bars = data.mark_rule(color=SOFT, strokeWidth=2).encode(x=x, x2="high:Q", y=y)
    dots = data.mark_point(filled=True, color=BLUE, size=50, opacity=1).encode(
        x=vl.X("accuracy:Q"), y=y, tooltip=["annotator:N", "accuracy:Q", "low:Q", "high:Q", "answers:Q"]
    )
    chart = vl.layer(bars, dots).properties(width=360, height=vl.Step(20))
    which = (
        f"{len(points)} of {total:,} annotators, those with most answers"
        if len(points) < total
        else f"{total} annotators"
    )
    words = f"Estimated share of right answers of {which}, lowest first, with interval."
    return styled(chart, "How often each annotator is right", words, below=[f"{which}; line: interval"])
