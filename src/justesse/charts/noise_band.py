"""What the true value of a measure can be, against the share of wrong labels."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, SOFT, WIDTH, clipped, styled
from justesse.core.results import Estimate


def noise_band_points(band: Sequence[tuple[float, float, float]]) -> list[dict[str, float]]:
    """Lay out (rate, least, most) in percent.

    >>> noise_band_points([(0.0, 0.9, 0.9), (0.05, 0.85, 0.95)])
    [{'rate': 0.0, 'low': 90.0, 'high': 90.0}, {'rate': 5.0, 'low': 85.0, 'high': 95.0}]
    """
    return [{"rate": 100 * rate, "low": 100 * low, "high": 100 * high} for rate, low, high in band]


def noise_band_chart(
    band: Sequence[tuple[float, float, float]],
    measured: Estimate,
    *,
    claim: tuple[str, float] | None = None,
    breaks_at: float | None = None,
    rate: tuple[float, float] | None = None,
) -> vl.Chart:
    """Draw the band of possible true values, the measured one with its interval, and where a claim breaks.

    `claim` is its words and its threshold; `rate` the range the user gave, drawn as a strip.
    """
    points, title = noise_band_points(band), clipped(measured.title)
    claimed = clipped(claim[0], 40) if claim else ""
    x = vl.X("rate:Q", title="share of wrong labels (%)", scale=vl.Scale(nice=False))
    area = vl.Chart(points).mark_area(color=BLUE, opacity=0.2).encode(
        x=x, y=vl.Y("low:Q", title=f"{title} (%)", scale=vl.Scale(zero=False)), y2="high:Q"
    )  # fmt: skip
    flat = [{"rate": point["rate"], "value": 100 * measured.value} for point in (points[0], points[-1])]
    line = vl.Chart(flat).mark_line(color=BLUE, strokeWidth=2).encode(x=x, y="value:Q")
    layers: list[Any] = []
    said = [f"Measured {title} {100 * measured.value:.1f} %; the band is what the true one can be."]
    if rate:
        strip = [{"low": 100 * rate[0], "high": 100 * max(rate[1], rate[0] + 0.0005)}]
        layers.append(vl.Chart(strip).mark_rect(color=SOFT, opacity=0.18).encode(x="low:Q", x2="high:Q"))
        said.append(f"Grey: the noise rate given, {100 * rate[0]:g} to {100 * rate[1]:g} %.")
    layers += [area, line]
    if measured.interval:
        bar = [{"rate": 0.0, "low": 100 * measured.interval.low, "high": 100 * measured.interval.high}]
        layers.append(vl.Chart(bar).mark_rule(color=INK, strokeWidth=4).encode(x="rate:Q", y="low:Q", y2="high:Q"))
        said.append("The bar at 0 is its interval if all labels are right.")
    if claim:
        words = f"claimed: {claimed}"
        if breaks_at == 0:
            words += ", false already"
            said.append(f"The claim {claimed} is false already.")
        elif breaks_at is not None:
            words += f", breaks at {100 * breaks_at:.2g} %"
            said.append(f"The claim {claimed} breaks at {100 * breaks_at:.2g} % wrong labels.")
        level = {"value": 100 * claim[1], "rate": points[-1]["rate"], "words": words}
        data = vl.Chart([level])
        layers.append(data.mark_rule(color=ORANGE, strokeDash=[6, 3], strokeWidth=2).encode(y="value:Q"))
        if breaks_at:
            dot = vl.Chart([level | {"rate": 100 * breaks_at}])
            dot = dot.mark_point(filled=True, color=ORANGE, size=90, opacity=1)
            layers.append(dot.encode(x="rate:Q", y="value:Q"))
        # a claim that breaks has some of the band below it, one that does not may be the end of the axis
        text = data.mark_text(align="right", dx=-4, dy=-8 if breaks_at is None else 14, color=INK, fontSize=12)
        layers.append(text.encode(x="rate:Q", y="value:Q", text="words:N"))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return styled(chart, f"What the true {title} can be if some labels are wrong", " ".join(said))
