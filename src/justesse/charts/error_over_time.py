"""The error of a system over time with its band, and what simple baselines would have done."""

from collections.abc import Mapping, Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, GREEN, HEIGHT, ORANGE, WIDTH, styled
from justesse.core.results import finite_or_none

LINES = ("system", "no change", "majority class")
MILLISECONDS = 86_400_000  # of a day


def error_over_time_points(curve: Mapping[str, Sequence[float]], dated: bool) -> list[dict[str, Any]]:
    """Lay out the lines, one point per line and time; dates become milliseconds.

    >>> curve = {"time": [1.0], "error": [0.2], "low": [0.1], "high": [0.3], "no_change": [0.4], "majority": [0.5]}
    >>> [(point["line"], point["value"]) for point in error_over_time_points(curve, False)]
    [('system', 0.2), ('no change', 0.4), ('majority class', 0.5)]
    """
    points = []
    for line, key in zip(LINES, ("error", "no_change", "majority"), strict=True):
        for at, moment in enumerate(curve["time"]):
            if finite_or_none(curve[key][at]) is None:
                continue
            band = (curve["low"][at], curve["high"][at]) if key == "error" else (None, None)
            points.append(
                {
                    "time": moment * MILLISECONDS if dated else moment,
                    "line": line,
                    "value": curve[key][at],
                    "low": band[0],
                    "high": band[1],
                }
            )
    return points


def error_over_time_chart(
    curve: Mapping[str, Sequence[float]], *, dated: bool, memory: str, time: str = "items"
) -> vl.Chart:
    """Draw the recent error over time with its band, and the baselines as dashed lines.

    Parameters
    ----------
    curve
        `time`, `error`, `low`, `high`, `no_change` and `majority`, a value for each place.
    dated
        Whether times are dates, in days since 1970.
    memory
        How recent items are weighted, in words.
    time
        Title of the axis of time.
    """
    points = error_over_time_points(curve, dated)
    scale = vl.Scale(type="utc", nice=False) if dated else vl.Scale(nice=False, zero=False)
    x = vl.X(f"time:{'T' if dated else 'Q'}", title=time, scale=scale)
    y = vl.Y("value:Q", title="error rate", axis=vl.Axis(format="~%"), scale=vl.Scale(zero=True))
    legend = vl.Legend(title=None, orient="top", symbolOpacity=1)
    colour = vl.Color("line:N", scale=vl.Scale(domain=LINES, range=[BLUE, ORANGE, GREEN]), legend=legend)
    dash = vl.StrokeDash("line:N", scale=vl.Scale(domain=LINES, range=[[1, 0], [6, 3], [2, 2]]), legend=legend)
    band = vl.Chart([point for point in points if point["line"] == LINES[0]])
    layers = [
        band.mark_area(color=BLUE, opacity=0.2).encode(x=x, y=vl.Y("low:Q", title="error rate"), y2="high:Q"),
        vl.Chart(points)
        .mark_line(strokeWidth=2)
        .encode(x=x, y=y, color=colour, strokeDash=dash, tooltip=["line:N", "value:Q"]),
    ]
    last = {line: [point["value"] for point in points if point["line"] == line][-1:] for line in LINES}
    words = "; ".join(f"{line} {value[0]:.1%}" for line, value in last.items() if value)
    return styled(
        vl.layer(*layers).properties(width=WIDTH, height=HEIGHT),
        "Error over time",
        f"Error rate over time, {memory}. At the end: {words}.",
        below=[memory, "band: pointwise interval of the system"],
    )
