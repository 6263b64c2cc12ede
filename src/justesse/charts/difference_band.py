"""Possible true differences of two classifiers, against the share of wrong labels."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.noise_band import OVERTURNED, noise_band_points
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, SOFT, WIDTH, styled
from justesse.core.results import Estimate
from justesse.noise.rate_range import rate_words
from justesse.noise.survives import survives


def difference_band_chart(
    band: Sequence[tuple[float, float, float]],
    difference: Estimate,
    *,
    breaks_at: float | None = None,
    rate: tuple[float, float] | None = None,
    against: str = "",
) -> vl.Chart:
    """Draw the band of possible true differences, the measured one with its interval, and where its sign can change.

    Parameters
    ----------
    band
        Points (share of wrong labels, lowest, highest true difference).
    difference
        The difference against the labels.
    breaks_at
        Smallest share of wrong labels that could change its sign.
    rate
        Range of the noise rate that the user knows, drawn as a strip.
    against
        End of the title, such as ", against the labels".
    """
    points = noise_band_points(band)
    x = vl.X("rate:Q", title="share of wrong labels (%)", scale=vl.Scale(nice=False))
    title = "accuracy, candidate minus incumbent (points)"
    layers: list[Any] = []
    lines: list[str] = []
    alternative = [
        f"Measured difference of accuracy{against} {100 * difference.value:+.2f} points.",
        "The band shows the possible true ones.",
    ]
    if rate:
        strip = [{"low": 100 * rate[0], "high": 100 * max(rate[1], rate[0] + 0.0005)}]
        layers.append(vl.Chart(strip).mark_rect(color=SOFT, opacity=0.18).encode(x="low:Q", x2="high:Q"))
        lines.append(f"Grey: noise rate given, {rate_words(*rate)}.")
    area = vl.Chart(points).mark_area(color=BLUE, opacity=0.2)
    layers.append(area.encode(x=x, y=vl.Y("low:Q", title=title), y2="high:Q"))
    flat = [{"rate": point["rate"], "value": 100 * difference.value} for point in (points[0], points[-1])]
    layers.append(vl.Chart(flat).mark_line(color=BLUE, strokeWidth=2).encode(x=x, y="value:Q"))
    zero = vl.Chart([{"value": 0.0}])
    layers.append(zero.mark_rule(color=INK, strokeWidth=2).encode(y="value:Q"))
    if difference.interval:
        bar = [{"rate": 0.0, "low": 100 * difference.interval.low, "high": 100 * difference.interval.high}]
        thick = vl.Chart(bar).mark_rule(color=INK, strokeWidth=4)
        layers.append(thick.encode(x="rate:Q", y="low:Q", y2="high:Q"))
        alternative.append("The bar at 0 is its confidence interval if all labels are right.")
    if breaks_at is not None and 100 * breaks_at <= points[-1]["rate"]:
        data = vl.Chart([{"rate": 100 * breaks_at, "value": 0.0}])
        layers.append(data.mark_point(filled=True, color=ORANGE, size=90, opacity=1).encode(x="rate:Q", y="value:Q"))
        breaking = round(breaks_at * difference.n)
        lines.append(f"The sign of the difference {survives(breaking, int(difference.n))}.")
        lines.append(OVERTURNED.format(breaking))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return styled(
        chart,
        f"Possible true difference of accuracy if some labels are wrong{against}",
        " ".join([*alternative, *lines]),
        below=lines,
    )
