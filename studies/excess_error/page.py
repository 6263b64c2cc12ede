"""The tables and the picture of docs/explanation/excess-error.md."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from justesse.charts.paint import BLUE, INK, ORANGE, styled
from justesse.charts.vega_lite import altair
from studies.excess_error.run import Excess
from studies.tables import table

DOCS = Path(__file__).parents[2] / "docs"
PAGE, PICTURE = DOCS / "explanation" / "excess-error.md", DOCS / "images" / "excess-error.png"
PARTS = ("approximation", "estimation", "excess")


def tabled(setting: str, found: Sequence[Excess]) -> str:
    """Show the parts, exact and simulated."""
    heads = [setting, "approximation", "simulated", "estimation", "simulated", "excess"]
    rows = [
        [
            f"{one.setting:.3g}",
            f"{one.approximation:.4f}",
            f"{round(one.simulated_approximation, 4) + 0.0:.4f}",
            f"{one.estimation:.4f}",
            f"{one.simulated_estimation:.4f}",
            f"**{one.total:.4f}**" if one is min(found, key=lambda other: other.total) else f"{one.total:.4f}",
        ]
        for one in found
    ]
    return table(heads, rows)


def chart(steps: Sequence[Excess], ridges: Sequence[Excess]) -> Any:
    """Draw both parts and their sum against the richness of the family."""
    alt = altair()
    both = alt.hconcat(
        _panel(alt, "A sine by steps", steps, "number of steps", -1),
        _panel(alt, "Ridge regression", ridges, "penalty λ (richer to the right)", +1),
    )
    said = (
        "Two panels, excess error against how rich the family of models is: approximation falls, estimation rises, and "
        f"their sum is lowest in between, at {min(steps, key=lambda one: one.total).setting:g} steps and at a penalty of "
        f"{min(ridges, key=lambda one: one.total).setting:.3g}."
    )
    return styled(both, "Excess error: approximation plus estimation", said)


def _panel(alt: Any, title: str, found: Sequence[Excess], setting: str, direction: int) -> Any:
    points = [
        {"setting": one.setting, "part": part, "error": value}
        for one in found
        for part, value in zip(PARTS, (one.approximation, one.estimation, one.total), strict=True)
    ]
    ticks = [one.setting for one in found if direction < 0 or round(math.log10(one.setting), 6).is_integer()]
    axis = alt.Axis(values=ticks, format="~g", labelOverlap=False)
    x = alt.X("setting:Q", title=setting, axis=axis, scale=alt.Scale(type="log", reverse=direction > 0, nice=False))
    y = alt.Y("error:Q", title="excess squared error")
    colour = alt.Color(
        "part:N",
        scale=alt.Scale(domain=PARTS, range=(ORANGE, BLUE, INK)),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    dash = alt.StrokeDash("part:N", scale=alt.Scale(domain=PARTS, range=[[6, 3], [2, 2], [1, 0]]), legend=None)
    lines = alt.Chart(alt.Data(values=points)).mark_line(strokeWidth=2).encode(x=x, y=y, color=colour, strokeDash=dash)
    best = min(found, key=lambda one: one.total)
    lowest = alt.Chart(alt.Data(values=[{"setting": best.setting, "error": best.total, "words": "lowest"}]))
    dot = lowest.mark_point(filled=True, size=70, color=INK, opacity=1).encode(x=x, y=y)
    word = lowest.mark_text(align="left", dx=6, dy=-10, fontSize=12, color=INK).encode(x=x, y=y, text="words:N")
    return alt.layer(lines, dot, word).properties(width=300, height=260, title=title)
