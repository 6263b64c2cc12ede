"""What the true accuracy can be, against the share of wrong labels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, SOFT, WIDTH, altair, styled
from justesse.core.results import Estimate

if TYPE_CHECKING:
    import altair as alt


def noise_band_points(band: Sequence[tuple[float, float, float]]) -> list[dict[str, float]]:
    """Lay out (rate, least, most) in percent.

    >>> noise_band_points([(0.0, 0.9, 0.9), (0.05, 0.85, 0.95)])
    [{'rate': 0.0, 'low': 90.0, 'high': 90.0}, {'rate': 5.0, 'low': 85.0, 'high': 95.0}]
    """
    return [{"rate": 100 * rate, "low": 100 * low, "high": 100 * high} for rate, low, high in band]


def noise_band_chart(
    band: Sequence[tuple[float, float, float]],
    apparent: Estimate,
    *,
    claim: tuple[str, float] | None = None,
    breaks_at: float | None = None,
    rate: tuple[float, float] | None = None,
    most: float | None = None,
) -> "alt.Chart":
    """Draw the band of possible true accuracies, the measured one with its interval, and where a claim breaks.

    `claim` is its words and its threshold, if it is about accuracy; `rate` the range the user gave, drawn as a strip.
    """
    alt = altair()
    reach = most or max(0.1, 2 * (breaks_at or 0.05), 1.5 * (rate[1] if rate else 0.0))
    shown = [point for point in noise_band_points(band) if point["rate"] <= 100 * min(reach, 0.5) + 1e-9]
    x = alt.X("rate:Q", title="share of wrong labels (%)")
    area = alt.Chart(alt.Data(values=shown)).mark_area(color=BLUE, opacity=0.2).encode(
        x=x, y=alt.Y("low:Q", title="accuracy (%)", scale=alt.Scale(zero=False)), y2="high:Q"
    )  # fmt: skip
    flat = [{"rate": point["rate"], "value": 100 * apparent.value} for point in (shown[0], shown[-1])]
    line = alt.Chart(alt.Data(values=flat)).mark_line(color=BLUE, strokeWidth=2).encode(x=x, y="value:Q")
    layers: list[Any] = []
    said = [f"Measured accuracy {100 * apparent.value:.1f} %; the band is what the true one can be."]
    if rate:
        strip = [{"low": 100 * rate[0], "high": 100 * max(rate[1], rate[0] + 0.0005)}]
        layers.append(
            alt.Chart(alt.Data(values=strip)).mark_rect(color=SOFT, opacity=0.18).encode(x="low:Q", x2="high:Q")
        )
        said.append(f"Grey: the noise rate given, {100 * rate[0]:g} to {100 * rate[1]:g} %.")
    layers += [area, line]
    if apparent.interval:
        bar = [{"rate": 0.0, "low": 100 * apparent.interval.low, "high": 100 * apparent.interval.high}]
        layers.append(
            alt.Chart(alt.Data(values=bar))
            .mark_rule(color=INK, strokeWidth=4)
            .encode(x="rate:Q", y="low:Q", y2="high:Q")
        )
        said.append("The bar at 0 is its interval if all labels are right.")
    if claim:
        level = [{"value": 100 * claim[1], "rate": shown[-1]["rate"], "words": f"claimed: {claim[0]}"}]
        data = alt.Chart(alt.Data(values=level))
        layers.append(data.mark_rule(color=ORANGE, strokeDash=[6, 3], strokeWidth=2).encode(y="value:Q"))
        layers.append(
            data.mark_text(align="right", dy=-7, color=INK, fontSize=12).encode(x="rate:Q", y="value:Q", text="words:N")
        )
    if breaks_at is not None and claim and 100 * breaks_at <= shown[-1]["rate"]:
        point = [{"rate": 100 * breaks_at, "value": 100 * claim[1], "words": f"breaks at {100 * breaks_at:.2g} %"}]
        data = alt.Chart(alt.Data(values=point))
        layers.append(data.mark_point(filled=True, color=ORANGE, size=90, opacity=1).encode(x="rate:Q", y="value:Q"))
        layers.append(
            data.mark_text(align="left", dx=8, dy=14, color=INK, fontSize=12).encode(
                x="rate:Q", y="value:Q", text="words:N"
            )
        )
        said.append(f"The claim {claim[0]} breaks at {100 * breaks_at:.2g} % wrong labels.")
    chart = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return styled(chart, "What the true accuracy can be if some labels are wrong", " ".join(said))
