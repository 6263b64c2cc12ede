"""What is known of the difference after each answer of an expert: an interval that holds at every look."""

from collections.abc import Sequence

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, WIDTH, signed, styled
from justesse.core.errors import OptionError

Look = tuple[int, float, float, float]  # answers so far, the difference as far as known, and its interval


def sequence_points(looks: Sequence[Look]) -> list[dict[str, float]]:
    """Lay out the looks in percentage points.

    >>> sequence_points([(0, 0.01, -0.05, 0.07)])
    [{'answers': 0, 'value': 1.0, 'low': -5.0, 'high': 7.000000000000001}]
    """
    return [
        {"answers": answers, "value": 100 * value, "low": 100 * low, "high": 100 * high}
        for answers, value, low, high in looks
    ]


def confidence_sequence_chart(
    looks: Sequence[Look], *, level: float, margin: float = 0.0, about: str = "on this test set"
) -> vl.Chart:
    """Draw the interval as a band that narrows with the answers, beside the line of no difference.

    `about` says for which rows the difference is meant; with `margin` a second line shows the gain that matters.
    """
    if not looks:
        raise OptionError("at least one look is needed, the one before any answer; got none")
    points = sequence_points(looks)
    if len(points) == 1:  # a band needs two sides
        points = [points[0], {**points[0], "answers": points[0]["answers"] + 1}]
    x = vl.X("answers:Q", title="answers so far", axis=vl.Axis(tickMinStep=1, format=",d"), scale=vl.Scale(nice=False))
    title = ["← incumbent better · difference · candidate better →", "percentage points"]
    y = vl.Y("low:Q", title=title, axis=vl.Axis(format="+,~f", labelExpr="datum.value == 0 ? '0' : datum.label"))
    data = vl.Chart(points)
    tips = ["answers:Q", "value:Q", "low:Q", "high:Q"]
    layers = [
        data.mark_area(color=BLUE, opacity=0.2, interpolate="step-after").encode(x=x, y=y, y2="high:Q"),
        data.mark_line(color=BLUE, strokeWidth=1, interpolate="step-after").encode(x=x, y="low:Q"),
        data.mark_line(color=BLUE, strokeWidth=1, interpolate="step-after").encode(x=x, y="high:Q"),
        data.mark_line(color=BLUE, strokeWidth=2.5, interpolate="step-after").encode(x=x, y="value:Q", tooltip=tips),
        vl.Chart([{"zero": 0}]).mark_rule(color=INK, strokeWidth=1.5).encode(y="zero:Q"),
    ]
    if margin:
        gains = vl.Chart([{"margin": 100 * margin}])
        layers.append(gains.mark_rule(color=ORANGE, strokeDash=[6, 3], strokeWidth=2).encode(y="margin:Q"))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return styled(chart, f"The difference {about}, as the answers came in", _said(looks, level, margin, about))


def _said(looks: Sequence[Look], level: float, margin: float, about: str) -> str:
    first, last = looks[0], looks[-1]
    words = [
        f"Difference {about}, candidate minus incumbent, in percentage points, with an interval that holds at every "
        f"look together with {100 * level:g} %.",
        f"After {first[0]:,} answers it reached from {signed(100 * first[2])} to {signed(100 * first[3])};",
        f"after {last[0]:,} from {signed(100 * last[2])} to {signed(100 * last[3])}, around {signed(100 * last[1])}.",
    ]
    clear = next((look for look in looks if look[2] > margin or look[3] < 0), None)
    line = f"the gain of {100 * margin:g} that matters" if margin else "0"
    if clear:
        words.append(
            f"It first lay wholly {'above ' + line if clear[2] > margin else 'below 0'} after {clear[0]:,} answers."
        )
    else:
        words.append(f"It has never lain wholly above {line} or below 0.")
    if margin:
        words.append(f"Dashed: {line}.")
    return " ".join(words)
