"""The difference of two variants and its interval against the number of events."""

from collections.abc import Sequence

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, WIDTH, signed, styled
from justesse.core.errors import OptionError
from justesse.core.quantity import quantity
from justesse.core.results import level_percent

Look = tuple[int, float, float, float]  # events so far, the difference, and both ends of its interval
WIDEST = 12.0  # times as wide as the last: earlier looks would hide the later ones


def shown_looks(looks: Sequence[Look]) -> list[Look]:
    """Leave out the first looks, whose intervals are far wider than the last.

    >>> shown_looks([(1, 0.0, -1.0, 1.0), (500, 0.1, -0.1, 0.3), (1000, 0.1, 0.03, 0.17)])
    [(500, 0.1, -0.1, 0.3), (1000, 0.1, 0.03, 0.17)]
    """
    widest = WIDEST * (looks[-1][3] - looks[-1][2])
    first = next(at for at, look in enumerate(looks) if look[3] - look[2] <= widest and look[1] == look[1])
    return list(looks[first:])


def difference_over_events_chart(
    looks: Sequence[Look],
    *,
    level: float,
    name: str = "candidate",
    incumbent: str = "incumbent",
    outcome: str = "outcome",
    margin: float = 0.0,
    decided_after: int | None = None,
) -> vl.Chart:
    """Draw the interval as a band that narrows with the events, and the line of no difference.

    Parameters
    ----------
    looks : list of (events, difference, low, high)
        One look per number of events.
    level : float
        Confidence level of the intervals, at all looks together.
    name, incumbent : str
        Names of both variants.
    outcome : str
        Name of the outcome.
    margin : float, default 0
        The smallest gain that matters: dashed lines.
    decided_after : int, optional
        Events after which it was decided: a vertical line.
    """
    if not looks:
        raise OptionError("looks is empty. Pass at least one look.")
    if looks[-1][1] != looks[-1][1]:
        looks = [(events, 0.0, low, high) for events, _, low, high in looks]
    kept = shown_looks(looks)
    points = [{"events": events, "value": value, "low": low, "high": high} for events, value, low, high in kept]
    if len(points) == 1:  # a band needs two sides
        points = [points[0], {**points[0], "events": points[0]["events"] + 1}]
    scale = (
        vl.Scale(type="log", nice=False) if points[-1]["events"] > 20 * points[0]["events"] else vl.Scale(nice=False)
    )
    x = vl.X("events:Q", title="events of both variants", axis=vl.Axis(format=",d"), scale=scale)
    title = ["← incumbent better · candidate better →", f"difference in mean {outcome}"]
    y = vl.Y("low:Q", title=title, axis=vl.Axis(format="+,~g", labelExpr="datum.value == 0 ? '0' : datum.label"))
    data = vl.Chart(points)
    tips = ["events:Q", "value:Q", "low:Q", "high:Q"]
    layers = [
        data.mark_area(color=BLUE, opacity=0.2).encode(x=x, y=y, y2="high:Q"),
        data.mark_line(color=BLUE, strokeWidth=1).encode(x=x, y="low:Q"),
        data.mark_line(color=BLUE, strokeWidth=1).encode(x=x, y="high:Q"),
        data.mark_line(color=BLUE, strokeWidth=2.5).encode(x=x, y="value:Q", tooltip=tips),
        vl.Chart([{"zero": 0}]).mark_rule(color=INK, strokeWidth=1.5).encode(y="zero:Q"),
    ]
    if margin:
        lines = vl.Chart([{"margin": margin}, {"margin": -margin}])
        layers.append(lines.mark_rule(color=ORANGE, strokeDash=[6, 3], strokeWidth=2).encode(y="margin:Q"))
    if decided_after is not None and decided_after >= points[0]["events"]:
        decision = vl.Chart([{"decided": decided_after}])
        layers.append(decision.mark_rule(color=INK, strokeDash=[2, 2], strokeWidth=1.5).encode(x="decided:Q"))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return styled(
        chart,
        f"{name} against {incumbent}: the difference, event by event",
        _description(looks, level, margin, decided_after, outcome),
    )


def _description(looks: Sequence[Look], level: float, margin: float, decided_after: int | None, outcome: str) -> str:
    events, value, low, high = looks[-1]
    value_now, low_now, high_now = (signed(number, ".4f") for number in (value, low, high))
    words = [
        f"Difference in mean {outcome} (candidate − incumbent) against the number of events, with its "
        f"{level_percent(level)} confidence interval, which holds at every look together.",
        f"After {quantity(events, 'event')}: {value_now} ({low_now} to {high_now}).",
        "Not decided yet."
        if decided_after is None
        else f"Decided after {quantity(decided_after, 'event')} (dotted line).",
        f"Dashed: the margin of {margin:g}." if margin else "",
    ]
    return " ".join(filter(None, words))
