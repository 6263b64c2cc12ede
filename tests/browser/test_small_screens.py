"""What a reader with a phone sees: titles and headings in sight, numbers that do not touch, words that are not cut."""

import numpy as np
import pytest

from justesse import evaluate_regression
from justesse.report.document import Document, Section, Table, Words
from justesse.report.html import as_page

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
PHONE = {"viewport": {"width": 375, "height": 800}}
TOUCHING = """() => [...document.querySelectorAll('svg')].flatMap(svg => {
  const boxes = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
  const seen = boxes.filter(([words, box]) => words.trim() && box.width);
  return seen.flatMap(([words, a], at) => seen.slice(at + 1).filter(([, b]) => a.left < b.right + 2 && b.left < a.right + 2
    && a.top < b.bottom - 3 && b.top < a.bottom - 3).map(([other]) => `${words} | ${other}`)); })"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of tables, and one of charts whose axes have many numbers."""
    folder = tmp_path_factory.mktemp("pages")
    caption = "A caption much longer than a phone is wide, about a table of many columns"
    long = Table(caption, ["name", *"abcdefgh"], [[f"row {at}", *(["0.12345"] * 8)] for at in range(20)])
    words = Table("", ["check", "state", "finding"], [["size", "passed", "Large enough."]], words=True)
    again = Table("Again", ["name", "n"], [["incumbent.csv", "12"]])
    lines = Words(["Give the training rows (--train).", "Try --full."])
    sections = [
        Section("long", "Long", [long]),
        Section("words", "Checks", [words, lines]),
        Section("again", "Again", [again]),
    ]
    tables = folder / "tables.html"
    tables.write_text(as_page(Document("Test", "A test.", sections, {})))
    rng = np.random.default_rng(0)
    label = rng.normal(150, 60, 200)
    regression = evaluate_regression(
        y_true=label, y_pred=label + rng.normal(0, 40, 200), by={"sex": np.arange(200) % 2}
    )
    return {"tables": tables, "charts": regression.report(folder / "charts.html")}


def test_a_caption_is_not_cut_and_headings_stay_in_sight(visit):
    page = visit("tables", **PHONE)
    box = page.locator("caption span").first.bounding_box()
    assert box["x"] + box["width"] <= 375
    page.locator(".scroll").first.evaluate("box => { box.scrollTop = 200; box.scrollLeft = 200; }")
    table, head = (page.locator(where).first.bounding_box() for where in (".scroll", "thead th"))
    assert 0 <= head["y"] - table["y"] < 60
    assert page.locator("caption span").first.bounding_box()["x"] >= 0


def test_cells_below_each_other_have_their_headings(visit):
    cell = visit("tables", **PHONE).locator("table.facts td").first
    assert cell.evaluate("cell => getComputedStyle(cell, '::before').content") == '"state: "'


def test_a_title_is_not_repeated_and_names_are_not_cut_in_two(visit):
    page = visit("tables", **PHONE)
    assert page.locator("caption").count() == 1
    assert page.locator("th", has_text="incumbent.csv").bounding_box()["height"] < 40
    assert page.locator(".hint.sideways", has_text="Swipe").count() == 1


def test_options_are_named_only_in_the_last_section(visit):
    text = visit("tables").inner_text("main")
    before, _, last = text.partition("Data and settings")
    assert "Give the training rows." in before
    assert "--" not in before
    assert "Try --full." in last


@pytest.mark.parametrize("width", [375, 1400])
def test_numbers_of_an_axis_do_not_touch(visit, width):
    page = visit("charts", viewport={"width": width, "height": 800})
    assert page.evaluate(TOUCHING) == []


@pytest.mark.parametrize(("scheme", "words"), [("light", "Dark mode"), ("dark", "Light mode")])
def test_the_switch_says_what_it_switches_to(visit, scheme, words):
    assert visit("tables", color_scheme=scheme).inner_text(".shade").strip() == words
