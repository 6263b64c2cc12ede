"""How often each judge errs as more labels are wrong (Benjelloun 2021, figure 6.7)."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import INK, clipped, clipped_labels, styled
from justesse.charts.resistance import DASHES, MARKS, PAINTS
from justesse.core.errors import OptionError
from justesse.core.printable import printable
from justesse.core.results import Estimate, finite_or_none

PANELS = {
    "type_one": "type I errors",
    "type_two": "type II errors",
    "agreement": "agreement",
    "worse_accepted": "worse candidates accepted",
}
WIDTH, HEIGHT = 205, 150
DESCRIBED = 12  # judges whose rates the text alternative has


def rates_by_noise_points(rows: Sequence[tuple[str, float, dict[str, Estimate]]]) -> list[dict[str, Any]]:
    """Lay out judge, share of wrong labels and rates; those that are undefined are left out.

    >>> rates_by_noise_points([("paired", 0.05, {"type_one": Estimate("type_one", 0.25, 8)})])
    [{'judge': 'paired', 'noise': 0.05, 'rate': 'type_one', 'value': 0.25, 'low': None, 'high': None}]
    """
    return [
        {
            "judge": printable(judge),
            "noise": noise,
            "rate": name,
            "value": estimate.value,
            "low": estimate.interval.low if estimate.interval else None,
            "high": estimate.interval.high if estimate.interval else None,
        }
        for judge, noise, rates in rows
        for name, estimate in rates.items()
        if finite_or_none(estimate.value) is not None
    ]


def rates_by_noise_chart(
    rows: Sequence[tuple[str, float, dict[str, Estimate]]], *, measure: str, reference: str
) -> vl.Chart:
    """Draw a panel for each rate and in it a line for each judge, distinguished by colour, dash and shape.

    Parameters
    ----------
    rows
        Name of the judge, share of wrong labels, and its rates, for every judge and version of the labels.
    measure
        What the judges compared, in words.
    reference
        What the decisions are checked against, in words.
    """
    points = rates_by_noise_points(rows)
    if not points:
        raise OptionError("At least one judge with an error rate is required; got none.")
    judges = list(dict.fromkeys(point["judge"] for point in points))
    drawn = [
        _panel([point for point in points if point["rate"] == name], judges, title)
        for name, title in PANELS.items()
        if any(point["rate"] == name for point in points)
    ]
    chart = vl.concat(*drawn, columns=2, spacing=18)
    low, high = (pick(point["noise"] for point in points) for pick in (min, max))
    description = f"Error rates by share of wrong labels, {low:.1%} to {high:.1%}; {measure}, reference: {reference}. "
    described = "; ".join(_rates_at(points, judge, high) for judge in judges[:DESCRIBED])
    description += f"Type I and type II errors at {high:.1%}: {described}."
    below = [clipped(f"{measure}; reference: {reference}", 80)]
    return styled(chart, "Errors of judges as more labels are wrong", description, below=below)


def _rates_at(points: Sequence[dict[str, Any]], judge: str, noise: float) -> str:
    """Write both error rates of a judge at one share of wrong labels."""
    values = {p["rate"]: p["value"] for p in points if (p["judge"], p["noise"]) == (judge, noise)}
    written = (f"{values[rate]:.1%}" if rate in values else "undefined" for rate in ("type_one", "type_two"))
    return f"{judge} {' and '.join(written)}"


def _span(points: Sequence[dict[str, Any]]) -> list[float]:
    """Let rates of errors begin at none and agreement end at all, with room for both.

    >>> _span([{"rate": "agreement", "value": 0.9}]), _span([{"rate": "type_one", "value": 0.0}])
    ([0.895, 1.0], [0.0, 0.01])
    """
    values = [point["value"] for point in points]
    if points[0]["rate"] == "agreement":
        return [max(0.0, min(*values, 0.99) - 0.05 * (1 - min(values))), 1.0]
    return [0.0, min(1.0, max(*values, 0.01 / 1.05) * 1.05)]


def _panel(points: list[dict[str, Any]], judges: Sequence[str], title: str) -> Any:
    def scale(kinds: Sequence[Any]) -> Any:
        return vl.Scale(domain=list(judges), range=[kinds[at % len(kinds)] for at in range(len(judges))])

    legend = vl.Legend(
        title=None, orient="bottom", columns=2, labelExpr=clipped_labels(judges), symbolSize=80, symbolStrokeWidth=2,
        labelLimit=230,
    )  # fmt: skip
    x = vl.X("noise:Q", title="share of wrong labels", axis=vl.Axis(format="~%", tickCount=5))
    y = vl.Y("value:Q", title=None, axis=vl.Axis(format="~%", tickCount=5), scale=vl.Scale(domain=_span(points)))
    colour = vl.Color("judge:N", scale=scale(PAINTS), legend=legend)
    data = vl.Chart(points)
    line = data.mark_line(strokeWidth=1.8).encode(
        x=x, y=y, color=colour, strokeDash=vl.StrokeDash("judge:N", scale=scale(DASHES), legend=legend)
    )
    dots = data.mark_point(filled=True, size=45, opacity=1).encode(
        x=x,
        y=y,
        color=colour,
        shape=vl.Shape("judge:N", scale=scale(MARKS), legend=legend),
        tooltip=["judge:N", "noise:Q", "value:Q", "low:Q", "high:Q"],
    )
    heading = vl.TitleParams(title, anchor="start", fontSize=12, fontWeight="normal", color=INK, offset=6)
    return vl.layer(line, dots).properties(width=WIDTH, height=HEIGHT, title=heading)
