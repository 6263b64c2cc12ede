"""One document, every medium: what is added to a document shows everywhere it should, written in one way."""

import io
import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, replace

import numpy as np
import pytest
from rich.console import Console

import justesse
from justesse import charts
from justesse.core.errors import OptionError
from justesse.core.results import Estimate, Interval
from justesse.core.tally import Tally
from justesse.report.document import Choice, Column, Document, Figure, KeyFigure, Section, Table, Words
from justesse.report.html import as_page
from justesse.report.markdown import as_markdown
from justesse.report.notebook import as_card
from justesse.report.result import Result
from justesse.report.svg import themed
from justesse.report.terminal import show
from justesse.report.text import as_text
from justesse.report.writing import FORMATS, message, written

ESTIMATE = Estimate("accuracy", 0.963, 899, Interval(0.9489, 0.9737, 0.95, "wilson", (0, 1)))
BOUND = replace(ESTIMATE, interval=Interval(0.9515, 1.0, 0.95, "wilson", (0, 1), "greater"))
HEAD = ["measure", Column("value", "value"), Column("95 % CI", "interval"), Column("n", "count", 1)]
TALLY = Tally.from_dense([[90, 10], [5, 95]], ["a", "b"])


def confusion():
    return charts.confusion_chart(TALLY)


def document(*sections, **options):
    main = Section("main", "Measures", [Table("All classes", HEAD, [["accuracy", *[ESTIMATE] * 3]])], "headline")
    return Document("An example", message("Accuracy {a:estimate}.", a=ESTIMATE), [main, *sections], {"x": 1}, **options)


def on_terminal(what, width=100, detail="summary"):
    out = io.StringIO()
    show(what, Console(file=out, width=width, highlight=False, markup=False), detail)
    return out.getvalue()


def with_spaces(shown):
    """Write no-break spaces as others: which of them a medium uses is tested elsewhere."""
    return shown.replace("\N{NO-BREAK SPACE}", " ")


MEDIA = {
    "terminal": lambda what: on_terminal(what, detail="full"),
    "page": lambda what: with_spaces(as_page(what)),
    "markdown": lambda what: as_markdown(what, "full"),
    "notebook": lambda what: with_spaces(as_card(what)),
    "text": lambda what: as_text(what, "full"),
}


@pytest.mark.parametrize("medium", MEDIA)
def test_a_section_added_once_shows_in_every_medium(medium):
    toy = Section(
        "toy",
        "A toy section",
        [Words(["A toy sentence."]), Table("Toys", ["toy", Column("p", "pvalue")], [["ball", 1e-9]])],
    )
    before, after = (MEDIA[medium](what) for what in (document(), document(toy)))
    for words in ("A toy sentence.", "ball", "0.0001"):
        assert words not in before
        assert words in after


@pytest.mark.parametrize("medium", MEDIA)
def test_the_same_words_for_the_same_figure(medium):
    shown = MEDIA[medium](document(Section("bound", "Bound", [Table("", HEAD, [["accuracy", *[BOUND] * 3]])])))
    assert "0.9489 to 0.9737" in shown
    assert "≥ 0.9515" in shown
    assert "0.9515 to" not in shown


@pytest.mark.parametrize(("detail", "seen"), [("headline", 1), ("summary", 2), ("full", 3)])
def test_each_section_has_a_level_of_detail(detail, seen):
    parts = [Section(name, name, [Words([f"words of {name}"])], name) for name in ("summary", "full")]
    text = as_text(document(*parts), detail)
    assert sum(words in text for words in ("accuracy ", "words of summary", "words of full")) == seen


def test_the_terminal_names_what_full_would_show():
    shown = on_terminal(document(Section("more", "Baselines", [Words(["hidden"])])))
    assert "hidden" not in shown
    assert "--full also shows: Baselines." in shown


def test_a_stacked_row_says_what_its_number_is():
    head = ["rate", Column("rows of experts", "count"), Column("better", "text"), ""]
    shown = on_terminal(document(Section("s", "S", [Table("T", head, [[0.05, 868, "cheap", ""]])], "headline")), 24)
    assert shown.splitlines()[-4:] == ["T", "rate 0.05", "  rows of experts  868", "  better           cheap"]


def test_lines_break_neither_in_relations_nor_in_levels():
    words = Words(["Some words first (n = 899)", "Words (95 % CI 0.1 to 0.2)", "McNemar's mid-p test: p < 0.0001."])
    for width in range(16, 40):
        lines = on_terminal(document(Section("s", "S", [words], "headline")), width).splitlines()
        assert not [line for line in lines if line.endswith((" =", "p <", "95 %", "(n", " to"))], width


@pytest.mark.parametrize("width", range(12, 120, 4))
def test_no_number_is_ever_cropped(width):
    rows = [["a rather long name of a measure", *[ESTIMATE] * 3], ["accuracy", *[BOUND] * 3]]
    shown = " ".join(on_terminal(document(Section("s", "S", [Table("T", HEAD, rows)], "headline")), width).split())
    assert "…" not in shown
    if width >= 34:
        assert shown.count("0.9489 to 0.9737") >= 2
    assert shown.count("0.9630") >= 3
    assert shown.count("0.9489") >= 2


def test_a_narrow_terminal_drops_the_least_important_column_first():
    wide, narrow = (on_terminal(document(), width) for width in (60, 38))
    assert re.search(r"accuracy +0\.9630 +0\.9489 to 0\.9737 +899\n", wide)
    assert re.search(r"accuracy +0\.9630 +0\.9489 to 0\.9737\n", narrow)


def test_at_most_five_cautions_on_the_terminal_the_rest_counted():
    shown = on_terminal(document(cautions=[f"caution {at}" for at in range(8)]))
    assert shown.count("! caution") == 5
    assert "! 3 more with --full." in shown
    assert shown.index("caution 0") < shown.index("All classes")


@pytest.mark.parametrize("medium", MEDIA)
def test_names_never_become_markup_or_steer_the_terminal(medium):
    name = "<script>alert(1)</script>|*x*\x1b[2J[red]"
    shown = MEDIA[medium](document(Section("s", "S", [Table("T", ["class", Column("n", "count")], [[name, 3]])])))
    assert "\x1b[2J" not in shown
    if medium in ("page", "notebook"):
        assert "<script>alert" not in shown
    if medium == "markdown":
        assert "\\|" in shown
        assert "\\<script" in shown


def test_the_page_draws_figures_with_ids_of_their_own_and_words_for_them():
    figures = [Figure(confusion), Choice("Shares", [("one", Figure(confusion)), ("two", Figure(confusion))])]
    one, two = (as_page(document(Section("f", "Figures", figures))) for _ in range(2))
    assert one == two
    assert one.count("<figure") == 3
    ids = re.findall(r'\bid="([^"]+)"', one)
    assert len(ids) == len(set(ids))
    assert one.count('role="img" aria-label="Confusion') == 3
    assert "<script" not in one


def test_a_name_that_looks_like_an_attribute_stays_a_name():
    hostile = Tally.from_dense([[9, 1], [2, 8]], ['a id="y" fill="#222222"', "url(#f0-0)"])
    page = as_page(document(Section("f", "F", [Figure(lambda: charts.confusion_chart(hostile))])))
    drawn = re.search(r"<svg.*?</svg>", page, re.S)[0]
    names = [element.text for element in ElementTree.fromstring(drawn).iter() if element.tag.endswith("text")]
    assert any(name and 'id="y"' in name for name in names)
    assert any(name and "url(#f0-0)" in name for name in names)


@pytest.mark.parametrize("name", ["@everyone", "http://example.org", "www.example.org"])
def test_a_name_in_markdown_calls_nobody_and_links_nowhere(name):
    shown = as_markdown(document(Section("s", "S", [Table("T", ["class"], [[name]])], "summary")))
    assert name not in shown
    assert name in shown.replace("\u200b", "")


def test_pictures_within_a_chart_are_shown():
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        '<image xlink:href="data:image/png;base64,AA"/></svg>'
    )
    assert '<image xlink:href="data:image/png;base64,AA" />' in themed(svg, "f0")


def test_the_terminal_promises_nothing_that_only_a_page_can_show():
    shown = on_terminal(document(Section("drawn", "Only drawn", [Figure(confusion)])))
    assert "Only drawn" not in shown


def test_inks_follow_the_page():
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="white"/><rect fill="white"/><text fill="#222222">white</text></svg>'
    drawn = themed(svg, "f0")
    assert 'fill="none"' in drawn
    assert drawn.count('fill="white"') == 1
    assert "var(--ink)" in drawn
    assert ">white<" in drawn


NEVER_MISSING = {"level", "estimate", "name", "text"}


@pytest.mark.parametrize("kind", sorted(set(FORMATS) - NEVER_MISSING))
def test_every_format_writes_what_is_missing(kind):
    value = math.nan if kind in ("pvalue", "p") else None
    assert written(kind, value) in ("–", "undefined", "p undefined")


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.0, "0.0 %"),
        (1.0, "100.0 %"),
        (0.99996, "99.996 %"),
        (0.00004, "0.004 %"),
        (0.0005, "0.05 %"),
        (0.00047, "0.047 %"),
        (0.947, "94.7 %"),
    ],
)
def test_a_share_is_written_as_0_or_100_only_if_it_is(share, words):
    assert written("share", share) == words


def test_huge_numbers_are_written_in_scientific_notation():
    huge = Estimate("score", 5.125e60, 4, Interval(4.2e60, 6.1e60, 0.95, "student", (-math.inf, math.inf)))
    assert written("value", huge) == "5.125e+60"
    assert written("difference", huge) == "+5.125e+60"
    assert written("interval", huge) == "4.200e+60 to 6.100e+60"
    assert written("difference_interval", huge) == "+4.200e+60 to +6.100e+60"
    assert written("value", 123456.78912) == "123456.7891"


@dataclass(frozen=True, repr=False)
class Toy(Result):
    value: float

    def to_dict(self):
        return {"value": self.value}

    def to_columns(self):
        return {"value": [self.value]}

    def document(self):
        return document(figures=[KeyFigure("Accuracy", ESTIMATE, "share")], verdict="Keep it.")

    def drawings(self):
        return {"confusion": confusion}


def test_a_result_needs_only_data_and_a_document(tmp_path):
    toy = Toy(0.5)
    assert repr(toy).startswith("Keep it.\nAccuracy 0.9630 (0.9489 to 0.9737).")
    assert "96.3 %" in with_spaces(toy._repr_html_())
    assert "96.3 %" in with_spaces(toy.report(tmp_path / "toy.html").read_text())
    assert "| accuracy | 0.9630 | 0.9489 to 0.9737 | 899 |" in toy.markdown()
    assert toy.to_frame().to_pydict() == {"value": [0.5]}
    assert toy.save(tmp_path / "toy.csv").read_text().split() == ['"value"', "0.5"]
    assert [one.name for one in toy.charts(tmp_path / "charts")] == ["confusion.svg", "confusion.png"]
    assert toy.chart().to_dict() == toy.chart("confusion").to_dict()
    with pytest.raises(OptionError, match="no chart 'roc'. Charts: confusion"):
        toy.chart("roc")


def test_numbers_of_numpy_are_written_alike():
    assert written("count", np.int64(1234)) == "1,234"
    assert written("value", np.float64(0.5)) == "0.5000"


@pytest.fixture(scope="module")
def assessment():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 3
    data = {"a": y + rng.normal(size=120), "id": np.arange(120) + 7000, "y": np.array(["cat", "dog", "<b>"])[y]}
    return justesse.assess(data, label="y", model=["tree", "neighbours(n_neighbors=15)", "bayes"], k=4, select=True)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_an_assessment_keeps_its_digits_at_any_width(assessment, width):
    shown = on_terminal(assessment.document(), width, "full")
    assert max(map(len, shown.splitlines())) <= width
    for name in assessment.ranked:
        estimate = assessment[name, "accuracy"]
        assert f"{estimate.value:.4f}" in shown
        assert f"{estimate.interval.low:.4f} to {estimate.interval.high:.4f}" in shown
    for pair in assessment.pairs:
        assert f"{pair.difference.value:+.4f}" in shown
    assert "…" not in shown


def test_an_assessment_fits_a_screen_unless_full(assessment):
    summary, full = (on_terminal(assessment.document(), 100, detail).splitlines() for detail in ("summary", "full"))
    assert len(summary) <= 50 < len(full)
    order = [next(at for at, line in enumerate(summary) if words in line)
             for words in ("Best of 4 models", "! Columns not used: 'id'", "Models, best first", "Differences in accuracy")]  # fmt: skip
    assert order == sorted(order)


@pytest.mark.parametrize("medium", MEDIA)
def test_an_assessment_says_the_same_in_every_medium(assessment, medium):
    shown = MEDIA[medium](assessment.document())
    accuracy = assessment[assessment.best, "accuracy"]
    for words in (f"{accuracy.value:.4f}", "Always predicting", "Choosing model and settings"):
        assert words in shown or (medium == "text" and words == "Choosing model and settings")
    assert "<b>" not in shown.replace("\\<b\\>", "") or medium in ("terminal", "text", "notebook")


def test_markdown_shows_a_key_figure_once():
    """A figure that a table below has is not listed before it; another one is."""
    other = replace(ESTIMATE, name="recall", value=0.5)
    figures = [KeyFigure("Accuracy", ESTIMATE, "share"), KeyFigure("Recall", other, "share")]
    table = Table("", ["measure", Column("value", "value")], [["Accuracy", ESTIMATE]])
    below = Section("m", "Measures", [table], "headline")
    shown = as_markdown(Document("T", "Fine.", [below], {}, figures=figures))
    assert shown.count("| Accuracy |") == 1
    assert "| Recall | 50.0 % |" in shown
    hidden = Section("m", "Measures", [table], "full")
    assert "| Accuracy |" in as_markdown(Document("T", "Fine.", [hidden], {}, figures=figures))


@pytest.mark.parametrize(
    ("medium", "left", "right"),
    [
        ("page", '<td class="left">wilson</td>', "<td>0.5000</td>"),
        ("notebook", "<td class='left'>wilson</td>", "<td>0.5000</td>"),
        ("markdown", "| :-- | --: | :-- | --: |", "| a | 0.5000 | wilson | 3 |"),
        ("terminal", "a          0.5000   wilson   3", "name        value   method   n"),
        ("text", "a         0.5000  wilson  3", "name       value  method  n"),
    ],
)
def test_the_kind_of_a_column_sets_texts_to_the_left_and_numbers_to_the_right(medium, left, right):
    head = ["name", Column("value", "value"), "method", Column("n", "count")]
    shown = MEDIA[medium](Document("T", "Fine.", [Section("s", "S", [Table("", head, [["a", 0.5, "wilson", 3], ["accuracy", 0.5, "x", 3]])], "headline")], {}))  # fmt: skip
    assert left in shown
    assert right in shown


def test_a_level_just_below_1_is_not_100_percent():
    interval = Interval(0.8, 0.95, 0.99999, "wilson")
    assert interval.name == "99.999 % CI"
    assert written("level", 0.99999) == "99.999 %"
    assert written("level", 0.983333) == "98.33 %"


def test_markdown_says_what_a_figure_comes_from():
    """An audit's figure comes from answers about some rows, not from as many rows."""
    counted = KeyFigure("Difference", ESTIMATE, "points", counted="11 answers about 53 disputed rows")
    assert "| 11 answers about 53 disputed rows |" in as_markdown(Document("T", "Fine.", [], {}, figures=[counted]))


def test_a_figure_without_an_interval_shows_no_dash_on_the_page():
    bare = KeyFigure("Lowest possible true accuracy", replace(ESTIMATE, interval=None), "share")
    assert bare.interval == ""
    tile = re.search(r'<dl class="tiles">.*?</dl>', as_page(Document("T", "Fine.", [], {}, figures=[bare])), re.S)[0]
    assert "–" not in tile
