"""What further questions are expected to gain: the share of right classes against their cost."""

from collections.abc import Mapping, Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, SOFT, WIDTH, styled

PLANNED, IN_TURN = "these questions first", "items in turn"


def asking_chart(
    points: Sequence[Mapping[str, float]], in_turn: Sequence[Mapping[str, float]] = (), *, asked: int | None = None
) -> vl.Chart:
    """Draw the expected share of right classes against what the questions cost so far.

    Parameters
    ----------
    points
        `cost` and `right` after each question, from none on.
    in_turn
        The same for questions that go through the items in turn.
    asked
        Number of questions that are to be asked now; the rest of the line is what further ones would gain.
    """
    rows: list[dict[str, Any]] = [{**point, "plan": PLANNED} for point in points]
    rows += [{**point, "plan": IN_TURN} for point in in_turn]
    names = [PLANNED, IN_TURN] if in_turn else [PLANNED]
    share = vl.Y(
        "right:Q",
        title="expected share of right classes",
        scale=vl.Scale(zero=False),
        axis=vl.Axis(format=".1%", tickCount=5),
    )
    cost = vl.X("cost:Q", title="cost of the answers so far")
    colour = vl.Color(
        "plan:N",
        scale=vl.Scale(domain=names, range=[BLUE, SOFT][: len(names)]),
        legend=vl.Legend(title=None, orient="bottom") if in_turn else None,
    )
    dash = vl.StrokeDash("plan:N", scale=vl.Scale(domain=names, range=[[1, 0], [6, 3]][: len(names)]), legend=None)
    lines = vl.Chart(rows).mark_line(strokeWidth=2).encode(x=cost, y=share, color=colour, strokeDash=dash)
    now = points[: None if asked is None else asked + 1]
    dots = vl.Chart([dict(point) for point in now]).mark_point(filled=True, size=36, color=BLUE, opacity=1)
    drawn = vl.layer(lines, dots.encode(x=cost, y=share, tooltip=["cost:Q", "right:Q"]))
    first, last = points[0], now[-1]
    words = (
        f"The expected share of right classes rises from {first['right']:.1%} to {last['right']:.1%} for a cost of "
        f"{last['cost']:g}."
    )
    if len(now) < len(points):
        further = points[-1]
        words += f" Further questions, up to a cost of {further['cost']:g}, raise it to {further['right']:.1%}."
    if in_turn:
        words += (
            f" Asking about the items in turn reaches {in_turn[-1]['right']:.1%} for a cost of {in_turn[-1]['cost']:g}."
        )
    return styled(drawn.properties(width=WIDTH, height=HEIGHT), "What further questions are expected to gain", words)
