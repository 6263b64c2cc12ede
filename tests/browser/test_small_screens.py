"""What a reader with a phone sees: titles and headings in sight, numbers that do not touch, words that are not cut."""

import numpy as np
import pytest

from justesse import evaluate_regression
from justesse.report.document import Column, Document, Section, Table, Words
from justesse.report.html import as_page

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
PHONE = {"viewport": {"width": 375, "height": 800}}
SCROLLING = """() => [...document.querySelectorAll('.scroll')].map(box => {
  const hints = [...box.parentElement.querySelectorAll('.hint')].filter(hint => hint.getBoundingClientRect().height);
  return [box.getAttribute('aria-label'), box.scrollHeight > box.clientHeight + 1, hints.some(hint => hint.textContent.includes('inside')),
    box.scrollWidth > box.clientWidth + 1, hints.some(hint => hint.textContent.includes('Swipe'))]; })"""
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
    head = ["check", "state", Column("finding", "sentence")]
    words = Table("", head, [["size", "passed", "Large enough."]])
    again = Table("Again", ["name", "n"], [["incumbent.csv", "12"]])
    lengths = [
        Section(
            f"rows-{size}",
            f"{size} rows",
            [Table("", ["name", Column("n", "count")], [["row", at] for at in range(size)])],
        )
        for size in (12, 13, 18, 19, 25, 26)
    ]
    columns = [
        Section(
            f"columns-{size}",
            f"{size} columns",
            [Table("", ["name", *"abcdefgh"[:size]], [["x", *["0.12345"] * size]])],
        )
        for size in (2, 3, 4, 5)
    ]
    lines = Words(["Give the training rows (--train).", "Try --full."])
    sections = [
        Section("long", "Long", [long]),
        Section("words", "Checks", [words, lines]),
        Section("again", "Again", [again]),
        *lengths,
        *columns,
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


@pytest.mark.parametrize("width", [375, 1400])
def test_a_hint_to_scroll_is_shown_where_a_table_scrolls_and_nowhere_else(visit, width):
    tables = visit("tables", viewport={"width": width, "height": 800}).evaluate(SCROLLING)
    assert [name for name, down, hinted, *_ in tables if down != hinted] == []
    assert sum(down for _, down, *_ in tables) == (4 if width == 375 else 1)
    if width == 375:
        assert [name for name, _, _, aside, hinted in tables if aside != hinted] == []


def test_cells_below_each_other_have_their_headings(visit):
    cell = visit("tables", **PHONE).locator("table.facts td").first
    assert cell.evaluate("cell => getComputedStyle(cell, '::before').content") == '"state: "'


def test_a_title_is_not_repeated_and_names_are_not_cut_in_two(visit):
    page = visit("tables", **PHONE)
    assert page.locator("caption").count() == 1  # the other titles are those of their sections
    assert page.locator("th", has_text="incumbent.csv").bounding_box()["height"] < 40
    assert page.locator("#again ~ .parts .hint").count() == 0


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
