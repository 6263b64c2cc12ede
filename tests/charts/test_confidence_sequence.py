"""The chart of an audit: what is drawn, and the words that stand for it."""

import pytest
import vl_convert

from justesse.charts import confidence_sequence_chart
from justesse.charts.confidence_sequence import sequence_points
from justesse.core.errors import OptionError

LOOKS = [(0, 0.02, -0.1, 0.1), (1, 0.03, -0.05, 0.09), (2, 0.04, 0.01, 0.08)]


def test_points_are_in_percentage_points():
    assert sequence_points(LOOKS)[2] == pytest.approx({"answers": 2, "value": 4, "low": 1, "high": 8})


@pytest.mark.parametrize(
    ("looks", "margin", "said"),
    [
        (LOOKS, 0.0, "The whole interval was first above 0 after 2 answers."),
        (LOOKS, 0.02, "The interval never was wholly above the margin of 2 points or below 0. Dashed: the margin of 2 points."),
        ([(n, -v, -high, -low) for n, v, low, high in LOOKS], 0.0, "The whole interval was first below 0 after 2 answers."),
        (LOOKS[:1], 0.0, "Before any answer: −10.0 to +10.0. The interval never"),
    ],
)  # fmt: skip
def test_the_words_say_what_the_picture_shows(looks, margin, said):
    spec = confidence_sequence_chart(looks, level=0.95, margin=margin).to_dict()
    assert said in spec["description"]
    assert "95 % confidence interval, which holds at every look together" in spec["description"]
    assert "answer by answer" in spec["title"]
    assert "<svg" in vl_convert.vegalite_to_svg(spec)


def test_no_look_is_refused():
    with pytest.raises(OptionError, match="looks is empty"):
        confidence_sequence_chart([], level=0.95)


def test_before_any_answer_no_tick_is_half_an_answer():
    spec = confidence_sequence_chart(LOOKS[:1], level=0.95).to_dict()
    assert [layer["encoding"]["x"]["axis"]["values"] for layer in spec["layer"] if "x" in layer["encoding"]] == [
        [0, 1]
    ] * 4
