"""The charts of a comparison: their data are right, they say what they show, and they stay readable when full."""

import math
import re
import statistics
from itertools import pairwise

import numpy as np
import pytest
import vl_convert
from hypothesis import given, settings
from hypothesis import strategies as st

from justesse import charts, evaluate
from justesse.charts.critical_difference import rank_bars, rank_labels
from justesse.charts.difference import difference_points
from justesse.charts.disagreement import disagreement_points
from justesse.charts.fold_boxes import fold_box_points
from justesse.charts.fold_pairs import fold_pair_points
from justesse.charts.overlay import overlay_points
from justesse.charts.verdicts import label_places, verdict_points
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval
from justesse.report.document import Figure
from justesse.report.svg import INKS
from justesse.report.svg import drawn as as_svg

RNG = np.random.default_rng(0)
NASTY = "\"><script>alert('x')</script> & \\ {{7*7}} “é” \u2028\x07"
LONG = "a very long name of a slice of a model of a hospital, number "
WIDEST = 620  # pixels: at the width of a phone, 12 pixels are then still 7


def estimate(value, half=None, *, bounds=(-1, 1)):
    return Estimate(
        "accuracy", value, 500, None if half is None else Interval(value - half, value + half, 0.95, "newcombe", bounds)
    )


def bound(value, low, high):
    return Estimate("accuracy", value, 500, Interval(low, high, 0.95, "newcombe"))


def scored(strength):
    true = RNG.random(300) < 0.4
    score = 1 / (1 + np.exp(-(RNG.normal(size=300) + strength * true - 1)))
    data = {"label": true.astype(int), "p": score, "prediction": (score > 0.5).astype(int)}
    return evaluate(data, score="p").scores.to_dict()["classes"][0]


def verdict(name, difference=0.02, low=0.01, high=0.03, breakdown=0.01, decision="replace"):
    return {
        "name": name,
        "difference": difference,
        "low": low,
        "high": high,
        "breakdown": breakdown,
        "decision": decision,
    }


INCUMBENT, CANDIDATE = scored(1.0), scored(2.0)
COUNTS = {
    "both_right": 9120,
    "only_incumbent": 123,
    "only_candidate": 187,
    "both_wrong_alike": 402,
    "both_wrong_differently": 168,
}
RANKS = {f"{LONG if at % 4 == 0 else 'model'} {at}": 1 + 29 * at / 30 for at in range(30)}
GROUPS = [list(RANKS)[at : at + 7] for at in range(23)]
SIXTY = [(f"{LONG}{at}", estimate(at / 1000 - 0.03, 0.01)) for at in range(60)]
VERDICTS = [verdict(f"{LONG}{at}", at / 1000, 0.0, 0.05, at / 2000) for at in range(60)]
MADE = {
    "one": lambda: charts.difference_chart([("all rows", estimate(0.012, 0.005))], margin=0.01),
    "no interval": lambda: charts.difference_chart([("all rows", estimate(0.0))]),
    "undefined": lambda: charts.difference_chart([("all rows", estimate(math.nan))]),
    "one-sided": lambda: charts.difference_chart([("all rows", bound(0.01, 0.002, math.inf))]),
    "sixty": lambda: charts.difference_chart(SIXTY, margin=0.005, measure="recall"),
    "nasty row": lambda: charts.difference_chart([(NASTY, estimate(0.1, 0.2))] * 2, measure=NASTY, unit=NASTY),
    "disagreement": lambda: charts.disagreement_chart(COUNTS),
    "no disagreement": lambda: charts.disagreement_chart(dict.fromkeys(COUNTS, 0)),
    "roc": lambda: charts.overlay_chart("roc", INCUMBENT, CANDIDATE),
    "precision_recall": lambda: charts.overlay_chart("precision_recall", INCUMBENT, CANDIDATE),
    "calibration": lambda: charts.overlay_chart("calibration", INCUMBENT, CANDIDATE),
    "nasty class": lambda: charts.overlay_chart("roc", INCUMBENT | {"class": NASTY}, CANDIDATE | {"class": NASTY}),
    "fold pairs": lambda: charts.fold_pairs_chart({"incumbent": [0.7, 0.8, 0.9], "candidate": [0.8, 0.8, 0.8]}),
    "one fold": lambda: charts.fold_pairs_chart({"incumbent": [0.7], NASTY: [0.8]}, NASTY),
    "many models": lambda: charts.fold_pairs_chart({f"{LONG}{at}": RNG.random(30).tolist() for at in range(8)}),
    "fold boxes": lambda: charts.fold_boxes_chart({"incumbent": [0.7, 0.8, 0.9], NASTY: [0.8, 0.8, 0.8]}, NASTY),
    "one score": lambda: charts.fold_boxes_chart({"candidate": [0.8]}),
    "thirty boxes": lambda: charts.fold_boxes_chart({f"{LONG}{at}": RNG.random(10).tolist() for at in range(30)}),
    "two ranks": lambda: charts.critical_difference_chart({NASTY: 1.0, "b": 2.0}, 1.96, [[NASTY, "b"]]),
    "thirty ranks": lambda: charts.critical_difference_chart(RANKS, 6.2, GROUPS),
    "no groups": lambda: charts.critical_difference_chart({"a": 1.2, "b": 1.9, "c": 2.9}, 0.4, []),
    "one verdict": lambda: charts.verdict_chart([verdict(NASTY)]),
    "twelve verdicts": lambda: charts.verdict_chart(VERDICTS[:12]),
    "sixty verdicts": lambda: charts.verdict_chart(VERDICTS),
    "open verdicts": lambda: charts.verdict_chart([verdict("b", high=math.inf), verdict("c", low=None, high=None)]),
    "no verdicts": lambda: charts.verdict_chart([]),
}


@pytest.mark.parametrize("name", MADE)
def test_it_says_what_it_shows_fits_a_phone_and_reads_in_both_shades(name):
    """Text is in the page's own inks; nothing is black or white but the paper, which the page takes away."""
    (drawn,) = as_svg([Figure(MADE[name])], narrow=False)
    spec = drawn.spec
    title = spec["title"]["text"] if isinstance(spec["title"], dict) else spec["title"]
    assert len(title) > 10
    assert len(spec["description"]) > 20
    assert "nan" not in spec["description"].split()
    assert drawn.alt_text == spec["description"]
    assert float(re.search(r'viewBox="0 0 ([\d.]+)', drawn.wide).group(1)) <= WIDEST
    assert set(re.findall(r'<text[^>]* fill="([^"]+)"', drawn.wide)) <= set(INKS.values())
    assert not re.search(r'(?:fill|stroke)="(?:black|#000|#000000|white|#fff)"', drawn.wide)
    assert "<script" not in drawn.wide


@pytest.mark.parametrize("name", ["one", "sixty", "calibration", "thirty ranks", "twelve verdicts"])
def test_it_can_be_zoomed(name):
    first, *others = MADE[name]().interactive().to_dict()["layer"]
    assert [one["bind"] for one in first["params"]] == ["scales"]
    assert not any("params" in one for one in others)


def test_differences_are_in_points_and_say_whose_side_they_are_on():
    rows = [
        ("up", estimate(0.02, 0.01)),
        ("down", estimate(-0.02, 0.01)),
        ("both", estimate(0.0, 0.01)),
        ("bare", estimate(0.02)),
        ("at least", bound(0.02, 0.01, math.inf)),
        ("at most", bound(-0.02, -math.inf, -0.01)),
        ("undefined", estimate(math.nan)),
    ]
    points = difference_points(rows)
    assert [point["side"] for point in points] == [
        "candidate",
        "incumbent",
        "neither",
        "neither",
        "candidate",
        "incumbent",
        "neither",
    ]
    assert points[0]["value"] == pytest.approx(2)
    assert points[0]["low"] == pytest.approx(1)
    assert (points[3]["low"], points[3]["high"]) == (None, None)
    assert (points[4]["high"], points[5]["low"]) == (math.inf, -math.inf)
    assert points[6]["value"] is None
    assert difference_points(rows[:1], unit="euros")[0]["value"] == 0.02
    said = charts.difference_chart(rows).to_dict()["description"]
    assert "Of 7 rows, the candidate is better in 2, the incumbent in 2, 2 are not clear, 1 are undefined." in said


@pytest.mark.parametrize(("value", "half", "open_"), [(0.9, 0.2, True), (1.0, 0.2, False), (0.5, 0.2, False)])
def test_an_end_at_the_bound_is_open_unless_the_value_is_there_too(value, half, open_):
    (point,) = difference_points([("a", estimate(value, half))])
    assert math.isinf(point["high"]) == open_


def test_the_title_claims_no_interval_that_is_not_there():
    title = charts.difference_chart([("a", estimate(0.1))]).to_dict()["title"]
    assert (title["text"], title["subtitle"]) == ("Difference in accuracy", ["+10.0 points"])
    title = charts.difference_chart([("a", estimate(0.1, 0.02))]).to_dict()["title"]
    assert title["subtitle"] == ["+10.0 points (95 % CI +8.0 to +12.0)"]
    title = charts.difference_chart([("a", estimate(0.1, 0.02)), ("b", estimate(0.1))]).to_dict()["title"]
    assert title["text"] == "Difference in accuracy, with 95 % CI"


def layers_with(chart, **mark):
    return [one for one in chart.to_dict()["layer"] if mark.items() <= one["mark"].items()]


def test_a_one_sided_interval_runs_to_the_edge_and_has_its_arrow_there():
    chart = charts.difference_chart([("a", bound(0.02, 0.01, math.inf)), ("b", estimate(-0.01, 0.005))])
    (bars,) = layers_with(chart, type="rule", strokeWidth=3)
    edge = bars["encoding"]["x"]["scale"]["domain"][1]
    assert bars["data"]["values"][0]["high"] == edge > 2
    (arrow,) = layers_with(chart, shape="triangle-right")
    assert [point["name"] for point in arrow["data"]["values"]] == ["a"]
    assert not layers_with(chart, shape="triangle-left")


def test_the_margin_is_shaded_and_both_lines_are_labelled():
    chart = charts.difference_chart([("a", estimate(0.02, 0.01))], margin=0.015)
    (band,) = layers_with(chart, type="rect")
    assert band["data"]["values"] == [{"start": -1.5, "end": 1.5}]
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    for words in (
        "no difference",
        "shaded: at most ±1.5 points, the margin",
        "← incumbent better",
        "percentage points",
    ):
        assert words in svg
    assert "+2.0 points (95 % CI +1.0 to +3.0)" in svg
    assert not layers_with(charts.difference_chart([("a", estimate(0.02, 0.01))]), type="rect")


def test_rows_of_one_name_stay_apart_and_more_than_sixty_are_said():
    chart = charts.difference_chart([("same", estimate(0.01, 0.02))] * 75)
    assert [point["row"] for point in difference_points([("same", estimate(0.01, 0.02))] * 75)] == list(range(60))
    assert chart.to_dict()["description"].endswith("The first 60 of 75 rows.")
    assert vl_convert.vegalite_to_svg(chart.to_dict()).count(">same<") == 60


def test_long_names_stay_told_apart():
    makers = (
        lambda names: charts.difference_chart([(name, estimate(0.1, 0.2)) for name in names]),
        lambda names: charts.fold_boxes_chart({name: [0.1, 0.2] for name in names}),
        lambda names: charts.fold_pairs_chart({name: [0.1, 0.2] for name in names}),
        lambda names: charts.verdict_chart([verdict(name) for name in names]),
        lambda names: charts.critical_difference_chart(dict(zip(names, (1.0, 2.0), strict=True)), 1.0, []),
    )
    for make in makers:
        svg = vl_convert.vegalite_to_svg(make([f"{LONG}11", f"{LONG}12"]).to_dict())
        assert len(re.findall(r">(?:[12]\.00 )?a very[^<]*…[^<]*1[12](?: [12]\.00)?<", svg)) == 2


def test_disagreements_are_drawn_and_agreements_are_words():
    points = disagreement_points(COUNTS)
    assert [point["n"] for point in points] == [123, 187, 168]
    assert sum(point["share"] for point in points) == pytest.approx(478 / 10_000)
    spec = charts.disagreement_chart(COUNTS).to_dict()
    words = " ".join(spec["title"]["subtitle"])
    assert (
        words
        == "They agree on 9,522 (95.2 %) of 10,000 rows: both right on 9,120 (91.2 %), wrong alike on 402 (4.0 %)."
    )
    assert words in spec["description"]
    assert "only candidate right 187 (1.9 %)" in spec["description"]


def test_overlays_hold_the_curves_of_both():
    points = overlay_points("roc", INCUMBENT, CANDIDATE)
    for name, given_ in (("incumbent", INCUMBENT), ("candidate", CANDIDATE)):
        assert [point["x"] for point in points if point["model"] == name] == given_["roc"]["fpr"]
    bins = [point for point in overlay_points("calibration", INCUMBENT, CANDIDATE) if point["model"] == "candidate"]
    wanted = CANDIDATE["calibration"]["mass"]["bins"]
    assert [(point["x"], point["low"], point["n"]) for point in bins] == [
        (one["mean_score"], one["share_low"], one["n"]) for one in wanted
    ]


def test_folds_rise_fall_or_stay():
    points = fold_pair_points({"a": [0.7, 0.3, 0.9], "b": [0.8, 0.1 + 0.2, 0.8], "c": [0.7, 0.4, 0.9]})
    ways = [point["way"] for point in points[::2]]
    assert ways == ["rises", "equal", "falls", "falls", "rises", "rises"]
    assert len({point["line"] for point in points}) == 6


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_boxes_have_the_quartiles_of_another_library_and_the_whiskers_of_tukey(values):
    (box,) = fold_box_points({"a": values})
    quartiles = statistics.quantiles(values, n=4, method="inclusive")
    assert [box["q1"], box["median"], box["q3"]] == pytest.approx(quartiles, abs=1e-9)
    reach = 1.5 * (box["q3"] - box["q1"])
    assert box["low"] == min(value for value in values if value >= box["q1"] - reach)
    assert box["high"] == max(value for value in values if value <= box["q3"] + reach)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_leader_lines_never_cross(shares):
    ranks = {str(at): 1 + share * (len(shares) - 1) for at, share in enumerate(shares)}
    labels = rank_labels(ranks)
    for side, outwards in (("left", 1), ("right", -1)):
        own = sorted((one for one in labels if one["side"] == side), key=lambda one: one["level"])
        assert [one["level"] for one in own] == list(range(len(own)))
        places = [outwards * one["rank"] for one in own]
        assert places == sorted(places)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 29), st.integers(1, 9)), max_size=20))
def test_bars_of_one_level_leave_a_gap(spans):
    names = list(RANKS)
    groups = [names[start : start + size] for start, size in spans]
    bars = rank_bars(RANKS, groups)
    assert len(bars) == sum(len(group) > 1 for group in groups)
    for level in {bar["level"] for bar in bars}:
        own = sorted((bar["low"], bar["high"]) for bar in bars if bar["level"] == level)
        assert all(after[0] - before[1] > 0.5 for before, after in pairwise(own))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 100), max_size=12).map(sorted))
def test_labels_keep_their_order_their_distance_and_the_axis(heights):
    places = label_places(heights, 5.0, [-5, 105])
    assert all(after - before >= 5 - 1e-9 for before, after in pairwise(places))
    assert all(-5 - 1e-9 <= place <= 105 + 1e-9 for place in places)
    if all(after - before >= 5 for before, after in pairwise(heights)):
        assert places == pytest.approx(heights)


def test_verdicts_without_a_place_are_left_out_and_said():
    rows = [
        verdict("b", decision="cannot_tell"),
        verdict("c", breakdown=None),
        verdict("d", difference=math.nan),
        verdict("e", high=None),
    ]
    points = verdict_points(rows)
    assert [(point["name"], point["decision"]) for point in points] == [("b", "cannot tell"), ("e", "replace")]
    assert math.isinf(points[1]["high"])
    assert "2 of 4 candidates" in charts.verdict_chart(rows).to_dict()["description"]
    assert len(verdict_points(VERDICTS * 2)) == 60


def test_names_are_written_for_twelve_candidates_and_no_more():
    for size in (12, 13):
        svg = vl_convert.vegalite_to_svg(charts.verdict_chart([verdict(f"model-{at}") for at in range(size)]).to_dict())
        assert len(re.findall(r">model-\d+<", svg)) == (12 if size == 12 else 0)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: charts.difference_chart([]), "got 0 rows"),
        (lambda: charts.difference_chart([("a", estimate(0.1))], margin=-0.1), "got 1 row and margin -0.1"),
        (lambda: charts.disagreement_chart({"both_right": 1}), "both_wrong_alike"),
        (lambda: charts.disagreement_chart(COUNTS | {"only_candidate": -1}), "'only_candidate': -1"),
        (lambda: charts.overlay_chart("det", INCUMBENT, CANDIDATE), "got 'det'"),
        (lambda: charts.overlay_chart("roc", INCUMBENT, CANDIDATE | {"class": 0}), "got 1 and 0"),
        (lambda: charts.overlay_chart("calibration", INCUMBENT | {"calibration": None}, CANDIDATE), "of the incumbent"),
        (lambda: charts.fold_pairs_chart({"a": [0.1]}), "At least two models"),
        (lambda: charts.fold_pairs_chart({"a": [0.1], "b": [0.1, 0.2]}), "'b': 2"),
        (lambda: charts.fold_pairs_chart({"a": [math.nan], "b": [0.1]}), "finite"),
        (lambda: charts.fold_boxes_chart({}), "got none"),
        (lambda: charts.fold_boxes_chart({"a": []}), "for 'a'"),
        (lambda: charts.critical_difference_chart({"a": 1.0}, 1.0, []), "at least two models"),
        (lambda: charts.critical_difference_chart({"a": 1.0, "b": 2.5}, 1.0, []), "from 1 to the number of models"),
        (lambda: charts.critical_difference_chart({"a": 1.0, "b": 2.0}, math.nan, []), "got nan"),
        (lambda: charts.critical_difference_chart({"a": 1.0, "b": 2.0}, 1.0, [["a", "z"]]), "'z'"),
        (lambda: charts.verdict_chart([verdict("b", decision="perhaps")]), "got 'perhaps' for 'b'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_what_came(make, said):
    with pytest.raises(OptionError, match=re.escape(said)):
        make()
