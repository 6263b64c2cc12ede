"""The matrix of decisions and the rates against noise: the right data, words for those who do not see, both shades."""

import base64
import re
import zlib

import numpy as np
import pytest
import vl_convert

from justesse import charts
from justesse.charts.decision_matrix import (
    BOTH_KEEP,
    BOTH_REPLACE,
    NO_PAIR,
    PAINTS,
    TYPE_1,
    TYPE_2,
    Panel,
    decision_cells,
    reduced,
)
from justesse.charts.rates_by_noise import PANELS, rates_by_noise_points
from justesse.core.errors import OptionError
from justesse.core.results import Estimate
from justesse.report.document import Figure
from justesse.report.svg import INKS, drawn

NASTY = "\"><script>alert('x')</script> & \\ {{7*7}} “é” \u2028\x07"
WIDEST = 620  # pixels: at the width of a phone, 12 pixels are then still 7
BESIDE = 850  # pixels of matrices side by side, which have a layout of their own on a phone
ABOUT = {"measure": "accuracy", "reference": "paired comparison"}


def panels(size, judges=("classical",), versions=("5 %",)):
    rng = np.random.default_rng(0)
    skill = np.sort(rng.normal(size=size))
    right = skill[None] - skill[:, None] > 0.3
    return [
        Panel(
            judge, version, decision_cells(skill[None] - skill[:, None] + rng.normal(0, 0.2, (size, size)) > 0.3, right)
        )
        for judge in judges
        for version in versions
    ]


def rows(judges, noises, value=0.1):
    return [
        (judge, noise, {name: Estimate(name, value, 90) for name in PANELS}) for judge in judges for noise in noises
    ]


MADE = {
    "two": lambda: charts.decision_matrix_chart(panels(2), "ab", **ABOUT),
    "named": lambda: charts.decision_matrix_chart(panels(12), range(12), **ABOUT),
    "nasty": lambda: charts.decision_matrix_chart(panels(3, [NASTY]), [NASTY, NASTY * 3, ""], measure=f"recall of {NASTY!r}", reference=NASTY),
    "hundred": lambda: charts.decision_matrix_chart(panels(100), range(100), **ABOUT),
    "judges": lambda: charts.decision_matrix_chart(panels(40, [f"judge {at}" * 3 for at in range(7)]), range(40), **ABOUT),
    "grid": lambda: charts.decision_matrix_chart(panels(20, ["classical", "prudent_v1"], ["5 %", "10 %", "15 %", "20 %", "25 %", "30 %"]), range(20), **ABOUT),
    "thousand": lambda: charts.decision_matrix_chart(panels(1001), range(1001), **ABOUT),
    "rates": lambda: charts.rates_by_noise_chart(rows(["a", "b"], [0.01, 0.1]), **ABOUT),
    "zeros": lambda: charts.rates_by_noise_chart(rows(["a"], [0.01, 0.1], 0.0), **ABOUT),
    "ones": lambda: charts.rates_by_noise_chart(rows(["a"], [0.01, 0.1], 1.0), **ABOUT),
    "nine judges": lambda: charts.rates_by_noise_chart(rows([f"{NASTY}{at}" for at in range(9)], [0.01, 0.05]), **ABOUT),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_it_says_what_it_shows_fits_a_phone_and_reads_in_both_shades(name):
    (figure,) = drawn([Figure(MADE[name])])
    assert 40 < len(figure.alt_text) < 1000
    assert "nan" not in figure.alt_text.split()
    assert float(re.search(r'viewBox="0 0 ([\d.]+)', figure.wide).group(1)) <= (
        BESIDE if name in ("judges", "grid") else WIDEST
    )
    marked = {"#fefefe", "#111111"}  # on cells of their own colour
    assert set(re.findall(r'<text[^>]* fill="([^"]+)"', figure.wide)) <= set(INKS.values()) | marked
    assert not re.search(r'(?:fill|stroke)="(?:black|#000|#000000|white|#fff)"', figure.wide)
    assert "<script" not in figure.wide
    assert len(figure.wide) < 250_000


@pytest.mark.parametrize("name", ["judges", "grid"])
def test_matrices_keep_their_size_on_a_phone(name):
    (figure,) = drawn([Figure(MADE[name])])
    wide, narrow = (float(re.search(r'viewBox="0 0 ([\d.]+)', svg).group(1)) for svg in (figure.wide, figure.narrow))
    assert narrow <= 350 < wide
    sizes = [{re.search(r'width="(\d+)"', image).group(1) for image in re.findall("<image[^>]+>", svg)} for svg in (figure.wide, figure.narrow)]  # fmt: skip
    assert sizes[0] == sizes[1]
    assert min(float(size) for size in re.findall(r'font-size="([\d.]+)px"', figure.narrow)) >= 11


def test_the_words_of_many_matrices_name_the_judges_that_err():
    made = panels(40, [f"judge {at}" for at in range(9)])
    words = charts.decision_matrix_chart(made, range(40), **ABOUT).to_dict()["description"]
    errors = [panel.counts[TYPE_1] for panel in made]
    worst = made[int(np.argmax(errors))]
    assert f"Type I errors (red): {worst.judge} {max(errors)}, " in words
    assert words.endswith("; fewer in the others.")
    right = [Panel(name, "", np.where(panel.cells == TYPE_1, BOTH_KEEP, panel.cells)) for name, panel in zip("ab", made, strict=False)]  # fmt: skip
    assert charts.decision_matrix_chart(right, range(40), **ABOUT).to_dict()["description"].endswith("No type I error (red).")  # fmt: skip


def test_all_four_answers_have_their_place():
    replaces, reference = (
        np.array([[0, 1, 1], [0, 0, 0], [0, 1, 0]], bool),
        np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool),
    )
    found = decision_cells(replaces, reference)
    expected = [[NO_PAIR, BOTH_REPLACE, TYPE_1], [BOTH_KEEP, NO_PAIR, TYPE_2], [BOTH_KEEP, TYPE_1, NO_PAIR]]
    assert found.tolist() == expected
    assert Panel("x", "", found).counts == [2, 1, 1, 2]


def test_the_words_count_what_is_drawn():
    (panel,) = panels(12)
    said = charts.decision_matrix_chart([panel], range(12), **ABOUT).to_dict()["description"]
    for size, name in zip(panel.counts, ("both keep", "both replace", "type II error", "type I error"), strict=True):
        assert f"{size} {name}" in said
    assert sum(panel.counts) == 12 * 11


@pytest.mark.parametrize("size", [4, 40])
def test_the_legend_explains_the_grey_diagonal(size):
    svg = vl_convert.vegalite_to_svg(charts.decision_matrix_chart(panels(size), range(size), **ABOUT).to_dict())
    assert "same classifier: no pair" in re.findall(r"<text[^>]*>([^<]+)</text>", svg)


def test_the_order_is_named():
    best, worst = (
        charts.decision_matrix_chart(panels(4), range(4), **ABOUT, best_first=first).to_dict()
        for first in (True, False)
    )
    assert "true classes, best first" in best["description"]
    assert "true classes, worst first" in worst["description"]
    assert "candidate: best to worst →" in str(best)
    assert "candidate: worst to best →" in str(worst)


def test_few_cells_are_drawn_one_by_one_and_errors_marked_without_colour():
    (panel,) = panels(12)
    drawn = charts.decision_matrix_chart([panel], range(12), **ABOUT).to_dict()
    tiles, _ = [layer for layer in drawn["layer"] if len(layer["data"]["values"]) == 12 * 11]
    marks = [point["mark"] for point in tiles["data"]["values"]]
    assert (marks.count("II"), marks.count("I")) == tuple(panel.counts[TYPE_2 : TYPE_1 + 1])
    svg = vl_convert.vegalite_to_svg(drawn)
    assert svg.count(">II</text>") == panel.counts[TYPE_2]


def test_many_cells_are_pixels_of_the_four_colours():
    (panel,) = panels(100)
    svg = vl_convert.vegalite_to_svg(charts.decision_matrix_chart([panel], range(100), **ABOUT).to_dict())
    assert svg.count("<image") == 1
    data = base64.b64decode(re.search(r"data:image/png;base64,([\w+/=]+)", svg).group(1))
    at = data.index(b"IDAT")
    raw = zlib.decompress(data[at + 4 : at + 4 + int.from_bytes(data[at - 4 : at], "big")])
    pixels = np.frombuffer(raw, np.uint8).reshape(100, 301)[:, 1:].reshape(100, 100, 3)
    colours = np.array([[int(paint[i : i + 2], 16) for i in (1, 3, 5)] for paint in PAINTS])
    assert np.array_equal(pixels, colours[panel.cells])


def test_a_pixel_for_several_pairs_hides_no_type_one_error():
    cells = np.zeros((1200, 1200), dtype=np.uint8)
    cells[700, 3] = TYPE_1
    small = reduced(cells, 500)
    assert len(small) <= 500
    assert (small == TYPE_1).sum() == 1
    assert np.array_equal(reduced(cells[:400, :400], 400), cells[:400, :400])


def test_dots_of_several_pairs_are_declared():
    said = [
        charts.decision_matrix_chart(panels(size), range(size), **ABOUT).to_dict()["title"]["subtitle"]
        for size in (960, 961)
    ]
    assert [any("several pairs" in line for line in lines) for lines in said] == [False, True]


def test_the_worst_is_first_and_panels_keep_the_order_given():
    made = panels(20, ["classical", "prudent_v1"], ["5 %", "10 %"])
    drawn = charts.decision_matrix_chart(made, range(20), **ABOUT).to_dict()
    assert [one["title"]["text"] for one in drawn["concat"]] == [[p.judge, p.version] for p in made]
    assert drawn["columns"] == 2


def test_nothing_to_draw_is_said():
    with pytest.raises(OptionError, match="each of the 2 classifiers"):
        charts.decision_matrix_chart([], "ab", **ABOUT)
    with pytest.raises(OptionError, match="each of the 3 classifiers"):
        charts.decision_matrix_chart(panels(2), "abc", **ABOUT)
    with pytest.raises(OptionError, match="got none"):
        charts.rates_by_noise_chart([("a", 0.1, {"type_one": Estimate("type_one", float("nan"), 0)})], **ABOUT)


def test_undefined_rates_are_left_out_of_the_lines():
    points = rates_by_noise_points(
        [("a", 0.1, {"type_one": Estimate("type_one", 0.2, 9), "type_two": Estimate("type_two", float("nan"), 0)})]
    )
    assert [point["rate"] for point in points] == ["type_one"]
