"""The bands of what could be true: the right data, words that stay inside, both shades, any name."""

import re

import numpy as np
import pytest
import vl_convert

from justesse import Tally, charts, compare, evaluate
from justesse.charts.noise_band import noise_band_points
from justesse.core.results import Estimate, Interval
from justesse.report.document import Figure
from justesse.report.svg import INKS
from justesse.report.svg import drawn as as_svg

NASTY = "\"><script>alert('x')</script> & \\ {{7*7}} “é” \u2028\x07"
WIDEST = 620  # pixels: at the width of a phone, 12 pixels are then still 7
BAND = [(rate, max(0.9 - rate, 0), min(0.9 + rate, 1)) for rate in np.linspace(0, 0.2, 41).tolist()]
APART = [(rate, 0.05 - 2 * rate, min(0.05 + 2 * rate, 0.2)) for rate in np.linspace(0, 0.1, 41).tolist()]
MEASURED = Estimate("accuracy", 0.9, 500, Interval(0.87, 0.92, 0.95, "wilson", (0, 1)))
MADE = {
    "bare": lambda: charts.noise_band_chart(BAND, MEASURED),
    "no interval": lambda: charts.noise_band_chart(BAND, Estimate("f1", 0.9, 500, average="macro")),
    "early": lambda: charts.noise_band_chart(BAND, MEASURED, claim=("accuracy >= 0.89", 0.89), breaks_at=(6, 500)),
    "late": lambda: charts.noise_band_chart(BAND, MEASURED, claim=("accuracy >= 0.71", 0.71), breaks_at=(96, 500)),
    "never": lambda: charts.noise_band_chart(BAND, MEASURED, claim=("accuracy >= 0", 0.0)),
    "false": lambda: charts.noise_band_chart(BAND, MEASURED, claim=("accuracy >= 0.99", 0.99), breaks_at=(0, 500)),
    "rate": lambda: charts.noise_band_chart(BAND, MEASURED, rate=(0.02, 0.08)),
    "nasty": lambda: charts.noise_band_chart(
        BAND, Estimate("recall", 0.9, 50, class_name=NASTY), claim=(f"recall of {NASTY} > 0.8", 0.8), breaks_at=(5, 50)
    ),
    "difference": lambda: charts.difference_band_chart(APART, MEASURED, breaks_at=0.025),
    "difference and rate": lambda: charts.difference_band_chart(APART, MEASURED, rate=(0.0, 0.05)),
    "no difference": lambda: charts.difference_band_chart([(0.0, 0.0, 0.0), (0.02, 0.0, 0.0)], Estimate("accuracy", 0.0, 9)),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_it_says_what_it_shows_fits_a_phone_and_reads_in_both_shades(name):
    (drawn,) = as_svg([Figure(MADE[name])], narrow=False)
    assert len(title_of(drawn.spec)) > 10
    assert len(drawn.spec["description"]) > 20
    assert "nan" not in drawn.spec["description"].split()
    assert float(re.search(r'viewBox="0 0 ([\d.]+)', drawn.wide).group(1)) <= WIDEST
    assert set(re.findall(r'<text[^>]* fill="([^"]+)"', drawn.wide)) <= set(INKS.values())
    assert not re.search(r'(?:fill|stroke)="(?:black|#000|#000000|white|#fff)"', drawn.wide)
    assert "<script" not in drawn.wide


def title_of(spec):
    return spec["title"] if isinstance(spec["title"], str) else spec["title"]["text"]


def layers_with(chart, **mark):
    return [one for one in chart.to_dict()["layer"] if mark.items() <= one["mark"].items()]


def test_the_band_is_in_percent():
    assert noise_band_points([(0.05, 0.85, 0.95)]) == [{"rate": 5.0, "low": 85.0, "high": 95.0}]
    (area,) = layers_with(MADE["bare"](), type="area")
    assert area["data"]["values"] == noise_band_points(BAND)


def test_the_words_of_a_claim_stand_at_the_right_end_and_the_dot_where_it_breaks():
    (words,) = layers_with(MADE["early"](), type="text")
    assert words["data"]["values"] == [{"value": 89.0, "rate": 20.0, "words": "claim: accuracy >= 0.89"}]
    assert MADE["early"]().to_dict()["title"]["subtitle"] == [
        "The claim accuracy >= 0.89 survives up to 1.0 % wrong labels (5 of 500).",
        "Orange: can be overturned from here (6 wrong labels).",
    ]
    (dot,) = layers_with(MADE["early"](), type="point")
    assert (dot["data"]["values"][0]["rate"], dot["data"]["values"][0]["value"]) == pytest.approx((1.2, 89.0))
    assert not layers_with(MADE["never"](), type="point")
    (above,) = layers_with(MADE["never"](), type="text")
    assert above["mark"]["dy"] < 0 < words["mark"]["dy"]
    assert "survives" not in MADE["never"]().to_dict()["description"]
    assert not layers_with(MADE["false"](), type="point")
    assert MADE["false"]().to_dict()["description"].endswith("The claim accuracy >= 0.99 is false with these labels.")


def test_the_interval_and_the_rate_are_said():
    said = MADE["rate"]().to_dict()["description"]
    assert "Grey: noise rate given, 2 to 8 %." in said
    assert "The bar at 0 is its confidence interval if all labels are right." in said
    assert "bar at 0" not in MADE["no interval"]().to_dict()["description"]
    assert MADE["no interval"]().to_dict()["title"] == "Possible true macro F1 if some labels are wrong"
    sign = "The sign of the difference survives up to 2.2 % wrong labels (11 of 500). Orange: can be overturned from here (12"
    assert f"{sign} wrong labels)." in MADE["difference"]().to_dict()["description"]


@pytest.mark.parametrize("strange", ["\x07", "\x00", "\u2028", "\n", '"', "\\", "</svg>", "\uffff"])
def test_names_that_cannot_be_drawn_are_spelt_out(strange):
    """The renderer ends the whole process on some of them, so that no test could catch it."""
    names = [f"a{strange}z", "b"]
    tally = Tally.from_dense([[40, 5], [5, 40]], names)
    chart = evaluate(tally, claim=f"recall:{names[0]}>0.5", bootstrap="none").chart("noise")
    assert "<text" in vl_convert.vegalite_to_svg(chart.to_dict())


def test_the_picture_of_an_evaluation_is_about_what_is_claimed():
    tally = Tally.from_dense([[45, 5], [10, 40]], ["a", "b"])
    found = evaluate(tally, claim="recall:a>=0.8", noise_rate=0.02, bootstrap="none")
    chart = found.chart("noise")
    assert title_of(chart.to_dict()) == "Possible true recall of 'a' if some labels are wrong"
    (line,) = layers_with(chart, type="line")
    assert {point["value"] for point in line["data"]["values"]} == {90.0}
    (dot,) = layers_with(chart, type="point")
    assert dot["data"]["values"][0]["rate"] == pytest.approx(100 * found.noise.breakdown.rate)
    (area,) = layers_with(chart, type="area")
    assert area["data"]["values"] == noise_band_points(found.noise.band)


def test_one_class_has_no_picture():
    assert "noise" not in str(evaluate(y_true=["a"] * 5, y_pred=["a"] * 5).chart().to_dict()["title"])
    with pytest.raises(ValueError, match="There is no chart 'noise'"):
        evaluate(y_true=["a"] * 5, y_pred=["a"] * 5).chart("noise")


@pytest.mark.parametrize("measure", ["accuracy", "error", "recall:a", "macro-f1"])
def test_the_picture_of_a_comparison_is_about_accuracy(measure):
    cells = [("a", "a", "a", 60), ("a", "b", "a", 9), ("a", "a", "b", 3), ("b", "b", "b", 50), ("b", "a", "b", 5)]
    found = compare(Tally.of(("label", "incumbent", "candidate"), cells), measure=measure)
    chart = found.chart("noise")
    (line,) = layers_with(chart, type="line")
    assert [point["value"] for point in line["data"]["values"]] == pytest.approx([100 * 11 / 127] * 2)
    (dot,) = layers_with(chart, type="point")
    assert dot["data"]["values"][0]["rate"] == pytest.approx(100 * 6 / 127)  # 11 rows ahead: 6 wrong labels turn it
