"""The confidence sequence of an audit: the difference and its interval after each answer of an expert."""

from collections.abc import Sequence

from justesse.charts import vega_lite as vl
from justesse.charts.paint import BLUE, HEIGHT, INK, ORANGE, WIDTH, signed, styled
from justesse.core.errors import OptionError

Look = tuple[int, float, float, float]  # answers so far, the difference, and both ends of its interval


def sequence_points(looks: Sequence[Look], scale: float = 100.0) -> list[dict[str, float]]:
    """Convert the looks to percentage points, or to another scale.

    >>> sequence_points([(0, 0.01, -0.05, 0.07)])
    [{'answers': 0, 'value': 1.0, 'low': -5.0, 'high': 7.000000000000001}]
    """
    return [
        {"answers": answers, "value": scale * value, "low": scale * low, "high": scale * high}
        for answers, value, low, high in looks
    ]


def confidence_sequence_chart(
    looks: Sequence[Look],
    *,
    level: float,
    margin: float = 0.0,
    about: str = "on this test set",
    difference: str = "accuracy difference",
    points: bool = True,
) -> vl.Chart:
    """Draw the interval as a band that narrows with the answers, and the line of no difference.

    Parameters
    ----------
    looks : list of (answers, difference, low, high)
        One look per answer, the first before any answer.
    level : float
        Confidence level of the intervals.
    margin : float, default 0
        The smallest gain that matters: a dashed line.
    about : str
        Which rows the difference is about, as words for the title.
    difference : str, default accuracy difference
        What is shown, in words.
    points : bool, default True
        Whether differences are shares, drawn in percentage points; otherwise they are drawn as they are.
    """
    if not looks:
        raise OptionError("looks is empty. Pass at least the look before any answer.")
    scale = 100.0 if points else 1.0
    drawn = sequence_points(looks, scale)
    ticks = {"values": [looks[0][0], looks[0][0] + 1]} if len(drawn) == 1 else {}  # others would be half an answer
    if len(drawn) == 1:  # a band needs two sides
        drawn = [drawn[0], {**drawn[0], "answers": drawn[0]["answers"] + 1}]
    x = vl.X(
        "answers:Q", title="answers", axis=vl.Axis(tickMinStep=1, format=",d", **ticks), scale=vl.Scale(nice=False)
    )
    title = ["← incumbent better · difference · candidate better →", "percentage points" if points else "cost per row"]
    y = vl.Y("low:Q", title=title, axis=vl.Axis(format="+,~f", labelExpr="datum.value == 0 ? '0' : datum.label"))
    data = vl.Chart(drawn)
    tips = ["answers:Q", "value:Q", "low:Q", "high:Q"]
    layers = [
        data.mark_area(color=BLUE, opacity=0.2, interpolate="step-after").encode(x=x, y=y, y2="high:Q"),
        data.mark_line(color=BLUE, strokeWidth=1, interpolate="step-after").encode(x=x, y="low:Q"),
        data.mark_line(color=BLUE, strokeWidth=1, interpolate="step-after").encode(x=x, y="high:Q"),
        data.mark_line(color=BLUE, strokeWidth=2.5, interpolate="step-after").encode(x=x, y="value:Q", tooltip=tips),
        vl.Chart([{"zero": 0}]).mark_rule(color=INK, strokeWidth=1.5).encode(y="zero:Q"),
    ]
    if margin:
        gains = vl.Chart([{"margin": scale * margin}])
        layers.append(gains.mark_rule(color=ORANGE, strokeDash=[6, 3], strokeWidth=2).encode(y="margin:Q"))
    chart = vl.layer(*layers).properties(width=WIDTH, height=HEIGHT)
    return styled(
        chart, f"Difference {about}, answer by answer", _description(looks, level, margin, about, difference, scale)
    )


def _description(looks: Sequence[Look], level: float, margin: float, about: str, difference: str, scale: float) -> str:
    answers, value, low, high = looks[-1]
    decimals = 1 if high - low >= 0.002 else 2
    first_low, first_high, value_now, low_now, high_now = (
        signed(scale * number, f".{decimals}f") for number in (*looks[0][2:], value, low, high)
    )
    words = [
        f"{difference[:1].upper()}{difference[1:]} (candidate − incumbent) {about} after each answer, "
        f"{'in points' if scale == 100 else 'positive is cheaper'}, with its {100 * level:g} % "
        "confidence interval, which holds at every look together.",
        f"Before any answer: {first_low} to {first_high}." if not looks[0][0] else "",
        f"After {answers:,} answer{'' if answers == 1 else 's'}: {value_now} ({low_now} to {high_now})."
        if answers
        else "",
    ]
    clear = next((look for look in looks if look[2] > margin or look[3] < 0), None)
    line = f"the margin of {100 * margin:g} points" if margin else "0"
    if clear:
        side = f"above {line}" if clear[2] > margin else "below 0"
        words.append(f"The whole interval was first {side} after {clear[0]:,} answers.")
    else:
        words.append(f"The interval never was wholly above {line} or below 0.")
    if margin:
        words.append(f"Dashed: {line}.")
    return " ".join(filter(None, words))
