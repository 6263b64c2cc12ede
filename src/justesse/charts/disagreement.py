"""Where two classifiers answer differently, and who is right there."""

import math
from collections.abc import Mapping
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, INK, ORANGE, SOFT, styled
from justesse.core.errors import OptionError

KEYS = ("both_right", "only_incumbent", "only_candidate", "both_wrong_alike", "both_wrong_differently")
DRAWN = {
    "only_incumbent": "only incumbent right",
    "only_candidate": "only candidate right",
    "both_wrong_differently": "both wrong, differently",
}


def disagreement_points(counts: Mapping[str, float]) -> list[dict[str, Any]]:
    """Lay out the rows that the two answer differently, by who is right, with their share of all rows.

    >>> counts = dict(both_right=80, only_incumbent=5, only_candidate=10, both_wrong_alike=4, both_wrong_differently=1)
    >>> disagreement_points(counts)[1]
    {'who': 'only candidate right', 'n': 10, 'share': 0.1, 'text': '10 (10.0 %)'}
    """
    if set(counts) != set(KEYS) or not all(0 <= n < math.inf for n in counts.values()):
        raise OptionError(f"Counts of 0 or more are required for {', '.join(KEYS)}; got {dict(counts)!r}.")
    total = sum(counts.values())
    return [
        {
            "who": words,
            "n": counts[key],
            "share": counts[key] / total if total else None,
            "text": _written(counts[key], total),
        }
        for key, words in DRAWN.items()
    ]


def _written(n: float, total: float) -> str:
    if not total:
        return _number(n)
    share = 100 * n / total
    return f"{_number(n)} ({share:{'.1f' if share >= 0.05 or not n else '.1g'}} %)"


def _number(n: float) -> str:
    return f"{n:,.0f}" if float(n).is_integer() else f"{n:,.1f}"


def disagreement_chart(counts: Mapping[str, float], *, against: str = "") -> vl.Chart:
    """Draw a bar for each way of disagreeing; words count where they agree.

    `against` ends the title, such as ", against the labels".
    """
    points = disagreement_points(counts)
    total = sum(counts.values())
    right, alike = counts["both_right"], counts["both_wrong_alike"]
    agreed = (
        f"They agree on {_written(right + alike, total)} of {_number(total)} rows:",
        f"both right on {_written(right, total)}, wrong alike on {_written(alike, total)}.",
    )
    parts = "; ".join(f"{point['who']} {point['text']}" for point in points)
    text = f"Rows where their predictions differ{against}: {parts}. {' '.join(agreed)}"
    title = f"Who is right where they disagree{against}"
    return styled(_bars(points, 300, 1.45), title, text, below=agreed, phone=_bars(points, 150, 2.2))


def _bars(points: list[dict[str, Any]], width: int, room: float) -> vl.Chart:
    """Draw the bars, with `room` times the longest one, for its number at the right."""
    order = list(DRAWN.values())
    y = vl.Y("who:N", sort=order, title=None, axis=vl.Axis(labelLimit=220, labelPadding=6, ticks=False))
    longest = room * max(1.0, *(point["n"] for point in points))
    axis = vl.Axis(tickMinStep=1, tickCount=4 if width > 200 else 2, format="~s" if longest >= 10_000 else ",d")
    x = vl.X("n:Q", title="rows", scale=vl.Scale(domain=[0, longest], nice=False), axis=axis)
    colour = vl.Color("who:N", scale=vl.Scale(domain=order, range=[ORANGE, BLUE, SOFT]), legend=None)
    data = vl.Chart(points)
    bars = data.mark_bar(height=22).encode(x=x, y=y, color=colour, tooltip=["who:N", "n:Q", "share:Q"])
    written = data.mark_text(align="left", dx=6, fontSize=13, color=INK).encode(x=x, y=y, text="text:N")
    return vl.layer(bars, written).properties(width=width, height=vl.Step(36))
