"""Possible true values of a measure, against the share of wrong labels."""

from collections.abc import Sequence
from typing import Any

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, SOFT, WIDTH, clipped, styled
from justesse.core.results import Estimate
from justesse.measures.titles import words_of
from justesse.noise.rate_range import rate_words
from justesse.noise.survives import survives

OVERTURNED = "Orange: can be overturned from here ({:,} wrong labels)."


def noise_band_points(band: Sequence[tuple[float, float, float]]) -> list[dict[str, float]]:
    """Lay out (rate, lowest, highest) in percent.

    >>> noise_band_points([(0.0, 0.9, 0.9), (0.05, 0.85, 0.95)])
    [{'rate': 0.0, 'low': 90.0, 'high': 90.0}, {'rate': 5.0, 'low': 85.0, 'high': 95.0}]
    """
    return [{"rate": 100 * rate, "low": 100 * low, "high": 100 * high} for rate, low, high in band]


def noise_band_chart(
    band: Sequence[tuple[float, float, float]],
    measured: Estimate,
    *,
    claim: tuple[str, float] | None = None,
    breaks_at: tuple[int, int] | None = None,
    rate: tuple[float, float] | None = None,
) -> vl.Chart:
    """Draw the band of possible true values, the measured one with its interval, and how much noise a claim survives.

    Parameters
    ----------
    band
        Points (share of wrong labels, lowest, highest true value).
    measured
        The value against the labels.
    claim
        The claim in words, and its threshold.
    breaks_at
        Smallest number of wrong labels that could make the claim false, and the number of rows.
    rate
        Range of the noise rate that the user knows, drawn as a strip.
    """
    points, title = noise_band_points(band), clipped(words_of(measured))
    claimed = clipped(claim[0], 40) if claim else ""
    x = vl.X("rate:Q", title="share of wrong labels (%)", scale=vl.Scale(nice=False))
    area = vl.Chart(points).mark_area(color=BLUE, opacity=0.2).encode(
        x=x, y=vl.Y("low:Q", title=f"{title} (%)", scale=vl.Scale(zero=False)), y2="high:Q"
    )  # fmt: skip
    flat = [{"rate": point["rate"], "value": 100 * measured.value} for point in (points[0], points[-1])]
    line = vl.Chart(flat).mark_line(color=BLUE, strokeWidth=2).encode(x=x, y="value:Q")
    layers: list[Any] = []
    lines: list[str] = []
    alternative = [f"Measured {title} {100 * measured.value:.1f} %; the band shows the possible true values."]
    if rate:
        strip = [{"low": 100 * rate[0], "high": 100 * max(rate[1], rate[0] + 0.0005)}]
        layers.append(vl.Chart(strip).mark_rect(color=SOFT, opacity=0.18).encode(x="low:Q", x2="high:Q"))
        lines.append(f"Grey: noise rate given, {rate_words(*rate)}.")
    layers += [area, line]
    if measured.interval:
        bar = [{"rate": 0.0, "low": 100 * measured.interval.low, "high": 100 * measured.interval.high}]
        layers.append(vl.Chart(bar).mark_rule(color=INK, strokeWidth=4).encode(x="rate:Q", y="low:Q", y2="high:Q"))
        alternative.append("The bar at 0 is its confidence interval if all labels are right.")
    if claim:
        breaking, n = breaks_at or (None, 0)
        if breaking == 0:
            lines.append(f"The claim {claimed} is false with these labels.")
        elif breaking is not None:
            lines += [f"The claim {claimed} {survives(breaking, n)}.", OVERTURNED.format(breaking)]
        level = {"value": 100 * claim[1], "rate": points[-1]["rate"], "words": f"claim: {claimed}"}
        data = vl.Chart([level])
        layers.append(data.mark_rule(color=ORANGE, strokeDash=[6, 3], strokeWidth=2).encode(y="value:Q"))
        if breaking:
            dot = vl.Chart([level | {"rate": 100 * breaking / n}])
            dot = dot.mark_point(filled=True, color=ORANGE, size=90, opacity=1)
            layers.append(dot.encode(x="rate:Q", y="value:Q"))
        ends = [end for point in points for end in (point["low"], point["high"])]
        upper = 100 * claim[1] > (min(ends) + max(ends)) / 2
        dot_is_right = bool(breaking) and 2 * 100 * (breaking or 0) / n > points[-1]["rate"]  # keep clear of the dot
        placed = vl.Chart([level | {"rate": points[0]["rate"] if dot_is_right else points[-1]["rate"]}])
        text = placed.mark_text(
            align="left" if dot_is_right else "right", dx=8 if dot_is_right else -4, dy=14 if upper else -8, color=INK,
            fontSize=12,
        )  # fmt: skip
        layers.append(text.encode(x="rate:Q", y="value:Q", text="words:N"))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return styled(
        chart, f"Possible true {title} if some labels are wrong", " ".join([*alternative, *lines]), below=lines
    )
