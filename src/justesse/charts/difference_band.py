"""What the true difference of two classifiers can be, against the share of wrong labels."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.noise_band import noise_band_points
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, SOFT, WIDTH, styled
from justesse.core.results import Estimate


def difference_band_chart(
    band: Sequence[tuple[float, float, float]],
    difference: Estimate,
    *,
    breaks_at: float | None = None,
    rate: tuple[float, float] | None = None,
) -> vl.Chart:
    """Draw the band of possible true differences, the measured one with its interval, and where its sign breaks."""
    points = noise_band_points(band)
    x = vl.X("rate:Q", title="share of wrong labels (%)", scale=vl.Scale(nice=False))
    title = "accuracy, candidate minus incumbent (points)"
    layers: list[Any] = []
    said = [
        f"Measured difference of accuracy {100 * difference.value:+.2f} points; the band is what the true one can be."
    ]
    if rate:
        strip = [{"low": 100 * rate[0], "high": 100 * max(rate[1], rate[0] + 0.0005)}]
        layers.append(vl.Chart(strip).mark_rect(color=SOFT, opacity=0.18).encode(x="low:Q", x2="high:Q"))
        said.append(f"Grey: the noise rate given, {100 * rate[0]:g} to {100 * rate[1]:g} %.")
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
        said.append("The bar at 0 is its interval if all labels are right.")
    if breaks_at is not None and 100 * breaks_at <= points[-1]["rate"]:
        point = [{"rate": 100 * breaks_at, "value": 0.0, "words": f"sign breaks at {100 * breaks_at:.2g} %"}]
        data = vl.Chart(point)
        layers.append(data.mark_point(filled=True, color=ORANGE, size=90, opacity=1).encode(x="rate:Q", y="value:Q"))
        words = data.mark_text(align="left", dx=8, dy=-10, color=INK, fontSize=12)
        layers.append(words.encode(x="rate:Q", y="value:Q", text="words:N"))
        said.append(f"Its sign breaks at {100 * breaks_at:.2g} % wrong labels.")
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return styled(chart, "What the true difference of accuracy can be if labels are wrong", " ".join(said))
